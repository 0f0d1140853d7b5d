//! Named strategies: TOML files that name a family and its parameters, and what an experiment makes
//! of them.

use std::path::Path;

use include_dir::{Dir, include_dir};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Family, build, mind_up, the_mind};
use crate::error::{InputError, check_finite, check_name, read, short, unknown};
use crate::games::GameId;

/// The files of `strategies/`, compiled in.
static SHIPPED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/strategies");

/// A strategy's file.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    family: String,
    summary: Option<String>,
    #[serde(default)]
    parameters: Map<String, Value>,
}

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
    /// All parameters.
    pub parameters: Map<String, Value>,
    /// The parameters that a grid varies.
    #[serde(skip)]
    pub varied: Vec<(String, Value)>,
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

    /// The strategy of a name.
    ///
    /// # Errors
    /// Unknown names, with the nearest known one; files that can't be read or say what won't do.
    pub fn get(&self, game: GameId, name: &str) -> Result<Named, InputError> {
        if name == crate::human::NAME {
            let what = "a person plays in `mindlab play` only, without parameters; \
                        an experiment needs strategies that play by themselves";
            return Err(InputError::new("strategies", name, what));
        }
        let path = format!("{}/{name}.toml", folder(game));
        let own = self.own.as_ref().map(|own| own.join(&path)).filter(|own| own.is_file());
        let text = match &own {
            Some(own) => std::fs::read_to_string(own).map_err(|error| {
                InputError::new("", "", error.to_string()).in_file(own.display())
            })?,
            None => match SHIPPED.get_file(&path).and_then(|file| file.contents_utf8()) {
                Some(text) => text.to_owned(),
                None => {
                    let names = self.names(game);
                    let known = names.iter().map(String::as_str);
                    let what = unknown(&format!("strategy for {game}"), name, known);
                    return Err(InputError::new("strategies", name, what));
                }
            },
        };
        let shown =
            own.map_or_else(|| format!("strategies/{path}"), |own| own.display().to_string());
        match parse(game, name, &text) {
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
        let (base, name, changes) = split(entry)?;
        let named = self.get(game, base)?;
        let mut specs = Vec::new();
        for (changes, varied) in
            grid(&changes, |key| named.parameters.get(key).is_some_and(Value::is_array))?
        {
            let spec = named.with(game, name, changes, varied)?;
            check(game, &spec)?;
            crate::bots::check_command(&spec)?;
            specs.push(spec);
        }
        Ok(specs)
    }
}

impl Named {
    fn with(
        &self,
        game: GameId,
        name: Option<&str>,
        changes: Map<String, Value>,
        varied: Vec<(String, Value)>,
    ) -> Result<StrategySpec, InputError> {
        let mut parameters = self.parameters.clone();
        let mut different = Vec::new();
        for (key, value) in changes {
            let Some(known) = parameters.get_mut(&key) else {
                let names = self.parameters.keys().map(String::as_str);
                let what = unknown(&format!("parameter of `{}` ({game})", self.name), &key, names);
                return Err(InputError::new(key, short(&value), what));
            };
            // TOML writes 1 where a real number is meant; both are the same value.
            let same = same(known, &value);
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
            varied,
        })
    }
}

/// The folder of a game's strategies.
fn folder(game: GameId) -> &'static str {
    match game {
        GameId::MindUp => "mind-up",
        GameId::TheMind | GameId::TheMindExtreme => "the-mind",
    }
}

fn stem(path: &Path) -> Option<String> {
    let toml = path.extension().is_some_and(|ending| ending == "toml");
    toml.then(|| path.file_stem()?.to_str().map(str::to_owned)).flatten()
}

fn parse(game: GameId, name: &str, text: &str) -> Result<Named, InputError> {
    let value: Value =
        toml::from_str(text).map_err(|error| InputError::new("", "", error.to_string()))?;
    check_finite(&value)?;
    let File { family: family_name, summary, parameters: given } = read(&value)?;
    let Some(family) = family(game, &family_name) else {
        let what = unknown("family", &family_name, families(game));
        return Err(InputError::new("family", family_name, what));
    };
    let mut parameters = (family.defaults)();
    for (key, value) in given {
        let Some(known) = parameters.get_mut(&key) else {
            let names = parameters.keys().map(String::as_str);
            let what = unknown("parameter", &key, names);
            return Err(InputError::new(format!("parameters.{key}"), short(&value), what));
        };
        *known = value;
    }
    let named = Named {
        name: name.to_owned(),
        summary: summary.unwrap_or_else(|| family.summary.to_owned()),
        family: family_name,
        parameters,
        file: String::new(),
    };
    let spec = named.with(game, None, Map::new(), Vec::new())?;
    check(game, &spec).map_err(|error| error.under("parameters"))?;
    Ok(named)
}

