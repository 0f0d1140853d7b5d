//! Lists of values that make a grid.

use serde_json::{Map, Value};

use crate::error::{InputError, short};

/// One point of a grid: the table with single values, and what the grid varies.
pub type GridPoint = (Map<String, Value>, Vec<(String, Value)>);

/// Expands lists of values into a grid, the last key fastest. Where a key's own value is a list, a
/// list of lists is meant.
///
/// # Errors
/// A list without a value.
pub fn grid(
    table: &Map<String, Value>,
    is_list: impl Fn(&str) -> bool,
) -> Result<Vec<GridPoint>, InputError> {
    let mut points: Vec<GridPoint> = vec![(Map::new(), Vec::new())];
    for (key, value) in table {
        let values = match value.as_array() {
            Some(values) if !is_list(key) => values.as_slice(),
            Some(values) if !values.is_empty() && values.iter().all(Value::is_array) => values,
            _ => std::slice::from_ref(value),
        };
        if values.is_empty() {
            return Err(InputError::new(key, "[]", "a grid needs a value at least"));
        }
        if let Some(twice) =
            (1..values.len()).find(|&at| values[..at].iter().any(|v| same(v, &values[at])))
        {
            let what = "this value is in the grid twice";
            return Err(InputError::new(key, short(&values[twice]), what));
        }
        let varies = value.as_array().is_some_and(|all| std::ptr::eq(all.as_slice(), values));
        points = points
            .iter()
            .flat_map(|(point, varied)| {
                values.iter().map(move |value| {
                    let (mut point, mut varied) = (point.clone(), varied.clone());
                    point.insert(key.clone(), value.clone());
                    if varies {
                        varied.push((key.clone(), value.clone()));
                    }
                    (point, varied)
                })
            })
            .collect();
    }
    Ok(points)
}

/// Whether two values are one: TOML writes 1 where the real number 1.0 is meant.
pub(super) fn same(a: &Value, b: &Value) -> bool {
    a == b || a.as_f64().is_some_and(|a| b.as_f64() == Some(a))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn grids_expand_in_order() {
        let table = json!({"a": [1, 2], "b": 3, "c": ["x", "y"]});
        let points = grid(table.as_object().unwrap(), |_| false).unwrap();
        let shown: Vec<_> = points.iter().map(|(point, _)| json!(point).to_string()).collect();
        assert_eq!(shown[1], r#"{"a":1,"b":3,"c":"y"}"#);
        assert_eq!(points.len(), 4);
        assert_eq!(points[2].1, [("a".into(), json!(2)), ("c".into(), json!("x"))]);
        let lists = json!({"a": [1, 2]});
        assert_eq!(grid(lists.as_object().unwrap(), |_| true).unwrap().len(), 1);
        let lists = json!({"a": [[1, 2], [3]]});
        assert_eq!(grid(lists.as_object().unwrap(), |_| true).unwrap().len(), 2);
        assert!(grid(json!({"a": []}).as_object().unwrap(), |_| false).is_err());
    }
}
