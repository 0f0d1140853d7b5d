//! Two results side by side: what changed, and whether it is more than noise.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use comfy_table::CellAlignment;
use serde_json::{Map, Value};

use super::Table;
use super::folder::Manifest;
use super::terminal::{bracketed, p_value, plain, thousands, without_inner_lines};
use crate::experiment::results::{CONFIDENCE, Estimate};
use crate::experiment::words;
use crate::stats::{Difference, Interval, difference, holm};

/// A result: what its folder says of itself, and its `summary.csv`.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    /// The folder.
    pub folder: &'a Path,
    /// Its manifest.
    pub manifest: &'a Manifest,
    /// Its summary.
    pub summary: &'a Table,
}

/// A figure of both results.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The cell: players, rules, group.
    pub cell: String,
    /// The strategy or team.
    pub who: String,
    /// The measure.
    pub measure: &'static str,
    /// The decimals to show.
    pub decimals: usize,
    /// The figure of the first.
    pub a: Estimate,
    /// The figure of the second.
    pub b: Estimate,
    /// The second less the first, where it can be told.
    pub difference: Option<Difference>,
    /// Its p-value after Holm's correction over all lines.
    pub p: Option<f64>,
}

/// What two results have in common, and what stands in only one of them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Comparison {
    /// The figures of both.
    pub lines: Vec<Line>,
    /// Cells with their strategies or teams that stand in the first alone.
    pub only_a: Vec<String>,
    /// Those that stand in the second alone.
    pub only_b: Vec<String>,
}

/// A measure: its name, the columns of its mean and interval, its decimals.
type Measure = (&'static str, [&'static str; 3], usize);

const MEASURES: &[Measure] = &[
    ("win share", ["win_share", "win_share_low", "win_share_high"], 4),
    ("score", ["score_mean", "score_low", "score_high"], 2),
    ("over the others", ["score_difference", "score_difference_low", "score_difference_high"], 2),
    ("games won", ["win_rate", "win_rate_low", "win_rate_high"], 4),
    ("levels", ["levels_mean", "levels_low", "levels_high"], 3),
    ("lives left", ["lives_mean", "lives_low", "lives_high"], 3),
    ("seconds", ["seconds_mean", "seconds_low", "seconds_high"], 1),
];

/// What makes rows of two results the same: the cell's players, rules in full and group, and who
/// played.
#[derive(Debug, Clone, PartialEq)]
struct Key {
    game: String,
    players: String,
    rules: Map<String, Value>,
    group: String,
    who: String,
}

impl Key {
    fn of(side: &Side<'_>, row: &[String]) -> Key {
        let field = |name: &str| side.summary.field(row, name).to_owned();
        let cells = side.manifest.resolved.get("cells");
        let cell = field("cell").parse::<usize>().ok();
        let rules = cell.and_then(|cell| cells?.get(cell)?.get("rules")?.as_object().cloned());
        Key {
            game: field("game"),
            players: field("players"),
            rules: rules.unwrap_or_default(),
            group: field("group"),
            who: match side.summary.column("team") {
                Some(_) => field("team"),
                None => field("strategy"),
            },
        }
    }

    fn cell(&self) -> String {
        let rules =
            self.rules.iter().map(|(key, value)| format!(", {key}={}", words::told(key, value)));
        let group = match self.group.as_str() {
            "" => String::new(),
            group => format!(", group {group}"),
        };
        format!("{}, {} players{}{group}", self.game, self.players, rules.collect::<String>())
    }

    /// The cell where two differ in their rules.
    fn cell_against(&self, other: &Key) -> String {
        let rules = |key: &Key| match key.rules.is_empty() {
            true => "the published game".to_owned(),
            false => {
                let rules = key.rules.iter();
                let rules = rules.map(|(key, value)| format!("{key}={}", words::told(key, value)));
                rules.collect::<Vec<_>>().join(", ")
            }
        };
        let plain = Key { rules: Map::new(), ..self.clone() };
        format!("{}; A: {}; B: {}", plain.cell(), rules(self), rules(other))
    }

    /// Whether both are about the same players and groups, whatever their rules.
    fn is_alike(&self, other: &Key) -> bool {
        let plain = |key: &Key| Key { rules: Map::new(), ..key.clone() };
        plain(self) == plain(other)
    }

    fn name(&self) -> String {
        format!("{}: {}", self.cell(), self.who)
    }
}

