//! Values that may be named, and lists of them that make a grid.

use serde_json::{Value, json};

use super::without_null;

/// A value or a list of them, which makes a grid; each may be named. What a value is said to be stands
/// outside. `inline` is the same value without references.
pub(super) fn grid(mut value: Value, name: &str, inline: Option<&Value>) -> Value {
    let description = value.as_object_mut().and_then(|table| table.shift_remove("description"));
    without_null(&mut value);
    // A file may stand in the place of what it says.
    if name == "objective_cards" {
        value = json!({"anyOf": [value, {"type": "string", "pattern": "\\.toml$"}]});
    }
    let shown = json!({"type": "string", "minLength": 1, "description": "Its name in results."});
    let named = json!({
        "type": "object",
        "properties": {"name": shown, "value": value},
        "required": ["name", "value"],
        "additionalProperties": false,
    });
    let mut one = vec![value, named];
    one.extend(inline.and_then(table_of).map(|mut table| {
        table["properties"]["name"] = shown;
        table["required"] = json!(["name"]);
        table
    }));
    let list = json!({"type": "array", "items": {"anyOf": one}, "minItems": 1});
    let mut either = json!({"anyOf": one.into_iter().chain([list]).collect::<Vec<_>>()});
    if let (Some(table), Some(text)) = (either.as_object_mut(), description) {
        table.shift_insert(0, "description".to_owned(), text);
    }
    either
}

/// The tables that an option may be, where it may be any.
fn table_of(option: &Value) -> Option<Value> {
    let is_table = |schema: &&Value| schema.get("type").is_some_and(|kind| kind == "object");
    let choices = option.get("anyOf").and_then(Value::as_array).into_iter().flatten();
    let mut table = choices.chain([option]).find(is_table)?.clone();
    table.as_object_mut()?.shift_remove("description");
    Some(table)
}
