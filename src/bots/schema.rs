//! The protocol as JSON Schema: what a line may be, to a bot and from it.

use schemars::SchemaGenerator;
use serde_json::{Value, json};

use super::wire::PROTOCOL;
use crate::games::the_mind::player::LONGEST;
use crate::games::{GameId, mind_up, the_mind};

/// An object with these keys, of which all but `optional` are needed.
fn object(properties: Value, optional: &[&str]) -> Value {
    let keys = properties.as_object().into_iter().flat_map(|table| table.keys());
    let required: Vec<&String> = keys.filter(|key| !optional.contains(&key.as_str())).collect();
    json!({
        "type": "object",
        "required": required,
        "properties": properties,
        "additionalProperties": false,
    })
}

fn list(items: Value) -> Value {
    json!({"type": "array", "items": items})
}

fn whole() -> Value {
    json!({"type": "integer", "minimum": 0})
}

/// A value, or null.
fn or_null(value: Value) -> Value {
    json!({"oneOf": [value, {"type": "null"}]})
}

/// A line of a type for some games.
fn message(kind: &str, common: Value, game: Value) -> Value {
    let mut properties = json!({"type": {"const": kind}});
    if let (Some(all), Value::Object(common)) = (properties.as_object_mut(), common) {
        all.extend(common);
        all.insert("games".to_owned(), list(game));
    }
    object(properties, &[])
}

/// A card of Mind Up!, and one of the Minds.
fn cards() -> (Value, Value) {
    let coloured = json!({"type": "string", "pattern": "^[wr]([1-9]|[1-4][0-9]|50)$"});
    let number = json!({"type": "integer", "minimum": 1, "maximum": 100});
    (json!({"type": "integer", "minimum": 1, "maximum": 999}), json!({"oneOf": [number, coloured]}))
}

/// Any line of the protocol.
pub fn schema(generator: &mut SchemaGenerator) -> Value {
    let mut lines = to_bot(generator);
    lines.extend(from_bot());
    json!({
        "description": format!("A line of the protocol of bots, version {PROTOCOL}, to a bot or from it."),
        "anyOf": lines,
    })
}

fn to_bot(generator: &mut SchemaGenerator) -> Vec<Value> {
    let hello = object(
        json!({
            "type": {"const": "hello"},
            "protocol": {"const": PROTOCOL},
            "game": {"enum": GameId::ALL},
            "mindlab": {"type": "string"},
        }),
        &[],
    );
    let seed = json!({"type": "integer", "minimum": 0, "maximum": (1u64 << 53) - 1});
    let new_game = object(json!({"game": whole(), "seed": seed}), &[]);
    let (seat, players) = (whole(), json!({"type": "integer", "minimum": 2, "maximum": 10}));
    let card = object(
        json!({
            "number": cards().0,
            "colour": {"type": "string"},
            "points": {"type": "integer"},
        }),
        &[],
    );
    let rules = generator.subschema_for::<mind_up::Options>();
    let mind_up = json!({"seat": seat, "players": players, "rules": rules, "deck": list(card)});
    let rules = generator.subschema_for::<the_mind::options::Options>();
    let minds = json!({"seat": seat, "players": players, "rules": rules});
    let ask = |kind: &str, view: Value| {
        let game = object(json!({"game": whole(), "view": view}), &[]);
        message(kind, json!({"id": whole()}), game)
    };
    let mut lines = vec![
        hello,
        message("new_games", mind_up, new_game.clone()),
        message("new_games", minds, new_game),
        message("end_games", json!({}), whole()),
        ask("choose", mind_up_view()),
    ];
    lines.extend(["intend", "star", "discard"].map(|kind| ask(kind, minds_view())));
    lines
}

fn mind_up_view() -> Value {
    let numbers = || list(cards().0);
    let points = || list(json!({"type": "integer"}));
    object(
        json!({
            "round": whole(),
            "turn": whole(),
            "hand": numbers(),
            "row": numbers(),
            "scoring": points(),
            "tableaux": list(list(numbers())),
            "known": list(numbers()),
            "totals": points(),
            "last_round": points(),
            "last_plays": list(or_null(cards().0)),
            "objectives": list(json!({"type": "string"})),
            "objective_points": points(),
        }),
        &[],
    )
}

fn minds_view() -> Value {
    let hand = || list(cards().1);
    let seconds = || json!({"type": "number", "minimum": 0});
    let by_pile = |value: Value| {
        let piles = json!({"number": value, "white": value, "red": value});
        object(piles, &["number", "white", "red"])
    };
    let pile = json!({"enum": ["number", "white", "red"]});
    let yes = json!({"const": true});
    let events = [
        object(json!({"deal": whole()}), &[]),
        object(
            json!({
                "seat": whole(),
                "play": cards().1,
                "mistake": {"type": "boolean"},
                "at": seconds(),
            }),
            &[],
        ),
        object(json!({"seat": whole(), "blind": pile, "at": seconds()}), &[]),
        object(json!({"star": yes, "at": seconds()}), &[]),
        object(json!({"refocus": yes, "at": seconds()}), &[]),
    ];
    object(
        json!({
            "level": whole(),
            "attempt": whole(),
            "lives": whole(),
            "stars": whole(),
            "refocuses": whole(),
            "clock": seconds(),
            "hand": hand(),
            "playable": hand(),
            "tops": by_pile(or_null(cards().1)),
            "blind": by_pile(json!({"type": "boolean"})),
            "sizes": list(whole()),
            "shown": list(hand()),
            "played_blind": hand(),
            "blind_plays": by_pile(list(whole())),
            "blind_since_own": by_pile(whole()),
            "events": list(json!({"anyOf": events})),
        }),
        &[],
    )
}

fn from_bot() -> Vec<Value> {
    let flag = || json!({"type": "boolean", "default": false});
    let hello = object(
        json!({
            "type": {"const": "hello"},
            "protocol": {"const": PROTOCOL},
            "name": {"type": "string", "default": ""},
            "batch": flag(),
            "stars": flag(),
        }),
        &["name", "batch", "stars"],
    );
    let (number, card) = cards();
    let wait = json!({"type": "number", "minimum": 0, "maximum": LONGEST});
    let means = [
        object(json!({"play": card, "wait": wait}), &[]),
        object(json!({"play": {"type": "null"}}), &[]),
        object(json!({"refocus": wait}), &[]),
    ];
    // In all games of a line the same question was asked.
    let answers = [
        object(json!({"play": number}), &[]),
        json!({"anyOf": means}),
        object(json!({"star": {"type": "boolean"}}), &[]),
        object(json!({"discard": card}), &[]),
    ];
    let replies =
        answers.map(|answer| object(json!({"id": whole(), "answers": list(answer)}), &[]));
    [vec![hello], replies.to_vec()].concat()
}
