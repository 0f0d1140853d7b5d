//! An experiment as it stands in a file.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::words;
use crate::error::{ErrorKind, InputError, check_finite, read_ranged, toml_error, unknown};
use crate::games::GameId;

/// How a cell's line-ups are made of its strategies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Design {
    /// Every multiset of strategies that fills the seats and has two different ones at least.
    AllVsAll,
    /// Every set of different strategies that fills the seats.
    RoundRobin,
    /// Each strategy in one seat against each other in all the rest.
    OneVsRest,
    /// Each strategy with itself in all seats.
    SelfPlay,
    /// Every multiset of strategies that fills the seats, each with itself among them: who plays
    /// well with whom.
    CrossPlay,
    /// Each strategy against the one before it in the list, both ways: one among those of the rung
    /// below, and one of the rung below among those above.
    Ladder,
    /// For each strategy a searcher that is told of it, in one seat against it in all the rest: the
    /// searcher's points over the others are what can be gained from the strategy.
    BestResponse,
}

/// One value or a list of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(untagged, expecting = "this must be a whole number, 0 or more, or a list of such numbers")]
pub enum OneOrMany {
    /// A single value.
    One(u64),
    /// A list.
    Many(Vec<u64>),
}

impl OneOrMany {
    /// The values.
    pub fn values(&self) -> &[u64] {
        match self {
            OneOrMany::One(value) => std::slice::from_ref(value),
            OneOrMany::Many(values) => values,
        }
    }
}

/// An experiment's file. Unknown keys are refused.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// Its name, which is the name of its folder of results.
    pub name: String,
    /// The question that it answers, in prose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// The answer that is expected, in prose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// The game.
    pub game: GameId,
    /// The number of players, or several.
    pub players: OneOrMany,
    /// Games of each line-up, rounded up to whole deals.
    pub games: u64,
    /// The seed of all randomness; default 1.
    #[serde(default = "one")]
    pub seed: u64,
    /// The strategies that a design combines.
    #[serde(default)]
    pub strategies: Vec<Value>,
    /// The strategy that answers in the design best-response, by its parameter `model`; default
    /// `best-response`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub searcher: Option<Value>,
    /// How they are combined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub design: Option<Design>,
    /// Line-ups in full, in place of a design.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lineups: Option<Vec<Vec<Value>>>,
    /// The groups of players whose bodies play (the Minds); default the ideal one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<Vec<Value>>,
    /// Whether every single game is written to `games.csv`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub games_csv: bool,
    /// Options of the rules; lists make a grid.
    #[serde(default)]
    pub rules: Map<String, Value>,
}

fn one() -> u64 {
    1
}

/// What the command line changes in an experiment's file.
#[derive(Debug, Clone, Default)]
pub struct Overrides {
    /// Games of each line-up.
    pub games: Option<u64>,
    /// The seed.
    pub seed: Option<u64>,
    /// `KEY=VALUE`, with a dotted key and a value in TOML (or a bare text).
    pub set: Vec<String>,
}

impl Spec {
    /// Reads a file, with changes. Files that the rules name (a deck, objective cards) are read as
    /// well, relative to it, so that the result stands alone.
    ///
    /// # Errors
    /// What can't be read or is no TOML; unknown keys; values that can't be.
    pub fn from_file(path: &Path, overrides: &Overrides) -> Result<Self, InputError> {
        let value = read_toml(path, overrides)?;
        Self::from_value(value, folder_of(path), &Overrides::default())
            .map_err(|error| error.in_file(path.display()))
    }

    /// Reads an experiment's text; `folder` is where the files that it names are looked for.
    ///
    /// # Errors
    /// As [`Spec::from_file`].
    pub fn from_toml(text: &str, folder: &Path, overrides: &Overrides) -> Result<Self, InputError> {
        let value: Value = toml::from_str(text).map_err(|error| toml_error(text, &error))?;
        Self::from_value(value, folder, overrides)
    }

    /// Reads an experiment that is a value already.
    ///
    /// # Errors
    /// As [`Spec::from_file`].
    pub fn from_value(
        mut value: Value,
        folder: &Path,
        overrides: &Overrides,
    ) -> Result<Self, InputError> {
        overrides.apply(&mut value)?;
        check_finite(&value)?;
        if value.get("learn").is_some() {
            let what =
                "this is a training file, not an experiment; use `mindlab train` to learn from it";
            return Err(InputError::new("learn", "", what));
        }
        let mut spec: Spec = read_ranged(&value)?;
        spec.check()?;
        spec.inline_files(folder)?;
        Ok(spec)
    }

