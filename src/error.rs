//! What is wrong with a request: where it stands, what it says, what would do.

use std::borrow::Cow;
use std::fmt;

use serde::de::DeserializeOwned;
use serde_json::Value;

/// A value in a file or an argument that cannot be served.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct InputError {
    /// The file, or the argument, that it stands in; empty where the caller has none to name.
    pub file: String,
    /// The key, dotted from the file's top; empty for the file as a whole.
    pub key: String,
    /// The value as it was written; empty for a key that should not be there or is missing.
    pub value: String,
    /// What is wrong, and what would do.
    pub message: String,
}

impl InputError {
    /// An error at a key. The file is added by whoever opened it, with [`InputError::in_file`].
    pub fn new(
        key: impl Into<String>,
        value: impl fmt::Display,
        message: impl Into<String>,
    ) -> Self {
        InputError {
            file: String::new(),
            key: key.into(),
            value: value.to_string(),
            message: message.into(),
        }
    }

    /// Names the file, where none was named nearer to the error.
    pub fn in_file(mut self, file: impl fmt::Display) -> Self {
        if self.file.is_empty() {
            self.file = file.to_string();
        }
        self
    }

    /// Puts the key below another: `lives` under `rules` is `rules.lives`. In a file that is named
    /// already the key stands where it does.
    pub fn under(mut self, parent: &str) -> Self {
        if self.file.is_empty() {
            self.key = join(parent, &self.key);
        }
        self
    }
}

/// A strategy that failed under way (a bot that died, say). Built-in strategies never fail.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("strategy `{strategy}`{}: {message}", place(.at))]
pub struct PlayError {
    /// The strategy.
    pub strategy: String,
    /// The seat and the game that it failed in, where it was in one: the game's place in its block
    /// at first, then its number in the plan.
    pub at: Option<(usize, u64)>,
    /// What happened.
    pub message: String,
}

impl PlayError {
    /// Names the strategy and the game as a plan does, where it failed in a game of a block.
    pub fn in_plan(
        mut self,
        label: impl FnOnce(usize) -> String,
        game: impl FnOnce(u64) -> u64,
    ) -> Self {
        if let Some((seat, slot)) = self.at {
            self.strategy = label(seat);
            self.at = Some((seat, game(slot)));
        }
        self
    }
}

fn place(at: &Option<(usize, u64)>) -> String {
    at.map_or_else(String::new, |(seat, game)| format!(" on seat {seat} of game {game}"))
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.file.is_empty() {
            write!(f, "{}: ", self.file)?;
        }
        match (self.key.is_empty(), self.value.is_empty()) {
            (true, true) => {}
            (true, false) => write!(f, "`{}`: ", clipped(&self.value))?,
            (false, true) => write!(f, "`{}`: ", clipped(&self.key))?,
            (false, false) => write!(f, "`{} = {}`: ", self.key, clipped(&self.value))?,
        }
        f.write_str(&self.message)
    }
}

fn join(parent: &str, key: &str) -> String {
    match (parent.is_empty(), key.is_empty()) {
        (true, _) => key.to_owned(),
        (_, true) => parent.to_owned(),
        (false, false) if key.starts_with('[') => format!("{parent}{key}"),
        (false, false) => format!("{parent}.{key}"),
    }
}

/// The longest name, in bytes, that a mistyped one is looked for near.
const LONGEST_NAME: usize = 64;

/// The known name that is nearest to a mistyped one, where one is near at all.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        // The distance takes the product of the lengths in time and memory.
        .filter(|known| name.len().max(known.len()) <= LONGEST_NAME)
        .map(|known| (strsim::damerau_levenshtein(name, known), known))
        .filter(|&(distance, known)| distance <= known.len().max(name.len()).div_ceil(2))
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, known)| known)
}

