//! A folder of results, read for a comparison.

use std::path::Path;

use serde_json::{Map, Value};

use crate::error::InputError;
use crate::experiment::plan::GameRules;
use crate::experiment::results::batched::Seating;
use crate::experiment::sums::{About, CellSums};
use crate::experiment::words::told;
use crate::games::GameId;
use crate::output::batches;
use crate::output::folder::Manifest;

/// A result: what its folder says of itself, and its cells.
#[derive(Debug, Clone)]
pub struct Side<'a> {
    /// The folder.
    pub folder: &'a Path,
    /// Its manifest.
    pub manifest: &'a Manifest,
    /// Its cells, in the order of the plan.
    pub cells: Vec<CellSide>,
}

/// A cell of a result.
#[derive(Debug, Clone)]
pub struct CellSide {
    /// The game.
    pub game: String,
    /// The options of its rules, as they were given.
    pub options: Map<String, Value>,
    /// What they come to; nothing where this version can't tell.
    pub rules: Option<GameRules>,
    /// The group: its name and bodies (the Minds).
    pub group: Option<Value>,
    /// Who sits where.
    pub seating: Seating,
    /// Its sums by batch of deals.
    pub sums: CellSums,
}

impl<'a> Side<'a> {
    /// Reads a folder of results. `names` are labels that are to stand for others: each is a strategy's
    /// label here and what it is called in the comparison.
    ///
    /// # Errors
    /// Files that are missing, were changed, or hold something else; a name that no strategy has.
    pub fn open(
        folder: &'a Path,
        manifest: &'a Manifest,
        names: &[(String, String)],
    ) -> Result<Self, InputError> {
        let plan = &manifest.resolved;
        let labels = labels(plan, names)?;
        let game = plan.get("game").and_then(Value::as_str).unwrap_or_default();
        let mut next = 0;
        let cell = |cell: &Value| {
            let lineups = list(cell, "lineups").iter().map(|lineup| {
                next += 1;
                let seats = list(lineup, "seats").iter();
                let label = |seat: &Value| labels.get(seat.as_u64()? as usize).cloned();
                (next - 1, seats.map(|seat| label(seat).unwrap_or_default()).collect())
            });
            let lineups: Vec<(usize, Vec<String>)> = lineups.collect();
            let players = cell.get("players").and_then(Value::as_u64).unwrap_or(0) as usize;
            let options = cell.get("rules").and_then(Value::as_object).cloned().unwrap_or_default();
            let known = GameId::from_name(game);
            let rules = known.and_then(|game| GameRules::new(game, players, &options).ok());
            let points = rules.as_ref().map_or_else(Vec::new, GameRules::points);
            CellSide {
                game: game.to_owned(),
                options,
                rules,
                group: cell.get("group").cloned(),
                seating: Seating { players, lineups, points },
                sums: CellSums::new(),
            }
        };
        let mut cells: Vec<CellSide> = list(plan, "cells").iter().map(cell).collect();
        let players: Vec<usize> = cells.iter().map(|cell| cell.seating.players).collect();
        for (cell, sums) in cells.iter_mut().zip(batches::read(folder, manifest, &players)?) {
            cell.sums =
                sums.into_iter().map(|(about, sums)| (renamed(about, names), sums)).collect();
        }
        Ok(Side { folder, manifest, cells })
    }
}

impl CellSide {
    /// `the-mind, 2 players, lives=3, group intuitive`.
    pub fn title(&self) -> String {
        let options = self.options.iter();
        let options = options.map(|(key, value)| format!(", {key}={}", told(key, value)));
        let group = self.group_name().map_or_else(String::new, |name| format!(", group {name}"));
        let players = self.seating.players;
        format!("{}, {players} players{}{group}", self.game, options.collect::<String>())
    }

    /// Whether both play the same game, however their options are written.
    pub(super) fn is_same_game(&self, other: &CellSide) -> bool {
        let rules = self.rules.as_ref().zip(other.rules.as_ref());
        rules.is_some_and(|(one, other)| one.is_same_game(other))
    }

    /// The name of its group.
    pub fn group_name(&self) -> Option<&str> {
        self.group.as_ref()?.get("name")?.as_str()
    }
}

/// A list of a plan, empty where it has none.
pub(super) fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The label of a plan's strategy.
pub(super) fn label(strategy: &Value) -> String {
    strategy.get("label").and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// The labels of a plan's strategies, renamed.
fn labels(plan: &Value, names: &[(String, String)]) -> Result<Vec<String>, InputError> {
    let own: Vec<String> = list(plan, "strategies").iter().map(label).collect();
    for (name, other) in names {
        if !own.contains(name) {
            let what = crate::error::unknown(
                "strategy",
                name,
                own.iter().map(String::as_str).collect::<Vec<_>>(),
            );
            return Err(InputError::new("--match", format!("{name}={other}"), what));
        }
        if own.contains(other) && !names.iter().any(|(name, _)| name == other) {
            let what = format!("the second result has a strategy `{other}` of its own");
            return Err(InputError::new("--match", format!("{name}={other}"), what));
        }
    }
    Ok(own.into_iter().map(|label| name(label, names)).collect())
}

fn name(label: String, names: &[(String, String)]) -> String {
    names.iter().find(|(own, _)| *own == label).map_or(label, |(_, other)| other.clone())
}

fn renamed(about: About, names: &[(String, String)]) -> About {
    match about {
        About::Seat { lineup, strategy, seat } => {
            About::Seat { lineup, strategy: name(strategy, names), seat }
        }
        About::Objective { objective, round, strategy } => {
            About::Objective { objective, round, strategy: name(strategy, names) }
        }
        about => about,
    }
}
