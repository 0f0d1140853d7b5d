//! A comparison as a person reads it: what changed, the figures, and an answer.

use std::collections::{BTreeMap, BTreeSet};

use comfy_table::CellAlignment;
use serde_json::Value;

use super::side::{label, list};
use super::{Answer, CellPair, Comparison, Line, Side, Tested};
use crate::experiment::results::CONFIDENCE;
use crate::experiment::results::batched::Tables;
use crate::output::folder::Manifest;
use crate::output::terminal::{bracketed, p_value, plain, thousands, without_inner_lines};

/// What of a comparison is shown.
#[derive(Debug, Clone, Default)]
pub struct Shown {
    /// Every figure, not only the main ones and those that differ.
    pub all: bool,
    /// Measures that are to be equivalent, each within its margin.
    pub margins: Vec<(String, f64)>,
    /// Labels of the second result and what they are called here.
    pub names: Vec<(String, String)>,
}

/// A measure's words and decimals; the main ones of the summary are always shown.
const MEASURES: &[(&str, &str, usize, bool)] = &[
    ("win_share", "win share", 4, true),
    ("score_mean", "score", 3, true),
    ("score_difference", "over the others", 3, true),
    ("score_sd", "spread of scores", 3, false),
    ("win_rate", "games won", 4, true),
    ("levels_mean", "levels", 3, true),
    ("lives_mean", "lives left", 3, true),
    ("seconds_mean", "seconds", 1, true),
    ("mistakes_mean", "mistakes", 3, false),
    ("stars_used_mean", "stars used", 3, false),
    ("forced_mean", "forced plays", 3, false),
    ("trigger_rate", "holds", 4, false),
    ("points_mean", "points", 3, false),
    ("winner_changed_rate", "decides", 4, false),
    ("survival", "survival", 4, false),
];

/// The names of the measures, as columns have them.
pub fn measures() -> impl Iterator<Item = &'static str> {
    MEASURES.iter().map(|(name, ..)| *name)
}

fn words(measure: &str) -> (String, usize, bool) {
    match MEASURES.iter().find(|(name, ..)| *name == measure) {
        Some(&(_, words, decimals, main)) => (words.to_owned(), decimals, main),
        None => (measure.replace("rank_", "place "), 4, false),
    }
}

/// Cells whose main figures are shown whether they differ or not.
const MOST_CELLS: usize = 6;
/// Lines of a cell that are shown beside the main figures, those that differ most first.
const MOST_LINES: usize = 8;
/// Names that are listed of what stands in one result alone.
const MOST_ALONE: usize = 12;

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

/// The comparison as text, and whether each margin was shown to hold.
pub fn text(a: &Side<'_>, b: &Side<'_>, comparison: &Comparison, shown: &Shown) -> (String, bool) {
    let mut text = format!("A  {}\nB  {}\n\n", about(a), about(b));
    for note in notes(a, b, comparison, shown) {
        text.push_str(&note);
        text.push('\n');
    }
    let few = shown.all || comparison.cells.len() <= MOST_CELLS;
    for cell in &comparison.cells {
        let (lines, left) = chosen(cell, shown.all, few);
        if lines.is_empty() {
            continue;
        }
        text.push_str(&format!("\n{}\n{}\n", heading(cell), table(&lines)));
        if left > 0 {
            text.push_str(&format!("  and {left} more that differ; `--all` shows every figure\n"));
        }
    }
    text.push_str(&verdict(comparison));
    let held = margins(comparison, &shown.margins, &mut text);
    for (name, only) in [("A", &comparison.only_a), ("B", &comparison.only_b)] {
        if !only.is_empty() {
            text.push_str(&format!("\nOnly in {name}:\n"));
            only.iter().take(MOST_ALONE).for_each(|what| text.push_str(&format!("  {what}\n")));
            if only.len() > MOST_ALONE {
                text.push_str(&format!("  and {} more\n", only.len() - MOST_ALONE));
            }
        }
    }
    (text, held)
}

