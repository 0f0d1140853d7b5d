//! Which cells of two results belong together, and what changed between them.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Line;
use super::side::CellSide;
use crate::experiment::words::told;

/// Two cells that are compared.
#[derive(Debug, Clone, PartialEq)]
pub struct CellPair {
    /// What both have in common, in words.
    pub title: String,
    /// What changed between them.
    pub changes: Vec<Change>,
    /// Whether their rules come to the same, however they are written.
    pub same_rules: bool,
    /// Their figures.
    pub lines: Vec<Line>,
}

/// An option of the rules, or the group, that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The option.
    pub key: String,
    /// What the first result has.
    pub a: String,
    /// What the second has.
    pub b: String,
}

impl CellPair {
    pub(super) fn new(
        a: &CellSide,
        b: &CellSide,
        changes: Vec<Change>,
        lines: Vec<Line>,
    ) -> CellPair {
        let mut common = a.clone();
        common.options.retain(|key, value| b.options.get(key) == Some(value));
        if changes.iter().any(|change| change.key == GROUP) {
            common.group = None;
        }
        let same_rules = a.is_same_game(b);
        CellPair { title: common.title(), changes, same_rules, lines }
    }
}

/// The key that a group has among options of rules.
const GROUP: &str = "group";
/// Keys that may change together; where more did, only the last step can match the cells.
const TOGETHER: usize = 3;
/// Keys that are tried together.
const TRIED: usize = 12;

type Pair<'a> = (&'a CellSide, &'a CellSide, Vec<Change>);
type Alone<'a> = Vec<&'a CellSide>;

/// Matches cells: first those that are alike, then those that differ in as few keys as possible, where
/// that leaves no doubt about who belongs to whom. Returns the pairs and what is left of each.
pub(super) fn matched<'a>(
    a: &'a [CellSide],
    b: &'a [CellSide],
) -> (Vec<Pair<'a>>, Alone<'a>, Alone<'a>) {
    let (mut of_a, mut of_b): (Alone<'a>, Alone<'a>) = (a.iter().collect(), b.iter().collect());
    let mut pairs = Vec::new();
    match_where(&mut of_a, &mut of_b, &mut pairs, |a, b| {
        let rules = a.is_same_game(b) || a.options == b.options;
        rules && a.group == b.group
    });
    let keys = differing(&of_a, &of_b);
    for ignored in subsets(&keys) {
        match_where(&mut of_a, &mut of_b, &mut pairs, |a, b| {
            keys.iter().all(|key| ignored.contains(&key.as_str()) || value(a, key) == value(b, key))
        });
    }
    match_where(&mut of_a, &mut of_b, &mut pairs, |_, _| true);
    // In the order of the first result.
    let place = |cell: &CellSide| a.iter().position(|known| std::ptr::eq(known, cell));
    pairs.sort_by_key(|(cell, ..)| place(cell));
    (pairs, of_a, of_b)
}

/// Moves those pairs out of the two lists that are alike, and of which neither is like any other.
fn match_where<'a>(
    of_a: &mut Alone<'a>,
    of_b: &mut Alone<'a>,
    pairs: &mut Vec<Pair<'a>>,
    alike: impl Fn(&CellSide, &CellSide) -> bool,
) {
    let alike = |a: &CellSide, b: &CellSide| {
        (a.seating.players, &a.game) == (b.seating.players, &b.game) && alike(a, b)
    };
    let (all_a, all_b) = (of_a.clone(), of_b.clone());
    of_a.retain(|a| {
        let mut found = all_b.iter().filter(|b| alike(a, b));
        let (Some(b), None) = (found.next(), found.next()) else { return true };
        if all_a.iter().filter(|a| alike(a, b)).count() > 1 {
            return true;
        }
        of_b.retain(|other| !std::ptr::eq(*other, *b));
        pairs.push((a, b, changes(a, b)));
        false
    });
}

/// What a cell has under a key; the group counts as one.
fn value(cell: &CellSide, key: &str) -> Option<Value> {
    match key {
        GROUP => cell.group.clone(),
        key => cell.options.get(key).cloned(),
    }
}