/// "unknown WHAT; the nearest known is …; known are …" for a name that is not in a list.
pub fn unknown<'a>(
    what: &str,
    name: &str,
    known: impl IntoIterator<Item = &'a str> + Clone,
) -> String {
    let list = known.clone().into_iter().collect::<Vec<_>>().join(", ");
    match nearest(name, known) {
        None if list.is_empty() => format!("unknown {what}; there are none"),
        Some(near) => format!("unknown {what}; did you mean `{near}`? Known: {list}"),
        None => format!("unknown {what}; known: {list}"),
    }
}

/// Reads a wire type (one that refuses unknown keys) and says at which key it failed.
///
/// # Errors
/// The key, its value, and what would do; for an unknown key the nearest known one.
pub fn read<T: DeserializeOwned>(value: &Value) -> Result<T, InputError> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let path = match error.path().to_string() {
            path if path == "." => String::new(),
            path => path,
        };
        let message = error.into_inner().to_string();
        if let Some((name, known)) = unknown_name(&message, "unknown field ") {
            // The path ends with the unknown key itself or with the table around it.
            let parent = path.strip_suffix(name.as_str()).unwrap_or(&path).trim_end_matches('.');
            let names = known.iter().map(String::as_str);
            return InputError::new(join(parent, &name), "", unknown("key", &name, names));
        }
        let shown = at(value, &path).map_or_else(String::new, short);
        // It has the value once more, in full.
        let message = match message.rsplit_once(", expected ") {
            Some((_, wanted)) if shown.ends_with("...") => format!("expected {wanted}"),
            _ => message,
        };
        let message = match unknown_name(&message, "unknown variant ") {
            Some((name, known)) => match nearest(&name, known.iter().map(String::as_str)) {
                Some(near) => format!("{message}; did you mean `{near}`?"),
                None => message,
            },
            None => message,
        };
        InputError::new(path, shown, message)
    })
}

/// What is no TOML, with its line.
pub fn toml_error(text: &str, error: &toml::de::Error) -> InputError {
    let start = error.span().map_or(0, |span| span.start.min(text.len()));
    let line = text.as_bytes()[..start].iter().filter(|&&byte| byte == b'\n').count() + 1;
    let message = error.message().trim().replace('\n', "; ");
    InputError::new("", "", format!("line {line} is no TOML: {message}"))
}

/// The names in serde's "unknown field `x`, expected one of `a`, `b`", or of a variant.
fn unknown_name(message: &str, start: &str) -> Option<(String, Vec<String>)> {
    let mut names = message.strip_prefix(start)?.split('`').skip(1).step_by(2).map(str::to_owned);
    Some((names.next()?, names.collect()))
}

/// The value at a path such as `rewards.star[1]`.
fn at<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    path.split(['.', '[']).filter(|part| !part.is_empty()).try_fold(value, |value, part| match part
        .strip_suffix(']')
    {
        Some(index) => value.get(index.parse::<usize>().ok()?),
        None => value.get(part),
    })
}

/// Refuses what TOML calls `nan` or `inf`: in JSON, which has neither, it became null, and null
/// would pass for a key that was left out.
///
/// # Errors
/// The key of the first one.
pub fn check_finite(value: &Value) -> Result<(), InputError> {
    let under = |key: &str, value: &Value| check_finite(value).map_err(|error| error.under(key));
    match value {
        Value::Null => Err(InputError::new("", "nan or inf", "a finite number is needed")),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .try_for_each(|(index, item)| under(&format!("[{index}]"), item)),
        Value::Object(map) => map.iter().try_for_each(|(key, value)| under(key, value)),
        _ => Ok(()),
    }
}

/// Refuses a name that results, tables and columns can't carry.
///
/// # Errors
/// An empty or a very long name, control characters, a `+` (which joins names), blanks at its ends.
pub fn check_name(key: &str, name: &str) -> Result<(), InputError> {
    let bad = |c: char| c.is_control() || c == '+';
    if name.is_empty() || name.len() > 100 || name.trim() != name || name.contains(bad) {
        let shown: String = name.chars().filter(|c| !c.is_control()).take(40).collect();
        let what = "a name has 1 to 100 bytes, no `+`, no control characters, no blank at its ends";
        return Err(InputError::new(key, shown, what));
    }
    Ok(())
}

