//! What a reader of a summary should be told besides: where a run is too small for what it
//! compares, and how many games it would take.

use super::Table;
use super::terminal::{thousands, title};
use crate::bots::{Failure, Seen};
use crate::experiment::plan::{Cell, Plan};
use crate::experiment::results::CONFIDENCE;
use crate::experiment::results::batched::{self, Seating, Tables};
use crate::experiment::sums::CellSums;
use crate::stats::{Batched, deals_needed};

/// The chance of seeing a difference that the proposed number of games should give.
const POWER: f64 = 0.8;
/// As many notes as a reader reads.
const MOST: usize = 5;
/// The difference of win shares, or of shares of games won, that is taken to matter.
const MATTERS: f64 = 0.005;

/// Notes on neighbours in the ranking of a cell whose difference the run can't tell from noise, with the
/// largest that it leaves open, and the games that would tell a difference that matters.
///
/// Both sat at tables of the same deals, so that their difference has an error of its own, deal by deal.
///
/// `summary` is the run's table, by whose headings cells are called.
pub fn too_small(plan: &Plan, sums: &[CellSums], summary: &Table) -> Vec<String> {
    let cells = plan.cells.iter().zip(sums).zip(super::terminal::cells(summary));
    let of = |((cell, sums), rows): ((&Cell, &CellSums), &[Vec<String>])| {
        let called = rows.first().map_or_else(String::new, |row| title(summary, row));
        cell_notes(&standings(plan, cell, sums), &called)
    };
    let mut notes: Vec<String> = cells.flat_map(of).collect();
    let more = notes.len().saturating_sub(MOST);
    notes.truncate(MOST);
    if more > 0 {
        notes.push(format!("and {more} more comparisons like these"));
    }
    notes
}

/// A row's name, its figure, its games.
struct Standing {
    name: String,
    figure: Batched,
    games: f64,
}

/// The strategies or teams of a cell, the best first.
fn standings(plan: &Plan, cell: &Cell, sums: &CellSums) -> Vec<Standing> {
    let seating = Seating::of(plan, cell);
    let ranked = |figure: &batched::Figure| {
        let main = ["win_share", "win_rate"].contains(&figure.measure);
        main && figure.table == Tables::Summary
    };
    let games = |name: &str| {
        let own = cell.lineups.iter().filter(|lineup| {
            let team = lineup.team(&plan.strategies);
            team == name || lineup.seat_labels(&plan.strategies).contains(&name)
        });
        own.map(|lineup| lineup.games()).min().unwrap_or(0) as f64
    };
    let all = batched::summary_and_teams(&seating, sums).into_iter().filter(ranked);
    let mut standings: Vec<Standing> = all
        .filter_map(|one| {
            Some(Standing { games: games(&one.row), figure: one.figure?, name: one.row })
        })
        .collect();
    standings.sort_by(|a, b| b.figure.value.total_cmp(&a.figure.value));
    standings
}

fn cell_notes(standings: &[Standing], cell: &str) -> Vec<String> {
    standings.windows(2).filter_map(|pair| note(&pair[0], &pair[1], cell)).collect()
}

fn note(better: &Standing, worse: &Standing, cell: &str) -> Option<String> {
    let found = worse.figure.to(&better.figure)?.student()?;
    let interval = found.interval(CONFIDENCE)?;
    if !interval.contains(0.0) {
        return None;
    }
    let games = better.games.min(worse.games);
    // An error that falls with the root of the games, as that of a single game would.
    let spread = found.standard_error * games.sqrt();
    let needed = deals_needed(MATTERS, spread, CONFIDENCE, POWER)?;
    Some(format!(
        "{cell}: {} and {} can't be told apart: they differ by {:.4} [{:.4}, {:.4}]; to tell {MATTERS} apart, \
         about {} games of each line-up are needed",
        better.name,
        worse.name,
        found.value,
        interval.low,
        interval.high,
        thousands(&rounded(needed).to_string())
    ))
}

/// A note on each bot from outside that failed: at what, and the first failure of each kind.
pub fn bots(plan: &Plan, bots: &[(usize, Seen)]) -> Vec<String> {
    let note = |(number, seen): &(usize, Seen)| {
        let count = |number: u64| thousands(&number.to_string());
        let kinds = Failure::ALL.iter().zip(seen.failures).zip(&seen.first);
        let kinds = kinds.filter(|((_, count), _)| *count > 0).map(|((kind, failed), first)| {
            let first = first.as_deref().unwrap_or_default();
            format!("{} {} (first: {first})", count(failed), kind.name())
        });
        let what = match seen.forfeits {
            0 => String::new(),
            forfeits => format!("; {} games forfeited", count(forfeits)),
        };
        let kinds = kinds.collect::<Vec<_>>().join(", ");
        let label = &plan.strategies[*number].label;
        let answers = count(seen.answers);
        seen.failed().then(|| format!("bot {label}: of {answers} answers {kinds}{what}"))
    };
    bots.iter().filter_map(note).collect()
}

