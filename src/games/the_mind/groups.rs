//! Groups: who sits at the table, as far as timing goes. They are data, so that a designer can ask
//! how a setup fares with a given audience.

use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::body::Body;
use super::cards::MAX_SEATS;
use crate::error::{ErrorKind, InputError, Reader, read, unknown};

const FILE: &str = include_str!("data/groups.toml");

/// A group of players: a body for each seat.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// The name in results: the name given, else the base with what differs in brackets.
    pub name: String,
    /// What it is, in one line; empty for a group that was made in place.
    pub summary: String,
    /// Where its numbers are from; empty for a group that was made in place.
    pub source: String,
    body: Body,
    seats: Vec<Body>,
}

impl Group {
    /// The bodies of so many seats (at most 10). Seats beyond those that the group names have its
    /// common body.
    pub fn bodies(&self, players: usize) -> Vec<Body> {
        let common = std::iter::repeat(&self.body);
        self.seats.iter().chain(common).copied().take(players).collect()
    }

    /// The body that all seats have but those that the group names.
    pub fn body(&self) -> Body {
        self.body
    }

    /// How many seats the group names, from the first on.
    pub fn named_seats(&self) -> usize {
        self.seats.len()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    group: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    summary: String,
    source: String,
    #[serde(default)]
    body: Body,
}

/// The groups that are compiled in.
pub fn all() -> &'static [Group] {
    static GROUPS: LazyLock<Vec<Group>> = LazyLock::new(|| {
        let file = toml::from_str::<Value>(FILE).ok().and_then(|value| read::<File>(&value).ok());
        let entries = file.map_or_else(Vec::new, |file| file.group);
        let group = |Entry { name, summary, source, body }| Group {
            name,
            summary,
            source,
            body,
            seats: Vec::new(),
        };
        entries.into_iter().map(group).collect()
    });
    &GROUPS
}

/// The compiled-in group of that name.
///
/// # Errors
/// Where there is none; the message has the nearest known one.
pub fn named(name: &str) -> Result<Group, InputError> {
    let names = all().iter().map(|group| group.name.as_str());
    let found = all().iter().find(|group| group.name == name).cloned();
    found.ok_or_else(|| {
        InputError::new("", name, unknown("group", name, names)).of(ErrorKind::UnknownName)
    })
}

/// The group that an entry of `groups` asks for: a name, or a table with a `base` and what differs.
///
/// The table's keys are `name`, `base` (default `ideal`), the parameters of a [`Body`], and `seats`:
/// a list of tables with the parameters in which seats, from the first on, differ once more.
///
/// # Errors
/// What will not do, at its key below the entry.
pub fn resolve(value: &Value) -> Result<Group, InputError> {
    let mut table = match value {
        Value::String(name) => return named(name),
        Value::Object(table) => table.clone(),
        _ => {
            return Err(InputError::new(
                "",
                value,
                "this must be a group's name, or a table with a `base`",
            ));
        }
    };
    let name = text(&mut table, "name")?;
    name.as_ref().map_or(Ok(()), |name| crate::error::check_name("name", name))?;
    let base = text(&mut table, "base")?;
    let base = named(base.as_deref().unwrap_or("ideal")).map_err(|error| error.under("base"))?;
    let seats = table.shift_remove("seats");
    let body = change(base.body, &table)?;
    let entries = match &seats {
        None => &[],
        Some(Value::Array(entries)) if entries.len() <= MAX_SEATS => entries.as_slice(),
        Some(other) => {
            let message =
                format!("this must be a list of at most {MAX_SEATS} tables, one for each seat");
            return Err(InputError::new("seats", crate::error::short(other), message));
        }
    };
    let seats = entries.iter().enumerate().map(|(seat, entry)| {
        let changes = entry.as_object().ok_or_else(|| {
            InputError::new("", entry, "this must be a table of the parameters that differ")
        });
        changes
            .and_then(|changes| change(body, changes))
            .map_err(|error| error.under(&format!("seats[{seat}]")))
    });
    let seats = seats.collect::<Result<Vec<Body>, _>>()?;
    let label = name.unwrap_or_else(|| label(&base, body, &seats));
    Ok(Group { name: label, summary: String::new(), source: String::new(), body, seats })
}

fn text(table: &mut Map<String, Value>, key: &str) -> Result<Option<String>, InputError> {
    match table.shift_remove(key) {
        None => Ok(None),
        Some(Value::String(text)) if !text.is_empty() => Ok(Some(text)),
        Some(other) => Err(InputError::new(key, other, "this must be a name")),
    }
}