    fn check(&self) -> Result<(), InputError> {
        let safe = |c: char| c.is_alphanumeric() || "-_.".contains(c);
        if self.name.len() > 100
            || self.name.is_empty()
            || self.name.starts_with('.')
            || !self.name.chars().all(safe)
        {
            let what = "a name must have 1 to 100 letters, digits, `-`, `_` and `.`, and must not \
                        begin with `.`, because a folder gets this name";
            return Err(InputError::new("name", &self.name, what));
        }
        if self.games == 0 {
            return Err(InputError::new("games", 0, "there must be at least 1 game"));
        }
        if self.games > MAX_GAMES {
            return Err(InputError::new(
                "games",
                self.games,
                format!("there must be at most {MAX_GAMES} games"),
            ));
        }
        let players = self.players.values();
        if players.is_empty() {
            return Err(InputError::new(
                "players",
                "[]",
                "there must be at least one number of players",
            ));
        }
        if let Some(twice) = crate::games::record::repeated(players) {
            return Err(InputError::new("players", twice, "this number is there twice"));
        }
        if self.design.is_some() == self.lineups.is_some() {
            let what = "there must be either a `design` (all-vs-all, round-robin, one-vs-rest, \
                        self-play, cross-play, ladder, best-response) or `lineups`, but not both";
            return Err(InputError::new("design", "", what));
        }
        if self.design.is_some() && self.strategies.is_empty() {
            return Err(InputError::new(
                "strategies",
                "[]",
                "a design needs at least one strategy",
            ));
        }
        let answers = self.design == Some(Design::BestResponse);
        let against = answers || self.design == Some(Design::Ladder);
        if against && self.game != GameId::MindUp {
            let name = if answers { "best-response" } else { "ladder" };
            let what = "this design is for mind-up, because players of a team gain nothing from \
                        one another";
            return Err(InputError::new("design", name, what));
        }
        if !answers && self.searcher.is_some() {
            let what = "only the design best-response has a searcher";
            return Err(InputError::new("searcher", "", what));
        }
        if self.game == GameId::MindUp && self.groups.is_some() {
            return Err(InputError::new(
                "groups",
                "",
                "mind-up has no groups; only the-mind and the-mind-extreme have groups",
            ));
        }
        Ok(())
    }

    /// Puts what the rules' files say in place of their names.
    fn inline_files(&mut self, folder: &Path) -> Result<(), InputError> {
        for (key, inline) in FILE_OPTIONS {
            if let Some(value) = self.rules.get_mut(*key) {
                match value {
                    // In a grid a file is told by its name.
                    Value::Array(values) => values.iter_mut().try_for_each(|value| {
                        let name = file_named(value, folder).and(value.as_str()).map(shown_name);
                        inline_named(*inline, value, folder)?;
                        if let Some(name) = name {
                            *value = json!({"name": name, "value": value.take()});
                        }
                        Ok(())
                    }),
                    value => inline_named(*inline, value, folder),
                }
                .map_err(|error: InputError| error.under(&format!("rules.{key}")))?;
            }
        }
        Ok(())
    }
}

/// Where the files that a file names are looked for: beside it.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// Reads an experiment's or a training's file, with changes: TOML, or the manifest of results, which
/// holds what was played.
///
/// # Errors
/// What can't be read, is no TOML and no manifest; changes that can't be made.
pub fn read_toml(path: &Path, overrides: &Overrides) -> Result<Value, InputError> {
    let place = |error: InputError| error.in_file(path.display());
    let text = std::fs::read_to_string(path).map_err(|error| {
        let what = format!("{error}; `mindlab list experiments` shows all experiments");
        place(InputError::new("", "", what))
    })?;
    let mut value: Value = match is_manifest(path) {
        true => held(&text).map_err(place)?,
        false => toml::from_str(&text).map_err(|error| place(toml_error(&text, &error)))?,
    };
    overrides.apply(&mut value).map_err(place)?;
    Ok(value)
}

/// Whether a file is taken for the manifest of results.
pub fn is_manifest(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "json")
}

/// The experiment or training that a manifest holds, whatever version wrote it. The files that it
/// named stand in it as text.
fn held(text: &str) -> Result<Value, InputError> {
    let refuse = |what: &str| {
        let what =
            format!("{what}; an experiment must be a TOML file or the `manifest.json` of results");
        InputError::new("", "", what)
    };
    let mut manifest: Value = serde_json::from_str(text)
        .map_err(|error| refuse(&format!("this is not valid JSON: {error}")))?;
    match manifest.get_mut("experiment").map(Value::take) {
        Some(experiment) if experiment.is_object() => Ok(experiment),
        _ => Err(refuse("this is not a manifest, because it has no table `experiment`")),
    }
}