/// The longest value, in characters, that a message shows in full.
const LONGEST_SHOWN: usize = 160;

/// A value as a message can have it: of one without end the beginning and the end, which tell paths
/// apart.
pub fn clipped(value: &str) -> Cow<'_, str> {
    let count = value.chars().count();
    if count <= LONGEST_SHOWN {
        return value.into();
    }
    let (start, end) = (value.chars().take(40), value.chars().skip(count - 20));
    start.chain("...".chars()).chain(end).collect()
}

/// A value in one short line, for a message.
pub fn short(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= 60 {
        return text;
    }
    text.chars().take(57).chain("...".chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use serde_json::json;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct Inner {
        lives: u8,
        stars: Vec<u8>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct Outer {
        rules: Inner,
    }

    fn message(value: Value) -> String {
        read::<Outer>(&value).unwrap_err().in_file("a.toml").to_string()
    }

    #[test]
    fn errors_carry_file_key_value_and_what_would_do() {
        let text = message(json!({"rules": {"lives": -1, "stars": []}}));
        assert_eq!(text, "a.toml: `rules.lives = -1`: invalid value: integer `-1`, expected u8");
        let text = message(json!({"rules": {"lives": 1, "stars": [1, "x"]}}));
        assert!(text.starts_with("a.toml: `rules.stars[1] = \"x\"`: invalid type"), "{text}");
    }

    #[test]
    fn keys_of_another_file_are_below_nothing() {
        let error = InputError::new("lives", 0, "1 at least");
        assert_eq!(error.clone().under("rules").key, "rules.lives");
        let text = error.in_file("own.toml").under("rules").in_file("x.toml").to_string();
        assert_eq!(text, "own.toml: `lives = 0`: 1 at least");
    }

    #[test]
    fn unknown_keys_get_the_nearest_known_one() {
        let text = message(json!({"rules": {"lifes": 1}}));
        assert_eq!(
            text,
            "a.toml: `rules.lifes`: unknown key; did you mean `lives`? Known: lives, stars"
        );
        let text = message(json!({"ruels": {}}));
        assert!(text.starts_with("a.toml: `ruels`: unknown key; did you mean `rules`?"), "{text}");
    }

    #[test]
    fn unknown_values_get_the_nearest_known_one() {
        #[derive(Debug, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        enum Kind {
            AllVsAll,
            SelfPlay,
        }
        let text = |value| read::<Kind>(&value).unwrap_err().to_string();
        assert!(text(json!("self-paly")).ends_with("; did you mean `self-play`?"));
        assert!(!text(json!("zzzzzzzzz")).contains("did you mean"));
        assert_eq!(unknown("option", "x", []), "unknown option; there are none");
    }

    #[test]
    fn values_without_end_are_clipped() {
        let digits = "9".repeat(300);
        let clipped = format!("{}...{}", "9".repeat(40), "9".repeat(20));
        let text = InputError::new("cv", &digits, "from 0 to 10").to_string();
        assert_eq!(text, format!("`cv = {clipped}`: from 0 to 10"));
        assert_eq!(InputError::new("", &digits, "no").to_string(), format!("`{clipped}`: no"));
        assert!(message(json!({"rules": {"lives": digits}})).ends_with("...`: expected u8"));
        let path = "a/".repeat(60);
        assert!(InputError::new("--out", &path, "no").to_string().contains(&path));
    }

    #[test]
    fn far_names_have_no_nearest() {
        assert_eq!(nearest("zzzzzzzz", ["lives", "stars"]), None);
        let long = "x".repeat(1_000_000);
        assert_eq!(nearest(&long, [long.as_str()]), None);
        assert_eq!(nearest("liv", ["lives", "stars"]), Some("lives"));
    }
}
