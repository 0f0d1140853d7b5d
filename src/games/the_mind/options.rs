//! The options of both games as files write them: the same type for `[rules]` of an experiment and
//! `rules` of a record. What is left out is as the setup has it.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::de::{self, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::cards::PileName;

/// The highest level that the deck can serve: two players with 50 cards each.
pub const MAX_LEVELS: u8 = 50;
/// The most lives, stars, refocuses or seconds of a refocus that rules may speak of.
pub const MAX_HELD: u8 = 99;

/// What a mistake on an open pile brings besides the lost life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Mistake {
    /// The level goes on without the cards that were passed over.
    Continue,
    /// All cards are reshuffled and the same level is dealt again.
    RestartLevel,
}

/// How many lives blind piles in disorder cost at the end of a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BlindPenalty {
    /// One, where any pile was out of order.
    PerLevel,
    /// One for each pile out of order.
    PerPile,
    /// One for each card outside a pile's longest increasing subsequence.
    PerCard,
}

/// Whether a level with a wrong blind pile earns its reward.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BlindReward {
    /// It does.
    Taken,
    /// It does not.
    Lost,
}

/// When the team has lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LoseAt {
    /// When no life is left.
    LastLife,
    /// When a penalty exceeds the lives held, so that a team without lives plays on.
    LifeOwed,
}

/// Which piles are blind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Blind {
    /// None.
    None,
    /// Those of the setup's table; none beyond it.
    Table,
    /// All, at every level.
    All,
    /// These, by level; none at the levels that are not named.
    ByLevel(BTreeMap<u8, Vec<PileName>>),
}

/// After which levels there is a reward.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rewards {
    /// The levels that bring a star; left out: as the setup has it.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "levels")]
    #[schemars(inner(range(min = 1, max = 50)))]
    pub star: Option<Vec<u8>>,
    /// The levels that bring a life; left out: as the setup has it.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "levels")]
    #[schemars(inner(range(min = 1, max = 50)))]
    pub life: Option<Vec<u8>>,
}

/// The options of The Mind and The Mind Extreme; everything may be left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// The setup that everything left out is taken from; default: the game's official one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub setup: Option<String>,
    /// How many levels there are, 1 to 50; players times levels is at most 100.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "level")]
    #[schemars(range(min = 1, max = 50))]
    pub levels: Option<u8>,
    /// The level that is dealt first, 1 (default) to the last: for a question about later levels.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "level")]
    #[schemars(range(min = 1, max = 50))]
    pub first_level: Option<u8>,
    /// The lives at the start, 0 to 99; 0 only where a life may be owed.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "held")]
    #[schemars(range(min = 0, max = 99))]
    pub lives: Option<u8>,
    /// The stars at the start, 0 to 99.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "held")]
    #[schemars(range(min = 0, max = 99))]
    pub stars: Option<u8>,
    /// What a mistake on an open pile brings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mistake: Option<Mistake>,
    /// Which piles are blind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blind: Option<Blind>,
    /// What blind piles in disorder cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blind_penalty: Option<BlindPenalty>,
    /// Whether a level with a wrong blind pile earns its reward.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blind_reward: Option<BlindReward>,
    /// When the team has lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lose_at: Option<LoseAt>,
    /// After which levels there is a reward.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rewards: Option<Rewards>,
    /// The most lives that rewards can bring a team to, 0 to 99.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "held")]
    #[schemars(range(min = 0, max = 99))]
    pub max_lives: Option<u8>,
    /// The most stars that rewards can bring a team to, 0 to 99.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "held")]
    #[schemars(range(min = 0, max = 99))]
    pub max_stars: Option<u8>,
    /// How often the team may refocus in a level, 0 (default) to 99: hands on the table, and all
    /// stopwatches start anew.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "held")]
    #[schemars(range(min = 0, max = 99))]
    pub refocuses: Option<u8>,
    /// The seconds that a refocus takes, 1 to 99 (default 5).
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "seconds")]
    #[schemars(range(min = 1, max = 99))]
    pub refocus_seconds: Option<u8>,
}

/// A whole number in a range, with an error that says which would do.
struct Whole {
    low: u8,
    high: u8,
}

impl Visitor<'_> for Whole {
    type Value = u8;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number from {} to {}", self.low, self.high)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<u8, E> {
        match u8::try_from(value) {
            Ok(small) if (self.low..=self.high).contains(&small) => Ok(small),
            _ => Err(E::invalid_value(de::Unexpected::Unsigned(value), &self)),
        }
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<u8, E> {
        match u64::try_from(value) {
            Ok(value) => self.visit_u64(value),
            Err(_) => Err(E::invalid_value(de::Unexpected::Signed(value), &self)),
        }
    }
}

