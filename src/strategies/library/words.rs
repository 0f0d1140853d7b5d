//! What differs from a strategy's file, in a few words.

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::{bare, family_of};
use crate::games::GameId;
use crate::strategies::grid::same;
use crate::strategies::the_mind::stars::Stars;

/// A value that is longer, in characters, is told by what changed in it.
const LONG: usize = 40;
/// So many changed places of a list are told one by one.
const PLACES: usize = 2;

/// The key that says which of several a table is, and what such a table holds where nothing is said.
type Kind = (&'static str, fn(&str) -> Map<String, Value>);

/// Parameters of the Minds whose tables are of several kinds.
fn kind(key: &str) -> Option<Kind> {
    fn object(value: Value) -> Map<String, Value> {
        value.as_object().cloned().unwrap_or_default()
    }
    match key {
        "star" => Some(("policy", |name| {
            Stars::from_json(&name.into()).map(|stars| object(stars.to_json())).unwrap_or_default()
        })),
        "plan" => Some(("family", |name| {
            family_of(GameId::TheMind, name).map(|(_, defaults)| defaults).unwrap_or_default()
        })),
        _ => None,
    }
}

/// The same value with all that it leaves out, so that a name and a table in full can be compared.
pub(super) fn in_full(key: &str, value: &Value) -> Value {
    let Some((head, defaults)) = kind(key) else { return value.clone() };
    let own = match value {
        Value::String(name) => Map::from_iter([(head.to_owned(), name.clone().into())]),
        Value::Object(table) => table.clone(),
        _ => return value.clone(),
    };
    let name = own.get(head).and_then(Value::as_str).unwrap_or_default();
    let mut all = defaults(name);
    all.extend(own);
    Value::Object(all)
}

/// A parameter's value: as it is where it is short, else what differs from `known`, the file's.
pub(super) fn told(key: &str, value: &Value, known: Option<&Value>) -> String {
    let of_kind = kind(key).and_then(|(head, defaults)| {
        let table = value.as_object()?;
        let name = table.get(head)?.as_str()?;
        let own = table.iter().filter(|(key, _)| *key != head);
        Some(changed(name, own, &defaults(name)))
    });
    match (of_kind, value) {
        (Some(told), _) => told,
        // A command, say, is told whole.
        (None, Value::Array(list))
            if bare(value).chars().count() > LONG && !list.iter().any(Value::is_string) =>
        {
            list_told(list, known.and_then(Value::as_array))
        }
        (None, Value::Object(table)) => full_told(table).unwrap_or_else(|| clipped(&bare(value))),
        (None, value) => bare(value),
    }
}

/// A strategy in full in the place of a parameter.
fn full_told(table: &Map<String, Value>) -> Option<String> {
    let name = table.get("family")?.as_str()?;
    let (_, defaults) = family_of(GameId::MindUp, name)?;
    Some(changed(name, table.get("parameters")?.as_object()?.iter(), &defaults))
}

/// `learned(bias=-0.4)`: a name, and what differs from what it stands for.
fn changed<'a>(
    name: &str,
    own: impl Iterator<Item = (&'a String, &'a Value)>,
    known: &Map<String, Value>,
) -> String {
    let differs =
        |(key, value): &(&String, &Value)| !known.get(*key).is_some_and(|known| same(known, value));
    let piece =
        |(key, value): (&String, &Value)| format!("{key}={}", told(key, value, known.get(key)));
    with(name, &own.filter(differs).map(piece).collect::<Vec<_>>())
}

/// A name with what differs in brackets.
pub(super) fn with(name: &str, pieces: &[String]) -> String {
    match pieces {
        [] => name.to_owned(),
        pieces => format!("{name}({})", pieces.join(", ")),
    }
}

/// A long list: the places that changed, where they are few.
fn list_told(list: &[Value], known: Option<&Vec<Value>>) -> String {
    let known = known.filter(|known| known.len() == list.len());
    let places = known.map(|known| {
        let all = (1..).zip(list.iter().zip(known));
        let changed = all.filter(|(_, (value, known))| !same(value, known));
        changed.map(|(place, (value, _))| format!("place {place}: {}", bare(value)))
    });
    match places.map(Iterator::collect::<Vec<_>>) {
        Some(places) if (1..=PLACES).contains(&places.len()) => places.join(" and "),
        _ => clipped(&bare(&Value::Array(list.to_vec()))),
    }
}

/// The beginning of a long text, with a mark by which it is told from others that begin so.
fn clipped(text: &str) -> String {
    if text.chars().count() <= LONG {
        return text.to_owned();
    }
    let start: String = text.chars().take(LONG - 12).collect();
    let mark =
        Sha256::digest(text).iter().take(3).map(|byte| format!("{byte:02x}")).collect::<String>();
    format!("{start}... {mark}")
}
