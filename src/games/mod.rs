//! The games: rules as pure code on small `Copy` states, cards and setups as data, the view of a
//! seat, and records.

pub mod mind_up;
pub mod paint;
pub mod record;
pub mod referee;
pub mod the_mind;

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A game that mindlab plays.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum GameId {
    /// Mind Up!: all choose a card at once and take prizes by rank.
    MindUp,
    /// The Mind: a team plays 1 to 100 in order without a word.
    TheMind,
    /// The Mind Extreme: the same on two piles, one rising and one falling.
    TheMindExtreme,
}

impl GameId {
    /// All games, in the order in which lists show them.
    pub const ALL: [GameId; 3] = [GameId::MindUp, GameId::TheMind, GameId::TheMindExtreme];

    /// The name in files, on the command line and in results.
    pub const fn name(self) -> &'static str {
        match self {
            GameId::MindUp => "mind-up",
            GameId::TheMind => "the-mind",
            GameId::TheMindExtreme => "the-mind-extreme",
        }
    }

    /// The game of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|game| game.name() == name)
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
