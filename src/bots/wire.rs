//! The lines of the protocol.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::counts::{Failure, Refused};
use crate::error::read;
use crate::games::GameId;
use crate::games::record::{self, Code};

/// The version of the protocol.
pub const PROTOCOL: u64 = 1;

/// What a bot says of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Greeting {
    /// `hello`.
    r#type: String,
    protocol: u64,
    /// A name, for people.
    #[serde(default)]
    pub name: String,
    /// Whether it takes many games at once.
    #[serde(default)]
    pub batch: bool,
    /// Whether it is to be asked for stars; never agrees to one otherwise.
    #[serde(default)]
    pub stars: bool,
}

impl Greeting {
    /// Reads the line that answers [`hello`].
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(line: &[u8]) -> Result<Greeting, String> {
        let greeting: Greeting =
            parsed(line).map_err(|Refused(_, what)| format!("this is not a greeting: {what}"))?;
        if greeting.r#type != "hello" {
            return Err(format!(
                "this is not a greeting, because its type is not `hello`: {}",
                shown(line)
            ));
        }
        if greeting.protocol != PROTOCOL {
            let theirs = greeting.protocol;
            return Err(format!(
                "it speaks protocol {theirs}, but mindlab speaks protocol {PROTOCOL}"
            ));
        }
        Ok(greeting)
    }
}

/// The first line that a bot hears.
pub(super) fn hello(game: GameId) -> Value {
    json!({
        "type": "hello",
        "protocol": PROTOCOL,
        "game": game,
        "mindlab": env!("CARGO_PKG_VERSION"),
    })
}

/// A line of a type for some games, before and behind which stands what they have in common.
pub(super) fn message(kind: &str, common: Map<String, Value>, games: Vec<Value>) -> Value {
    let mut line = Map::new();
    line.insert("type".to_owned(), kind.into());
    line.extend(common);
    line.insert("games".to_owned(), games.into());
    Value::Object(line)
}

/// A bot's answers to a request, in the order of its games.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Reply {
    pub id: u64,
    pub answers: Vec<Value>,
}

/// Reads a line.
///
/// # Errors
/// A malformed one, with what is wrong and the line.
pub(super) fn parsed<T: DeserializeOwned>(line: &[u8]) -> Result<T, Refused> {
    let refused = |what: &str| Refused(Failure::Malformed, format!("{what}: {}", shown(line)));
    let text = std::str::from_utf8(line).map_err(|_| refused("this is not valid UTF-8"))?;
    let value = record::parse(text).map_err(|illegal| match illegal.code {
        Code::DuplicateKey => refused("an object has a key twice"),
        _ if text.trim().is_empty() => refused("this line is empty"),
        _ => refused("this is not valid JSON"),
    })?;
    read(&value).map_err(|error| refused(&error.to_string()))
}

/// The answer for one game.
///
/// # Errors
/// A malformed one, with what is wrong and the answer.
pub(super) fn answer<T: DeserializeOwned>(value: &Value) -> Result<T, Refused> {
    read(value).map_err(|error| {
        let what = format!("{error}: {}", shown(value.to_string().as_bytes()));
        Refused(Failure::Malformed, what)
    })
}

/// A move that may not be made.
pub(super) fn illegal(what: &str, value: &Value) -> Refused {
    Refused(Failure::Illegal, format!("{what}: {}", shown(value.to_string().as_bytes())))
}

/// The longest part of a line that is shown, in characters.
const SHOWN: usize = 120;

/// A line as a message can have it: short, on one line, without control characters.
pub(super) fn shown(line: &[u8]) -> String {
    let start = &line[..line.len().min(4 * SHOWN)];
    let text: String =
        String::from_utf8_lossy(start).trim().chars().flat_map(char::escape_debug).collect();
    let text = text.replace("\\\"", "\"").replace("\\'", "'");
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn greetings_are_read_and_refused() {
        let good = br#"{"type": "hello", "protocol": 1, "batch": true}"#;
        let greeting = Greeting::read(good).unwrap();
        assert!(greeting.batch && !greeting.stars && greeting.name.is_empty());
        let refused = |line: &str| Greeting::read(line.as_bytes()).unwrap_err();
        assert!(
            refused("ready").starts_with("this is not a greeting: this is not valid JSON: ready")
        );
        assert!(refused(r#"{"type":"hello","protocol":2}"#).contains("protocol 2"));
        assert!(refused(r#"{"type":"hi","protocol":1}"#).contains("type is not `hello`"));
        assert!(refused(r#"{"type":"hello","protocol":1,"batsh":true}"#).contains("`batsh`"));
        assert!(refused("{}").contains("`type`: this key is missing"));
    }

    #[test]
    fn shown_lines_are_short_and_printable() {
        assert_eq!(shown(b"{\"id\": 1}\n"), "{\"id\": 1}");
        assert_eq!(shown(b"a\x1b[31m\x00b"), "a\\u{1b}[31m\\0b");
        assert!(shown(&[0xff; 1_000_000]).chars().count() <= SHOWN + 3);
        assert_eq!(shown(&[b'x'; 200]).len(), SHOWN + 3);
    }
}