fn estimate(side: &Side<'_>, row: &[String], columns: [&str; 3]) -> Estimate {
    let [mean, low, high] =
        columns.map(|column| side.summary.field(row, column).parse::<f64>().ok());
    Estimate { mean, interval: low.zip(high).map(|(low, high)| Interval { low, high }) }
}

/// Matches the rows of two results, and compares their figures as those of independent runs.
///
/// Rows that have no like under the same rules are compared across rules, where each side has one
/// such row for the players, group and strategy: that is how a change of rules is looked at.
pub fn compare(a: &Side<'_>, b: &Side<'_>) -> Comparison {
    let mut comparison = Comparison::default();
    let keys = |side: &Side<'_>| -> Vec<(Key, Vec<String>)> {
        side.summary.rows.iter().map(|row| (Key::of(side, row), row.clone())).collect()
    };
    let (mut left_a, mut left_b) = (keys(a), keys(b));
    left_a.retain(|(key, row)| {
        let Some(found) = left_b.iter().position(|(other, _)| other == key) else { return true };
        let (_, other) = left_b.remove(found);
        lines(key, key.cell(), (a, row), (b, &other), &mut comparison.lines);
        false
    });
    let alone = |key: &Key, rows: &[(Key, Vec<String>)]| {
        rows.iter().filter(|(other, _)| other.is_alike(key)).count() == 1
    };
    let (all_a, all_b) = (left_a.clone(), left_b.clone());
    left_a.retain(|(key, row)| {
        let found = left_b.iter().position(|(other, _)| other.is_alike(key));
        let Some(found) = found.filter(|_| alone(key, &all_a) && alone(key, &all_b)) else {
            return true;
        };
        let (other_key, other) = left_b.remove(found);
        let cell = key.cell_against(&other_key);
        lines(key, cell, (a, row), (b, &other), &mut comparison.lines);
        false
    });
    comparison.only_a = left_a.iter().map(|(key, _)| key.name()).collect();
    comparison.only_b = left_b.iter().map(|(key, _)| key.name()).collect();
    correct(&mut comparison.lines);
    comparison
}

type Row<'a> = (&'a Side<'a>, &'a [String]);

fn lines(key: &Key, cell: String, (a, row_a): Row<'_>, (b, row_b): Row<'_>, lines: &mut Vec<Line>) {
    for &(measure, columns, decimals) in MEASURES {
        let of_a = estimate(a, row_a, columns);
        let of_b = estimate(b, row_b, columns);
        if of_a.mean.is_none() && of_b.mean.is_none() {
            continue;
        }
        let whole = |estimate: Estimate| estimate.mean.zip(estimate.interval);
        let difference =
            whole(of_a).zip(whole(of_b)).and_then(|(a, b)| difference(a, b, CONFIDENCE));
        lines.push(Line {
            cell: cell.clone(),
            who: key.who.clone(),
            measure,
            decimals,
            a: of_a,
            b: of_b,
            difference,
            p: None,
        });
    }
}

/// Holm's correction over all lines of which something can be said.
fn correct(lines: &mut [Line]) {
    let p: Vec<f64> = lines.iter().filter_map(|line| Some(line.difference?.p)).collect();
    let told = lines.iter_mut().filter(|line| line.difference.is_some());
    for (line, p) in told.zip(holm(&p)) {
        line.p = Some(p);
    }
}

/// Whether each file of two folders has the same bytes; one that stands in one of them alone has not.
pub fn same_files(a: &Side<'_>, b: &Side<'_>) -> Vec<(String, bool)> {
    let names: BTreeSet<&String> = a.manifest.files.keys().chain(b.manifest.files.keys()).collect();
    let read = |side: &Side<'_>, name: &str| std::fs::read(side.folder.join(name)).ok();
    names
        .into_iter()
        .map(|name| {
            let bytes = read(a, name);
            (name.clone(), bytes.is_some() && bytes == read(b, name))
        })
        .collect()
}

/// Whether both are the same experiment under the same behaviour, so that their bytes must be equal.
pub fn must_be_equal(a: &Side<'_>, b: &Side<'_>) -> bool {
    let (a, b) = (a.manifest, b.manifest);
    a.hash == b.hash
        && a.behaviour == b.behaviour
        && a.format == b.format
        && a.complete
        && b.complete
        && a.reproducible
        && b.reproducible
}

