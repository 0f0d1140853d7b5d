//! A run's summary as a person reads it in a terminal.

use comfy_table::presets::UTF8_HORIZONTAL_ONLY;
use comfy_table::{CellAlignment, ContentArrangement, Table as TextTable};

use super::Table;

/// The summary as text: a heading and a table for each cell. `summary` is the run's `summary.csv`.
pub fn summary(summary: &Table) -> String {
    let mut text = String::new();
    let mut rows = summary.rows.as_slice();
    while let Some(first) = rows.first() {
        let cell = summary.field(first, "cell");
        let count = rows
            .iter()
            .take_while(|row| summary.field(row, "cell") == cell)
            .count();
        let (own, rest) = rows.split_at(count);
        text.push_str(&format!(
            "\n{}\n{}\n",
            heading(summary, first),
            cell_table(summary, own)
        ));
        rows = rest;
    }
    text
}

/// `mind-up, 4 players, objectives=1; parity 0.250`.
fn heading(summary: &Table, row: &[String]) -> String {
    let players = summary.field(row, "players");
    let mut heading = format!("{}, {players} players", summary.field(row, "game"));
    if summary.field(row, "game") == "mind-up" && players == "2" {
        heading.push_str(" (unofficial)");
    }
    let lead = summary.column("players").map_or(0, |place| place + 1);
    let end = ["strategy", "group", "team"]
        .iter()
        .filter_map(|name| summary.column(name))
        .min();
    for place in lead..end.unwrap_or(lead) {
        heading.push_str(&format!(", {}={}", summary.columns[place], row[place]));
    }
    if let Ok(players) = players.parse::<f64>()
        && summary.column("win_share").is_some()
    {
        heading.push_str(&format!("; parity {:.3}", 1.0 / players));
    }
    heading
}

fn cell_table(summary: &Table, rows: &[Vec<String>]) -> String {
    let mut table = TextTable::new();
    table
        .load_style(UTF8_HORIZONTAL_ONLY)
        .set_content_arrangement(ContentArrangement::Disabled);
    let ranks: Vec<&String> = summary
        .columns
        .iter()
        .filter(|name| name.starts_with("rank_"))
        .filter(|name| rows.iter().any(|row| !summary.field(row, name).is_empty()))
        .collect();
    let mut header = vec!["strategy".to_owned(), "games".to_owned()];
    header
        .extend(["win share [95 %]", "score [95 %]", "over the others [95 %]"].map(str::to_owned));
    header.extend(ranks.iter().map(|name| name.replace("rank_", "#")));
    table.set_header(header);
    for row in rows {
        let field = |name: &str| summary.field(row, name);
        let estimate =
            |mean, low, high, decimals| bracketed(field(mean), field(low), field(high), decimals);
        let mut fields = vec![field("strategy").to_owned(), thousands(field("games"))];
        fields.push(estimate("win_share", "win_share_low", "win_share_high", 3));
        fields.push(estimate("score_mean", "score_low", "score_high", 1));
        let difference = [
            "score_difference",
            "score_difference_low",
            "score_difference_high",
        ];
        fields.push(estimate(difference[0], difference[1], difference[2], 2));
        fields.extend(ranks.iter().map(|name| percent(field(name))));
        table.add_row(fields);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.to_string()
}

/// `0.412 [0.398, 0.426]`, without what nothing can be said of.
pub fn bracketed(mean: &str, low: &str, high: &str, decimals: usize) -> String {
    let round = |text: &str| {
        text.parse::<f64>()
            .ok()
            .map(|value| format!("{value:.decimals$}"))
    };
    match (round(mean), round(low), round(high)) {
        (Some(mean), Some(low), Some(high)) => format!("{mean} [{low}, {high}]"),
        (Some(mean), ..) => mean,
        _ => String::new(),
    }
}

fn percent(share: &str) -> String {
    share
        .parse::<f64>()
        .map_or(String::new(), |share| format!("{:.1} %", 100.0 * share))
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
