//! Named strategies: TOML files that name a family and its parameters, and what an experiment makes
//! of them.

mod file;
mod learned;
mod spec;
#[cfg(test)]
mod tests;
mod words;

use std::path::Path;

use serde_json::{Map, Value};

pub use super::grid::{GridPoint, grid, same, unnamed};
use super::{Family, build, mind_up, the_mind};
use crate::error::{ErrorKind, InputError, check_name, short, unknown};
use crate::games::GameId;
use crate::games::the_mind::cards::MAX_SEATS;

pub use learned::{Ground, Learned};
pub use spec::{ByPlayers, StrategySpec};

/// A strategy that has a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Named {
    /// The file's name without its ending.
    pub name: String,
    /// What it does, in one line: the file's own words, else the family's.
    pub summary: String,
    /// The family whose code it uses.
    pub family: String,
    /// All parameters, those that the file leaves out at the family's defaults.
    pub parameters: Map<String, Value>,
    /// What holds at a number of players in place of these.
    pub players: ByPlayers,
    /// What it was learned under, where it was learned.
    pub learned: Option<Learned>,
    /// The file; the place in the package for a shipped one.
    pub file: String,
}

/// The named strategies that an experiment can use: those shipped, and above them those of a
/// folder.
#[derive(Debug, Clone, Default)]
pub struct Library {
    own: Option<std::path::PathBuf>,
}

impl Library {
    /// The shipped strategies, and before them the files `FOLDER/<game>/<name>.toml`, where
    /// `<game>` is `mind-up` or `the-mind` (which serves both Minds).
    pub fn new(folder: Option<&Path>) -> Self {
        Library { own: folder.map(Path::to_owned) }
    }

    /// The strategy of a name.
    ///
    /// # Errors
    /// Unknown names, with the nearest known one; files that can't be read or say what won't do.
    pub fn get(&self, game: GameId, name: &str) -> Result<Named, InputError> {
        self.get_within(game, name, MOST_WITHIN)
    }

    fn get_within(&self, game: GameId, name: &str, depth: u8) -> Result<Named, InputError> {
        if name == crate::human::NAME {
            let what = "a person can play only in `mindlab play`, and has no parameters; an \
                        experiment needs strategies that play by themselves";
            return Err(InputError::new("", name, what));
        }
        let Some((shown, text)) = self.text(game, name)? else {
            let names = self.names(game);
            let known = names.iter().map(String::as_str);
            let what = unknown(&format!("strategy for {game}"), name, known);
            return Err(InputError::new("", name, what).of(ErrorKind::UnknownName));
        };
        let named = file::parse(game, name, &text).and_then(|named| {
            let spec = named.with(game, Map::new())?;
            let whole = self.whole(game, spec.clone(), depth);
            whole.map_err(|error| error.under(&section(game, spec)))?;
            Ok(named)
        });
        match named {
            Ok(named) => Ok(Named { file: shown, ..named }),
            Err(error) => Err(error.in_file(shown)),
        }
    }

    /// What an entry of an experiment resolves to: a name, or a table with a `base` and what
    /// differs from it. Lists of parameters make a grid, so that there may be several.
    ///
    /// # Errors
    /// Unknown names and parameters, and values that the family refuses; the key is relative to
    /// the entry.
    pub fn resolve(&self, game: GameId, entry: &Value) -> Result<Vec<StrategySpec>, InputError> {
        self.resolve_within(game, entry, MOST_WITHIN)
    }

    fn resolve_within(
        &self,
        game: GameId,
        entry: &Value,
        depth: u8,
    ) -> Result<Vec<StrategySpec>, InputError> {
        let (base, name, changes) = split(entry)?;
        let key = if entry.is_string() { "" } else { "base" };
        let named = self.get_within(game, base, depth).map_err(|error| error.under(key))?;
        let is_list = |key: &str| named.parameters.get(key).is_some_and(Value::is_array);
        let tell = |key: &str, value: &Value| self.told(game, &named, key, value, depth);
        let points = grid(&changes, is_list, tell)?;
        let spec = |point: GridPoint| {
            for (key, name) in &point.named {
                // It becomes part of a label, and labels of a line-up are joined.
                check_name("name", &bare(name)).map_err(|error| error.under(key))?;
            }
            let label = self.label(game, &named, name, &point, depth);
            let mut spec = named.with(game, point.values)?;
            spec.grounds.iter_mut().for_each(|ground| ground.who.clone_from(&label));
            let spec =
                self.whole(game, StrategySpec { label, varied: point.varied, ..spec }, depth)?;
            if depth < MOST_WITHIN && spec.family == crate::bots::NAME {
                let what = "a searcher can't use a bot from outside, because it would ask the bot \
                            too often and would not report its failures; name a built-in strategy";
                return Err(InputError::new("", base, what));
            }
            crate::bots::check_command(&spec).map(|()| spec)
        };
        points.into_iter().map(spec).collect()
    }

