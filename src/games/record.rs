//! What the records of all games share: reading JSON with an eye on where an error stands, the
//! codes of the referee, and the place that an error names.

use std::cell::Cell;
use std::collections::HashSet;
use std::fmt;

use serde::de::{self, DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde::{Deserializer, Serialize};
use serde_json::{Map, Number, Value};

use crate::error::{nearest, short};

/// Declares the codes with their meaning, so that the list in the documents can't be incomplete.
macro_rules! codes {
    ($($name:ident => $meaning:literal,)*) => {
        /// Why the referee refuses a record.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Code {
            $(#[doc = $meaning] $name,)*
        }

        impl Code {
            /// Every code with its meaning.
            pub const ALL: &[(Code, &str)] = &[$((Code::$name, $meaning),)*];
        }
    };
}

codes! {
    NotJson => "The line is not JSON in UTF-8.",
    DuplicateKey => "A JSON object has a key twice.",
    WrongType => "A value is of the wrong type: a text where a number belongs, a fraction where \
                  an index does.",
    MissingKey => "A key that the format asks for is not there.",
    UnknownKey => "A key that the format does not know.",
    UnknownGame => "The game is not mind-up, the-mind or the-mind-extreme.",
    BadPlayers => "The number of players is not one that the game can be played with.",
    BadRules => "The rules name an unknown option, a value that it can't have, or rules that the \
                 deck can't serve.",
    BadScoring => "The scoring order is not an order of the scoring values.",
    UnknownObjective => "An objective that is not in the pool.",
    BadObjectives => "Objectives that can't have been drawn: the wrong number, a card or a letter \
                      again, or a kept set that changed.",
    WrongCount => "A list of the wrong length: hands, a hand, the row, drawn cards, rounds, \
                   turns, plays, a star's choices.",
    CardOutOfRange => "A card that the deck does not have.",
    CardTwice => "A card in two places.",
    SeatOutOfRange => "A seat that nobody sits in.",
    CardNotInHand => "A seat plays or discards a card that it does not hold.",
    CardNotPlayable => "A seat plays or discards a card although a lower one of that pile (red: a \
                        higher one) is in its hand.",
    BadEvent => "An event that is not one of a play, a star and a refocus.",
    BadTime => "A time that is negative or not a finite number.",
    TimeRunsBackwards => "An event before the one that it follows.",
    NoStar => "A star is used, but no star is left.",
    NoRefocus => "A refocus, but the level does not allow another one.",
    StarChoice => "A star's choices do not fit the hands: a card from an empty hand, or none from \
                   a full one.",
    WrongLevel => "An entry's level is not the one that comes next.",
    EventAfterLevel => "An event after the level's end.",
    LevelUnfinished => "An entry that is not the last one stops before the level's end.",
    LevelAfterGame => "A level after the game's end.",
    BadForfeits => "Forfeits that can't be: a seat twice, or a game of the Minds that its cards \
                    have ended.",
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// Why a record is refused: the first error in reading order, and where it stands.
///
/// Indices count from 0, `level` excepted. Serialises as the referee prints it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{code}: {message}")]
pub struct Illegal {
    /// What is wrong.
    pub code: Code,
    /// The round (Mind Up!).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<usize>,
    /// The turn of the round (Mind Up!).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<usize>,
    /// The entry of `levels` (the Minds).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<usize>,
    /// The level of that entry (the Minds), from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<usize>,
    /// The event of that entry (the Minds).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<usize>,
    /// The seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<usize>,
    /// The error in words, with the value.
    pub message: String,
}

/// The longest message, in characters.
const LONGEST_MESSAGE: usize = 2_000;

impl Illegal {
    /// An error without a place. A message that quotes a value without end is cut.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        let mut message = message.into();
        if let Some((end, _)) = message.char_indices().nth(LONGEST_MESSAGE) {
            message.truncate(end);
            message.push_str("...");
        }
        Illegal {
            code,
            round: None,
            turn: None,
            entry: None,
            level: None,
            event: None,
            seat: None,
            message,
        }
    }

    /// Adds the round.
    pub fn round(mut self, round: usize) -> Self {
        self.round = Some(round);
        self
    }

    /// Adds the turn.
    pub fn turn(mut self, turn: usize) -> Self {
        self.turn = Some(turn);
        self
    }

    /// Adds the entry of `levels`.
    pub fn entry(mut self, entry: usize) -> Self {
        self.entry = Some(entry);
        self
    }

    /// Adds the level, which counts from 1.
    pub fn level(mut self, level: usize) -> Self {
        self.level = Some(level);
        self
    }

    /// Adds the event.
    pub fn event(mut self, event: usize) -> Self {
        self.event = Some(event);
        self
    }

    /// Adds the seat.
    pub fn seat(mut self, seat: usize) -> Self {
        self.seat = Some(seat);
        self
    }
}

/// Parses a line; a key that an object has twice is an error, where serde_json keeps the last.
///
/// # Errors
/// [`Code::NotJson`] or [`Code::DuplicateKey`].
pub fn parse(line: &str) -> Result<Value, Illegal> {
    let mut deserializer = serde_json::Deserializer::from_str(line);
    let twice = Cell::new(false);
    let refuse = |error: serde_json::Error| {
        let code = if twice.get() { Code::DuplicateKey } else { Code::NotJson };
        Illegal::new(code, error.to_string())
    };
    let value = Strict { twice: &twice }.deserialize(&mut deserializer).map_err(refuse)?;
    deserializer.end().map_err(refuse)?;
    Ok(value)
}

/// Reads any JSON value, without objects that have a key twice.
#[derive(Clone, Copy)]
struct Strict<'a> {
    /// Set where an object has a key twice.
    twice: &'a Cell<bool>,
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let value = entries.next_value_seed(self)?;
            if map.contains_key(&key) {
                self.twice.set(true);
                return Err(de::Error::custom(format_args!("a key twice: `{key}`")));
            }
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}

