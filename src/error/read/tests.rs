use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use super::*;

#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct Inner {
    lives: u8,
    #[schemars(range(min = 1, max = 9))]
    stars: Vec<u8>,
    #[schemars(range(min = 1, max = 50))]
    levels: Option<u8>,
    big: Option<u64>,
    small: Option<i8>,
}

#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[allow(dead_code)]
enum Kind {
    AllVsAll,
    SelfPlay,
    Of { share: f64 },
}

#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct Outer {
    name: Option<String>,
    rules: Option<Inner>,
    kind: Option<Kind>,
    on: Option<bool>,
    players: Option<BTreeMap<u8, BTreeMap<String, f64>>>,
    pair: Option<(u8, u8)>,
    list: Option<Vec<Inner>>,
}

/// Wrong values with the message and the kind that each gets.
#[test]
fn every_wrong_value_has_its_place_and_our_words() {
    use ErrorKind::{Missing, OutOfRange, UnknownKey, UnknownName, WrongType};
    let inner = |key: &str, value: Value| {
        let mut table = json!({"lives": 1, "stars": []});
        table[key] = value;
        table
    };
    let at = |key: &str, value: Value| json!({"rules": inner(key, value)});
    let table = [
        (
            at("lives", json!(-1)),
            OutOfRange,
            "`rules.lives = -1`: this must be a whole number, 0 or more",
        ),
        (at("lives", json!(256)), OutOfRange, "`rules.lives = 256`: this number is too large"),
        (
            at("lives", json!(1.5)),
            WrongType,
            "`rules.lives = 1.5`: this must be a whole number, 0 or more",
        ),
        (
            at("lives", json!("x")),
            WrongType,
            "`rules.lives = \"x\"`: this must be a whole number, 0 or more",
        ),
        (
            at("levels", json!("x")),
            WrongType,
            "`rules.levels = \"x\"`: this must be a whole number from 1 to 50",
        ),
        (
            at("levels", json!(-1)),
            OutOfRange,
            "`rules.levels = -1`: this must be a whole number from 1 to 50",
        ),
        (
            at("levels", json!(999)),
            OutOfRange,
            "`rules.levels = 999`: this must be a whole number from 1 to 50",
        ),
        (
            at("big", json!(-1)),
            OutOfRange,
            "`rules.big = -1`: this must be a whole number, 0 or more",
        ),
        (at("small", json!(200)), OutOfRange, "`rules.small = 200`: this number is too large"),
        (at("small", json!(true)), WrongType, "`rules.small = true`: this must be a whole number"),
        (
            at("stars", json!([1, "x"])),
            WrongType,
            "`rules.stars[1] = \"x\"`: this must be a whole number, 0 or more",
        ),
        (at("stars", json!(3)), WrongType, "`rules.stars = 3`: this must be a list"),
        (
            at("starz", json!(3)),
            UnknownKey,
            "`rules.starz`: unknown key; did you mean `stars`? Known: lives, stars, levels, big, small",
        ),
        (json!({"rules": {"lives": 1}}), Missing, "`rules.stars`: this key is missing"),
        (json!({"rules": [1, 2]}), WrongType, "`rules = [1,2]`: this must be a table"),
        (json!({"name": 3}), WrongType, "`name = 3`: this must be a text"),
        (json!({"on": "yes"}), WrongType, "`on = \"yes\"`: this must be true or false"),
        (
            json!({"kind": "self-paly"}),
            UnknownName,
            "`kind = \"self-paly\"`: unknown value; did you mean `self-play`? Known: all-vs-all, self-play, of",
        ),
        (
            json!({"kind": 3}),
            WrongType,
            "`kind = 3`: this must be one of all-vs-all, self-play, of",
        ),
        (
            json!({"kind": {"of": {"share": "x"}}}),
            WrongType,
            "`kind.of.share = \"x\"`: this must be a number",
        ),
        (
            json!({"kind": "of"}),
            WrongType,
            "`kind = \"of\"`: this must be a table with the key `of`",
        ),
        (
            json!({"players": {"3": {"pace": "x"}}}),
            WrongType,
            "`players.3.pace = \"x\"`: this must be a number",
        ),
        (
            json!({"players": {"three": {}}}),
            WrongType,
            "`players.three`: this must be a whole number, 0 or more",
        ),
        (json!({"players": {"300": {}}}), OutOfRange, "`players.300`: this number is too large"),
        (json!({"pair": [1]}), OutOfRange, "`pair = [1]`: this must be a list of 2 values"),
        (
            json!({"list": [inner("lives", json!({}))]}),
            WrongType,
            "`list[0].lives = {}`: this must be a whole number, 0 or more",
        ),
        (
            json!({"list": [inner("levels", json!([]))]}),
            WrongType,
            "`list[0].levels = []`: this must be a whole number from 1 to 50",
        ),
        (json!(3), WrongType, "`3`: this must be a table"),
    ];
    for (value, kind, wanted) in table {
        let error = read_ranged::<Outer>(&value).unwrap_err();
        assert_eq!((error.to_string().as_str(), error.kind), (wanted, kind), "{value}");
    }
}

#[test]
fn keys_that_were_taken_out_are_known_at_the_top_only() {
    let reader = Reader::default().keys_are("parameter").beside(&["star"]);
    let message = |value: Value| reader.read::<Outer>(&value).unwrap_err().to_string();
    let text = message(json!({"stra": 1}));
    assert!(
        text.starts_with("`stra`: unknown parameter; did you mean `star`? Known: star, name"),
        "{text}"
    );
    let text = message(json!({"rules": {"stra": 1}}));
    assert!(text.starts_with("`rules.stra`: unknown key; did you mean `stars`?"), "{text}");
}

#[test]
fn what_is_right_is_read_as_serde_json_reads_it() {
    let value = json!({
        "name": "x", "rules": {"lives": 1, "stars": [1, 2], "small": -3, "big": u64::MAX},
        "kind": {"of": {"share": 1}}, "on": true, "players": {"3": {"pace": 2}}, "pair": [1, 2],
        "list": [{"lives": 0, "stars": [], "levels": null}],
    });
    let shown = |outer: Outer| format!("{outer:?}");
    assert_eq!(shown(read(&value).unwrap()), shown(serde_json::from_value(value.clone()).unwrap()));
    assert_eq!(read::<Value>(&value).unwrap(), value);
}
