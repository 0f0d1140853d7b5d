//! Values of rules' options in a few words: what differs from the published game.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::plan::LIST_OPTIONS;
use crate::games::mind_up::deck::{Card, Deck, OFFICIAL};
use crate::games::mind_up::objectives::{self, ObjectiveCard, ObjectiveFile};
use crate::strategies::library::bare;

/// What is longer, in characters, is told by what differs.
pub(super) const LONG: usize = 40;
/// What a value is called that is as published.
const PUBLISHED: &str = "published";
/// So many cards are told one by one.
const CARDS: usize = 2;

/// The value of an option as titles and tables show it: as it is where that is short and no table,
/// else what differs from the published game. Two values may come out alike.
pub fn told(key: &str, value: &Value) -> String {
    let told = match (key, value) {
        ("deck", Value::String(text)) => deck(text),
        ("setup", Value::String(text)) if text.contains('\n') => setup(text),
        ("objective_points", Value::Object(points)) => {
            Some(joined(points.iter().map(|(id, points)| {
                points
                    .as_i64()
                    .map_or_else(|| format!("{id}:{points}"), |points| format!("{id}:{points:+}"))
            })))
        }
        ("objective_cards", Value::Array(cards)) => objective_cards(cards),
        ("objective_pool", Value::Array(ids)) if is_long(value) => Some(pool(ids)),
        (_, Value::Object(table)) => Some(joined(table.iter().map(|(key, value)| match value {
            Value::Array(items) if items.is_empty() => format!("{key}:none"),
            Value::Array(items) => {
                format!("{key}:{}", items.iter().map(bare).collect::<Vec<_>>().join("+"))
            }
            value => format!("{key}:{}", bare(value)),
        }))),
        _ => None,
    };
    told.unwrap_or_else(|| match value {
        Value::String(text) => clipped(text.lines().next().unwrap_or_default()),
        value => clipped(&bare(value)),
    })
}

/// Rules as a file has them, grids included: `objectives=0 or 2, deck=own.csv`.
pub fn rules_told(rules: &Map<String, Value>) -> String {
    let one = |key: &str, value: &Value| match value.get("name").and_then(Value::as_str) {
        Some(name) => name.to_owned(),
        None => told(key, value),
    };
    let told = rules.iter().map(|(key, value)| match value.as_array() {
        Some(values) if !LIST_OPTIONS.contains(&key.as_str()) => {
            let values: Vec<String> = values.iter().map(|value| one(key, value)).collect();
            format!("{key}={}", values.join(" or "))
        }
        _ => format!("{key}={}", one(key, value)),
    });
    told.collect::<Vec<_>>().join(", ")
}

/// So many of a kind are listed one by one.
const LISTED: usize = 3;

/// `a, b and c`; of more than that, how many they are.
pub fn listed(all: impl Iterator<Item = String>) -> String {
    let mut all: Vec<String> = all.collect();
    if all.len() > LISTED {
        let more = all.len() - LISTED + 1;
        all.truncate(LISTED - 1);
        all.push(format!("{more} more"));
    }
    let last = all.pop().unwrap_or_default();
    if all.is_empty() { last } else { format!("{} and {last}", all.join(", ")) }
}

/// A value as TOML writes it in one line; nothing for what has a line break, which nobody types.
pub fn toml(value: &Value) -> Option<String> {
    let bare_key = |key: &str| {
        !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
    };
    Some(match value {
        Value::Object(table) => {
            let entry = |(key, value): (&String, &Value)| {
                let key =
                    if bare_key(key) { key.clone() } else { Value::from(key.as_str()).to_string() };
                Some(format!("{key} = {}", toml(value)?))
            };
            match table.iter().map(entry).collect::<Option<Vec<_>>>()? {
                none if none.is_empty() => "{}".to_owned(),
                entries => format!("{{ {} }}", entries.join(", ")),
            }
        }
        Value::Array(items) => {
            let items = items.iter().map(toml).collect::<Option<Vec<_>>>()?;
            format!("[{}]", items.join(", "))
        }
        Value::String(text) if text.contains('\n') => return None,
        other => other.to_string(),
    })
}

fn is_long(value: &Value) -> bool {
    bare(value).chars().count() > LONG
}

