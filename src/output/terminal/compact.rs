//! Many results in one table: pairs of players, rungs of a ladder, a row for each cell.

use comfy_table::{CellAlignment, Table as TextTable};

use super::{bracketed, cells, heading, p_value, plain, without_inner_lines};
use crate::output::Table;

/// A row for each cell and a column for each strategy or team: the win share, or the win rate and
/// the seconds of a game. The argument is the run's `summary.csv`.
pub fn brief(summary: &Table) -> String {
    let team = summary.column("team").is_some();
    let who = if team { "team" } else { "strategy" };
    let names = distinct(summary.rows.iter().map(|row| summary.field(row, who)));
    let mut table = plain();
    let figure = if team { "games won, seconds a game" } else { "win share" };
    table.set_header([figure].into_iter().chain(names.iter().copied()));
    for rows in cells(summary) {
        let Some(first) = rows.first() else { continue };
        let shown = names.iter().map(|&name| {
            let row = rows.iter().find(|row| summary.field(row, who) == name);
            row.map_or(String::new(), |row| {
                let field = |column: &str| bracketed(summary.field(row, column), "", "", 3);
                match team {
                    true => {
                        let seconds = bracketed(summary.field(row, "seconds_mean"), "", "", 0);
                        format!("{} {seconds:>5} s", field("win_rate"))
                    }
                    false => field("win_share"),
                }
            })
        });
        table.add_row([heading(summary, first)].into_iter().chain(shown));
    }
    right(&mut table, 1);
    without_inner_lines(&table.to_string()) + "\n"
}

/// Each name once, in the order in which they come.
fn distinct<'a>(all: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut names = Vec::new();
    for name in all {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Aligns all columns from this one on to the right.
fn right(table: &mut TextTable, from: usize) {
    for column in table.column_iter_mut().skip(from) {
        column.set_cell_alignment(CellAlignment::Right);
    }
}

/// The share of games that each pair of players wins, its interval, and the seconds that it takes: a
/// row and a column for each strategy.
pub(super) fn matrix(summary: &Table, rows: &[Vec<String>]) -> String {
    let names = distinct(rows.iter().flat_map(|row| summary.field(row, "team").split('+')));
    let figures = |a: &str, b: &str| {
        let row = rows.iter().find(|row| {
            let (first, second) = summary.field(row, "team").split_once('+').unwrap_or_else(|| {
                let team = summary.field(row, "team");
                (team, team)
            });
            (first, second) == (a, b) || (first, second) == (b, a)
        });
        row.map_or(String::new(), |row| pair(summary, row))
    };
    let mut table = plain();
    let what = "games won with,\nseconds, [95 %]";
    table.set_header([what].into_iter().chain(names.iter().copied()));
    for &a in &names {
        let figures = names.iter().map(|b| figures(a, b));
        table.add_row([a.to_owned()].into_iter().chain(figures));
    }
    right(&mut table, 1);
    without_inner_lines(&table.to_string())
}

/// `0.412 358 s`, and below it `[.398, .426]`: as narrow as can be, since there are many in a row.
fn pair(summary: &Table, row: &[String]) -> String {
    let number = |column: &str, decimals| bracketed(summary.field(row, column), "", "", decimals);
    let end = |column: &str| match number(column, 3) {
        one if one == "1.000" => "1".to_owned(),
        part => part.trim_start_matches('0').to_owned(),
    };
    let figures = format!("{} {} s", number("win_rate", 3), number("seconds_mean", 0));
    match [end("win_rate_low"), end("win_rate_high")] {
        [low, high] if high.is_empty() || low.is_empty() => figures,
        [low, high] => format!("{figures}\n[{low}, {high}]"),
    }
}

/// The rungs of a ladder as text, from the run's `rungs.csv`.
pub fn rungs(rungs: &Table) -> String {
    let mut table = plain();
    let heads =
        ["players", "rung", "one above among those below", "p", "one below among those above"];
    table.set_header(heads.into_iter().chain(["p", "proven"]));
    for row in &rungs.rows {
        let field = |name: &str| rungs.field(row, name);
        let way = |way: &str| {
            let [mean, low, high] = ["", "_low", "_high"].map(|end| format!("{way}_share{end}"));
            let p = field(&format!("{way}_p_holm")).parse().unwrap_or(1.0);
            [bracketed(field(&mean), field(&low), field(&high), 3), p_value(p)]
        };
        let [one, one_p] = way("one");
        let [held, held_p] = way("held");
        let rung = format!("{} < {}", field("below"), field("above"));
        let proven = if field("proven") == "1" { "yes" } else { "no" };
        let players = field("players").to_owned();
        table.add_row([players, rung, one, one_p, held, held_p, proven.to_owned()]);
    }
    for column in table.column_iter_mut().skip(2).take(4) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let table = without_inner_lines(&table.to_string());
    format!("\nrungs, by win share; p by Holm over all of them\n{table}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_has_the_pace_and_the_interval_beside_each_rate() {
        let columns = ["team", "win_rate", "win_rate_low", "win_rate_high", "seconds_mean"];
        let row = |row: [&str; 5]| row.map(str::to_owned).to_vec();
        let rows = vec![
            row(["a", "0.412", "0.398", "0.426", "358.4"]),
            row(["a+b", "0.05", "", "", "97.6"]),
            row(["b", "1", "0.9981", "1", "60"]),
        ];
        let summary = Table { columns: columns.map(str::to_owned).to_vec(), rows };
        let text = matrix(&summary, &summary.rows);
        let words: Vec<Vec<&str>> = text.lines().map(|l| l.split_whitespace().collect()).collect();
        assert_eq!(words[4], ["a", "0.412", "358", "s", "0.050", "98", "s"]);
        assert_eq!(words[5], ["[.398,", ".426]"]);
        assert_eq!(words[6], ["b", "0.050", "98", "s", "1.000", "60", "s"]);
        assert_eq!(words[7], ["[.998,", "1]"]);
    }
}
