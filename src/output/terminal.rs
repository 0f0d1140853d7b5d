//! A run's summary as a person reads it in a terminal.

pub mod answers;
pub mod compact;

use comfy_table::presets::UTF8_HORIZONTAL_ONLY;
use comfy_table::{CellAlignment, ContentArrangement, Table as TextTable};

use super::Table;
use crate::experiment::results::batched::grouped;
use compact::{matrix, rungs};

/// Line-ups that are shown below a cell's summary, where they say more than it.
const LINEUPS: usize = 12;

/// The line above results: the experiment's name and question.
pub fn head(name: &str, question: Option<&str>) -> String {
    match question {
        Some(question) => format!("{name}: {question}\n"),
        None => format!("{name}\n"),
    }
}

/// The results as text: a heading and a table for each cell, and where a few line-ups of different
/// strategies make it up, one for these; of many pairs of two players a matrix. The arguments are
/// the run's `summary.csv`, `lineups.csv`, and `rungs.csv` where it has one.
pub fn results(summary: &Table, lineups: &Table, ladder: Option<&Table>) -> String {
    let mut text = String::new();
    for rows in cells(summary) {
        let Some(first) = rows.first() else { continue };
        let pairs = rows.len() > LINEUPS && summary.field(first, "players") == "2";
        let shown = match pairs && summary.column("team").is_some() {
            true => matrix(summary, rows),
            false => cell_table(summary, rows),
        };
        text.push_str(&format!("\n{}\n{shown}\n", heading(summary, first)));
        let cell = summary.field(first, "cell");
        let own: Vec<&Vec<String>> =
            lineups.rows.iter().filter(|row| lineups.field(row, "cell") == cell).collect();
        if summary.column("win_share").is_some() && is_telling(lineups, &own) {
            text.push_str(&format!("{}\n", lineup_table(lineups, &own)));
        }
    }
    text.push_str(&ladder.map_or(String::new(), rungs));
    text
}

/// An empty table that is as wide as what it holds.
pub(super) fn plain() -> TextTable {
    let mut table = TextTable::new();
    table.load_style(UTF8_HORIZONTAL_ONLY).set_content_arrangement(ContentArrangement::Disabled);
    table
}

/// A p-value with four decimals.
pub(super) fn p_value(p: f64) -> String {
    if p < 0.0001 { "< 0.0001".to_owned() } else { format!("{p:.4}") }
}

/// A table's rows, cell by cell.
pub fn cells(table: &Table) -> impl Iterator<Item = &[Vec<String>]> {
    table.rows.chunk_by(|a, b| table.field(a, "cell") == table.field(b, "cell"))
}

/// More than one line-up, one of them with different strategies, and not too many to read.
fn is_telling(lineups: &Table, rows: &[&Vec<String>]) -> bool {
    let of = |row: &Vec<String>| lineups.field(row, "lineup").to_owned();
    let mut numbers: Vec<String> = rows.iter().map(|row| of(row)).collect();
    let mixed = numbers.windows(2).any(|pair| pair[0] == pair[1]);
    numbers.dedup();
    mixed && (2..=LINEUPS).contains(&numbers.len())
}

fn lineup_table(lineups: &Table, rows: &[&Vec<String>]) -> String {
    let mut table = plain();
    table.set_header(["line-up", "strategy", "win share [95 %]", "over the others [95 %]"]);
    let mut last = "";
    for row in rows {
        let field = |name: &str| lineups.field(row, name);
        let seats = match field("lineup") == last {
            true => String::new(),
            false => grouped(&field("seats").split('+').collect::<Vec<_>>()),
        };
        last = field("lineup");
        let labels = rows.iter().map(|row| lineups.field(row, "strategy"));
        let answers = answers::is_answer(field("strategy"), labels);
        let estimates = [&SCORES[0], &SCORES[2]].map(|shown| estimate(shown, field, answers));
        let [share, difference] = estimates;
        table.add_row([seats, field("strategy").to_owned(), share, difference]);
    }
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    without_inner_lines(&table.to_string())
}

/// `mind-up, 4 players, objectives=1; parity 0.250`.
fn heading(summary: &Table, row: &[String]) -> String {
    let mut heading = title(summary, row);
    if let Ok(players) = summary.field(row, "players").parse::<f64>()
        && summary.column("win_share").is_some()
    {
        heading.push_str(&format!("; parity {:.3}", 1.0 / players));
    }
    heading
}

/// The cell of a row as headings tell it: `mind-up, 4 players, objectives=1`.
pub fn title(summary: &Table, row: &[String]) -> String {
    let players = summary.field(row, "players");
    let mut heading = format!("{}, {players} players", summary.field(row, "game"));
    if summary.field(row, "game") == "mind-up" && players == "2" {
        heading.push_str(" (unofficial)");
    }
    let lead = summary.column("players").map_or(0, |place| place + 1);
    let end = ["strategy", "group", "team"].iter().filter_map(|name| summary.column(name)).min();
    for place in lead..end.unwrap_or(lead) {
        heading.push_str(&format!(", {}={}", summary.columns[place], row[place]));
    }
    if summary.column("group").is_some() {
        heading.push_str(&format!(", group {}", summary.field(row, "group")));
    }
    heading
}

/// An estimate's columns in the file and how a person reads it: heading, mean, ends, decimals.
type Shown = (&'static str, [&'static str; 3], usize);

const SCORES: &[Shown] = &[
    ("win share [95 %]", ["win_share", "win_share_low", "win_share_high"], 3),
    ("score [95 %]", ["score_mean", "score_low", "score_high"], 1),
    (
        "over the others [95 %]",
        ["score_difference", "score_difference_low", "score_difference_high"],
        2,
    ),
];