/// A note on each strategy that is learned for some numbers of players and sits at a table with another.
pub fn elsewhere(plan: &Plan) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    for cell in &plan.cells {
        let seated = cell.strategies().into_iter().map(|number| &plan.strategies[number]);
        // A searcher's model is a strategy of the list.
        for (name, learned) in
            seated.filter(|one| !one.answers).flat_map(|one| one.elsewhere(cell.players))
        {
            let learned = numbers(&learned);
            let note = format!(
                "{name} has parameters of its own for {learned} players; with {} it plays by those \
                 that its file has outside of these sections",
                cell.players
            );
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
    }
    notes
}

/// `3, 4 and 6`.
pub fn numbers(all: &[usize]) -> String {
    let mut all: Vec<String> = all.iter().map(usize::to_string).collect();
    let last = all.pop().unwrap_or_default();
    if all.is_empty() { last } else { format!("{} and {last}", all.join(", ")) }
}

/// Two leading digits are all that an estimate of games is good for.
fn rounded(games: u64) -> u64 {
    let unit = 10u64.pow(games.max(1).ilog10().saturating_sub(1));
    games.div_ceil(unit) * unit
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two strategies with these results of 100 deals of a game each.
    fn standing(name: &str, wins: impl Fn(i64) -> i64) -> Standing {
        let wins: Vec<i64> = (0..100).map(wins).collect();
        let figure = Batched::ratio(&wins, &[1; 100], 1.0).unwrap();
        Standing { name: name.to_owned(), figure, games: 100.0 }
    }

    #[test]
    fn the_games_asked_for_follow_from_the_spread_and_not_from_what_was_seen() {
        // In 20 of 100 deals the one wins, in 20 others the other: a spread of √0.4 a deal.
        let even = [
            standing("a", |deal| i64::from(deal % 5 == 0)),
            standing("b", |deal| i64::from(deal % 5 == 1)),
        ];
        let notes = cell_notes(&even, "x");
        assert_eq!(notes.len(), 1, "{notes:?}");
        assert!(
            notes[0].contains("a and b can't be told apart: they differ by 0.0000"),
            "{notes:?}"
        );
        // (1.96 + 0.84)² × 0.404 / 0.005² = 126,800.
        assert!(notes[0].contains("to tell 0.005 apart, about 130,000 games"), "{notes:?}");
    }

    #[test]
    fn what_is_told_apart_or_never_differs_is_not_noted() {
        let apart = [standing("a", |deal| i64::from(deal % 5 > 0)), standing("b", |_| 0)];
        assert!(cell_notes(&apart, "x").is_empty());
        let alike = [standing("a", |deal| deal % 2), standing("b", |deal| deal % 2)];
        assert!(cell_notes(&alike, "x").is_empty());
    }

    #[test]
    fn strategies_away_from_what_they_learned_are_noted() {
        use crate::experiment::spec::{Overrides, Spec};
        use crate::strategies::Library;
        let notes = |players: &str, strategies: &str| {
            let text = format!(
                "name = \"x\"\ngame = \"mind-up\"\nplayers = {players}\ngames = 1\n\
                 strategies = [{strategies}]\ndesign = \"self-play\""
            );
            let folder = std::path::Path::new("");
            let spec = Spec::from_toml(&text, folder, &Overrides::default()).unwrap();
            elsewhere(&Plan::new(&spec, &Library::default()).unwrap())
        };
        assert!(notes("[3, 6]", "\"linear\", \"greedy\", \"monte-carlo\"").is_empty());
        let told = notes("[2, 3]", "\"linear\", \"greedy\", \"monte-carlo\"");
        let start =
            "linear has parameters of its own for 3, 4, 5 and 6 players; with 2 it plays by";
        assert!(told.len() == 2 && told[0].starts_with(start), "{told:?}");
        assert!(told[1].starts_with("monte-carlo's policy linear has"), "{told:?}");
        // What is asked for holds at all numbers of players.
        let file = "{ base = \"threshold\", ";
        let own = crate::strategies::library::Library::default()
            .get(crate::games::GameId::MindUp, "threshold")
            .unwrap();
        let keys = own.players[&3].iter().map(|(key, value)| format!("{key} = {value}"));
        let entry = format!("{file}{} }}", keys.collect::<Vec<_>>().join(", "));
        assert!(notes("2", &entry).is_empty(), "{entry}");
    }

    #[test]
    fn estimates_have_two_digits() {
        assert_eq!([1, 42, 437, 52_301].map(rounded), [1, 42, 440, 53_000]);
    }
}