/// Parts with blanks between them, as many as fit; none at all are as published.
fn joined(parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = parts.collect();
    if parts.is_empty() {
        return PUBLISHED.to_owned();
    }
    let whole = parts.join(" ");
    if whole.chars().count() <= LONG {
        return whole;
    }
    let most = LONG - " and 99 more".len();
    let fits = |count: &usize| parts[..*count].join(" ").chars().count() <= most;
    let count = (1..parts.len()).rev().find(fits).unwrap_or(1);
    format!("{} and {} more", parts[..count].join(" "), parts.len() - count)
}

fn clipped(text: &str) -> String {
    match text.chars().count() > LONG {
        true => text.chars().take(LONG - 3).chain("...".chars()).collect(),
        false => text.to_owned(),
    }
}

/// The cards that differ from the published deck.
fn deck(text: &str) -> Option<String> {
    let (own, official) = (Deck::from_csv(text).ok()?, Deck::from_csv(OFFICIAL).ok()?);
    let cards = |deck: &Deck| -> BTreeMap<u16, (String, i16)> {
        let card = |card: Card| {
            let colour = deck.colours()[deck.colour_of(card)].clone();
            (deck.number(card), (colour, deck.points(card)))
        };
        Deck::cards(Deck::ALL).map(card).collect()
    };
    let known = cards(&official);
    let mut differs = cards(&own);
    differs.retain(|number, card| known.get(number) != Some(card));
    Some(match differs.len() {
        0 => PUBLISHED.to_owned(),
        1..=CARDS => {
            let card = |(number, (colour, points)): (&u16, &(String, i16))| {
                format!(
                    "{number}:{colour}{}",
                    if *points == 0 { String::new() } else { format!("{points:+}") }
                )
            };
            joined(differs.iter().map(card))
        }
        count => format!("{count} cards differ"),
    })
}

/// A setup's own name.
fn setup(text: &str) -> Option<String> {
    let table: Map<String, Value> = toml::from_str(text).ok()?;
    table.get("name")?.as_str().map(clipped)
}

/// The ids of cards that are not as published.
fn objective_cards(cards: &[Value]) -> Option<String> {
    let official = ObjectiveFile::from_toml(objectives::OFFICIAL).ok()?.objective;
    let own: Vec<ObjectiveCard> = serde_json::from_value(cards.to_vec().into()).ok()?;
    let differs = own.into_iter().filter(|card| !official.contains(card));
    Some(joined(differs.map(|card| card.id)))
}

