//! The schema of a training's file.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use super::{GroupEntry, NAME_PATTERN, StrategyEntry, by_game, root};
use crate::games::GameId;
use crate::train::Training;

pub(super) fn schema(generator: &mut SchemaGenerator) -> Value {
    let mut schema = root::<Training>(generator);
    let by_game = by_game(generator, |game| match game {
        GameId::MindUp => only(json!({
            "groups": false,
            "pace": false,
            "objective": {"enum": ["win-share", "score-difference"]},
            "opponents": {"minItems": 1},
        })),
        _ => only(json!({
            "opponents": {"maxItems": 0},
            "objective": {"enum": ["win-rate", "levels", "clean"]},
        })),
    });
    let Some(table) = schema.as_object_mut() else {
        return schema;
    };
    let mut all = by_game;
    all.push(json!({
        "if": {"properties": {"game": {"const": "mind-up"}}, "required": ["game"]},
        "then": {"required": ["opponents"]},
    }));
    table.insert("allOf".to_owned(), json!(all));
    if let Some(properties) = table.get_mut("properties").and_then(Value::as_object_mut) {
        let entry = generator.subschema_for::<StrategyEntry>().to_value();
        let group = generator.subschema_for::<GroupEntry>().to_value();
        let learned = generator.subschema_for::<LearnedEntry>().to_value();
        for (name, key, value) in [
            ("opponents", "items", entry),
            ("groups", "items", group),
            ("learn", "additionalProperties", learned),
            ("learn", "minProperties", json!(1)),
            ("start", "anyOf", start()),
            ("name", "pattern", json!(NAME_PATTERN)),
        ] {
            match properties.get_mut(name) {
                Some(Value::Object(property)) => drop(property.insert(key.to_owned(), value)),
                // Schemars says of any value no more than `true`.
                Some(property) => *property = json!({ key: value }),
                None => {}
            }
        }
    }
    schema
}

fn only(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

fn start() -> Value {
    let table = |key: &str| json!({"type": "object", "properties": {key: {"type": "string"}}, "required": [key]});
    json!([{"type": "string"}, table("base"), table("family")])
}

/// What is learned of a parameter, or a table on the way to it.
struct LearnedEntry;

impl JsonSchema for LearnedEntry {
    fn schema_name() -> Cow<'static, str> {
        "LearnedEntry".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let own = generator.subschema_for::<LearnedEntry>();
        let reals = |low: Value| json!({"anyOf": [low, {"type": "array", "items": low}]});
        let number = reals(json!({"type": "number"}));
        json_schema!({
            "description": "A parameter that is learned, or a table of parameters below its own key.",
            "anyOf": [
                {
                    "type": "object",
                    "properties": {
                        "sd": reals(json!({"type": "number", "exclusiveMinimum": 0})),
                        "start": true,
                        "low": number,
                        "high": number,
                        "scale": {"enum": ["linear", "log"]},
                    },
                    "required": ["sd"],
                    "additionalProperties": false,
                },
                {"type": "object", "additionalProperties": own, "minProperties": 1},
            ],
        })
    }
}