/// What can be said of a family without its players' type.
struct About {
    name: &'static str,
    summary: &'static str,
    defaults: fn() -> Map<String, Value>,
}

fn about(game: GameId) -> Vec<About> {
    fn of<P: ?Sized>(families: &[Family<P>]) -> Vec<About> {
        let about = |family: &Family<P>| About {
            name: family.name,
            summary: family.summary,
            defaults: family.defaults,
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

/// Refuses parameters that the family won't take.
fn check(game: GameId, spec: &StrategySpec) -> Result<(), InputError> {
    match game {
        GameId::MindUp => build(mind_up::FAMILIES, spec).map(drop),
        GameId::TheMind | GameId::TheMindExtreme => build(&the_mind::FAMILIES, spec).map(drop),
    }
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

/// One point of a grid: the table with single values, and what the grid varies.
pub type GridPoint = (Map<String, Value>, Vec<(String, Value)>);

/// Expands lists of values into a grid, the last key fastest. Where a key's own value is a list, a
/// list of lists is meant.
///
/// # Errors
/// A list without a value.
pub fn grid(
    table: &Map<String, Value>,
    is_list: impl Fn(&str) -> bool,
) -> Result<Vec<GridPoint>, InputError> {
    let mut points: Vec<GridPoint> = vec![(Map::new(), Vec::new())];
    for (key, value) in table {
        let values = match value.as_array() {
            Some(values) if !is_list(key) => values.as_slice(),
            Some(values) if !values.is_empty() && values.iter().all(Value::is_array) => values,
            _ => std::slice::from_ref(value),
        };
        if values.is_empty() {
            return Err(InputError::new(key, "[]", "a grid needs a value at least"));
        }
        if let Some(twice) =
            (1..values.len()).find(|&at| values[..at].iter().any(|v| same(v, &values[at])))
        {
            let what = "this value is in the grid twice";
            return Err(InputError::new(key, short(&values[twice]), what));
        }
        let varies = value.as_array().is_some_and(|all| std::ptr::eq(all.as_slice(), values));
        points = points
            .iter()
            .flat_map(|(point, varied)| {
                values.iter().map(move |value| {
                    let (mut point, mut varied) = (point.clone(), varied.clone());
                    point.insert(key.clone(), value.clone());
                    if varies {
                        varied.push((key.clone(), value.clone()));
                    }
                    (point, varied)
                })
            })
            .collect();
    }
    Ok(points)
}

/// Whether two values are one: TOML writes 1 where the real number 1.0 is meant.
fn same(a: &Value, b: &Value) -> bool {
    a == b || a.as_f64().is_some_and(|a| b.as_f64() == Some(a))
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

    #[test]
    fn grids_expand_in_order() {
        let table = json!({"a": [1, 2], "b": 3, "c": ["x", "y"]});
        let points = grid(table.as_object().unwrap(), |_| false).unwrap();
        let shown: Vec<_> = points.iter().map(|(point, _)| json!(point).to_string()).collect();
        assert_eq!(shown[1], r#"{"a":1,"b":3,"c":"y"}"#);
        assert_eq!(points.len(), 4);
        assert_eq!(points[2].1, [("a".into(), json!(2)), ("c".into(), json!("x"))]);
        let lists = json!({"a": [1, 2]});
        assert_eq!(grid(lists.as_object().unwrap(), |_| true).unwrap().len(), 1);
        let lists = json!({"a": [[1, 2], [3]]});
        assert_eq!(grid(lists.as_object().unwrap(), |_| true).unwrap().len(), 2);
        assert!(grid(json!({"a": []}).as_object().unwrap(), |_| false).is_err());
    }
}