    /// What an entry is called: its name, else its base with what differs from the file in brackets.
    /// What a grid varies is always told.
    fn label(
        &self,
        game: GameId,
        named: &Named,
        name: Option<&str>,
        point: &GridPoint,
        depth: u8,
    ) -> String {
        let mut pieces = Vec::new();
        for (key, value) in &point.values {
            let varied = point.varied.iter().find(|(varied, _)| varied == key);
            let own = || name.is_none() && self.changes(game, named, key, value, depth);
            let told = match (varied, point.named.get(key)) {
                (Some((_, told)), _) => bare(told),
                (None, Some(told)) if own() => bare(told),
                (None, None) if own() => self.told(game, named, key, value, depth),
                _ => continue,
            };
            pieces.push(format!("{key}={told}"));
        }
        words::with(name.unwrap_or(&named.name), &pieces)
    }

    /// A parameter's value in a few words: of a strategy its label.
    fn told(&self, game: GameId, named: &Named, key: &str, value: &Value, depth: u8) -> String {
        let names = family(game, &named.family).is_some_and(|own| own.strategies.contains(&key));
        let entry = names && value.get("family").is_none() && depth > 0;
        let specs = entry.then(|| self.resolve_within(game, value, depth - 1).ok()).flatten();
        match specs.as_deref() {
            Some([spec]) => spec.label.clone(),
            _ => words::told(key, value, named.parameters.get(key)),
        }
    }

    /// Whether a parameter's value changes anything at any number of players.
    fn changes(&self, game: GameId, named: &Named, key: &str, value: &Value, depth: u8) -> bool {
        let names = family(game, &named.family).is_some_and(|own| own.strategies.contains(&key));
        let in_full = |value: &Value| {
            let mut all = words::in_full(key, value);
            if names && self.fill(game, &mut all, depth).is_err() {
                return value.clone();
            }
            all
        };
        let sections = named.players.values().filter_map(|own| own.get(key));
        let mut known = named.parameters.get(key).into_iter().chain(sections);
        known.any(|known| !same(known, value) && !same(&in_full(known), &in_full(value)))
    }

    /// A specification with the strategies that it names in full; one that the family would not
    /// take is refused.
    fn whole(
        &self,
        game: GameId,
        mut spec: StrategySpec,
        depth: u8,
    ) -> Result<StrategySpec, InputError> {
        let keys = family(game, &spec.family).map_or(&[][..], |family| family.strategies);
        let blind = ignores_objectives(&spec.parameters);
        let every = spec.players.values_mut().chain([&mut spec.parameters]);
        for parameters in every {
            for &key in keys {
                let Some(value) = parameters.get_mut(key) else { continue };
                let found = self.fill(game, value, depth).map_err(|error| error.under(key))?;
                for ground in found {
                    let ground = Ground {
                        who: format!("{}'s {key} {}", spec.label, ground.who),
                        within: key.to_owned(),
                        blind: blind || ground.blind,
                        ..ground
                    };
                    if !spec.grounds.contains(&ground) {
                        spec.grounds.push(ground);
                    }
                }
            }
        }
        check(game, &spec)?;
        Ok(spec)
    }

    /// A specification that was put together elsewhere, with the strategies that it names in full.
    ///
    /// # Errors
    /// Strategies that there are not, and parameters that the family won't take.
    pub fn complete(&self, game: GameId, spec: StrategySpec) -> Result<StrategySpec, InputError> {
        self.whole(game, spec, MOST_WITHIN)
    }

    /// Puts a strategy in full in the place of its entry, and says what in it was learned.
    fn fill(&self, game: GameId, value: &mut Value, depth: u8) -> Result<Vec<Ground>, InputError> {
        if value.get("family").is_some() {
            return Ok(Vec::new());
        }
        if depth == 0 {
            let what = "strategies are nested too deeply; perhaps one of them names itself";
            return Err(InputError::new("", short(value), what));
        }
        let mut specs = self.resolve_within(game, value, depth - 1)?;
        match (specs.pop(), specs.is_empty()) {
            (Some(mut spec), true) => {
                let grounds = std::mem::take(&mut spec.grounds);
                *value = spec.table();
                Ok(grounds)
            }
            _ => {
                let what = "a list does not make a grid here; write one strategy for each value";
                Err(InputError::new("", short(value), what))
            }
        }
    }
}

/// How deep strategies may name one another: a searcher's model may be a searcher with a policy.
const MOST_WITHIN: u8 = 4;

/// Whether a strategy for Mind Up! plays as if no objectives were on the table.
fn ignores_objectives(parameters: &Map<String, Value>) -> bool {
    parameters.get("objectives").and_then(Value::as_str) == Some("ignore")
}

