//! What is learned: which numbers of a strategy's parameters, and how the search's coordinates turn
//! into them.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::error::{InputError, read, short, unknown};

/// Learned numbers are rounded to so many significant digits before they are compared in the end.
pub const DIGITS: usize = 5;

/// How a number is gone through.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Scale {
    #[default]
    Linear,
    Log,
}

/// A number, or one for each place of a list.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged, expecting = "this must be a number or a list of numbers")]
enum Reals {
    One(f64),
    Many(Vec<f64>),
}

/// What the file says of a parameter.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    sd: Reals,
    start: Option<Value>,
    low: Option<Reals>,
    high: Option<Reals>,
    #[serde(default)]
    scale: Scale,
}

/// A number that is learned.
#[derive(Debug, Clone, PartialEq)]
struct Dimension {
    /// Where it stands in the parameters, as a JSON pointer.
    pointer: String,
    scale: Scale,
    /// Whether it is a whole number.
    whole: bool,
    low: f64,
    high: f64,
    start: f64,
    /// In logarithms where the scale is one.
    sd: f64,
}

/// The numbers that are learned.
#[derive(Debug, Clone, PartialEq)]
pub struct Space {
    dimensions: Vec<Dimension>,
}

impl Space {
    /// Reads what is learned, and puts the values that it starts from into `parameters`. `defaults` are
    /// the family's: a number that is whole there stays whole.
    ///
    /// # Errors
    /// Keys that there are not, what is no number, bounds upside down or apart from the start; keys are
    /// relative to the file.
    pub fn new(
        learn: &Map<String, Value>,
        parameters: &mut Map<String, Value>,
        defaults: &Map<String, Value>,
    ) -> Result<Self, InputError> {
        let mut entries = Vec::new();
        leaves("", learn, &mut entries).map_err(|error| error.under("learn"))?;
        let mut dimensions: Vec<Dimension> = Vec::new();
        for (key, value) in entries {
            let place = |error: InputError| error.under(&format!("learn.{key}"));
            let entry: Entry = read(value).map_err(place)?;
            let pointer = locate(&key, parameters).map_err(|error| error.under("learn"))?;
            let new = dimensions_of(&entry, &pointer, parameters, defaults).map_err(place)?;
            if new.iter().any(|new| dimensions.iter().any(|known| known.pointer == new.pointer)) {
                return Err(place(InputError::new("", "", "this is there twice")));
            }
            dimensions.extend(new);
        }
        if dimensions.is_empty() {
            let what = "there must be at least one parameter, such as `weights = { sd = 0.5 }`";
            return Err(InputError::new("learn", "", what));
        }
        Ok(Space { dimensions })
    }

    /// The number of coordinates.
    pub fn len(&self) -> usize {
        self.dimensions.len()
    }

    /// Whether nothing is learned; never so.
    pub fn is_empty(&self) -> bool {
        self.dimensions.is_empty()
    }

    /// The numbers that a point stands for.
    pub fn values(&self, point: &[f64]) -> Vec<f64> {
        self.dimensions.iter().zip(point).map(|(dimension, &x)| dimension.value(x)).collect()
    }

    /// Numbers with [`DIGITS`] significant digits.
    pub fn rounded(&self, values: &[f64]) -> Vec<f64> {
        let round = |(dimension, &value): (&Dimension, &f64)| {
            let text = format!("{value:.*e}", DIGITS - 1);
            let value = text.parse().unwrap_or(value);
            dimension.clamped(if dimension.whole { value.round() } else { value })
        };
        self.dimensions.iter().zip(values).map(round).collect()
    }

    /// The parameters with these numbers in their places.
    pub fn apply(&self, values: &[f64], parameters: &Map<String, Value>) -> Map<String, Value> {
        let mut all = Value::Object(parameters.clone());
        for (dimension, &value) in self.dimensions.iter().zip(values) {
            if let Some(place) = all.pointer_mut(&dimension.pointer) {
                *place = if dimension.whole { (value as i64).into() } else { value.into() };
            }
        }
        match all {
            Value::Object(parameters) => parameters,
            _ => Map::new(),
        }
    }

    /// The top-level parameters that numbers are learned in, in their order.
    pub fn keys(&self) -> Vec<String> {
        let top = |dimension: &Dimension| {
            dimension.pointer.split('/').nth(1).unwrap_or("").replace("~1", "/").replace("~0", "~")
        };
        let mut keys: Vec<String> = self.dimensions.iter().map(top).collect();
        keys.dedup();
        keys
    }
}

