//! A strategy of an experiment.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

use super::learned::Ground;
use super::words;
use crate::error::read;
use crate::games::the_mind::cards::MAX_SEATS;
use crate::strategies::grid::same;

/// Parameters that hold at a number of players only.
pub type ByPlayers = BTreeMap<usize, Map<String, Value>>;

/// A strategy of an experiment: what it is called, and all that it resolves to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StrategySpec {
    /// Its name in results: its `name`, else its base with what differs from the file in brackets.
    pub label: String,
    /// The named strategy that it starts from.
    pub base: String,
    /// The family.
    pub family: String,
    /// All parameters. Strategies that they name stand here in full, as tables of `family`,
    /// `parameters` and `players`.
    pub parameters: Map<String, Value>,
    /// What holds at a number of players in place of these.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub players: ByPlayers,
    /// The parameters that a grid varies, as results tell them.
    #[serde(skip)]
    pub varied: Vec<(String, Value)>,
    /// What in it was learned: it, or a strategy that it names.
    #[serde(skip)]
    pub grounds: Vec<Ground>,
    /// Whether it is no strategy of the experiment's list but one that answers such a strategy.
    #[serde(skip)]
    pub answers: bool,
}

impl StrategySpec {
    /// Whether the other one plays alike, whatever it is called.
    pub fn is(&self, other: &StrategySpec) -> bool {
        let in_full = |spec: &StrategySpec, players| {
            let all = spec.at(players).into_iter();
            Value::Object(
                all.map(|(key, value)| (key.clone(), words::in_full(&key, &value))).collect(),
            )
        };
        let alike = |players| same(&in_full(self, players), &in_full(other, players));
        self.family == other.family && (2..=MAX_SEATS).all(alike)
    }

    /// All parameters at a number of players.
    pub fn at(&self, players: usize) -> Map<String, Value> {
        at(&self.parameters, &self.players, players)
    }

    /// What of it (itself, or a strategy that it names) has sections for other numbers of players than
    /// this one alone, and for which: here it plays by what stands outside of them.
    pub fn elsewhere(&self, players: usize) -> Vec<(String, Vec<usize>)> {
        let mut found = Vec::new();
        elsewhere(&self.label, &self.parameters, &self.players, players, &mut found);
        found
    }

    /// What it is, whatever it is called.
    pub fn table(self) -> Value {
        let mut table = Map::new();
        table.insert("family".to_owned(), self.family.into());
        table.insert("parameters".to_owned(), self.parameters.into());
        if !self.players.is_empty() {
            let players = self.players.into_iter();
            let players: Map<String, Value> =
                players.map(|(count, own)| (count.to_string(), own.into())).collect();
            table.insert("players".to_owned(), players.into());
        }
        Value::Object(table)
    }
}

/// The parameters that hold at a number of players; those of strategies among them as they stand.
fn own_at(parameters: &Map<String, Value>, by: &ByPlayers, players: usize) -> Map<String, Value> {
    let mut all = parameters.clone();
    all.extend(by.get(&players).cloned().unwrap_or_default());
    all
}

/// A strategy in full in the place of a parameter: its family, its parameters, and those by players.
fn within(value: &Value) -> Option<(&str, &Map<String, Value>, ByPlayers)> {
    let family = value.get("family")?.as_str()?;
    let by = value.get("players").and_then(|by| read(by).ok()).unwrap_or_default();
    Some((family, value.get("parameters")?.as_object()?, by))
}

/// Parameters at a number of players, those of strategies among them too.
fn at(parameters: &Map<String, Value>, by: &ByPlayers, players: usize) -> Map<String, Value> {
    let mut all = own_at(parameters, by, players);
    for value in all.values_mut() {
        let own = within(value).map(|(_, parameters, by)| at(parameters, &by, players));
        if let (Some(own), Value::Object(table)) = (own, value) {
            table.shift_remove("players");
            table.insert("parameters".to_owned(), own.into());
        }
    }
    all
}

fn elsewhere(
    name: &str,
    parameters: &Map<String, Value>,
    by: &ByPlayers,
    players: usize,
    found: &mut Vec<(String, Vec<usize>)>,
) {
    // A section is empty where all of it was changed.
    let learned = by.iter().filter(|(_, own)| !own.is_empty());
    let learned: Vec<usize> = learned.map(|(&count, _)| count).collect();
    if !learned.is_empty() && !learned.contains(&players) {
        found.push((name.to_owned(), learned));
    }
    for (key, value) in &own_at(parameters, by, players) {
        if let Some((family, parameters, by)) = within(value) {
            elsewhere(&format!("{name}'s {key} {family}"), parameters, &by, players, found);
        }
    }
}