/// More games than any machine plays; keeps deal numbers far from overflow.
const MAX_GAMES: u64 = 1_000_000_000_000;

type Inline = fn(&mut Value, &Path) -> Result<(), InputError>;

/// Options of rules that may name a file.
const FILE_OPTIONS: &[(&str, Inline)] =
    &[("deck", inline_text), ("objective_cards", inline_objectives), ("setup", inline_text)];

/// Puts what a file says in the place of its name, or of the `value` beside a name of one's own.
fn inline_named(inline: Inline, value: &mut Value, folder: &Path) -> Result<(), InputError> {
    match value.as_object_mut() {
        Some(table) if table.len() == 2 && table.contains_key("name") => {
            match table.get_mut("value") {
                Some(inner) => inline(inner, folder),
                None => Ok(()),
            }
        }
        _ => inline(value, folder),
    }
}

/// A file as tables show it: as it was written where that is short, else without its folders.
fn shown_name(path: &str) -> String {
    let short = path.chars().count() <= words::LONG;
    let last = Path::new(path).file_name().filter(|_| !short);
    last.map_or_else(|| path.to_owned(), |last| last.to_string_lossy().into_owned())
}

/// A text without a line break that ends like a file is a file's name.
fn file_named(value: &Value, folder: &Path) -> Option<PathBuf> {
    let text = value.as_str()?;
    let named = !text.contains('\n') && (text.ends_with(".csv") || text.ends_with(".toml"));
    named.then(|| folder.join(text))
}

fn file_text(path: &Path) -> Result<String, InputError> {
    std::fs::read_to_string(path)
        .map_err(|error| InputError::new("", path.display(), error.to_string()))
}

fn inline_text(value: &mut Value, folder: &Path) -> Result<(), InputError> {
    if let Some(path) = file_named(value, folder) {
        *value = file_text(&path)?.into();
    }
    Ok(())
}

fn inline_objectives(value: &mut Value, folder: &Path) -> Result<(), InputError> {
    if let Some(path) = file_named(value, folder) {
        let file = crate::games::mind_up::objectives::ObjectiveFile::from_toml(&file_text(&path)?)
            .map_err(|error| error.in_file(path.display()))?;
        *value = serde_json::to_value(file.objective)
            .map_err(|error| InputError::new("", path.display(), error.to_string()))?;
    }
    if let Value::String(text) = value {
        let what = "name a file that ends in .toml, or give the cards as a list of tables";
        return Err(InputError::new("", text, what));
    }
    Ok(())
}

impl Overrides {
    fn apply(&self, value: &mut Value) -> Result<(), InputError> {
        if let (Some(table), Some(games)) = (value.as_object_mut(), self.games) {
            table.insert("games".to_owned(), games.into());
        }
        if let (Some(table), Some(seed)) = (value.as_object_mut(), self.seed) {
            table.insert("seed".to_owned(), seed.into());
        }
        self.set.iter().try_for_each(|change| set(value, change))
    }
}

/// Applies one `KEY=VALUE`.
fn set(value: &mut Value, change: &str) -> Result<(), InputError> {
    let refuse = |what: &str| InputError::new("--set", change, what);
    let (path, text) = change
        .split_once('=')
        .ok_or_else(|| refuse("write KEY=VALUE, such as rules.objectives=2"))?;
    let mut place = value;
    for key in path.trim().split('.') {
        let table =
            place.as_object_mut().ok_or_else(|| refuse("this key does not lead into a table"))?;
        place = table.entry(key).or_insert_with(|| Value::Object(Map::new()));
    }
    *place = toml_value(text.trim());
    Ok(())
}

/// A value as TOML writes it; what is no TOML is a text.
pub fn toml_value(text: &str) -> Value {
    toml::from_str::<Map<String, Value>>(&format!("value = {text}"))
        .ok()
        .and_then(|mut table| table.remove("value"))
        .unwrap_or_else(|| text.into())
}

/// Reads a strategy as the command line and results write it: `name` or `name(key=value, …)`.
///
/// # Errors
/// Brackets that don't close, changes without a `=`.
pub fn strategy_entry(text: &str) -> Result<Value, InputError> {
    let text = text.trim();
    let Some((base, rest)) = text.split_once('(') else {
        return Ok(text.into());
    };
    let refuse = || InputError::new("strategies", text, "write name or name(key=value, ...)");
    let mut table = Map::new();
    table.insert("base".to_owned(), base.trim().into());
    for change in split_list(rest.strip_suffix(')').ok_or_else(refuse)?) {
        let (key, value) = change.split_once('=').ok_or_else(refuse)?;
        let (key, value) = (key.trim(), value.trim());
        table.insert(key.to_owned(), parameter(key, value)?);
    }
    Ok(Value::Object(table))
}