impl Dimension {
    fn value(&self, x: f64) -> f64 {
        let Dimension { start, low, high, sd, .. } = *self;
        let value = match self.scale {
            Scale::Linear => reflected(start + sd * x, low, high),
            Scale::Log => {
                let [start, low, high] = [start, low, high].map(libm::log);
                libm::exp(reflected(start + sd * x, low, high))
            }
        };
        self.clamped(if self.whole { value.round() } else { value })
    }

    /// Rounding may have led over a bound.
    fn clamped(&self, value: f64) -> f64 {
        value.max(self.low).min(self.high)
    }
}

/// A number, as if mirrors stood at the bounds; they may be infinite.
fn reflected(x: f64, low: f64, high: f64) -> f64 {
    match (low.is_finite(), high.is_finite()) {
        (false, false) => x,
        (true, false) => low + (x - low).abs(),
        (false, true) => high - (high - x).abs(),
        (true, true) => {
            let width = high - low;
            let along = (x - low).rem_euclid(2.0 * width);
            low + if along > width { 2.0 * width - along } else { along }
        }
    }
}

/// The entries below dotted keys: a table of tables alone is on the way to them.
fn leaves<'a>(
    prefix: &str,
    table: &'a Map<String, Value>,
    found: &mut Vec<(String, &'a Value)>,
) -> Result<(), InputError> {
    for (key, value) in table {
        let key = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
        match value {
            Value::Object(inner) if !inner.is_empty() && inner.values().all(Value::is_object) => {
                leaves(&key, inner, found)?;
            }
            Value::Object(_) => found.push((key, value)),
            other => {
                let what = "this must be a table such as { sd = 0.5 } or { sd = 0.2, low = 0.1, \
                            scale = \"log\" }";
                return Err(InputError::new(key, short(other), what));
            }
        }
    }
    Ok(())
}

/// The pointer to a dotted key.
fn locate(key: &str, parameters: &Map<String, Value>) -> Result<String, InputError> {
    let mut table = parameters;
    let mut pointer = String::new();
    let parts: Vec<&str> = key.split('.').collect();
    for (depth, part) in parts.iter().enumerate() {
        let Some(value) = table.get(*part) else {
            let known = table.keys().map(String::as_str);
            return Err(InputError::new(key, "", unknown("parameter of the start", part, known)));
        };
        pointer.push('/');
        pointer.push_str(&part.replace('~', "~0").replace('/', "~1"));
        if depth + 1 < parts.len() {
            table = value.as_object().ok_or_else(|| {
                let at = parts[..=depth].join(".");
                let what = format!(
                    "`{at}` is {}, but it must be a table; give the start a table, such as `{at} \
                     = {{ ... }}`",
                    short(value)
                );
                InputError::new(key, "", what)
            })?;
        }
    }
    Ok(pointer)
}

fn dimensions_of(
    entry: &Entry,
    pointer: &str,
    parameters: &mut Map<String, Value>,
    defaults: &Map<String, Value>,
) -> Result<Vec<Dimension>, InputError> {
    let default = pointer_in(defaults, pointer).cloned();
    let mut whole_table = Value::Object(std::mem::take(parameters));
    if let (Some(start), Some(place)) = (&entry.start, whole_table.pointer_mut(pointer)) {
        *place = start.clone();
    }
    let mut places = Vec::new();
    let found = whole_table
        .pointer(pointer)
        .map_or(Ok(()), |value| numbers(value, pointer, default.as_ref(), &mut places))
        .map_err(|error| match entry.start.is_some() {
            true => error.under("start"),
            false => error,
        });
    if let Value::Object(table) = whole_table {
        *parameters = table;
    }
    found?;
    let count = places.len();
    let sds = spread("sd", Some(&entry.sd), count, 1.0)?;
    let lows = spread("low", entry.low.as_ref(), count, f64::NEG_INFINITY)?;
    let highs = spread("high", entry.high.as_ref(), count, f64::INFINITY)?;
    let mut all = Vec::new();
    for (at, (pointer, start, whole)) in places.into_iter().enumerate() {
        // Logarithms have no bound at 0.
        let low = match entry.scale {
            Scale::Log if entry.low.is_none() => 0.0,
            _ => lows[at],
        };
        let (scale, high, sd) = (entry.scale, highs[at], sds[at]);
        let dimension = Dimension { pointer, scale, whole, low, high, start, sd };
        dimension.check(entry.start.is_some())?;
        all.push(dimension);
    }
    Ok(all)
}

