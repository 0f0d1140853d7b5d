//! The first error in reading order, and what the order of a text is free to be.

use super::errors::{NOWHERE, Place, check, game, hand, play, refused, round, set};
use mindlab::games::record::Code;
use mindlab::games::referee::judge_line;
use serde_json::{Value, json};

#[test]
fn what_is_no_json_and_keys_twice() {
    let text = game(json!({})).to_string();
    let code = |line: &str| judge_line(line).unwrap_err().code;
    assert_eq!(code(&text[..text.len() - 1]), Code::NotJson);
    assert_eq!(code(&format!("{text},")), Code::NotJson);
    let twice = text.replacen("\"players\":3", "\"players\":3,\"players\":3", 1);
    assert_eq!(code(&twice), Code::DuplicateKey);
}

/// Places errors from the last to the first in reading order; each hides those before.
#[test]
fn the_first_error_in_reading_order_counts() {
    let mut record = game(json!({}));
    let steps: [(&str, Value, Code, Place); 12] = [
        ("/rounds/2/turns/7/2", json!(99), Code::CardOutOfRange, play(2, 7, 2)),
        ("/rounds/2/turns/7/1", json!("x"), Code::WrongType, play(2, 7, 1)),
        ("/rounds/2/drawn", json!([]), Code::WrongCount, round(2)),
        ("/rounds/1/scoring/0", json!(9), Code::BadScoring, round(1)),
        ("/rounds/1/turn", json!([]), Code::UnknownKey, round(1)),
        ("/rounds/0/turns/3/1", json!(0), Code::CardOutOfRange, play(0, 3, 1)),
        ("/rounds/0/row", json!([0, 0, 0]), Code::CardOutOfRange, round(0)),
        ("/rounds/0/hands/1/0", json!(0), Code::CardOutOfRange, hand(0, 1)),
        ("/rounds/0/objectives", json!(["A1"]), Code::BadObjectives, round(0)),
        ("/rounds/0/scoring", json!([]), Code::BadScoring, round(0)),
        ("/rules", json!({"rounds": "3"}), Code::BadRules, NOWHERE),
        ("/players", json!(9), Code::BadPlayers, NOWHERE),
    ];
    for (pointer, value, code, place) in steps {
        set(&mut record, pointer, value);
        check(&record, code, place);
    }
}

/// The order is that of the documents, not that of the text.
#[test]
fn keys_may_stand_in_any_order() {
    let record = game(json!({"objectives": 1}));
    let map = record.as_object().unwrap();
    let mut reversed: serde_json::Map<_, _> = map.clone().into_iter().rev().collect();
    let judged = judge_line(&record.to_string()).unwrap();
    assert_eq!(judge_line(&Value::from(reversed.clone()).to_string()).unwrap(), judged);
    reversed.insert("rounds".to_owned(), json!(0));
    reversed.insert("players".to_owned(), json!(0));
    check(&Value::from(reversed), Code::BadPlayers, NOWHERE);
}

#[test]
fn rows_and_hands_may_be_in_any_order() {
    let mut record = game(json!({"next_hand": "deal"}));
    let judged = judge_line(&record.to_string()).unwrap();
    for pointer in ["/rounds/0/row", "/rounds/0/hands/1", "/rounds/2/hands/0"] {
        record.pointer_mut(pointer).unwrap().as_array_mut().unwrap().reverse();
    }
    assert_eq!(judge_line(&record.to_string()).unwrap(), judged);
}

#[test]
fn an_error_prints_its_code_its_place_and_its_message() {
    let mut record = game(json!({}));
    set(&mut record, "/rounds/1/turns/3/2", json!(61));
    let printed = serde_json::to_string(&refused(&record)).unwrap();
    let expected = r#"{"code":"card-out-of-range","round":1,"turn":3,"seat":2,"message":"the deck has no card 61"}"#;
    assert_eq!(printed, expected);
}
