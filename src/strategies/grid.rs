//! Lists of values that make a grid, and the names of their values.

use serde_json::{Map, Value};

use super::library::bare;
use crate::error::{InputError, check_name, short};

/// One point of a grid.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GridPoint {
    /// The table, with single values and without their names.
    pub values: Map<String, Value>,
    /// What the grid varies, as results tell it: a value's name, else the value or what is said of it.
    pub varied: Vec<(String, Value)>,
    /// The names that the file gives to values, varied or not, by key.
    pub named: Map<String, Value>,
}

/// A value of a grid.
struct Choice<'a> {
    /// Its name in the file.
    name: Option<&'a str>,
    value: Value,
}

/// Expands lists of values into a grid, the last key fastest. Where a key's own value is a list, a
/// list of lists is meant. A value may be named: `{ name = "own", value = 3 }`, or a table with a
/// `name` beside its own keys. `tell` says the others in a few words.
///
/// # Errors
/// A list without a value, the same value or the same name twice, a name that can't be shown.
pub fn grid(
    table: &Map<String, Value>,
    is_list: impl Fn(&str) -> bool,
    tell: impl Fn(&str, &Value) -> String,
) -> Result<Vec<GridPoint>, InputError> {
    let mut points = vec![GridPoint::default()];
    for (key, value) in table {
        let (choices, varies) = choices(key, value, is_list(key))?;
        let told = told(key, &choices, varies, |value| tell(key, value))?;
        points = points
            .iter()
            .flat_map(|point| {
                choices.iter().zip(&told).map(|(choice, told)| {
                    let mut point = point.clone();
                    point.values.insert(key.clone(), choice.value.clone());
                    if varies {
                        point.varied.push((key.clone(), told.clone()));
                    }
                    if let Some(name) = choice.name {
                        point.named.insert(key.clone(), name.into());
                    }
                    point
                })
            })
            .collect();
    }
    Ok(points)
}

/// The values of a key, and whether they are a grid of them.
fn choices<'a>(
    key: &str,
    value: &'a Value,
    is_list: bool,
) -> Result<(Vec<Choice<'a>>, bool), InputError> {
    let named_list = |value: &Value| match parts(value) {
        Some((_, Some(inner))) => inner.is_array(),
        _ => false,
    };
    let values = match value.as_array() {
        Some(values) if !is_list => values.as_slice(),
        Some(values)
            if !values.is_empty() && values.iter().all(|one| one.is_array() || named_list(one)) =>
        {
            values
        }
        Some(values) if values.iter().any(named_list) => {
            let what = "a grid of lists must be a list of lists; each may have a name: { name = \
                        \"own\", value = [1, 2] }";
            return Err(InputError::new(key, short(value), what));
        }
        _ => std::slice::from_ref(value),
    };
    let varies = value.as_array().is_some_and(|all| std::ptr::eq(all.as_slice(), values));
    if values.is_empty() {
        return Err(InputError::new(key, "[]", "a grid needs at least one value"));
    }
    let choices: Vec<Choice<'_>> = values.iter().map(choice).collect();
    if let Some(twice) = (1..choices.len())
        .find(|&at| choices[..at].iter().any(|known| same(&known.value, &choices[at].value)))
    {
        let what = "this value is in the grid twice";
        return Err(InputError::new(key, short(&choices[twice].value), what));
    }
    Ok((choices, varies))
}

/// The name of a table that has one, and what stands in it as the `value` and nothing else.
fn parts(value: &Value) -> Option<(&str, Option<&Value>)> {
    let table = value.as_object()?;
    let name = table.get("name")?.as_str()?;
    Some((name, table.get("value").filter(|_| table.len() == 2)))
}

/// A value without its name, where the file gives it one.
pub fn unnamed(value: &Value) -> Value {
    choice(value).value
}

fn choice(value: &Value) -> Choice<'_> {
    match parts(value) {
        Some((name, Some(inner))) => Choice { name: Some(name), value: inner.clone() },
        Some((name, None)) => {
            let mut value = value.clone();
            value.as_object_mut().map(|table| table.shift_remove("name"));
            Choice { name: Some(name), value }
        }
        None => Choice { name: None, value: value.clone() },
    }
}

/// What results say of each value. They differ: of values that words can't tell apart the place in
/// the grid does.
fn told(
    key: &str,
    choices: &[Choice<'_>],
    varies: bool,
    tell: impl Fn(&Value) -> String,
) -> Result<Vec<Value>, InputError> {
    let mut all: Vec<Value> = Vec::new();
    for (at, Choice { name, value }) in choices.iter().enumerate() {
        if let Some(name) = name {
            check_shown(name).map_err(|error| error.under(key))?;
        }
        if !varies {
            all.push(Value::Null);
            continue;
        }
        let words = match name {
            Some(name) => (*name).to_owned(),
            None => tell(value),
        };
        let free = |words: &String| all.iter().all(|other| bare(other) != *words);
        // What is no more than the value itself stays a number, say.
        let plain = name.is_none() && words == bare(value);
        if free(&words) {
            all.push(if plain { value.clone() } else { words.into() });
        } else if plain || name.is_some() {
            let what = "another value of this grid has this name; give each value its own `name`";
            return Err(InputError::new(key, words, what));
        } else {
            let numbered = (at + 1..).map(|number| format!("{words} ({number})")).find(free);
            all.push(numbered.unwrap_or(words).into());
        }
    }
    Ok(all)
}

/// Refuses a name that titles and columns can't carry.
fn check_shown(name: &str) -> Result<(), InputError> {
    // Here a plus sign joins nothing.
    check_name("name", &name.replace('+', "-")).map_err(|error| InputError {
        value: name.chars().filter(|c| !c.is_control()).take(40).collect(),
        message: "a name has 1 to 100 bytes; it must not have a control character, or a space at \
                  its start or end"
            .to_owned(),
        ..error
    })
}

/// Whether two values are one: TOML writes 1 where the real number 1.0 is meant.
pub fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => same_tables(a, b),
        _ => a == b || a.as_f64().is_some_and(|a| b.as_f64() == Some(a)),
    }
}

