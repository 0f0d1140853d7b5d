//! What the referee finds in a legal record.

use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};

use super::cards::{Card, Cards, Layout, PileName};
use crate::games::GameId;

/// The verdict on a record. The caller adds which record it is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verdict {
    /// The game.
    pub game: GameId,
    /// Each entry of the record.
    pub levels: Vec<Level>,
    /// How the game ended.
    pub result: Outcome,
    /// Levels done.
    pub levels_done: u8,
}

/// The verdict on an entry.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Level {
    /// The level, from 1.
    pub level: u8,
    /// How it ended.
    pub outcome: Outcome,
    /// Mistakes on open piles.
    pub mistakes: Vec<Mistake>,
    /// The blind piles that were turned over.
    pub blind: Vec<Blind>,
    /// Lives held afterwards, the reward included.
    pub lives: u8,
    /// Stars held afterwards, the reward included.
    pub stars: u8,
}

/// How a level or a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The level was done.
    Done,
    /// The level is dealt again.
    Restarted,
    /// The game was won.
    Won,
    /// The game was lost, with this level.
    Lost,
    /// The record stops before the end.
    Unfinished,
}

/// A mistake on an open pile.
#[derive(Debug, Clone, PartialEq)]
pub struct Mistake {
    /// The event, from 0.
    pub event: usize,
    /// The card played.
    pub card: Card,
    /// The cards of others that come before it.
    pub set_aside: Cards,
    /// How cards are written.
    pub layout: Layout,
}

/// A blind pile that was turned over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Blind {
    /// The pile.
    pub pile: PileName,
    /// Its length less its longest increasing (red: decreasing) subsequence.
    pub out_of_order: u8,
}

impl Serialize for Mistake {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("event", &self.event)?;
        map.serialize_entry("card", &self.layout.to_json(self.card))?;
        map.serialize_entry("set_aside", &SetAside(self))?;
        map.end()
    }
}

/// The cards set aside, in the order in which they should have been played.
struct SetAside<'a>(&'a Mistake);

impl Serialize for SetAside<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Mistake { set_aside, layout, .. } = self.0;
        let mut list = serializer.serialize_seq(Some(set_aside.len() as usize))?;
        for card in set_aside.iter() {
            list.serialize_element(&layout.to_json(card))?;
        }
        list.end()
    }
}
