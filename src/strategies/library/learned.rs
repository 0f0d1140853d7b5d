//! What a learned strategy was learned under: the section `[learned]` of its file.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Named, folder};
use crate::error::{InputError, unknown};
use crate::games::GameId;

/// What a strategy's file says of how it was learned. A strategy plays on under other rules; whoever
/// runs it there is told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Learned {
    /// The game.
    pub game: GameId,
    /// The numbers of players, each of which was learned for apart.
    pub players: Vec<usize>,
    /// The parameters that were learned.
    pub parameters: Vec<String>,
    /// The groups of players whose bodies played (the Minds), as a training names them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Value>,
    /// What `mindlab train` was asked for: the training's file, and changes of it.
    pub training: String,
    /// The seed.
    pub seed: u64,
    /// The version of mindlab.
    pub mindlab: String,
    /// The options of the rules that the training has; lists make a grid, and none is the published game.
    #[serde(default)]
    pub rules: Map<String, Value>,
}

impl Learned {
    /// Refuses what does not go with the rest of the file.
    pub(super) fn check(&self, game: GameId, named: &Named) -> Result<(), InputError> {
        let refuse = |key: &str, value: &dyn std::fmt::Display, what: String| {
            Err(InputError::new(format!("learned.{key}"), value, what))
        };
        if folder(self.game) != folder(game) {
            let what = format!("this is a strategy for {}", folder(game));
            return refuse("game", &self.game, what);
        }
        if self.players.is_empty() {
            return refuse(
                "players",
                &"[]",
                "there must be at least one number of players".to_owned(),
            );
        }
        if self.parameters.is_empty() {
            return refuse("parameters", &"[]", "there must be at least one parameter".to_owned());
        }
        let known = || named.parameters.keys().map(String::as_str);
        let other = |key: &&String| !named.parameters.contains_key(*key);
        match self.parameters.iter().find(other) {
            Some(key) => {
                let known: Vec<&str> = known().collect();
                refuse("parameters", key, unknown("parameter", key, known))
            }
            None => Ok(()),
        }
    }
}

/// A learned strategy in an experiment: one that sits at the table, or one that it names.
#[derive(Debug, Clone, PartialEq)]
pub struct Ground {
    /// Who: a strategy's label, or `duct's policy linear`.
    pub who: String,
    /// The parameter that names it; empty for the strategy itself.
    pub within: String,
    /// The named strategy.
    pub name: String,
    /// Its file.
    pub file: String,
    /// Whether the file has sections for numbers of players.
    pub by_players: bool,
    /// Whether it ignores objectives.
    pub blind: bool,
    /// What it was learned under.
    pub learned: Learned,
}