/// The comparison as text.
pub fn text(a: &Side<'_>, b: &Side<'_>, comparison: &Comparison) -> String {
    let mut text = format!("A  {}\nB  {}\n\n", about(a), about(b));
    for note in notes(a, b) {
        text.push_str(&note);
        text.push('\n');
    }
    let mut lines = comparison.lines.as_slice();
    while let Some(first) = lines.first() {
        let count = lines.iter().take_while(|line| line.cell == first.cell).count();
        let (own, rest) = lines.split_at(count);
        text.push_str(&format!("\n{}\n{}\n", first.cell, table(own)));
        lines = rest;
    }
    text.push_str(&verdict(&comparison.lines));
    for (name, only) in [("A", &comparison.only_a), ("B", &comparison.only_b)] {
        if !only.is_empty() {
            text.push_str(&format!("\nOnly in {name}:\n"));
            only.iter().for_each(|what| text.push_str(&format!("  {what}\n")));
        }
    }
    text
}

fn about(side: &Side<'_>) -> String {
    let Manifest { mindlab, behaviour, complete, hash, seed, games, experiment, .. } =
        side.manifest;
    let name = experiment.get("name").and_then(Value::as_str).unwrap_or_default();
    let hash: String = hash.chars().take(12).collect();
    let games = thousands(&games.to_string());
    let whole = if *complete { "" } else { ", incomplete" };
    format!(
        "{}: {name}, {games} games{whole}, seed {seed}, mindlab {mindlab} (behaviour {behaviour}), \
         hash {hash}",
        side.folder.display()
    )
}

fn notes(a: &Side<'_>, b: &Side<'_>) -> Vec<String> {
    let mut notes = Vec::new();
    let (of_a, of_b) = (a.manifest, b.manifest);
    if of_a.behaviour != of_b.behaviour {
        notes.push("They come from versions that behave differently.".to_owned());
    }
    if of_a.hash == of_b.hash {
        let files = same_files(a, b);
        let differ: Vec<&str> =
            files.iter().filter(|(_, same)| !same).map(|(name, _)| name.as_str()).collect();
        notes.push(match differ.as_slice() {
            [] => "Both are the same experiment, and their files are equal to the byte.".to_owned(),
            differ => format!(
                "Both are the same experiment, but these files differ: {}.",
                differ.join(", ")
            ),
        });
    }
    let others = named_otherwise(&of_a.resolved, &of_b.resolved);
    if !others.is_empty() {
        let others = others.join("`, `");
        notes.push(format!(
            "These have other parameters in B, or are other strategies: `{others}`."
        ));
    }
    if tables(&of_a.resolved) != tables(&of_b.resolved) {
        notes.push("The line-ups differ: strategies met other opponents or partners.".to_owned());
    }
    notes.push(if of_a.seed == of_b.seed {
        format!(
            "Both have seed {}, so that they share deals. They are compared as if they shared none,\n\
             by the intervals of each: a difference may be surer than its p-value says, not less sure.",
            of_a.seed
        )
    } else {
        "Their seeds differ, so that they are independent.".to_owned()
    });
    notes
}