/// A body with some parameters changed.
fn change(body: Body, changes: &Map<String, Value>) -> Result<Body, InputError> {
    // Reading the changes alone, so that an error shows the value that was written.
    let reader = Reader::default().keys_are("parameter").beside(&["name", "base", "seats"]);
    reader.ranges::<Body>().read::<Body>(&Value::Object(changes.clone()))?;
    let mut all = parameters(body);
    all.extend(changes.clone());
    let body: Body = read(&Value::Object(all))?;
    body.check()?;
    Ok(body)
}

fn parameters(body: Body) -> Map<String, Value> {
    match serde_json::to_value(body) {
        Ok(Value::Object(map)) => map,
        _ => Map::new(),
    }
}

/// `ideal(cv=0.1)`; seats that differ once more: `ideal(cv=0.1,seat0.cv=0.2)`.
fn label(base: &Group, body: Body, seats: &[Body]) -> String {
    let mut parts = differences("", base.body, body);
    for (seat, &own) in seats.iter().enumerate() {
        parts.extend(differences(&format!("seat{seat}."), body, own));
    }
    if parts.is_empty() {
        return base.name.clone();
    }
    format!("{}({})", base.name, parts.join(","))
}

fn differences(prefix: &str, from: Body, to: Body) -> Vec<String> {
    let from = parameters(from);
    let changed = parameters(to).into_iter().filter(|(key, value)| from.get(key) != Some(value));
    changed
        .map(|(key, value)| match value {
            Value::String(text) => format!("{prefix}{key}={text}"),
            other => format!("{prefix}{key}={other}"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn message(value: Value) -> String {
        resolve(&value).unwrap_err().to_string()
    }

    #[test]
    fn compiled_in_groups_are_sound() {
        let names: Vec<&str> = all().iter().map(|group| group.name.as_str()).collect();
        assert_eq!(
            names,
            ["ideal", "counting", "intuitive", "strangers", "novices", "well-rehearsed"]
        );
        for group in all() {
            group.body.check().unwrap();
            assert!(!group.source.is_empty());
        }
        assert_eq!(all()[0].body, Body::default());
    }

    #[test]
    fn groups_are_made_in_place() {
        let name = |value| resolve(&value).unwrap().name;
        assert_eq!(name(json!("counting")), "counting");
        assert_eq!(name(json!({"base": "ideal", "cv": 0.1})), "ideal(cv=0.1)");
        assert_eq!(
            name(json!({"cv": 0.1, "noise": "persistent"})),
            "ideal(cv=0.1,noise=persistent)"
        );
        assert_eq!(name(json!({"name": "mine", "cv": 0.1})), "mine");
        assert_eq!(name(json!({"base": "counting", "cv": 0.07})), "counting");
        assert_eq!(name(json!({"cv": 1, "seats": [{}, {"cv": 0}]})), "ideal(cv=1.0,seat1.cv=0.0)");
        let group = resolve(&json!({"base": "counting", "seats": [{"cv": 0.3}]})).unwrap();
        let cvs: Vec<f64> = group.bodies(3).iter().map(|body| body.cv).collect();
        assert_eq!(cvs, [0.3, 0.07, 0.07]);
        assert_eq!(group.bodies(3)[0].reaction, 0.231);
    }

    #[test]
    fn errors_have_their_place() {
        assert!(message(json!("intuitiv")).contains("did you mean `intuitive`?"));
        assert!(message(json!({"base": "x"})).starts_with("`base = x`: unknown group"));
        assert!(message(json!({"cvv": 1})).contains("did you mean `cv`?"));
        assert!(message(json!({"cv": "a"})).starts_with("`cv = \"a\"`"));
        assert!(message(json!({"cv": -1})).starts_with("`cv = -1`: this must be from 0 to 10"));
        assert!(
            message(json!({"seats": [{}, {"jitter": -1}]})).starts_with("`seats[1].jitter = -1`")
        );
        assert!(message(json!({"seats": 3})).starts_with("`seats = 3`"));
        assert!(message(json!({"seats": [3]})).starts_with("`seats[0] = 3`"));
        assert!(message(json!(3)).contains("a group's name"));
        assert!(message(json!({"name": 3})).starts_with("`name = 3`"));
    }
}
