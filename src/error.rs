//! What is wrong with a request: where it stands, what it says, what would do.

mod read;

use std::borrow::Cow;
use std::fmt;

use serde_json::Value;

pub use read::{Reader, read, read_ranged};

/// What kind of error it is, for code that has to tell errors apart. It never looks into their words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A value that can't be served, for the reason that the message gives.
    #[default]
    Refused,
    /// A file that can't be read.
    Unreadable,
    /// A text that is not in the format which it should have.
    Syntax,
    /// A key that its table does not know.
    UnknownKey,
    /// A name that nothing has.
    UnknownName,
    /// A key that is needed and is not there.
    Missing,
    /// A value of another type.
    WrongType,
    /// A value of the right type that is too small, too large or too long.
    OutOfRange,
    /// Rules that can't be played by this number of players.
    Players,
    /// A colour that the deck does not have.
    NoSuchColour,
    /// A name that nothing which could be shown has.
    NothingToShow,
}

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
    /// What kind of error it is.
    pub kind: ErrorKind,
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
            kind: ErrorKind::default(),
        }
    }

    /// Says what kind of error it is.
    pub fn of(self, kind: ErrorKind) -> Self {
        InputError { kind, ..self }
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

    /// Moves an error at or below one key to another key, because the program put the value there
    /// and the user wrote it elsewhere. An error of another key, or of a file that is named already,
    /// stands where it does.
    pub fn moved(mut self, from: &str, to: &str) -> Self {
        if let Some(rest) = self.below(from) {
            self.key = join(to, rest);
        }
        self
    }

    /// As [`InputError::moved`], out of all keys and to an argument of the command line.
    pub fn moved_to_argument(mut self, from: &str, argument: &str) -> Self {
        if let Some(rest) = self.below(from) {
            self.key = rest.to_owned();
            self.file = argument.to_owned();
        }
        self
    }

    /// Whether the error stands at a key or below it, in no file that is named already.
    pub fn is_within(&self, key: &str) -> bool {
        self.below(key).is_some()
    }

    /// What is left of the key below another one, where it is at or below that one.
    fn below(&self, parent: &str) -> Option<&str> {
        let rest = self.key.strip_prefix(parent).filter(|_| self.file.is_empty())?;
        match rest.strip_prefix('.') {
            Some(rest) => Some(rest),
            None => (rest.is_empty() || rest.starts_with('[')).then_some(rest),
        }
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

/// The error of a text that is not TOML, with its line.
pub fn toml_error(text: &str, error: &toml::de::Error) -> InputError {
    let start = error.span().map_or(0, |span| span.start.min(text.len()));
    let line = text.as_bytes()[..start].iter().filter(|&&byte| byte == b'\n').count() + 1;
    let message = error.message().trim().replace('\n', "; ");
    InputError::new("", "", format!("line {line} is not valid TOML: {message}"))
        .of(ErrorKind::Syntax)
}

/// Refuses what TOML calls `nan` or `inf`: in JSON, which has neither, it became null, and null
/// would pass for a key that was left out.
///
/// # Errors
/// The key of the first one.
pub fn check_finite(value: &Value) -> Result<(), InputError> {
    let under = |key: &str, value: &Value| check_finite(value).map_err(|error| error.under(key));
    match value {
        Value::Null => Err(InputError::new("", "nan or inf", "this must be a finite number")),
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
        let what = "a name has 1 to 100 bytes; it must not have a `+`, a control character, or a space at its start or end";
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

    #[test]
    fn keys_of_another_file_are_below_nothing() {
        let error = InputError::new("lives", 0, "1 at least");
        assert_eq!(error.clone().under("rules").key, "rules.lives");
        let text = error.in_file("own.toml").under("rules").in_file("x.toml").to_string();
        assert_eq!(text, "own.toml: `lives = 0`: 1 at least");
    }

    #[test]
    fn errors_are_moved_to_where_the_user_wrote() {
        let at = |key: &str| InputError::new(key, 1, "no");
        let moved = |key: &str| at(key).moved("blind", "blind_table").key;
        assert_eq!(moved("blind.3"), "blind_table.3");
        assert_eq!(moved("blind[3]"), "blind_table[3]");
        assert_eq!(moved("blind"), "blind_table");
        assert_eq!(moved("blind_reward"), "blind_reward");
        assert_eq!(at("blind").in_file("x").moved("blind", "b").key, "blind");
        let text = at("lineups[0][2].pace").moved_to_argument("lineups[0][2]", "--seat 2");
        assert_eq!(text.to_string(), "--seat 2: `pace = 1`: no");
    }

    #[test]
    fn lists_without_a_name_say_so() {
        assert_eq!(unknown("option", "x", []), "unknown option; there are none");
        assert!(!unknown("option", "zzzzzzzzz", ["self-play"]).contains("did you mean"));
    }

    #[test]
    fn values_without_end_are_clipped() {
        let digits = "9".repeat(300);
        let clipped = format!("{}...{}", "9".repeat(40), "9".repeat(20));
        let text = InputError::new("cv", &digits, "from 0 to 10").to_string();
        assert_eq!(text, format!("`cv = {clipped}`: from 0 to 10"));
        assert_eq!(InputError::new("", &digits, "no").to_string(), format!("`{clipped}`: no"));
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