/// A JSON object that has no key besides the known ones.
///
/// # Errors
/// [`Code::WrongType`] or [`Code::UnknownKey`].
pub fn object<'a>(
    value: &'a Value,
    what: &str,
    known: &[&str],
) -> Result<&'a Map<String, Value>, Illegal> {
    let Some(map) = value.as_object() else {
        return Err(wrong_type(value, what, "an object"));
    };
    match map.keys().find(|key| !known.contains(&key.as_str())) {
        None => Ok(map),
        Some(key) => {
            let hint = match nearest(key, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known: {}", known.join(", ")),
            };
            Err(Illegal::new(Code::UnknownKey, format!("`{key}` in {what}: {hint}")))
        }
    }
}

/// The value of a key that must be there.
///
/// # Errors
/// [`Code::MissingKey`].
pub fn required<'a>(map: &'a Map<String, Value>, key: &str) -> Result<&'a Value, Illegal> {
    map.get(key).ok_or_else(|| Illegal::new(Code::MissingKey, format!("`{key}` is missing")))
}

/// A JSON array.
///
/// # Errors
/// [`Code::WrongType`].
pub fn list<'a>(value: &'a Value, what: &str) -> Result<&'a [Value], Illegal> {
    match value.as_array() {
        Some(items) => Ok(items),
        None => Err(wrong_type(value, what, "a list")),
    }
}

/// A JSON array of a known length.
///
/// # Errors
/// [`Code::WrongType`] or [`Code::WrongCount`].
pub fn list_of<'a>(value: &'a Value, what: &str, count: usize) -> Result<&'a [Value], Illegal> {
    let items = list(value, what)?;
    if items.len() == count {
        return Ok(items);
    }
    Err(Illegal::new(Code::WrongCount, format!("{what}: {} items, not {count}", items.len())))
}

/// A whole number; negative and fractional ones, and those above u64, are of the wrong type.
///
/// # Errors
/// [`Code::WrongType`].
pub fn integer(value: &Value, what: &str) -> Result<u64, Illegal> {
    value.as_u64().ok_or_else(|| wrong_type(value, what, "a whole number, 0 or more"))
}