impl Dimension {
    /// `own` is whether the file gives the start here, and not the strategy that it begins with.
    fn check(&self, own: bool) -> Result<(), InputError> {
        let start = |what: &str| match own {
            true => InputError::new("start", self.start, format!("this must be {what}")),
            false => {
                let what = format!(
                    "the search begins with a strategy that has {} here, but this must be {what}; \
                     give a `start` in this range",
                    self.start
                );
                InputError::new("", "", what)
            }
        };
        if self.sd <= 0.0 {
            let what = "this must be above 0; it says how far the first generation spreads";
            return Err(InputError::new("sd", self.sd, what));
        }
        if self.low >= self.high {
            let what = format!("this must be below `high`, which is {}", self.high);
            return Err(InputError::new("low", self.low, what));
        }
        if !(self.low..=self.high).contains(&self.start) {
            return Err(start(&format!("from `low` = {} to `high` = {}", self.low, self.high)));
        }
        if self.scale == Scale::Log {
            if self.start <= 0.0 {
                return Err(start("above 0, because the scale is logarithmic"));
            }
            if self.low < 0.0 {
                let what = "this must be above 0, because the scale is logarithmic";
                return Err(InputError::new("low", self.low, what));
            }
        }
        Ok(())
    }
}

fn pointer_in<'a>(table: &'a Map<String, Value>, pointer: &str) -> Option<&'a Value> {
    let mut parts = pointer.split('/').skip(1);
    let first = table.get(&parts.next()?.replace("~1", "/").replace("~0", "~"))?;
    parts.try_fold(first, |value, part| value.get(part.replace("~1", "/").replace("~0", "~")))
}

/// The numbers of a value or a list, with their pointers and whether they are whole in the family's
/// defaults (of a list the first one says so).
fn numbers(
    value: &Value,
    pointer: &str,
    default: Option<&Value>,
    found: &mut Vec<(String, f64, bool)>,
) -> Result<(), InputError> {
    match value {
        Value::Number(number) => {
            let whole = default.is_some_and(|default| default.is_i64() || default.is_u64());
            found.push((pointer.to_owned(), number.as_f64().unwrap_or(0.0), whole));
            Ok(())
        }
        Value::Array(items) if items.is_empty() => {
            let what = "this list is empty; give it a `start` of the length that it should have";
            Err(InputError::new("", "[]", what))
        }
        Value::Array(items) => items.iter().enumerate().try_for_each(|(at, item)| {
            let default = default.and_then(|default| default.get(at).or_else(|| default.get(0)));
            numbers(item, &format!("{pointer}/{at}"), default, found)
        }),
        other => {
            let what = "this can't be learned, because it is not a number or a list of numbers";
            Err(InputError::new("", short(other), what))
        }
    }
}