fn about(side: &Side<'_>) -> String {
    let Manifest { mindlab, behaviour, complete, hash, seed, games, experiment, .. } =
        side.manifest;
    let name = experiment.get("name").and_then(Value::as_str).unwrap_or_default();
    let hash: String = hash.chars().take(12).collect();
    let games = thousands(&games.to_string());
    let whole = if *complete { "" } else { ", INCOMPLETE" };
    format!(
        "{}: {name}, {games} games{whole}, seed {seed}, mindlab {mindlab} (behaviour {behaviour}), \
         hash {hash}",
        side.folder.display()
    )
}

fn notes(a: &Side<'_>, b: &Side<'_>, comparison: &Comparison, shown: &Shown) -> Vec<String> {
    let mut notes = Vec::new();
    let (of_a, of_b) = (a.manifest, b.manifest);
    for (name, manifest) in [("A", of_a), ("B", of_b)] {
        if !manifest.complete {
            notes.push(format!("{name} is INCOMPLETE: its figures are those of the games played."));
        }
    }
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
    let others = named_otherwise(&of_a.resolved, &of_b.resolved, &shown.names);
    if !others.is_empty() {
        let others = others.join("`, `");
        notes.push(format!(
            "These have other parameters in B, or are other strategies: `{others}`."
        ));
    }
    if tables(a) != tables(b) {
        notes.push("The line-ups differ: strategies met other opponents or partners.".to_owned());
    }
    if !comparison.cells.is_empty() && comparison.cells.iter().all(|cell| cell.same_rules) {
        notes.push("Their rules are identical.".to_owned());
    }
    notes.push(match comparison.paired {
        true => format!(
            "Both have seed {}, so that they share deals: each figure is compared deal by deal.{}",
            of_a.seed,
            saved(comparison)
        ),
        false => {
            "Their seeds differ: they are compared as independent runs, with far less power than \
                  on the same deals."
                .to_owned()
        }
    });
    notes
}

/// What pairing saved, over the main figures.
fn saved(comparison: &Comparison) -> String {
    let main = comparison.lines().filter(|line| is_main(line));
    let mut saved: Vec<f64> = main.filter_map(|line| tested(line)?.saved).collect();
    saved.sort_by(f64::total_cmp);
    match saved.get(saved.len() / 2) {
        Some(&times) if times.is_finite() && times >= 1.05 => format!(
            "\nThis takes {times:.1} times fewer games than independent runs (median over the main \
             figures)."
        ),
        _ => String::new(),
    }
}

/// The labels of both plans that stand for something else in each.
fn named_otherwise(a: &Value, b: &Value, names: &[(String, String)]) -> Vec<String> {
    let own = |manifest, rename: bool| -> BTreeMap<String, Value> {
        let what = |strategy: &Value| {
            ["family", "parameters", "players"].map(|key| strategy.get(key).cloned())
        };
        let called = |strategy: &Value| {
            let label = label(strategy);
            let other = names.iter().find(|(own, _)| rename && *own == label);
            other.map_or(label, |(_, other)| other.clone())
        };
        let all = list(manifest, "strategies").iter();
        all.map(|strategy| (called(strategy), Value::from_iter(what(strategy)))).collect()
    };
    let (mut own_a, own_b) = (own(a, false), own(b, true));
    own_a.retain(|label, one| own_b.get(label).is_some_and(|other| one != other));
    own_a.into_keys().collect()
}

/// Who sits with whom, by label.
fn tables<'a>(side: &'a Side<'_>) -> BTreeSet<&'a Vec<String>> {
    side.cells.iter().flat_map(|cell| cell.seating.lineups.iter().map(|(_, seats)| seats)).collect()
}