impl Named {
    /// The strategy with some parameters changed, under its own name.
    fn with(&self, game: GameId, changes: Map<String, Value>) -> Result<StrategySpec, InputError> {
        let mut parameters = self.parameters.clone();
        let mut players = self.players.clone();
        let all_changed =
            |own: &&Learned| own.parameters.iter().all(|key| changes.contains_key(key));
        let learned = self.learned.as_ref().filter(|own| !all_changed(own));
        for (key, value) in changes.clone() {
            // What is asked for holds at every number of players.
            players.values_mut().for_each(|own| drop(own.shift_remove(&key)));
            let Some(known) = parameters.get_mut(&key) else {
                let names = self.parameters.keys().map(String::as_str);
                let what = unknown(&format!("parameter of `{}` ({game})", self.name), &key, names);
                return Err(InputError::new(key, short(&value), what));
            };
            *known = value;
        }
        let ground = |learned: &Learned| Ground {
            who: self.name.clone(),
            within: String::new(),
            name: self.name.clone(),
            file: self.file.clone(),
            by_players: !self.players.is_empty(),
            blind: ignores_objectives(&parameters),
            learned: learned.clone(),
        };
        Ok(StrategySpec {
            label: self.name.clone(),
            base: self.name.clone(),
            family: self.family.clone(),
            grounds: learned.map(ground).into_iter().collect(),
            parameters,
            players,
            varied: Vec::new(),
            answers: false,
        })
    }
}

/// The folder of a game's strategies.
pub fn folder(game: GameId) -> &'static str {
    match game {
        GameId::MindUp => "mind-up",
        GameId::TheMind | GameId::TheMindExtreme => "the-mind",
    }
}

/// What can be said of a family without its players' type.
struct About {
    name: &'static str,
    summary: &'static str,
    defaults: fn() -> Map<String, Value>,
    strategies: &'static [&'static str],
}

fn about(game: GameId) -> Vec<About> {
    fn of<P: ?Sized>(families: &[Family<P>]) -> Vec<About> {
        let about = |family: &Family<P>| About {
            name: family.name,
            summary: family.summary,
            defaults: family.defaults,
            strategies: family.strategies,
        };
        families.iter().map(about).collect()
    }
    match game {
        GameId::MindUp => of(mind_up::FAMILIES),
        GameId::TheMind | GameId::TheMindExtreme => of(the_mind::FAMILIES),
    }
}

/// A family's summary, and its parameters with their defaults.
pub fn family_of(game: GameId, name: &str) -> Option<(&'static str, Map<String, Value>)> {
    family(game, name).map(|family| (family.summary, (family.defaults)()))
}

/// The names of a game's families.
pub fn families(game: GameId) -> Vec<&'static str> {
    about(game).iter().map(|family| family.name).collect()
}

fn family(game: GameId, name: &str) -> Option<About> {
    about(game).into_iter().find(|family| family.name == name)
}

/// Refuses parameters that the family won't take at some number of players.
fn check(game: GameId, spec: &StrategySpec) -> Result<(), InputError> {
    (2..=MAX_SEATS).try_for_each(|players| check_at(game, spec, players))
}

/// Refuses parameters that the family won't take at a number of players.
///
/// # Errors
/// The parameter, its value, and what would do.
pub fn check_at(game: GameId, spec: &StrategySpec, players: usize) -> Result<(), InputError> {
    match game {
        GameId::MindUp => build(mind_up::FAMILIES, spec, players).map(drop),
        GameId::TheMind | GameId::TheMindExtreme => {
            build(the_mind::FAMILIES, spec, players).map(drop)
        }
    }
}

/// The section of a strategy's file that the family won't take.
fn section(game: GameId, spec: StrategySpec) -> String {
    let alone = StrategySpec { players: ByPlayers::new(), ..spec.clone() };
    let refused =
        |count: &&usize| check(game, &alone).is_ok() && check_at(game, &spec, **count).is_err();
    let count = spec.players.keys().find(refused);
    count.map_or_else(|| "parameters".to_owned(), |count| format!("players.{count}"))
}

/// An entry's base, its name, and its changes.
type Entry<'a> = (&'a str, Option<&'a str>, Map<String, Value>);

fn split(entry: &Value) -> Result<Entry<'_>, InputError> {
    match entry {
        Value::String(name) => Ok((name, None, Map::new())),
        Value::Object(table) => {
            let text = |key: &str| match table.get(key) {
                None => Ok(None),
                Some(Value::String(text)) => Ok(Some(text.as_str())),
                Some(other) => Err(InputError::new(key, short(other), "this must be a text")),
            };
            let Some(base) = text("base")? else {
                let what = "a strategy's table needs the `base` that it starts from";
                return Err(InputError::new("base", "", what));
            };
            let own = |key: &&String| !["base", "name"].contains(&key.as_str());
            let changes = table.iter().filter(|(key, _)| own(key));
            let changes = changes.map(|(key, value)| (key.clone(), value.clone())).collect();
            let name = text("name")?;
            name.map_or(Ok(()), |name| check_name("name", name))?;
            Ok((base, name, changes))
        }
        other => {
            let what = "a strategy must be a name or a table with a `base`";
            Err(InputError::new("", short(other), what))
        }
    }
}

/// A value as results write it: texts without quotes.
pub fn bare(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