/// One value for each place.
fn spread(
    key: &str,
    reals: Option<&Reals>,
    count: usize,
    missing: f64,
) -> Result<Vec<f64>, InputError> {
    match reals {
        None => Ok(vec![missing; count]),
        Some(Reals::One(value)) => Ok(vec![*value; count]),
        Some(Reals::Many(values)) if values.len() == count => Ok(values.clone()),
        Some(Reals::Many(values)) => {
            let what = format!(
                "this must be a number, or {count} numbers, one for each number that is learned"
            );
            Err(InputError::new(key, format!("{} numbers", values.len()), what))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn table(value: Value) -> Map<String, Value> {
        value.as_object().cloned().unwrap()
    }

    fn space(learn: Value) -> Result<(Space, Map<String, Value>), String> {
        let defaults =
            table(json!({"pace": 1.0, "weights": [0.0, 0.0], "count": 3, "star": "never",
            "none": []}));
        let mut parameters = defaults.clone();
        parameters.insert("star".into(), json!({"policy": "x", "risk": 0.3}));
        let space = Space::new(&table(learn), &mut parameters, &defaults);
        space.map(|space| (space, parameters)).map_err(|error| error.to_string())
    }

    #[test]
    fn points_become_parameters() {
        let learn = json!({
            "weights": {"sd": [0.5, 2], "start": [1, -1]},
            "pace": {"sd": 0.5, "scale": "log", "high": 1.5},
            "count": {"sd": 2, "low": 1},
            "star": {"risk": {"sd": 0.1, "low": 0, "high": 1}},
        });
        let (space, start) = space(learn).unwrap();
        assert_eq!((space.len(), start["weights"].clone()), (5, json!([1, -1])));
        assert_eq!(space.keys(), ["weights", "pace", "count", "star"]);
        assert_eq!(space.values(&[0.0; 5]), [1.0, -1.0, 1.0, 3.0, 0.3]);
        let values = space.values(&[2.0, 1.0, -2.0, 0.4, -4.0]);
        assert_eq!(values[..2], [2.0, 1.0]);
        assert!((values[2] - libm::exp(-1.0)).abs() < 1e-15);
        // 3.8 is made whole; 0.3 - 0.4 is mirrored at 0.
        assert!(values[3] == 4.0 && (values[4] - 0.1).abs() < 1e-12);
        let rounded = space.rounded(&values);
        assert_eq!(rounded[2..], [0.36788, 4.0, 0.1]);
        let applied = space.apply(&rounded, &start);
        let wanted = json!({"pace": 0.36788, "weights": [2.0, 1.0], "count": 4,
            "star": {"policy": "x", "risk": 0.1}, "none": []});
        assert_eq!(Value::Object(applied), wanted);
        // ln 1 + 0.5 * 2 is above ln 1.5 and comes back.
        assert!(
            (space.values(&[0.0, 0.0, 2.0, 0.0, 0.0])[2] - 2.25 / libm::exp(1.0)).abs() < 1e-12
        );
    }

    #[test]
    fn mirrors_keep_within() {
        for x in [-7.3, -1.0, 0.0, 0.4, 1.0, 1.2, 9.9] {
            assert!((0.0..=1.0).contains(&reflected(x, 0.0, 1.0)), "{x}");
            assert!(reflected(x, 0.0, f64::INFINITY) >= 0.0);
            assert!(reflected(x, f64::NEG_INFINITY, 1.0) <= 1.0);
        }
        assert!((reflected(1.2, 0.0, 1.0) - 0.8).abs() < 1e-12);
        assert!((reflected(-0.2, 0.0, 1.0) - 0.2).abs() < 1e-12);
    }

    #[test]
    fn errors_say_what_would_do() {
        let cases = [
            (json!({}), "`learn`: there must be at least one parameter"),
            (
                json!({"pase": {"sd": 1}}),
                "`learn.pase`: unknown parameter of the start; did you mean `pace`?",
            ),
            (json!({"pace": 3}), "`learn.pace = 3`: this must be a table such as"),
            (json!({"pace": {"sd": 0}}), "`learn.pace.sd = 0`: this must be above 0"),
            (json!({"pace": {"low": 1}}), "`learn.pace.sd`: this key is missing"),
            (
                json!({"pace": {"sd": 1, "hgih": 2}}),
                "`learn.pace.hgih`: unknown key; did you mean `high`?",
            ),
            (
                json!({"pace": {"sd": 1, "low": 2, "high": 1}}),
                "`learn.pace.low = 2`: this must be below `high`, which is 1",
            ),
            (
                json!({"pace": {"sd": 1, "low": 2, "high": 3}}),
                "`learn.pace`: the search begins with a strategy that has 1 here, but this must be \
                 from `low` = 2",
            ),
            (
                json!({"pace": {"sd": 1, "start": -1, "low": -2, "scale": "log"}}),
                "`learn.pace.start = -1`: this must be above 0, because the scale is logarithmic",
            ),
            (
                json!({"weights": {"sd": [1, 2, 3]}}),
                "`learn.weights.sd = 3 numbers`: this must be a number, or 2",
            ),
            (
                json!({"pace": {"sd": 1, "start": 1, "low": 2, "high": 3}}),
                "`learn.pace.start = 1`: this must be from `low` = 2 to `high` = 3",
            ),
            (json!({"none": {"sd": 1}}), "`learn.none = []`: this list is empty"),
            (
                json!({"none": {"sd": 1, "start": "x"}}),
                "`learn.none.start = \"x\"`: this can't be learned",
            ),
            (
                json!({"star": {"sd": 1}}),
                "`learn.star = {\"policy\":\"x\",\"risk\":0.3}`: this can't be learned",
            ),
            (
                json!({"star": {"rsik": {"sd": 1}}}),
                "`learn.star.rsik`: unknown parameter of the start; did you mean `risk`?",
            ),
            (
                json!({"star.policy": {"sd": 1}}),
                "`learn.star.policy = \"x\"`: this can't be learned",
            ),
            (
                json!({"pace": {"x": {"sd": 1}}}),
                "`learn.pace.x`: `pace` is 1.0, but it must be a table",
            ),
            (
                json!({"star": {"risk": {"sd": 1}}, "star.risk": {"sd": 1}}),
                "`learn.star.risk`: this is there twice",
            ),
        ];
        for (learn, wanted) in cases {
            let message = space(learn.clone()).unwrap_err();
            assert!(message.starts_with(wanted), "{learn}: {message}");
        }
    }
}
