//! Named strategies: TOML files that name a family and its parameters, and what an experiment makes
//! of them.

mod file;

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;
use serde_json::{Map, Value};

pub use super::grid::grid;
use super::grid::same;
use super::{Family, build, mind_up, the_mind};
use crate::error::{InputError, check_name, read, short, unknown};
use crate::games::GameId;
use crate::games::the_mind::cards::MAX_SEATS;

/// Parameters that hold at a number of players only.
pub type ByPlayers = BTreeMap<usize, Map<String, Value>>;

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
    /// The file; the place in the package for a shipped one.
    pub file: String,
}

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
    /// The parameters that a grid varies.
    #[serde(skip)]
    pub varied: Vec<(String, Value)>,
    /// Whether it is no strategy of the experiment's list but one that answers such a strategy.
    #[serde(skip)]
    pub answers: bool,
}

impl StrategySpec {
    /// Whether the other one plays alike, whatever it is called.
    pub fn is(&self, other: &StrategySpec) -> bool {
        (&self.family, &self.parameters, &self.players)
            == (&other.family, &other.parameters, &other.players)
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
            let what = "a person plays in `mindlab play` only, without parameters; \
                        an experiment needs strategies that play by themselves";
            return Err(InputError::new("strategies", name, what));
        }
        let Some((shown, text)) = self.text(game, name)? else {
            let names = self.names(game);
            let known = names.iter().map(String::as_str);
            let what = unknown(&format!("strategy for {game}"), name, known);
            return Err(InputError::new("strategies", name, what));
        };
        let named = file::parse(game, name, &text).and_then(|named| {
            let spec = named.with(game, None, Map::new(), Vec::new())?;
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
        let named = self.get_within(game, base, depth)?;
        let points = grid(&changes, |key| named.parameters.get(key).is_some_and(Value::is_array))?;
        let spec = |(changes, varied)| {
            let spec = self.whole(game, named.with(game, name, changes, varied)?, depth)?;
            if depth < MOST_WITHIN && spec.family == crate::bots::NAME {
                let what = "a bot from outside can't serve a searcher, which would ask it too \
                            often and leave its failures unseen; name a built-in strategy";
                return Err(InputError::new("", base, what));
            }
            crate::bots::check_command(&spec).map(|()| spec)
        };
        points.into_iter().map(spec).collect()
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
        let every = spec.players.values_mut().chain([&mut spec.parameters]);
        for parameters in every {
            for &key in keys {
                if let Some(value) = parameters.get_mut(key) {
                    self.fill(game, value, depth).map_err(|error| error.under(key))?;
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

    /// Puts a strategy in full in the place of its entry.
    fn fill(&self, game: GameId, value: &mut Value, depth: u8) -> Result<(), InputError> {
        if value.get("family").is_some() {
            return Ok(());
        }
        if depth == 0 {
            let what = "too many strategies within one another; does one name itself?";
            return Err(InputError::new("", short(value), what));
        }
        let mut specs = self.resolve_within(game, value, depth - 1)?;
        match (specs.pop(), specs.is_empty()) {
            (Some(spec), true) => *value = spec.table(),
            _ => {
                let what = "a list makes no grid here; give each value a strategy of its own";
                return Err(InputError::new("", short(value), what));
            }
        }
        Ok(())
    }
}

/// How deep strategies may name one another: a searcher's model may be a searcher with a policy.
const MOST_WITHIN: u8 = 4;

impl Named {
    fn with(
        &self,
        game: GameId,
        name: Option<&str>,
        changes: Map<String, Value>,
        varied: Vec<(String, Value)>,
    ) -> Result<StrategySpec, InputError> {
        let mut parameters = self.parameters.clone();
        let mut players = self.players.clone();
        let mut different = Vec::new();
        for (key, value) in changes {
            // What is asked for holds at every number of players.
            let sections = players.values_mut();
            let learned = sections.fold(false, |any, own| any | own.shift_remove(&key).is_some());
            let Some(known) = parameters.get_mut(&key) else {
                let names = self.parameters.keys().map(String::as_str);
                let what = unknown(&format!("parameter of `{}` ({game})", self.name), &key, names);
                return Err(InputError::new(key, short(&value), what));
            };
            // TOML writes 1 where a real number is meant; both are the same value.
            let same = same(known, &value) && !learned;
            let grid = varied.iter().any(|(varied, _)| *varied == key);
            if (!same && name.is_none()) || grid {
                different.push(format!("{key}={}", bare(&value)));
            }
            *known = value;
        }
        let base = name.unwrap_or(&self.name);
        let label = match different.as_slice() {
            [] => base.to_owned(),
            different => format!("{base}({})", different.join(", ")),
        };
        Ok(StrategySpec {
            label,
            base: self.name.clone(),
            family: self.family.clone(),
            parameters,
            players,
            varied,
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
        GameId::TheMind | GameId::TheMindExtreme => of(&the_mind::FAMILIES),
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
            build(&the_mind::FAMILIES, spec, players).map(drop)
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
                Some(other) => Err(InputError::new(key, short(other), "this is a text")),
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
            let what = "a strategy is a name or a table with a `base`";
            Err(InputError::new("", short(other), what))
        }
    }
}

/// A value as results write it: texts without quotes.
pub fn bare(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn shipped_files_are_all_good() {
        let library = Library::default();
        for game in GameId::ALL {
            for name in library.names(game) {
                let named = library.get(game, &name).unwrap();
                assert!(families(game).contains(&named.family.as_str()), "{name}");
            }
        }
    }

    #[test]
    fn unknown_names_and_parameters_get_the_nearest() {
        let resolve =
            |entry| Library::default().resolve(GameId::MindUp, &entry).unwrap_err().to_string();
        assert!(resolve(json!("gredy")).contains("did you mean `greedy`"));
        let text = resolve(json!({"base": "greedy", "x": 1}));
        assert!(text.starts_with("`x = 1`: unknown parameter of `greedy`"), "{text}");
        assert!(resolve(json!({"name": "x"})).contains("needs the `base`"));
        assert!(resolve(json!(3)).contains("a name or a table"));
    }

    /// A library with these files for Mind Up! besides those shipped.
    fn with_files(files: &[(&str, &str)]) -> (tempfile::TempDir, Library) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("mind-up")).unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(format!("mind-up/{name}.toml")), text).unwrap();
        }
        let library = Library::new(Some(folder.path()));
        (folder, library)
    }

    const BY_PLAYERS: (&str, &str) =
        ("x", "family = \"linear\"\n[parameters]\nkeeps = 1.0\n[players.4]\nkeeps = 2.0");

    #[test]
    fn parameters_hold_at_a_number_of_players() {
        let (_folder, library) = with_files(&[BY_PLAYERS]);
        let resolve = |entry| library.resolve(GameId::MindUp, &entry).unwrap().remove(0);
        let spec = resolve(json!("x"));
        assert_eq!([3, 4, 5].map(|n| spec.at(n)["keeps"].clone()), [1.0, 2.0, 1.0]);
        let spec = resolve(json!({"base": "x", "keeps": 1}));
        assert_eq!((spec.label.as_str(), &spec.at(4)["keeps"]), ("x(keeps=1)", &json!(1)));
        let searcher = resolve(json!({"base": "monte-carlo", "policy": "x"}));
        assert_eq!(searcher.label, "monte-carlo(policy=x)");
        let keeps = |n| searcher.at(n)["policy"]["parameters"]["keeps"].clone();
        assert_eq!([keeps(3), keeps(4)], [1.0, 2.0]);
    }

    #[test]
    fn sections_and_policies_are_checked() {
        let message = |files: &[(&str, &str)], entry| {
            let (_folder, library) = with_files(files);
            library.resolve(GameId::MindUp, &entry).unwrap_err().to_string()
        };
        let wrong = BY_PLAYERS.1.replace("keeps = 2", "kepes = 2");
        let text = message(&[("x", &wrong)], json!("x"));
        assert!(text.contains("`players.4.kepes = 2.0`: unknown parameter"), "{text}");
        let wrong = BY_PLAYERS.1.replace("keeps = 2.0", "keeps = 1e9");
        let text = message(&[("x", &wrong)], json!("x"));
        assert!(text.contains("`players.4.keeps = 1000000000"), "{text}");
        let wrong = BY_PLAYERS.1.replace("keeps = 1.0", "keeps = 1e9");
        let text = message(&[("x", &wrong)], json!("x"));
        assert!(text.contains("`parameters.keeps = 1000000000"), "{text}");
        let text = message(&[], json!({"base": "monte-carlo", "policy": "liner"}));
        assert!(text.contains("did you mean `linear`"), "{text}");
        for bot in [json!("bot"), json!({"base": "bot", "command": ["x"]})] {
            let text = message(&[], json!({"base": "monte-carlo", "policy": bot}));
            assert!(text.starts_with("`policy = bot`: a bot from outside can't serve"), "{text}");
        }
        let text = message(&[], json!({"base": "monte-carlo", "policy": "duct"}));
        assert!(text.contains("`family = duct`: unknown policy"), "{text}");
        let own = "family = \"best-response\"\n[parameters]\nmodel = \"x\"";
        let text = message(&[("x", own)], json!("x"));
        assert!(text.contains("does one name itself?"), "{text}");
    }
}