/// Reads a parameter's value. One that is of several kinds may be written as results write it:
/// `policy=linear(temperature=0.5)`, `star=learned(risk=1.0)`.
fn parameter(key: &str, text: &str) -> Result<Value, InputError> {
    let head = match key {
        "policy" | "model" => "base",
        "star" => "policy",
        "plan" => "family",
        _ => return Ok(toml_value(text)),
    };
    match toml_value(text) {
        Value::String(name) if name == text && name.contains('(') => {
            let mut entry = strategy_entry(&name)?;
            if let Some(table) = entry.as_object_mut()
                && let Some(base) = table.shift_remove("base")
            {
                table.shift_insert(0, head.to_owned(), base);
            }
            Ok(entry)
        }
        value => Ok(value),
    }
}

/// Splits at the commas that stand outside of brackets.
pub fn split_list(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0i32, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// The game of a name.
///
/// # Errors
/// Unknown names, with the nearest known one.
pub fn game(name: &str) -> Result<GameId, InputError> {
    GameId::from_name(name).ok_or_else(|| {
        InputError::new("game", name, unknown("game", name, GameId::ALL.map(GameId::name)))
            .of(ErrorKind::UnknownName)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"
        name = "x"
        game = "mind-up"
        players = [3, 4]
        games = 10
        strategies = ["random"]
        design = "self-play"
    "#;

    fn message(text: &str) -> String {
        let error = Spec::from_toml(text, Path::new(""), &Overrides::default()).unwrap_err();
        error.in_file("x.toml").to_string()
    }

    #[test]
    fn overrides_change_any_key() {
        let set = ["rules.objectives=2", "players=5", "name=other"].map(str::to_owned).to_vec();
        let overrides = Overrides { games: Some(7), seed: Some(9), set };
        let spec = Spec::from_toml(GOOD, Path::new(""), &overrides).unwrap();
        assert_eq!((spec.games, spec.seed, spec.name.as_str()), (7, 9, "other"));
        assert_eq!(spec.players.values(), [5]);
        assert_eq!(spec.rules["objectives"], 2);
        let bad = Overrides { set: vec!["x".into()], ..Overrides::default() };
        assert!(Spec::from_toml(GOOD, Path::new(""), &bad).is_err());
    }

    #[test]
    fn bad_files_are_refused_with_their_place() {
        assert!(message("name = ").contains("x.toml"));
        assert!(message(&GOOD.replace("games", "gmaes")).contains("did you mean `games`"));
        assert!(message(&GOOD.replace("mind-up", "mindup")).contains("mind-up"));
        assert!(message(&GOOD.replace("= 10", "= 0")).contains("`games = 0`"));
        assert!(message(&GOOD.replace("= 10", "= -1")).contains("`games = -1`"));
        assert!(message(&GOOD.replace("\"x\"", "\"../x\"")).contains("`name = ../x`"));
        assert!(message(&GOOD.replace("[3, 4]", "[]")).contains("players"));
        assert!(message(&GOOD.replace("[3, 4]", "[3, 3]")).contains("twice"));
        assert!(message(&GOOD.replace("design", "#")).contains("`design`"));
        assert!(message(&format!("{GOOD}groups = [\"ideal\"]")).contains("no groups"));
        let missing = format!("{GOOD}[rules]\ndeck = \"none.csv\"");
        assert!(message(&missing).contains("`rules.deck = none.csv`"));
    }

    #[test]
    fn strategies_are_read_as_results_write_them() {
        assert_eq!(strategy_entry("greedy").unwrap(), json!("greedy"));
        let entry = strategy_entry("linear(pace=1.5, star=never)").unwrap();
        assert_eq!(entry, json!({"base": "linear", "pace": 1.5, "star": "never"}));
        let entry = strategy_entry("duct(policy=linear(temperature=0.5), playouts=9)").unwrap();
        let policy = json!({"base": "linear", "temperature": 0.5});
        assert_eq!(entry, json!({"base": "duct", "policy": policy, "playouts": 9}));
        let entry = strategy_entry("power(star=learned(risk=1.0))").unwrap();
        assert_eq!(entry["star"], json!({"policy": "learned", "risk": 1.0}));
        assert!(strategy_entry("linear(pace").is_err());
        assert_eq!(split_list("a, b(x=1,y=[1,2]),c"), ["a", "b(x=1,y=[1,2])", "c"]);
    }
}
