//! Reading a wire type from a value. What is wrong is kept as facts, never as serde's text, so that
//! every message is in our words and has its key at any depth.

mod node;

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde::de::{self, DeserializeOwned};
use serde_json::Value;

use super::{ErrorKind, InputError, join, short, unknown};
use node::Node;

/// Reads a wire type (one that refuses unknown keys) and says at which key it failed.
///
/// # Errors
/// The key, its value, and what would do; for an unknown key the nearest known one.
pub fn read<T: DeserializeOwned>(value: &Value) -> Result<T, InputError> {
    Reader::default().read(value)
}

/// As [`read`], of a type whose schema knows the ranges of its numbers.
///
/// # Errors
/// As [`read`].
pub fn read_ranged<T: DeserializeOwned + JsonSchema>(value: &Value) -> Result<T, InputError> {
    Reader::default().ranges::<T>().read(value)
}

/// How a value is read, where [`read`] doesn't know enough for a good message.
#[derive(Debug, Clone, Copy)]
pub struct Reader<'a> {
    key_is: &'a str,
    beside: &'a [&'a str],
    schema: Option<fn() -> Schema>,
}

impl Default for Reader<'_> {
    fn default() -> Self {
        Reader { key_is: "key", beside: &[], schema: None }
    }
}

impl<'a> Reader<'a> {
    /// What the keys at the value's top are called in messages; by default "key".
    pub fn keys_are(self, key_is: &'a str) -> Self {
        Reader { key_is, ..self }
    }

    /// Keys that the file has beside those of the type, which were taken out before: they are named
    /// among the known ones, in front.
    pub fn beside(self, beside: &'a [&'a str]) -> Self {
        Reader { beside, ..self }
    }

    /// Takes the ranges of numbers from the schema of a type.
    pub fn ranges<T: JsonSchema>(self) -> Self {
        Reader {
            schema: Some(|| schemars::SchemaGenerator::default().into_root_schema_for::<T>()),
            ..self
        }
    }

    /// Reads a value.
    ///
    /// # Errors
    /// As [`read`].
    pub fn read<'de, T: Deserialize<'de>>(self, value: &'de Value) -> Result<T, InputError> {
        T::deserialize(Node::new(value)).map_err(|fault| self.told(fault))
    }

    /// The error of a fault.
    fn told(self, fault: Fault) -> InputError {
        let key = fault.key();
        let top = fault.steps.is_empty();
        let shown = fault.value.unwrap_or_default();
        match fault.fact {
            Fact::UnknownKey { name, known } => {
                let (what, beside) =
                    if top { (self.key_is, self.beside) } else { ("key", &[][..]) };
                let names = beside.iter().chain(known).copied();
                let message = unknown(what, &name, names);
                InputError::new(join(&key, &name), "", message).of(ErrorKind::UnknownKey)
            }
            Fact::UnknownName { name, known } => {
                let message = unknown("value", &name, known.iter().copied());
                InputError::new(key, shown, message).of(ErrorKind::UnknownName)
            }
            Fact::Missing(name) => {
                let message = "this key is missing";
                InputError::new(join(&key, name), "", message).of(ErrorKind::Missing)
            }
            Fact::Wanted { kind, wanted } => {
                InputError::new(key, shown, format!("this must be {wanted}")).of(kind)
            }
            Fact::Whole { low, kind, large } => {
                let range = self.schema.and_then(|schema| range(&schema(), &fault.steps));
                let message = match range {
                    Some((low, high)) => {
                        format!("this must be a whole number from {low} to {high}")
                    }
                    None if large => "this number is too large".to_owned(),
                    None if low == 0 => "this must be a whole number, 0 or more".to_owned(),
                    None => "this must be a whole number".to_owned(),
                };
                InputError::new(key, shown, message).of(kind)
            }
            Fact::Said(message) => InputError::new(key, shown, message),
        }
    }
}