fn heading(cell: &CellPair) -> String {
    let changes = cell.changes.iter();
    let changes = changes.map(|change| format!("{}: A {}, B {}", change.key, change.a, change.b));
    let changes: Vec<String> = changes.collect();
    match (changes.is_empty(), cell.same_rules) {
        (true, _) => cell.title.clone(),
        (false, true) => format!("{} (identical rules, written differently)", cell.title),
        (false, false) => format!("{}; {}", cell.title, changes.join("; ")),
    }
}

fn tested(line: &Line) -> Option<&Tested> {
    match &line.answer {
        Answer::Tested(tested) => Some(tested),
        _ => None,
    }
}

fn is_main(line: &Line) -> bool {
    line.table == Tables::Summary && words(line.measure).2
}

fn differs(line: &Line) -> bool {
    match &line.answer {
        Answer::Tested(tested) => tested.differs(),
        Answer::WithoutSpread(_) => true,
        Answer::Equal | Answer::Unknown(_) => false,
    }
}

/// The lines of a cell that are shown, and how many more differ.
fn chosen(cell: &CellPair, all: bool, few: bool) -> (Vec<&Line>, usize) {
    if all {
        return (cell.lines.iter().collect(), 0);
    }
    let (main, rest): (Vec<&Line>, Vec<&Line>) = cell.lines.iter().partition(|line| is_main(line));
    let mut shown: Vec<&Line> = main.into_iter().filter(|line| few || differs(line)).collect();
    let mut rest: Vec<&Line> = rest.into_iter().filter(|line| differs(line)).collect();
    // A difference without spread before all others.
    let t = |line: &Line| match tested(line) {
        Some(Tested { difference, .. }) => -(difference.value / difference.standard_error).abs(),
        None => f64::NEG_INFINITY,
    };
    rest.sort_by(|a, b| t(a).total_cmp(&t(b)));
    let left = rest.len().saturating_sub(MOST_LINES);
    rest.truncate(MOST_LINES);
    rest.sort_by_key(|line| line.table);
    shown.extend(rest);
    (shown, left)
}