const TEAMS: &[Shown] = &[
    ("games won [95 %]", ["win_rate", "win_rate_low", "win_rate_high"], 3),
    ("levels [95 %]", ["levels_mean", "levels_low", "levels_high"], 2),
    ("lives left", ["lives_mean", "", ""], 2),
    ("seconds a game", ["seconds_mean", "", ""], 0),
];

fn cell_table(summary: &Table, rows: &[Vec<String>]) -> String {
    let mut table = plain();
    let ranks: Vec<&String> = summary
        .columns
        .iter()
        .filter(|name| name.starts_with("rank_"))
        .filter(|name| rows.iter().any(|row| !summary.field(row, name).is_empty()))
        .collect();
    let team = summary.column("team").is_some();
    let (who, shown) = if team { ("team", TEAMS) } else { ("strategy", SCORES) };
    let mut header = vec![who.to_owned(), "games".to_owned()];
    header.extend(shown.iter().map(|(heading, ..)| (*heading).to_owned()));
    header.extend(ranks.iter().map(|name| name.replace("rank_", "#")));
    table.set_header(header);
    for row in rows {
        let field = |name: &str| summary.field(row, name);
        let labels = rows.iter().map(|row| summary.field(row, who));
        let answers = answers::is_answer(field(who), labels);
        let mut fields = vec![field(who).to_owned(), thousands(field("games"))];
        fields.extend(shown.iter().map(|shown| estimate(shown, field, answers)));
        fields.extend(ranks.iter().map(|name| percent(field(name))));
        table.add_row(fields);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    // No lines between the rows of a table that is read as a whole.
    without_inner_lines(&table.to_string())
}

/// An estimate of a row; what a searcher `answers` by is a gain, or none.
fn estimate<'a>(
    (_, [mean, low, high], decimals): &Shown,
    field: impl Fn(&str) -> &'a str,
    answers: bool,
) -> String {
    let number = |name: &str| field(name).parse::<f64>().ok();
    match number(mean).filter(|_| answers && *mean == "score_difference") {
        Some(gain) => answers::gain(gain, number(low).zip(number(high)), *decimals),
        None => bracketed(field(mean), field(low), field(high), *decimals),
    }
}

/// Drops the thin lines between rows; the first and the last stay.
pub(super) fn without_inner_lines(text: &str) -> String {
    let thin = |line: &str| line.starts_with('─');
    let last = text.lines().count().saturating_sub(1);
    let kept = text.lines().enumerate().filter(|&(at, line)| at == 0 || at == last || !thin(line));
    kept.map(|(_, line)| line.trim_end()).collect::<Vec<_>>().join("\n")
}

/// `0.412 [0.398, 0.426]`, without what nothing can be said of.
pub fn bracketed(mean: &str, low: &str, high: &str, decimals: usize) -> String {
    let round = |text: &str| text.parse::<f64>().ok().map(|value| format!("{value:.decimals$}"));
    match (round(mean), round(low), round(high)) {
        (Some(mean), Some(low), Some(high)) => format!("{mean} [{low}, {high}]"),
        (Some(mean), ..) => mean,
        _ => String::new(),
    }
}

fn percent(share: &str) -> String {
    share.parse::<f64>().map_or(String::new(), |share| format!("{:.1} %", 100.0 * share))
}

/// `12,345,678`.
pub fn thousands(number: &str) -> String {
    let mut text = String::new();
    for (place, digit) in number.chars().enumerate() {
        if place > 0 && (number.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In both tables, and of nobody else a difference.
    #[test]
    fn answers_that_gain_nothing_are_told_so() {
        let columns = "cell,game,players,strategy,games,win_share,win_share_low,win_share_high,\
                       score_difference,score_difference_low,score_difference_high";
        let row = |name: &str, difference: &str| {
            format!("0,mind-up,4,{name},120,0.3,0.2,0.4,{difference}")
        };
        let rows = [
            row("duct", "-0.25,-0.6,0.1"),
            row("greedy", "-5,-6,-4"),
            row("lower-bound(duct)", "0.75,-0.3,1.8"),
            row("best-response(greedy)", "16,14,18"),
        ];
        let table = |lead: &str, columns: &str, rows: &[String]| {
            let text: String = rows.iter().map(|row| format!("{lead}{row}\n")).collect();
            Table::from_csv(format!("{columns}\n{text}").as_bytes()).unwrap()
        };
        let summary = table("", columns, &rows);
        let seats = ["duct", "greedy"].map(|own| format!("{own}+best+best"));
        let pairs = [[&rows[0], &rows[2]], [&rows[1], &rows[3]]];
        let of = |(number, (seats, pair)): (usize, (&String, &[&String; 2]))| {
            pair.map(|row| format!("{number},{seats},{row}"))
        };
        let lineups: Vec<String> = seats.iter().zip(&pairs).enumerate().flat_map(of).collect();
        let lineups = table("", &format!("lineup,seats,{columns}"), &lineups);
        let shown = results(&summary, &lineups, None);
        assert_eq!(shown.matches("none found [-0.30, 1.80]").count(), 2, "{shown}");
        assert_eq!(shown.matches("none found").count(), 2, "{shown}");
        assert!(
            shown.contains("-0.25 [-0.60, 0.10]") && shown.contains("16.00 [14.00, 18.00]"),
            "{shown}"
        );
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!(
            ["1", "12", "1234", "1234567"].map(thousands),
            ["1", "12", "1,234", "1,234,567"]
        );
        assert_eq!(bracketed("0.25", "", "", 3), "0.250");
        assert_eq!(bracketed("0.25", "0.2", "0.3", 2), "0.25 [0.20, 0.30]");
        assert_eq!(bracketed("", "", "", 2), "");
    }
}