/// Whether two tables have the same values at the same keys.
fn same_tables(a: &Map<String, Value>, b: &Map<String, Value>) -> bool {
    a.len() == b.len()
        && a.iter().all(|(key, value)| b.get(key).is_some_and(|other| same(value, other)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn points(table: Value, is_list: bool) -> Result<Vec<GridPoint>, String> {
        let tell = |_: &str, value: &Value| match value {
            Value::Object(table) => format!("{} keys", table.len()),
            value => bare(value),
        };
        grid(table.as_object().unwrap(), |_| is_list, tell).map_err(|error| error.to_string())
    }

    #[test]
    fn grids_expand_in_order() {
        let found = points(json!({"a": [1, 2], "b": 3, "c": ["x", "y"]}), false).unwrap();
        let shown: Vec<_> = found.iter().map(|point| json!(point.values).to_string()).collect();
        assert_eq!(shown[1], r#"{"a":1,"b":3,"c":"y"}"#);
        assert_eq!(found.len(), 4);
        assert_eq!(found[2].varied, [("a".into(), json!(2)), ("c".into(), json!("x"))]);
        assert_eq!(points(json!({"a": [1, 2]}), true).unwrap().len(), 1);
        assert_eq!(points(json!({"a": [[1, 2], [3]]}), true).unwrap().len(), 2);
        assert_eq!(points(json!({"a": []}), true).unwrap().len(), 1);
        assert!(points(json!({"a": []}), false).is_err());
    }

    #[test]
    fn values_may_be_named_and_their_names_are_no_part_of_them() {
        let table = json!({"a": [
            {}, {"name": "A1 at +3", "A1": 3}, {"name": "own", "value": {"A1": 4}}, {"A1": 5},
        ]});
        let found = points(table, false).unwrap();
        let values: Vec<_> = found.iter().map(|point| point.values["a"].clone()).collect();
        assert_eq!(values, [json!({}), json!({"A1": 3}), json!({"A1": 4}), json!({"A1": 5})]);
        let told: Vec<_> = found.iter().map(|point| bare(&point.varied[0].1)).collect();
        assert_eq!(told, ["0 keys", "A1 at +3", "own", "1 keys"]);
        assert_eq!(found[1].named["a"], "A1 at +3");
        // A card of that id is none.
        let card = points(json!({"a": [{"name": 3}, {}]}), false).unwrap();
        assert_eq!(card[0].values["a"], json!({"name": 3}));
        // Lists have their names beside them.
        let lists = json!({"a": [[1, 2], {"name": "flat", "value": [1, 1]}]});
        let found = points(lists, true).unwrap();
        assert_eq!(
            (&found[1].values["a"], bare(&found[1].varied[0].1)),
            (&json!([1, 1]), "flat".into())
        );
        let single = points(json!({"a": {"name": "flat", "value": [1, 1]}}), true).unwrap();
        assert_eq!((single[0].values["a"].clone(), single[0].varied.len()), (json!([1, 1]), 0));
        assert_eq!(single[0].named["a"], "flat");
    }

    #[test]
    fn values_are_told_apart() {
        let found = points(json!({"a": [{"x": 1}, {"x": 2}, {"x": 3}]}), false).unwrap();
        let told: Vec<_> = found.iter().map(|point| bare(&point.varied[0].1)).collect();
        assert_eq!(told, ["1 keys", "1 keys (2)", "1 keys (3)"]);
        let refused = |table| points(table, false).unwrap_err();
        let named = |a: &str, b: Value| json!({"a": [{"name": a, "value": 1}, b]});
        let text = refused(named("x", json!({"name": "x", "value": 2})));
        assert!(text.starts_with("`a = x`: another value of this grid has this name"), "{text}");
        assert!(refused(named("2", json!(2))).contains("has this name"));
        // The same value under two names is one.
        let text = refused(named("x", json!({"name": "y", "value": 1.0})));
        assert_eq!(text, "`a = 1.0`: this value is in the grid twice");
        for name in ["", " x", "a\nb"] {
            let text = refused(named(name, json!(2)));
            assert!(text.contains("a name has 1 to 100 bytes"), "{text}");
        }
        let mixed = json!({"a": [3, {"name": "flat", "value": [1, 1]}]});
        assert!(
            points(mixed, true).unwrap_err().contains("a grid of lists must be a list of lists")
        );
    }

    #[test]
    fn numbers_are_the_same_however_they_are_written() {
        assert!(same(&json!({"a": [1, {"b": 2}]}), &json!({"a": [1.0, {"b": 2.0}]})));
        assert!(
            !same(&json!([1, 2]), &json!([1, 2, 3])) && !same(&json!({"a": 1}), &json!({"b": 1}))
        );
    }
}