/// The range that a schema gives to the whole number at a place. It has none where the number only
/// has the range of its type, which would be true for the program and not for the file.
fn range(schema: &Schema, steps: &[Step]) -> Option<(i64, i64)> {
    let root = schema.as_value();
    let place = steps.iter().rev().try_fold(root, |at, step| {
        let at = whole(root, at);
        match step {
            Step::Key(key) => at
                .get("properties")
                .and_then(|all| all.get(key))
                .or_else(|| at.get("additionalProperties")),
            Step::Index(_) => at.get("items"),
        }
    })?;
    let place = whole(root, place);
    let limit = |name: &str| place.get(name).and_then(Value::as_i64);
    let (low, high) = (limit("minimum")?, limit("maximum")?);
    let of_type = [u8::MAX.into(), u16::MAX.into(), i8::MAX.into(), i16::MAX.into()];
    (!of_type.contains(&high)).then_some((low, high))
}

/// A part of a schema without the reference to it, and without the null of an option.
fn whole<'a>(root: &'a Value, part: &'a Value) -> &'a Value {
    let choices = part.get("anyOf").and_then(Value::as_array);
    let part = choices.and_then(|all| all.first()).unwrap_or(part);
    let name = part.get("$ref").and_then(Value::as_str).and_then(|path| path.strip_prefix('#'));
    name.and_then(|pointer| root.pointer(pointer)).unwrap_or(part)
}

/// One step of a path into a value.
#[derive(Debug)]
enum Step {
    Key(String),
    Index(usize),
}

/// What is wrong.
#[derive(Debug)]
enum Fact {
    /// A key that its table does not know.
    UnknownKey { name: String, known: &'static [&'static str] },
    /// A text that is none of the names which would do.
    UnknownName { name: String, known: &'static [&'static str] },
    /// A key that is not there.
    Missing(&'static str),
    /// Something else is wanted.
    Wanted { kind: ErrorKind, wanted: Cow<'static, str> },
    /// A whole number is wanted, from `low`; what is there may be too `large` for its type.
    Whole { low: i128, kind: ErrorKind, large: bool },
    /// What a type says of a value that it refuses.
    Said(String),
}

/// What is wrong, and where.
#[derive(Debug)]
pub(super) struct Fault {
    /// The path, its last step first.
    steps: Vec<Step>,
    /// The value as it was written, once it is known.
    value: Option<String>,
    fact: Fact,
}

impl Fault {
    fn new(fact: Fact) -> Self {
        Fault { steps: Vec::new(), value: None, fact }
    }

    fn wanted(kind: ErrorKind, wanted: impl Into<Cow<'static, str>>) -> Self {
        Fault::new(Fact::Wanted { kind, wanted: wanted.into() })
    }

    /// Adds the value that was refused, where none is known from further within.
    fn of(mut self, value: &Value) -> Self {
        if self.steps.is_empty() {
            self.value.get_or_insert_with(|| short(value));
        }
        self
    }

    fn below(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }

    fn key(&self) -> String {
        self.steps.iter().rev().fold(String::new(), |path, step| match step {
            Step::Key(key) => join(&path, key),
            Step::Index(index) => format!("{path}[{index}]"),
        })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.fact)
    }
}

impl std::error::Error for Fault {}

/// Types with a reader of their own say what they want; all others are asked by [`Node`], which knows.
impl de::Error for Fault {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Fault::new(Fact::Said(message.to_string()))
    }

    fn invalid_type(_: de::Unexpected<'_>, wanted: &dyn de::Expected) -> Self {
        Fault::wanted(ErrorKind::WrongType, wanted.to_string())
    }

    fn invalid_value(_: de::Unexpected<'_>, wanted: &dyn de::Expected) -> Self {
        Fault::wanted(ErrorKind::OutOfRange, wanted.to_string())
    }

    fn invalid_length(_: usize, wanted: &dyn de::Expected) -> Self {
        Fault::wanted(ErrorKind::OutOfRange, wanted.to_string())
    }

    fn unknown_variant(name: &str, known: &'static [&'static str]) -> Self {
        Fault::new(Fact::UnknownName { name: name.to_owned(), known })
    }

    fn unknown_field(name: &str, known: &'static [&'static str]) -> Self {
        Fault::new(Fact::UnknownKey { name: name.to_owned(), known })
    }

    fn missing_field(name: &'static str) -> Self {
        Fault::new(Fact::Missing(name))
    }

    fn duplicate_field(name: &'static str) -> Self {
        Fault::new(Fact::Said(format!("the key `{name}` is there twice")))
    }
}

#[cfg(test)]
mod tests;