/// A long list of ids: those that it lacks where they are fewer.
fn pool(ids: &[Value]) -> String {
    let ids: Vec<String> = ids.iter().map(bare).collect();
    let official =
        ObjectiveFile::from_toml(objectives::OFFICIAL).map_or(Vec::new(), |file| file.objective);
    let known = |id: &String| official.iter().any(|card| card.id == *id);
    let lacking: Vec<String> =
        official.iter().map(|card| card.id.clone()).filter(|id| !ids.contains(id)).collect();
    if !ids.iter().all(known) || lacking.len() > ids.len() {
        return joined(ids.into_iter());
    }
    match lacking.is_empty() {
        true => "all".to_owned(),
        false => format!("all but {}", joined(lacking.into_iter())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn short_values_are_told_as_they_are() {
        for (key, value, wanted) in [
            ("objectives", json!(2), "2"),
            ("next_hand", json!("deal"), "deal"),
            ("scoring_values", json!([1, 1, 2, 3, 5]), "[1,1,2,3,5]"),
            ("objective_pool", json!(["A1", "B1"]), "[\"A1\",\"B1\"]"),
        ] {
            assert_eq!(told(key, &value), wanted);
        }
    }

    #[test]
    fn long_values_are_told_by_what_is_not_as_published() {
        let own = OFFICIAL.replacen(",0\n", ",7\n", 1);
        let number = own.lines().find(|line| line.ends_with(",7")).unwrap().split(',');
        let number: Vec<&str> = number.collect();
        assert_eq!(told("deck", &json!(own)), format!("{}:{}+7", number[0], number[1]));
        assert_eq!(told("deck", &json!(OFFICIAL)), "published");
        assert_eq!(told("deck", &json!(OFFICIAL.replace("pink", "red"))), "12 cards differ");
        let points = |value: Value| told("objective_points", &value);
        assert_eq!(points(json!({"A1": 3})), "A1:+3");
        assert_eq!(points(json!({"A1": 3, "B2": -1})), "A1:+3 B2:-1");
        assert_eq!(points(json!({})), "published");
        let cards = ObjectiveFile::from_toml(objectives::OFFICIAL).unwrap().objective;
        let all = cards.iter().map(|card| (card.id.clone(), 5));
        let told_all = points(json!(all.collect::<BTreeMap<_, _>>()));
        assert_eq!(told_all, "A1:+5 A2:+5 B1:+5 B2:+5 and 10 more");
        let ids: Vec<&str> = cards.iter().map(|card| card.id.as_str()).collect();
        assert_eq!(told("objective_pool", &json!(ids)), "all");
        assert_eq!(told("objective_pool", &json!(ids[2..])), "all but A1 A2");
        let mut own = cards[..2].to_vec();
        own[1].points = 9;
        own.push(ObjectiveCard { id: "Z1".to_owned(), ..cards[0].clone() });
        assert_eq!(told("objective_cards", &json!(own)), "A2 Z1");
        assert_eq!(told("objective_cards", &json!(cards)), "published");
        let setup = include_str!("../games/the_mind/data/the-mind.toml");
        assert_eq!(told("setup", &json!(setup)), "the-mind");
        assert_eq!(told("setup", &json!("the-mind")), "the-mind");
        assert_eq!(
            told("blind", &json!({"3": ["white"], "5": ["white", "red"]})),
            "3:white 5:white+red"
        );
        assert_eq!(told("rewards", &json!({"star": [2, 5], "life": []})), "star:2+5 life:none");
        // What can't be read is clipped, and refused elsewhere.
        assert!(told("deck", &json!("x".repeat(90))).ends_with("x..."));
    }

    #[test]
    fn rules_of_a_file_are_told_with_their_grids() {
        let rules = json!({"objectives": [0, 2], "scoring_values": [1, 1, 1, 1, 1],
            "deck": [{"name": "own.csv", "value": "x"}, OFFICIAL], "rounds": 2});
        let told = rules_told(rules.as_object().unwrap());
        let wanted =
            "objectives=0 or 2, scoring_values=[1,1,1,1,1], deck=own.csv or published, rounds=2";
        assert_eq!(told, wanted);
    }

    #[test]
    fn no_telling_is_long() {
        let ids: Vec<String> = (0..40).map(|id| format!("C{id}")).collect();
        let points: BTreeMap<&String, i32> = ids.iter().map(|id| (id, -20)).collect();
        for (key, value) in [
            ("objective_pool", json!(ids)),
            ("objective_points", json!(points)),
            (
                "blind",
                json!((1..50).map(|n| (n.to_string(), vec!["white"])).collect::<BTreeMap<_, _>>()),
            ),
            ("setup", json!(format!("name = \"{}\"\n", "s".repeat(90)))),
        ] {
            let told = told(key, &value);
            assert!(told.chars().count() <= LONG, "{told}");
        }
    }

    #[test]
    fn values_can_be_typed_again() {
        for (value, wanted) in [
            (json!({"A1": 3, "a b": "x"}), Some("{ A1 = 3, \"a b\" = \"x\" }")),
            (json!([[1, 2], [3]]), Some("[[1, 2], [3]]")),
            (json!({}), Some("{}")),
            (json!("a\nb"), None),
            (json!(["a\nb"]), None),
        ] {
            let text = toml(&value);
            assert_eq!(text.as_deref(), wanted);
            if let Some(text) = text {
                let read: Value =
                    toml::from_str::<Value>(&format!("x = {text}")).unwrap()["x"].take();
                assert_eq!(read, value);
            }
        }
    }

    #[test]
    fn lists_end_where_a_reader_does() {
        let of = |n: usize| listed((0..n).map(|n| n.to_string()));
        assert_eq!([of(0), of(1), of(3), of(4)], ["", "0", "0, 1 and 2", "0, 1 and 2 more"]);
    }
}
