//! Records: one game as one line of JSON, made by hand or by [`Recorder`].

use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::block::Observer;
use super::cards::{Card, Cards, Layout};
use super::options::Options;
use super::rules::Rules;
use super::state::Table;
use crate::games::GameId;

/// A whole game.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Record {
    /// The game.
    pub game: GameId,
    /// How many played, 2 to 10.
    pub players: usize,
    /// What differs from the official setup.
    #[serde(skip_serializing_if = "is_default")]
    pub rules: Options,
    /// The levels as they were dealt; a level dealt again is one more entry.
    pub levels: Vec<Entry>,
    /// The seats that forfeit the game, ascending.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub forfeits: Vec<usize>,
}

impl Record {
    /// A game by these rules before its first level.
    pub fn new(rules: &Rules) -> Self {
        Record {
            game: rules.game(),
            players: rules.players(),
            rules: rules.to_options(),
            levels: Vec::new(),
            forfeits: Vec::new(),
        }
    }
}

fn is_default(options: &Options) -> bool {
    *options == Options::default()
}

/// A level, as it was dealt once.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The level, from 1.
    pub level: u8,
    /// The hands by seat.
    pub hands: Vec<Cards>,
    /// What happened, in order.
    pub events: Vec<Move>,
    /// How cards are written.
    pub layout: Layout,
}

/// An event of a record.
#[derive(Debug, Clone, PartialEq)]
pub enum Move {
    /// A seat played a card.
    Play {
        /// The seat.
        seat: usize,
        /// The card.
        card: Card,
        /// Microseconds since the level began, where they were taken down.
        at: Option<i64>,
    },
    /// A star was used: each seat's card, none for an empty hand.
    Star {
        /// The cards by seat.
        choices: Vec<Option<Card>>,
        /// Microseconds since the level began, where they were taken down.
        at: Option<i64>,
    },
    /// All put their hands on the table.
    Refocus {
        /// Microseconds from the level's beginning to its end, where they were taken down.
        at: Option<i64>,
    },
}

impl Serialize for Entry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("level", &self.level)?;
        let cards = |hand: &Cards| hand.iter().map(|card| self.layout.to_json(card)).collect();
        let hands: Vec<Value> = self.hands.iter().map(cards).collect();
        map.serialize_entry("hands", &hands)?;
        map.serialize_entry("events", &Moves(self))?;
        map.end()
    }
}

struct Moves<'a>(&'a Entry);

impl Serialize for Moves<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut events = serializer.serialize_seq(Some(self.0.events.len()))?;
        for event in &self.0.events {
            events.serialize_element(&event.to_json(self.0.layout))?;
        }
        events.end()
    }
}

impl Move {
    /// Microseconds since the level began, where they were taken down.
    pub const fn at(&self) -> Option<i64> {
        match self {
            Move::Play { at, .. } | Move::Star { at, .. } | Move::Refocus { at } => *at,
        }
    }

    /// The same, to be taken down.
    pub(super) const fn at_mut(&mut self) -> &mut Option<i64> {
        match self {
            Move::Play { at, .. } | Move::Star { at, .. } | Move::Refocus { at } => at,
        }
    }

    /// The event as records write it.
    pub fn to_json(&self, layout: Layout) -> Value {
        let mut map = serde_json::Map::new();
        match self {
            Move::Play { seat, card, .. } => {
                map.insert("seat".into(), (*seat).into());
                map.insert("play".into(), layout.to_json(*card));
            }
            Move::Refocus { .. } => {
                map.insert("refocus".into(), Value::Bool(true));
            }
            Move::Star { choices, .. } => {
                let star = match layout {
                    Layout::Number => Value::Bool(true),
                    Layout::WhiteRed => choices
                        .iter()
                        .map(|choice| choice.map_or(Value::Null, |card| layout.to_json(card)))
                        .collect(),
                };
                map.insert("star".into(), star);
            }
        }
        if let Some(at) = self.at() {
            map.insert("at".into(), (at as f64 / 1e6).into());
        }
        Value::Object(map)
    }
}

/// Writes down what happens in a block: a record for each of its games.
#[derive(Debug, Clone)]
pub struct Recorder {
    layout: Layout,
    players: usize,
    records: Vec<Record>,
}

impl Recorder {
    /// Ready for a block of so many games.
    pub fn new(rules: &Rules, games: usize) -> Self {
        let record = Record::new(rules);
        Recorder { layout: rules.layout(), players: rules.players(), records: vec![record; games] }
    }

    /// The records of the games played, in their order.
    pub fn into_records(self) -> Vec<Record> {
        self.records
    }

    fn push(&mut self, slot: usize, event: Move) {
        if let Some(entry) = self.records[slot].levels.last_mut() {
            entry.events.push(event);
        }
    }
}

/// Rounded like the outcome's times. A clock is never negative.
pub(super) fn micros(clock: f64) -> i64 {
    (clock * 1e6 + 0.5) as i64
}

impl Observer for Recorder {
    fn deal(&mut self, slot: usize, table: &Table) {
        self.records[slot].levels.push(Entry {
            level: table.public().level,
            hands: (0..self.players).map(|seat| table.hand(seat)).collect(),
            events: Vec::new(),
            layout: self.layout,
        });
    }

    fn play(&mut self, slot: usize, seat: usize, card: Card, clock: f64) {
        self.push(slot, Move::Play { seat, card, at: Some(micros(clock)) });
    }

    fn star(&mut self, slot: usize, choices: &[Option<Card>], clock: f64) {
        let choices = choices.to_vec();
        self.push(slot, Move::Star { choices, at: Some(micros(clock)) });
    }

    fn refocus(&mut self, slot: usize, clock: f64) {
        self.push(slot, Move::Refocus { at: Some(micros(clock)) });
    }

    fn forfeit(&mut self, slot: usize, seat: usize) {
        self.records[slot].forfeits.push(seat);
    }
}