/// The keys in which any two of the cells differ.
fn differing(a: &[&CellSide], b: &[&CellSide]) -> Vec<String> {
    let all = || a.iter().chain(b);
    let keys: BTreeSet<String> =
        all().flat_map(|cell| cell.options.keys().cloned()).chain([GROUP.to_owned()]).collect();
    let differs = |key: &String| {
        let first = all().next().map(|cell| value(cell, key));
        all().any(|cell| Some(value(cell, key)) != first)
    };
    keys.into_iter().filter(differs).collect()
}

/// The sets of keys that may have changed, the smallest first.
fn subsets(keys: &[String]) -> Vec<Vec<&str>> {
    let keys: Vec<&str> = keys.iter().take(TRIED).map(String::as_str).collect();
    let mut all: Vec<Vec<&str>> = (0..1u32 << keys.len())
        .map(|bits| (0..keys.len()).filter(|at| bits >> at & 1 == 1).map(|at| keys[at]).collect())
        .filter(|set: &Vec<&str>| (1..=TOGETHER).contains(&set.len()))
        .collect();
    all.sort_by_key(Vec::len);
    all
}

fn changes(a: &CellSide, b: &CellSide) -> Vec<Change> {
    let text = |cell: &CellSide, key: &str| match (key, value(cell, key)) {
        (GROUP, group) => {
            let name = cell.group_name().unwrap_or("none").to_owned();
            let other = |one: &CellSide| one.group_name() == cell.group_name();
            match other(a) && other(b) && group.is_some() {
                true => format!("{name}, with bodies of its own"),
                false => name,
            }
        }
        (_, Some(value)) => told(key, &value),
        (_, None) => "as published".to_owned(),
    };
    let keys = differing(&[a], &[b]).into_iter();
    keys.map(|key| Change { a: text(a, &key), b: text(b, &key), key }).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::experiment::results::batched::Seating;
    use crate::experiment::sums::CellSums;

    fn cell(players: usize, rules: Value) -> CellSide {
        CellSide {
            game: "mind-up".to_owned(),
            options: rules.as_object().cloned().unwrap_or_default(),
            rules: None,
            group: None,
            seating: Seating { players, lineups: Vec::new(), points: Vec::new() },
            sums: CellSums::new(),
        }
    }

    fn changed(a: &[CellSide], b: &[CellSide]) -> (Vec<String>, usize, usize) {
        let (pairs, of_a, of_b) = matched(a, b);
        let text = |(a, _, changes): &Pair<'_>| {
            let changes = changes.iter().map(|one| format!("{}: {} -> {}", one.key, one.a, one.b));
            format!("{} | {}", a.title(), changes.collect::<Vec<_>>().join(", "))
        };
        (pairs.iter().map(text).collect(), of_a.len(), of_b.len())
    }

    #[test]
    fn grids_whose_rules_differ_by_one_key_are_matched() {
        let grid = |points: Option<i64>| {
            [0, 1, 2].map(|objectives| {
                let mut rules = json!({"objectives": objectives});
                if let Some(points) = points {
                    rules["objective_points"] = json!({"A1": points});
                }
                cell(4, rules)
            })
        };
        let (pairs, a, b) = changed(&grid(None), &grid(Some(3)));
        assert_eq!((pairs.len(), a, b), (3, 0, 0));
        assert!(
            pairs[1]
                .starts_with("mind-up, 4 players, objectives=1 | objective_points: as published")
        );
    }

    #[test]
    fn alike_cells_come_first_and_what_is_left_must_be_beyond_doubt() {
        let of = |lives: &[i64]| -> Vec<CellSide> {
            lives.iter().map(|&lives| cell(2, json!({"lives": lives}))).collect()
        };
        // 3 is in both; 2 and 4 are what is left, and lives changed.
        let (pairs, a, b) = changed(&of(&[2, 3]), &of(&[3, 4]));
        assert_eq!((pairs.len(), a, b), (2, 0, 0));
        assert!(pairs[0].ends_with("lives: 2 -> 4"), "{pairs:?}");
        // Two are left on one side: who belongs to whom can't be told.
        let (pairs, a, b) = changed(&of(&[2, 3]), &of(&[3, 4, 5]));
        assert_eq!((pairs.len(), a, b), (1, 1, 2));
        // Numbers of players are never matched.
        assert_eq!(changed(&[cell(3, json!({}))], &[cell(4, json!({}))]).0.len(), 0);
    }
}