fn table(lines: &[&Line]) -> String {
    let mut table = plain();
    table.set_header(["what", "A", "B", "difference [95 %]", "p (Holm)"]);
    for line in lines {
        let (measure, decimals, _) = words(line.measure);
        let mean =
            |value: Option<f64>| value.map_or_else(String::new, |v| format!("{v:.decimals$}"));
        let [change, p] = match &line.answer {
            Answer::Equal => ["equal".to_owned(), String::new()],
            Answer::WithoutSpread(by) => [format!("{by:.decimals$}"), "no spread !".to_owned()],
            Answer::Unknown(_) => ["can't be compared".to_owned(), String::new()],
            Answer::Tested(tested) => {
                let Tested { difference, interval, .. } = tested;
                let ends = [difference.value, interval.low, interval.high].map(|v| v.to_string());
                let [value, low, high] = ends;
                let star = if tested.differs() { " *" } else { "  " };
                [bracketed(&value, &low, &high, decimals), p_value(tested.p_holm) + star]
            }
        };
        table.add_row([format!("{}: {measure}", line.row), mean(line.a), mean(line.b), change, p]);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    without_inner_lines(&table.to_string())
}

/// `3 figures` or `1 figure`.
fn figures(count: usize) -> String {
    format!("{count} figure{}", if count == 1 { "" } else { "s" })
}

fn verdict(comparison: &Comparison) -> String {
    let lines: Vec<&Line> = comparison.lines().collect();
    if lines.is_empty() {
        return "\nThey have no cell and strategy or team in common.\n".to_owned();
    }
    let count = |wanted: fn(&Line) -> bool| lines.iter().filter(|line| wanted(line)).count();
    let tests = count(|line| tested(line).is_some());
    let surely = count(|line| tested(line).is_some_and(Tested::differs));
    let without = count(|line| matches!(line.answer, Answer::WithoutSpread(_)));
    let equal = count(|line| line.answer == Answer::Equal);
    let verb = if surely == 1 { "differs" } else { "differ" };
    let mut said = Vec::new();
    match (surely, without, tests) {
        (0, 0, 0) if equal > 0 => {
            let how = if comparison.paired { " on every deal" } else { "" };
            said.push(format!("Nothing differs: {} equal{how}.", figures_are(equal)));
        }
        (0, 0, _) if tests > 0 => {
            said.push(format!("No figure differs by more than noise, of {tests} tested."));
        }
        (0, ..) => {}
        _ => said
            .push(format!("{} (*) {verb} by more than noise, of {tests} tested.", figures(surely))),
    }
    if without > 0 {
        let verb = if without == 1 { "differs" } else { "differ" };
        let how =
            if comparison.paired { "by the same on every deal" } else { "though neither varies" };
        said.push(format!("{} (!) {verb} {how}: no noise to compare with.", figures(without)));
    }
    said.extend(left_open(&lines));
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for line in &lines {
        if let Answer::Unknown(why) = line.answer {
            *reasons.entry(why).or_default() += 1;
        }
    }
    let reasons =
        reasons.iter().map(|(why, &count)| format!("{} can't be compared: {why}.", figures(count)));
    said.extend(reasons);
    format!("\n{}\n", said.join("\n"))
}

fn figures_are(count: usize) -> String {
    format!("{} {}", figures(count), if count == 1 { "is" } else { "are" })
}

/// The largest differences that the data leave open among main figures that don't differ.
fn left_open(lines: &[&Line]) -> Option<String> {
    let mut open: Vec<(&str, f64)> = Vec::new();
    let undecided = |line: &&&Line| is_main(line) && !differs(line);
    for line in lines.iter().filter(undecided) {
        let Some(tested) = tested(line) else { continue };
        match open.iter_mut().find(|(measure, _)| *measure == line.measure) {
            Some((_, most)) => *most = most.max(tested.open()),
            None => open.push((line.measure, tested.open())),
        }
    }
    let told = open.iter().map(|&(measure, most)| {
        let (words, decimals, _) = words(measure);
        format!("{words} {most:.decimals$}")
    });
    let told: Vec<String> = told.collect();
    (!told.is_empty()).then(|| {
        format!(
            "Where no main figure differs, the data leave open differences of at most: {}.\n\
             `--margin X` tests whether they are smaller than X.",
            told.join(", ")
        )
    })
}

/// Says of each margin whether all its figures are within it, and returns whether all are.
fn margins(comparison: &Comparison, margins: &[(String, f64)], text: &mut String) -> bool {
    let mut held = true;
    for (measure, margin) in margins {
        let lines: Vec<&Line> = comparison
            .lines()
            .filter(|line| line.table == Tables::Summary && line.measure == measure)
            .collect();
        let p = |line: &&Line| match &line.answer {
            Answer::Equal => 0.0,
            Answer::WithoutSpread(by) => f64::from(u8::from(by.abs() >= *margin)),
            Answer::Unknown(_) => 1.0,
            Answer::Tested(tested) => tested.difference.p_equivalent(*margin).unwrap_or(1.0),
        };
        let words = words(measure).0;
        let largest = lines.iter().map(p).fold(0.0, f64::max);
        let within = !lines.is_empty() && largest < 1.0 - CONFIDENCE;
        held &= within;
        let beyond: Vec<&str> = lines
            .iter()
            .filter(|line| p(line) >= 1.0 - CONFIDENCE)
            .map(|line| line.row.as_str())
            .take(5)
            .collect();
        text.push_str(&match (lines.is_empty(), within) {
            (true, _) => format!("Equivalence: neither has a figure `{measure}` in common.\n"),
            (_, true) => format!(
                "Equivalence: every {words} is within {margin} of the other, p {} by two one-sided \
                 tests.\n",
                p_value(largest)
            ),
            _ => format!(
                "Equivalence: not shown that every {words} is within {margin} of the other ({}), \
                 p {} by two one-sided tests.\n",
                beyond.join(", "),
                p_value(largest)
            ),
        });
    }
    held
}