/// A list of a plan, empty where it has none.
fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The label of a plan's strategy.
fn label(strategy: &Value) -> String {
    strategy.get("label").and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// The labels of both plans that stand for something else in each.
fn named_otherwise(a: &Value, b: &Value) -> Vec<String> {
    let strategies = |manifest| -> BTreeMap<String, &Value> {
        let all = list(manifest, "strategies").iter();
        all.map(|strategy| (label(strategy), strategy)).collect()
    };
    let what = |strategy: &Value| {
        ["family", "parameters", "players"].map(|key| strategy.get(key).cloned())
    };
    let others = strategies(b);
    let mut own = strategies(a);
    own.retain(|label, own| others.get(label).is_some_and(|other| what(own) != what(other)));
    own.into_keys().collect()
}

/// Who sits with whom, by label.
fn tables(plan: &Value) -> BTreeSet<Vec<String>> {
    let strategies = list(plan, "strategies");
    let seated = |seat: &Value| {
        seat.as_u64().and_then(|seat| strategies.get(seat as usize)).map(label).unwrap_or_default()
    };
    let lineups = list(plan, "cells").iter().flat_map(|cell| list(cell, "lineups"));
    lineups.map(|lineup| list(lineup, "seats").iter().map(seated).collect()).collect()
}

fn table(lines: &[Line]) -> String {
    let mut table = plain();
    table.set_header(["what", "A", "B", "difference [95 %]", "p (Holm)"]);
    for line in lines {
        let decimals = line.decimals;
        let mean = |estimate: Estimate| {
            estimate.mean.map_or_else(String::new, |mean| format!("{mean:.decimals$}"))
        };
        let change = line.difference.map_or_else(String::new, |difference| {
            let Interval { low, high } = difference.interval;
            let [value, low, high] = [difference.value, low, high].map(|value| value.to_string());
            bracketed(&value, &low, &high, decimals)
        });
        table.add_row([
            format!("{}: {}", line.who, line.measure),
            mean(line.a),
            mean(line.b),
            change,
            line.p.map_or_else(String::new, starred),
        ]);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    without_inner_lines(&table.to_string())
}

/// Below 0.05 with a star.
fn starred(p: f64) -> String {
    let star = if p < 1.0 - CONFIDENCE { " *" } else { "  " };
    p_value(p) + star
}

fn verdict(lines: &[Line]) -> String {
    let p: Vec<f64> = lines.iter().filter_map(|line| line.p).collect();
    if lines.is_empty() {
        return "\nThey have no cell and strategy or team in common.\n".to_owned();
    }
    let surely = p.iter().filter(|&&p| p < 1.0 - CONFIDENCE).count();
    let what = match surely {
        0 => "No figure differs by more than noise".to_owned(),
        1 => "1 figure (*) differs by more than noise".to_owned(),
        n => format!("{n} figures (*) differ by more than noise"),
    };
    format!("\n{what}, of {} compared.\n", p.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn table(rows: &[[&str; 7]]) -> Table {
        let columns =
            ["cell", "game", "players", "strategy", "score_mean", "score_low", "score_high"];
        Table {
            columns: columns.map(str::to_owned).to_vec(),
            rows: rows.iter().map(|row| row.map(str::to_owned).to_vec()).collect(),
        }
    }

    fn manifest(seed: u64, rules: &[Value]) -> Manifest {
        let cells: Vec<Value> = rules.iter().map(|rules| json!({"rules": rules})).collect();
        serde_json::from_value(json!({
            "format": 1, "mindlab": "0", "behaviour": 1, "revision": "", "complete": true,
            "reproducible": true, "hash": seed.to_string(), "seed": seed, "games": 9,
            "experiment": {}, "resolved": {"cells": cells}, "threads": 1, "host": {},
            "started": "", "seconds": 1.0, "files": {},
        }))
        .unwrap()
    }

    #[test]
    fn rows_are_matched_by_what_was_played_not_by_their_number() {
        let rules = [json!({"rounds": 2}), json!({"rounds": 3})];
        let turned = [rules[1].clone(), rules[0].clone()];
        let (of_a, of_b) = (manifest(1, &rules), manifest(2, &turned));
        let first = table(&[
            ["0", "mind-up", "4", "greedy", "10", "9", "11"],
            ["0", "mind-up", "4", "random", "5", "4", "6"],
            ["1", "mind-up", "4", "greedy", "20", "19", "21"],
        ]);
        let second = table(&[
            ["0", "mind-up", "4", "greedy", "20.5", "19.5", "21.5"],
            ["1", "mind-up", "4", "greedy", "14", "13", "15"],
            ["1", "mind-up", "4", "lowest", "1", "", ""],
        ]);
        let folder = Path::new("x");
        let side = |manifest, summary| Side { folder, manifest, summary };
        let (a, b) = (side(&of_a, &first), side(&of_b, &second));
        let found = compare(&a, &b);
        assert_eq!(found.only_a, ["mind-up, 4 players, rounds=2: random"]);
        assert_eq!(found.only_b, ["mind-up, 4 players, rounds=2: lowest"]);
        let values: Vec<f64> = found.lines.iter().map(|l| l.difference.unwrap().value).collect();
        assert_eq!(values, [4.0, 0.5]);
        // 4 / (sqrt(2) / 1.96) is 5.5 standard errors; 0.5 is 0.7 of one.
        assert!(found.lines[0].p.unwrap() < 1e-6);
        assert!((found.lines[1].p.unwrap() - 0.488).abs() < 1e-3);
        let text = text(&a, &b, &found);
        assert!(text.contains("Their seeds differ"), "{text}");
        assert!(text.contains("1 figure (*) differs by more than noise, of 2 compared."));
    }
}