const LEVEL: Whole = Whole { low: 1, high: MAX_LEVELS };

fn level<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u8>, D::Error> {
    deserializer.deserialize_any(LEVEL).map(Some)
}

fn held<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u8>, D::Error> {
    let held = Whole { low: 0, high: MAX_HELD };
    deserializer.deserialize_any(held).map(Some)
}

/// At least 1: a refocus that takes no time would be a clock that all hear for nothing.
fn seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u8>, D::Error> {
    let seconds = Whole { low: 1, high: MAX_HELD };
    deserializer.deserialize_any(seconds).map(Some)
}

/// A level inside a list.
struct Level(u8);

impl<'de> Deserialize<'de> for Level {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LEVEL).map(Level)
    }
}

fn levels<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<u8>>, D::Error> {
    let levels = Vec::<Level>::deserialize(deserializer)?;
    Ok(Some(levels.into_iter().map(|level| level.0).collect()))
}

impl<'de> Deserialize<'de> for Blind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(BlindVisitor)
    }
}

struct BlindVisitor;

impl<'de> Visitor<'de> for BlindVisitor {
    type Value = Blind;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "`none`, `table`, `all`, or a table of piles by level such as {\"3\": [\"white\"]}",
        )
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Blind, E> {
        match value {
            "none" => Ok(Blind::None),
            "table" => Ok(Blind::Table),
            "all" => Ok(Blind::All),
            _ => Err(E::invalid_value(de::Unexpected::Str(value), &self)),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Blind, A::Error> {
        let mut by_level = BTreeMap::new();
        while let Some(key) = entries.next_key::<String>()? {
            // Written back it must be the same text, so that a level has one spelling only.
            let level = key
                .parse::<u8>()
                .ok()
                .filter(|level| (1..=MAX_LEVELS).contains(level) && level.to_string() == key)
                .ok_or_else(|| {
                    let wanted =
                        format_args!("the level `{key}` must be {}", &LEVEL as &dyn de::Expected);
                    de::Error::custom(wanted)
                })?;
            by_level.insert(level, entries.next_value()?);
        }
        Ok(Blind::ByLevel(by_level))
    }
}

impl Serialize for Blind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Blind::None => serializer.serialize_str("none"),
            Blind::Table => serializer.serialize_str("table"),
            Blind::All => serializer.serialize_str("all"),
            Blind::ByLevel(by_level) => {
                let mut map = serializer.serialize_map(Some(by_level.len()))?;
                for (level, piles) in by_level {
                    map.serialize_entry(&level.to_string(), piles)?;
                }
                map.end()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::read;
    use serde_json::{Value, json};

    fn message(value: Value) -> String {
        read::<Options>(&value).unwrap_err().to_string()
    }

    #[test]
    fn what_is_written_is_read_again() {
        for value in [
            json!({}),
            json!({"setup": "x", "levels": 4, "lives": 0, "blind": {"1": ["number"], "3": []}}),
            json!({"blind": "all", "rewards": {"star": [2], "life": []}, "max_lives": 0}),
            json!({"refocuses": 0, "refocus_seconds": 99}),
            json!({"mistake": "restart-level", "blind_penalty": "per-card", "lose_at": "life-owed"}),
        ] {
            let options: Options = read(&value).unwrap();
            assert_eq!(serde_json::to_value(&options).unwrap(), value);
        }
    }

    #[test]
    fn errors_say_where_and_what_would_do() {
        assert_eq!(
            message(json!({"lives": -1})),
            "`lives = -1`: this must be a whole number from 0 to 99"
        );
        assert_eq!(
            message(json!({"levels": 0})),
            "`levels = 0`: this must be a whole number from 1 to 50"
        );
        assert!(message(json!({"rewards": {"star": [2, 0]}})).starts_with("`rewards.star[1] = 0`"));
        assert!(message(json!({"blind": "some"})).contains("`none`, `table`, `all`"));
        for key in ["0", "51", "03", "+3", "x", ""] {
            assert!(message(json!({"blind": {key: []}})).contains("from 1 to 50"), "{key}");
        }
        assert!(message(json!({"blind": {"3": ["blue"]}})).contains("unknown value"));
        assert!(message(json!({"lifes": 3})).contains("did you mean `lives`?"));
        for (value, range) in [
            (json!({"refocuses": 100}), "a whole number from 0 to 99"),
            (json!({"refocus_seconds": 0}), "a whole number from 1 to 99"),
            (json!({"refocus_seconds": 100}), "a whole number from 1 to 99"),
            (json!({"refocus_seconds": 2.5}), "a whole number from 1 to 99"),
        ] {
            assert!(message(value.clone()).contains(range), "{value}");
        }
    }
}
