//! The files of named strategies: which there are, and what they say.

use std::path::Path;

use include_dir::{Dir, include_dir};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{ByPlayers, Learned, Library, Named, families, family, folder};
use crate::error::{InputError, check_finite, read, short, toml_error, unknown};
use crate::games::GameId;
use crate::games::mind_up::MAX_PLAYERS;
use crate::games::the_mind::cards::MAX_SEATS;

/// The files of `strategies/`, compiled in.
static SHIPPED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/strategies");

/// A strategy's file.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    family: String,
    summary: Option<String>,
    learned: Option<Learned>,
    #[serde(default)]
    parameters: Map<String, Value>,
    #[serde(default)]
    players: ByPlayers,
}

impl Library {
    /// The names of all strategies for a game, sorted.
    pub fn names(&self, game: GameId) -> Vec<String> {
        let mut names: Vec<String> = SHIPPED
            .get_dir(folder(game))
            .into_iter()
            .flat_map(|dir| dir.files())
            .filter_map(|file| stem(file.path()))
            .collect();
        let own = self.own.as_ref().map(|own| own.join(folder(game)));
        let files = own.and_then(|own| std::fs::read_dir(own).ok()).into_iter().flatten().flatten();
        names.extend(files.filter_map(|entry| stem(&entry.path())));
        names.sort();
        names.dedup();
        names
    }

    /// The file of a name and its text; nothing where there is none.
    ///
    /// # Errors
    /// A file that can't be read.
    pub fn text(&self, game: GameId, name: &str) -> Result<Option<(String, String)>, InputError> {
        let path = format!("{}/{name}.toml", folder(game));
        let own = self.own.as_ref().map(|own| own.join(&path)).filter(|own| own.is_file());
        if let Some(own) = own {
            let shown = own.display().to_string();
            let refused = |error: std::io::Error| InputError::new("", "", error.to_string());
            return match std::fs::read_to_string(&own) {
                Ok(text) => Ok(Some((shown, text))),
                Err(error) => Err(refused(error).in_file(shown)),
            };
        }
        let shipped = SHIPPED.get_file(&path).and_then(|file| file.contents_utf8());
        Ok(shipped.map(|text| (format!("strategies/{path}"), text.to_owned())))
    }
}

fn stem(path: &Path) -> Option<String> {
    let toml = path.extension().is_some_and(|ending| ending == "toml");
    toml.then(|| path.file_stem()?.to_str().map(str::to_owned)).flatten()
}

/// Reads a file's text.
///
/// # Errors
/// What is no TOML; unknown families and parameters, and numbers of players that can't be.
pub(super) fn parse(game: GameId, name: &str, text: &str) -> Result<Named, InputError> {
    let value: Value = toml::from_str(text).map_err(|error| toml_error(text, &error))?;
    check_finite(&value)?;
    let File { family: family_name, summary, learned, parameters: given, players } = read(&value)?;
    let Some(family) = family(game, &family_name) else {
        let what = unknown("family", &family_name, families(game));
        return Err(InputError::new("family", family_name, what));
    };
    let mut parameters = (family.defaults)();
    let refuse = |section: &str, key: &str, value: &Value| {
        let what = unknown("parameter", key, parameters.keys().map(String::as_str));
        InputError::new(format!("{section}.{key}"), short(value), what)
    };
    let unknown_in = |own: &Map<String, Value>, section: &str| {
        own.iter()
            .find(|(key, _)| !parameters.contains_key(*key))
            .map_or(Ok(()), |(key, value)| Err(refuse(section, key, value)))
    };
    unknown_in(&given, "parameters")?;
    for (count, own) in &players {
        let most = if game == GameId::MindUp { MAX_PLAYERS } else { MAX_SEATS };
        if !(2..=most).contains(count) {
            let what = format!("{game} is for 2 to {most} players");
            return Err(InputError::new(format!("players.{count}"), "", what));
        }
        unknown_in(own, &format!("players.{count}"))?;
    }
    parameters.extend(given);
    let named = Named {
        name: name.to_owned(),
        summary: summary.unwrap_or_else(|| family.summary.to_owned()),
        family: family_name,
        parameters,
        players,
        learned,
        file: String::new(),
    };
    named.learned.as_ref().map_or(Ok(()), |learned| learned.check(game, &named))?;
    Ok(named)
}
