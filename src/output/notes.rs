//! What a reader of a summary should be told besides: where a run is too small for what it
//! compares, and how many games it would take.

use super::Table;
use super::terminal::{thousands, title};
use crate::bots::{Failure, Seen};
use crate::experiment::plan::Plan;
use crate::experiment::results::CONFIDENCE;
use crate::stats::{deals_needed, normal_quantile};

/// The chance of seeing a difference that the proposed number of games should give.
const POWER: f64 = 0.8;
/// As many notes as a reader reads.
const MOST: usize = 5;

/// Notes on neighbours in the ranking of a cell whose difference the run can't tell from noise.
pub fn too_small(summary: &Table) -> Vec<String> {
    let cells = super::terminal::cells(summary);
    let mut notes: Vec<String> = cells.flat_map(|rows| cell_notes(summary, rows)).collect();
    let more = notes.len().saturating_sub(MOST);
    notes.truncate(MOST);
    if more > 0 {
        notes.push(format!("and {more} more comparisons like these"));
    }
    notes
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

/// A row's name, its figure, the standard error of it, its games.
struct Standing<'a> {
    name: &'a str,
    figure: f64,
    error: f64,
    games: f64,
}

fn cell_notes(summary: &Table, rows: &[Vec<String>]) -> Vec<String> {
    let columns = match summary.column("win_share") {
        Some(_) => ["strategy", "win_share", "win_share_low", "win_share_high"],
        None => ["team", "win_rate", "win_rate_low", "win_rate_high"],
    };
    let mut standings: Vec<Standing<'_>> = rows
        .iter()
        .filter_map(|row| {
            let number = |name: &str| summary.field(row, name).parse::<f64>().ok();
            let width = number(columns[3])? - number(columns[2])?;
            Some(Standing {
                name: summary.field(row, columns[0]),
                figure: number(columns[1])?,
                error: width / 2.0 / normal_quantile(0.5 + CONFIDENCE / 2.0)?,
                games: number("games")?,
            })
        })
        .collect();
    standings.sort_by(|a, b| b.figure.total_cmp(&a.figure));
    let cell = rows.first().map_or_else(String::new, |row| title(summary, row));
    standings.windows(2).filter_map(|pair| note(&cell, &pair[0], &pair[1])).collect()
}

/// Both were seen on the same deals, so their errors hang together in a way that the summary does
/// not tell: their sum is the largest that the error of the difference can be.
fn note(cell: &str, better: &Standing<'_>, worse: &Standing<'_>) -> Option<String> {
    let (difference, error) = (better.figure - worse.figure, better.error + worse.error);
    let z = normal_quantile(0.5 + CONFIDENCE / 2.0)?;
    if error == 0.0 || difference > z * error {
        return None;
    }
    let games = better.games.min(worse.games);
    let pair = format!("{cell}: {} and {}", better.name, worse.name);
    let shown =
        format!("{pair} differ by {difference:.4}, within what this run can't tell from noise");
    // An error that falls with the root of the games, as that of a single game would.
    let needed = deals_needed(difference, error * games.sqrt(), CONFIDENCE, POWER);
    Some(match needed {
        Some(needed) if difference > 0.0 && needed < 1_000_000_000_000 => format!(
            "{shown}; about {} games each would show it 4 times of 5",
            thousands(&rounded(needed).to_string())
        ),
        _ => format!("{pair} can't be told apart"),
    })
}

/// Two leading digits are all that an estimate of games is good for.
fn rounded(games: u64) -> u64 {
    let unit = 10u64.pow(games.max(1).ilog10().saturating_sub(1));
    games.div_ceil(unit) * unit
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(rows: &[[&str; 5]]) -> Table {
        let columns = [
            "cell",
            "game",
            "players",
            "objectives",
            "strategy",
            "games",
            "win_share",
            "win_share_low",
            "win_share_high",
        ];
        let row = |row: &[&str; 5]| {
            let [name, games, share, low, high] = row;
            let row = ["0", "mind-up", "4", "2", name, games, share, low, high];
            row.map(str::to_owned).to_vec()
        };
        Table { columns: columns.map(str::to_owned).to_vec(), rows: rows.iter().map(row).collect() }
    }

    #[test]
    fn close_neighbours_are_noted_with_the_games_it_would_take() {
        let notes = too_small(&summary(&[
            ["a", "400", "0.300", "0.260", "0.340"],
            ["b", "400", "0.290", "0.250", "0.330"],
            ["c", "400", "0.100", "0.080", "0.120"],
        ]));
        assert_eq!(notes.len(), 1, "{notes:?}");
        assert!(notes[0].contains("a and b differ by 0.0100"), "{notes:?}");
        // Errors of 0.0204 each: (1.96 + 0.84)^2 x (0.0408 / 0.01)^2 x 400 = 52,300 games.
        assert!(notes[0].contains("53,000 games"), "{notes:?}");
    }

    #[test]
    fn equal_and_exact_figures_are_told_apart_or_not() {
        let equal = ["a", "400", "0.3", "0.2", "0.4"];
        let notes = too_small(&summary(&[equal, equal]));
        assert_eq!(notes, ["mind-up, 4 players, objectives=2: a and a can't be told apart"]);
        let exact = ["a", "400", "0.25", "0.25", "0.25"];
        assert!(too_small(&summary(&[exact, exact])).is_empty());
        assert!(too_small(&summary(&[["a", "1", "1", "", ""]])).is_empty());
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
