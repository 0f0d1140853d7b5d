//! Setups: what rules take from the box. They are data, so that designers can balance them and
//! owners of the cards can correct them.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::Deserialize;

use super::cards::{Layout, PileName};
use super::options::{Blind, MAX_LEVELS, Options};
use super::rules::{Rules, blind_piles};
use crate::error::{ErrorKind, InputError, read, read_ranged, toml_error, unknown};
use crate::games::GameId;

/// The setups that are compiled in; the first of a game is its official one.
const FILES: [&str; 2] =
    [include_str!("data/the-mind.toml"), include_str!("data/the-mind-extreme.toml")];

/// Levels, lives and stars for one count of players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// The players, 2 to 10.
    #[schemars(range(min = 2, max = 10))]
    pub players: usize,
    /// How many levels there are.
    #[schemars(range(min = 1, max = 50))]
    pub levels: u8,
    /// The lives at the start.
    #[schemars(range(min = 0, max = 99))]
    pub lives: u8,
    /// The stars at the start.
    #[schemars(range(min = 0, max = 99))]
    pub stars: u8,
}

/// A setup: counts by players, the table of blind piles, and the options' default values.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// The name that rules choose it by.
    pub name: String,
    /// The game that it is for.
    pub game: GameId,
    /// What it is, in one line.
    #[serde(default)]
    pub summary: String,
    /// Where its numbers are from.
    #[serde(default)]
    pub source: String,
    /// Levels, lives and stars; other counts of players must name them in the rules.
    #[serde(default)]
    pub counts: Vec<Counts>,
    /// The piles that `blind = "table"` plays blind, by level.
    #[serde(default, deserialize_with = "table")]
    pub blind_table: BTreeMap<u8, Vec<PileName>>,
    /// Values for options; what is left out is as in the game's official setup.
    #[serde(default)]
    pub defaults: Options,
}

fn table<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<u8, Vec<PileName>>, D::Error> {
    match Blind::deserialize(deserializer)? {
        Blind::ByLevel(table) => Ok(table),
        _ => Err(serde::de::Error::custom(
            "this must be a table of piles by level, such as 3 = [\"white\"]",
        )),
    }
}

impl Setup {
    /// The setups that are compiled in.
    pub fn all() -> &'static [Setup] {
        // Read once: a referee asks for them with each record.
        static SETUPS: LazyLock<Vec<Setup>> = LazyLock::new(|| {
            let setups = FILES.iter();
            setups.filter_map(|text| read(&toml::from_str(text).ok()?).ok()).collect()
        });
        &SETUPS
    }

    /// The official setup of a game.
    ///
    /// # Errors
    /// For Mind Up!, which has none.
    pub fn official(game: GameId) -> Result<&'static Setup, InputError> {
        Setup::all().iter().find(|setup| setup.game == game).ok_or_else(|| {
            InputError::new("game", game, "this must be the-mind or the-mind-extreme")
        })
    }

    /// The compiled-in setup of that name.
    ///
    /// # Errors
    /// Where there is none (key `setup`).
    pub fn named(name: &str) -> Result<&'static Setup, InputError> {
        let setups = Setup::all();
        setups.iter().find(|setup| setup.name == name).ok_or_else(|| {
            let names = setups.iter().map(|setup| setup.name.as_str());
            InputError::new("setup", name, unknown("setup", name, names))
        })
    }

    /// Reads a setup file (TOML) and tries each of its counts of players.
    ///
    /// # Errors
    /// What is wrong, at its key; the caller adds the file.
    pub fn from_toml(text: &str) -> Result<Setup, InputError> {
        let value: serde_json::Value =
            toml::from_str(text).map_err(|error| toml_error(text, &error))?;
        crate::error::check_finite(&value)?;
        let setup: Setup = read_ranged(&value)?;
        let layout = Layout::of(setup.game).ok_or_else(|| {
            InputError::new("game", setup.game, "this must be the-mind or the-mind-extreme")
        })?;
        blind_piles(layout, MAX_LEVELS, &Blind::Table, &setup.blind_table)
            .map_err(|error| error.moved("blind", "blind_table"))?;
        if setup.defaults.setup.is_some() {
            return Err(InputError::new("defaults.setup", "", "a setup can't build on another"));
        }
        for (index, counts) in setup.counts.iter().enumerate() {
            let place = format!("counts[{index}]");
            if setup.counts[..index].iter().any(|other| other.players == counts.players) {
                let message = "this number of players is there twice";
                return Err(InputError::new("players", counts.players, message).under(&place));
            }
            Rules::with_setup(&setup, counts.players, &Options::default())
                // Here the number of players is a value of the file like the others.
                .map_err(|error| error.under(&place).of(ErrorKind::Refused))?;
        }
        Ok(setup)
    }

    /// Refuses a setup of another game.
    ///
    /// # Errors
    /// At the key `setup`.
    pub fn check_game(&self, game: GameId) -> Result<(), InputError> {
        if self.game == game {
            return Ok(());
        }
        let message = format!("this setup is for {}, not for {game}", self.game);
        Err(InputError::new("setup", &self.name, message))
    }

    /// Levels, lives and stars for a count of players, where the setup knows them.
    pub fn counts(&self, players: usize) -> Option<Counts> {
        self.counts.iter().copied().find(|counts| counts.players == players)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compiled_in_setups_are_sound() {
        assert_eq!(Setup::all().len(), FILES.len());
        for text in FILES {
            Setup::from_toml(text).unwrap();
        }
        assert_eq!(Setup::named("the-mindd").unwrap_err().value, "the-mindd");
    }

    #[test]
    fn files_are_checked_with_their_place() {
        let message = |text: &str| Setup::from_toml(text).unwrap_err().to_string();
        let head = "name = \"x\"\ngame = \"the-mind\"\n";
        let counts = |n: u8, levels: u8| {
            format!("[[counts]]\nplayers = {n}\nlevels = {levels}\nlives = 2\nstars = 1\n")
        };
        Setup::from_toml(&format!("{head}{}", counts(7, 14))).unwrap();
        let text = message(&format!("{head}{}{}", counts(3, 10), counts(4, 26)));
        assert!(text.starts_with("`counts[1].levels = 26`: 4 players"), "{text}");
        let text = message(&format!("{head}{}{}", counts(3, 10), counts(3, 10)));
        assert!(text.starts_with("`counts[1].players = 3`"), "{text}");
        let text = message(&format!("{head}[blind_table]\n3 = [\"white\"]\n{}", counts(2, 2)));
        assert!(text.contains("white"), "{text}");
        assert!(message("name = 1").contains("name"));
        assert!(message("name = ").contains("line 1"));
        assert!(message("name = \"x\"\ngame = \"mind-up\"").contains("mind-up"));
    }
}