/// A number of players. Any number that is not one is a bad number of players, negative and broken
/// ones too.
///
/// # Errors
/// [`Code::BadPlayers`] or, where it is no number at all, [`Code::WrongType`].
pub fn players(value: &Value, legal: std::ops::RangeInclusive<usize>) -> Result<usize, Illegal> {
    let number = value.as_u64().and_then(|players| usize::try_from(players).ok());
    match number.filter(|players| legal.contains(players)) {
        Some(players) => Ok(players),
        None if value.is_number() => {
            let (low, high) = (legal.start(), legal.end());
            let message = format!("players: {} is not between {low} and {high}", short(value));
            Err(Illegal::new(Code::BadPlayers, message))
        }
        None => Err(wrong_type(value, "players", "a whole number, 0 or more")),
    }
}

/// A text.
///
/// # Errors
/// [`Code::WrongType`].
pub fn text<'a>(value: &'a Value, what: &str) -> Result<&'a str, Illegal> {
    value.as_str().ok_or_else(|| wrong_type(value, what, "a text"))
}

/// The seats that forfeit a game, ascending; none where the key is left out.
///
/// # Errors
/// The first error in reading order.
pub fn forfeits(record: &Map<String, Value>, players: usize) -> Result<Vec<usize>, Illegal> {
    let items = record.get("forfeits").map_or(Ok(&[][..]), |value| list(value, "forfeits"))?;
    let mut seats = Vec::new();
    for item in items {
        let seat = seat(item, players)?;
        if seats.contains(&seat) {
            let message = format!("forfeits: seat {seat} is there twice");
            return Err(Illegal::new(Code::BadForfeits, message).seat(seat));
        }
        seats.push(seat);
    }
    seats.sort_unstable();
    Ok(seats)
}

/// A seat's number.
///
/// # Errors
/// [`Code::WrongType`] or [`Code::SeatOutOfRange`].
pub fn seat(value: &Value, players: usize) -> Result<usize, Illegal> {
    let number = integer(value, "seat")?;
    usize::try_from(number).ok().filter(|&seat| seat < players).ok_or_else(|| {
        let message = format!("seat {number}: seats must be from 0 to {}", players - 1);
        Illegal::new(Code::SeatOutOfRange, message)
    })
}

fn wrong_type(value: &Value, what: &str, wanted: &str) -> Illegal {
    Illegal::new(Code::WrongType, format!("{what}: {} is not {wanted}", short(value)))
}

/// Finds a value that occurs twice.
pub fn repeated<T: std::hash::Hash + Eq + Copy>(items: impl IntoIterator<Item = T>) -> Option<T> {
    let mut seen = HashSet::new();
    items.into_iter().find(|item| !seen.insert(*item))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_twice_are_seen_at_any_depth() {
        let code = |line| parse(line).unwrap_err().code;
        assert_eq!(code(r#"{"a":1,"a":1}"#), Code::DuplicateKey);
        assert_eq!(code(r#"[{"b":{"a":1,"a":2}}]"#), Code::DuplicateKey);
        assert_eq!(parse(r#"{"a":{"a":1}}"#).unwrap()["a"]["a"], 1);
    }

    #[test]
    fn what_is_no_json_is_refused() {
        for line in ["", "{", "nul", r#"{"a":1} x"#, "1e999", "\"\\ud800\"", &"[".repeat(100_000)] {
            assert_eq!(parse(line).unwrap_err().code, Code::NotJson, "{line:.20}");
        }
    }

    #[test]
    fn messages_end() {
        let message = Illegal::new(Code::BadRules, "\u{e9}".repeat(9_999)).message;
        assert_eq!(message.chars().count(), LONGEST_MESSAGE + 3);
        assert_eq!(Illegal::new(Code::BadRules, "short").message, "short");
    }

    #[test]
    fn codes_print_in_kebab_case() {
        assert_eq!(Code::CardNotInHand.to_string(), "card-not-in-hand");
        assert_eq!(
            Code::ALL.len(),
            Code::ALL.iter().map(|c| c.0.to_string()).collect::<HashSet<_>>().len()
        );
    }

    #[test]
    fn numbers_are_whole_and_not_negative() {
        for value in [serde_json::json!(-1), serde_json::json!(1.5), serde_json::json!("1")] {
            assert_eq!(integer(&value, "x").unwrap_err().code, Code::WrongType);
        }
    }
}
