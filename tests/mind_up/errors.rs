//! What the referee refuses: each code, the place that it names, and the first error of several.

use super::support::{key, players, rules};
use mindlab::games::mind_up::record_game;
use mindlab::games::record::{Code, Illegal};
use mindlab::games::referee::judge_line;
use serde_json::{Value, json};

/// A legal game of three.
pub fn game(options: Value) -> Value {
    let rules = rules(3, &options);
    let mut seats = players(&["random"; 3]);
    let (record, _) = record_game(&rules, &mut seats, key(5, 3, 1)).unwrap();
    serde_json::to_value(record).unwrap()
}

pub fn refused(record: &Value) -> Illegal {
    match judge_line(&record.to_string()) {
        Err(error) => error,
        Ok(_) => panic!("this is legal: {record}"),
    }
}

/// Sets the value at a pointer; a key that is not there is added.
pub fn set(record: &mut Value, pointer: &str, value: Value) {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    match record.pointer_mut(parent).unwrap() {
        Value::Array(items) => items[key.parse::<usize>().unwrap()] = value,
        Value::Object(map) => drop(map.insert(key.to_owned(), value)),
        _ => panic!("{pointer}"),
    }
}

/// Drops the value at a pointer.
fn cut(record: &mut Value, pointer: &str) {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    match record.pointer_mut(parent).unwrap() {
        Value::Array(items) => drop(items.remove(key.parse().unwrap())),
        Value::Object(map) => drop(map.shift_remove(key)),
        _ => panic!("{pointer}"),
    }
}

pub type Place = (Option<usize>, Option<usize>, Option<usize>);

pub const NOWHERE: Place = (None, None, None);
pub const fn round(round: usize) -> Place {
    (Some(round), None, None)
}
const fn turn(round: usize, turn: usize) -> Place {
    (Some(round), Some(turn), None)
}
pub const fn hand(round: usize, seat: usize) -> Place {
    (Some(round), None, Some(seat))
}
pub const fn play(round: usize, turn: usize, seat: usize) -> Place {
    (Some(round), Some(turn), Some(seat))
}

/// Checks the code and the place of an error; returns its message.
pub fn check(record: &Value, code: Code, place: Place) -> String {
    let error = refused(record);
    assert_eq!(error.code, code, "{error:?}");
    let found = (error.round, error.turn, error.seat);
    assert_eq!(found, place, "{error:?}");
    assert_eq!((error.entry, error.level, error.event), (None, None, None));
    error.message
}

/// Sets one value of a game without objectives, and checks the error.
fn with(pointer: &str, value: Value, code: Code, place: Place) -> String {
    let mut record = game(json!({}));
    set(&mut record, pointer, value);
    check(&record, code, place)
}

/// Drops one value of a game without objectives, and checks the error.
fn without(pointer: &str, code: Code, place: Place) -> String {
    let mut record = game(json!({}));
    cut(&mut record, pointer);
    check(&record, code, place)
}

#[test]
fn the_head() {
    use Code::{BadPlayers, BadRules, MissingKey, UnknownGame, UnknownKey, WrongCount, WrongType};
    without("/game", MissingKey, NOWHERE);
    without("/players", MissingKey, NOWHERE);
    without("/rounds", MissingKey, NOWHERE);
    with("/gmae", json!("mind-up"), UnknownKey, NOWHERE);
    with("/game", json!("mindup"), UnknownGame, NOWHERE);
    with("/game", json!(1), WrongType, NOWHERE);
    for players in [json!(0), json!(7), json!(-1), json!(1e9), json!(1e300), json!(2.5)] {
        let message = with("/players", players.clone(), BadPlayers, NOWHERE);
        assert!(message.contains(&players.to_string()), "{message}");
    }
    with("/players", json!(1_000_000_000), BadPlayers, NOWHERE);
    with("/players", json!(u64::MAX), BadPlayers, NOWHERE);
    with("/players", json!("3"), WrongType, NOWHERE);
    with("/players", json!(4), WrongCount, round(0)); // the hands are too few
    for rules in [
        json!(null),
        json!([]),
        json!(1),
        json!({"lives": 1}),
        json!({"rounds": 0}),
        json!({"rounds": null}),
        json!({"rounds": -1}),
        json!({"rounds": 1e9}),
        json!({"objectives": 6}),
        json!({"deck": "x"}),
        json!({"next_hand": "draw"}),
        json!({"scoring_values": [1]}),
        json!({"objective_cards": [1]}),
        json!({"objectives": 1, "objective_pool": ["Z1"]}),
    ] {
        with("/rules", rules, BadRules, NOWHERE);
    }
    let message = with("/rules", json!({"objectivs": 1}), BadRules, NOWHERE);
    assert!(message.contains("did you mean `objectives`"), "{message}");
    let message = with("/rules", json!({"rounds": 30}), BadRules, NOWHERE);
    assert!(message.starts_with("`rules.rounds = 30`"), "{message}");
    with("/rounds", json!({}), WrongType, NOWHERE);
    with("/rounds", json!([]), WrongCount, NOWHERE);
    without("/rounds/2", WrongCount, NOWHERE);
    with("/rules", json!({"rounds": 2}), WrongCount, NOWHERE);
}

#[test]
fn who_forfeits() {
    use Code::{BadForfeits, SeatOutOfRange, WrongType};
    with("/forfeits", json!(null), WrongType, NOWHERE);
    with("/forfeits", json!([-1]), WrongType, NOWHERE);
    with("/forfeits", json!([3]), SeatOutOfRange, NOWHERE);
    with("/forfeits", json!([2, 0, 2]), BadForfeits, (None, None, Some(2)));
    let mut record = game(json!({}));
    let by_cards = serde_json::to_value(judge_line(&record.to_string()).unwrap()).unwrap();
    let best = by_cards["winners"][0].as_u64().unwrap() as usize;
    set(&mut record, "/forfeits", json!([best]));
    let found = serde_json::to_value(judge_line(&record.to_string()).unwrap()).unwrap();
    assert_eq!(found["rounds"], by_cards["rounds"]);
    let totals: Vec<i64> = serde_json::from_value(found["totals"].clone()).unwrap();
    let lowest = (0..3).filter(|&seat| seat != best).map(|seat| totals[seat]).min();
    assert_eq!(Some(totals[best] + 1), lowest);
    assert_ne!(found["winners"], by_cards["winners"]);
}

#[test]
fn the_keys_of_a_round() {
    use Code::{MissingKey, UnknownKey, WrongType};
    with("/rounds/1", json!([]), WrongType, round(1));
    for key in ["scoring", "hands", "row", "turns"] {
        without(&format!("/rounds/0/{key}"), MissingKey, round(0));
    }
    for key in ["scoring", "drawn", "turns"] {
        without(&format!("/rounds/1/{key}"), MissingKey, round(1));
    }
    with("/rounds/0/drawn", json!([1, 2, 3]), UnknownKey, round(0));
    with("/rounds/1/hands", json!([]), UnknownKey, round(1));
    with("/rounds/2/row", json!([]), UnknownKey, round(2));
    let mut dealt = game(json!({"next_hand": "deal"}));
    set(&mut dealt, "/rounds/1/drawn", json!([1, 2, 3]));
    check(&dealt, UnknownKey, round(1));
    let mut dealt = game(json!({"next_hand": "deal"}));
    cut(&mut dealt, "/rounds/2/hands");
    check(&dealt, MissingKey, round(2));
}

#[test]
fn the_scoring_order() {
    use Code::{BadScoring, WrongType};
    let orders = [
        json!([]),
        json!([1, 2, 3, 4]),
        json!([1, 2, 3, 4, 4]),
        json!([1, 2, 3, 4, 6]),
        json!([1, 2, 3, 4, 5, 5]),
        json!([1, 2, 3, 4, -5]),
        json!([1, 2, 3, 4, u64::MAX]),
    ];
    for order in orders {
        with("/rounds/1/scoring", order, BadScoring, round(1));
    }
    with("/rounds/1/scoring", json!("12345"), WrongType, round(1));
    with("/rounds/1/scoring", json!([1, 2, 3, 4, "5"]), WrongType, round(1));
    with("/rounds/1/scoring", json!([1, 2, 3, 4, 5.5]), WrongType, round(1));
    // Values that occur twice must do so in the order.
    let mut twice = game(json!({"scoring_values": [1, 1, 2, 3, 4, -7]}));
    set(&mut twice, "/rounds/0/scoring", json!([1, 2, 2, 3, 4, -7]));
    check(&twice, BadScoring, round(0));
    set(&mut twice, "/rounds/0/scoring", json!([-7, 1, 2, 3, 1, 4]));
    assert!(judge_line(&twice.to_string()).is_ok());
}

#[test]
fn the_objectives() {
    use Code::{BadObjectives, MissingKey, UnknownObjective, WrongType};
    let two = || {
        let mut record = game(json!({"objectives": 2}));
        for (round, ids) in [["A1", "B1"], ["A2", "C1"], ["D1", "E1"]].iter().enumerate() {
            set(&mut record, &format!("/rounds/{round}/objectives"), json!(ids));
        }
        record
    };
    assert!(judge_line(&two().to_string()).is_ok());
    let case = |ids: Value, code| {
        let mut record = two();
        set(&mut record, "/rounds/1/objectives", ids);
        check(&record, code, round(1))
    };
    case(json!({}), WrongType);
    case(json!(["A2", 1]), WrongType);
    case(json!(["A2"]), BadObjectives);
    case(json!(["A2", "C1", "D1"]), BadObjectives);
    assert!(case(json!(["A3", "C1"]), UnknownObjective).contains("did you mean"));
    assert!(case(json!(["A2", "A2"]), BadObjectives).contains("twice"));
    assert!(case(json!(["C1", "C2"]), BadObjectives).contains("share a letter in a round"));
    assert!(case(json!(["C1", "A1"]), BadObjectives).contains("in a round before"));
    let mut record = two();
    cut(&mut record, "/rounds/1/objectives");
    check(&record, MissingKey, round(1));
    // A is spent where letters are used once a game.
    let mut record = two();
    set(&mut record, "/rules/objective_letters", json!("distinct-in-game"));
    let message = check(&record, BadObjectives, round(1));
    assert!(message.contains("`A1` and `A2` share a letter in a game"), "{message}");
    // A card that exists and is not in the pool.
    let mut record = two();
    let pool = json!(["A1", "A2", "B1", "B2", "C1", "C2", "D1", "E2"]);
    set(&mut record, "/rules/objective_pool", pool);
    check(&record, UnknownObjective, round(2));
    // None are played with.
    with("/rounds/0/objectives", json!(["A1"]), BadObjectives, round(0));
    let mut record = game(json!({}));
    set(&mut record, "/rounds/0/objectives", json!([]));
    assert!(judge_line(&record.to_string()).is_ok());
}

#[test]
fn kept_objectives() {
    let set_all = |record: &mut Value, sets: [&[&str]; 3]| {
        for (round, ids) in sets.iter().enumerate() {
            set(record, &format!("/rounds/{round}/objectives"), json!(ids));
        }
    };
    let (abc, cab, abd): (&[_], &[_], &[_]) =
        (&["A1", "B1", "C1"], &["C1", "A1", "B1"], &["A1", "B1", "D1"]);
    let mut record = game(json!({"objectives": 3}));
    set_all(&mut record, [abc, cab, abc]);
    assert!(judge_line(&record.to_string()).is_ok(), "in any order");
    set_all(&mut record, [abc, abc, abd]);
    assert!(check(&record, Code::BadObjectives, round(2)).contains("`D1` is not in the set"));
    set_all(&mut record, [abc, &["A1", "B1", "B1"], abc]);
    check(&record, Code::BadObjectives, round(1));
    set_all(&mut record, [abc, abc, &[]]);
    check(&record, Code::BadObjectives, round(2));
    // Three are not kept where keeping begins at four.
    set(&mut record, "/rules/objectives_kept_from", json!(4));
    set_all(&mut record, [abc, abc, abc]);
    assert!(check(&record, Code::BadObjectives, round(1)).contains("in a round before"));
    set_all(&mut record, [abc, &["A2", "B2", "C2"], &["D1", "E1", "F1"]]);
    assert!(judge_line(&record.to_string()).is_ok());
}

#[test]
fn hands_row_and_drawn_cards() {
    use Code::{CardOutOfRange, CardTwice, WrongCount, WrongType};
    without("/rounds/0/hands/1", WrongCount, round(0));
    without("/rounds/0/hands/1/3", WrongCount, hand(0, 1));
    without("/rounds/0/row/0", WrongCount, round(0));
    without("/rounds/1/drawn/0", WrongCount, round(1));
    with("/rounds/0/hands", json!(7), WrongType, round(0));
    with("/rounds/0/hands/2", json!(7), WrongType, hand(0, 2));
    for (card, code) in [
        (json!(0), CardOutOfRange),
        (json!(61), CardOutOfRange),
        (json!(u64::MAX), CardOutOfRange),
        (json!(-1), WrongType),
        (json!(1.5), WrongType),
        (json!("7"), WrongType),
        (json!(null), WrongType),
    ] {
        with("/rounds/0/hands/2/6", card.clone(), code, hand(0, 2));
        with("/rounds/0/row/1", card.clone(), code, round(0));
        with("/rounds/1/drawn/1", card.clone(), code, hand(1, 1));
        with("/rounds/1/turns/2/1", card, code, play(1, 2, 1));
    }
    let record = game(json!({}));
    let at = |pointer: &str| record.pointer(pointer).unwrap().clone();
    let first = at("/rounds/0/hands/0/0");
    with("/rounds/0/hands/0/1", first.clone(), CardTwice, hand(0, 0));
    with("/rounds/0/hands/2/1", first.clone(), CardTwice, hand(0, 2));
    with("/rounds/0/row/2", first, CardTwice, round(0));
    // The row of a later round are the last plays of the one before; tableaux are in hands.
    with("/rounds/1/drawn/2", at("/rounds/0/turns/5/0"), CardTwice, hand(1, 2));
    with("/rounds/1/drawn/2", at("/rounds/0/turns/0/0"), CardTwice, hand(1, 2));
    with("/rounds/1/drawn/2", at("/rounds/1/drawn/0"), CardTwice, hand(1, 2));
    let mut dealt = game(json!({"next_hand": "deal"}));
    let row = dealt["rounds"][0]["turns"][5][1].clone();
    set(&mut dealt, "/rounds/1/hands/1/0", row);
    check(&dealt, CardTwice, hand(1, 1));
}

#[test]
fn turns() {
    use Code::{CardNotInHand, WrongCount, WrongType};
    without("/rounds/0/turns/5", WrongCount, round(0));
    without("/rounds/2/turns/0", WrongCount, round(2));
    without("/rounds/1/turns/3/2", WrongCount, turn(1, 3));
    with("/rounds/1/turns", json!(null), WrongType, round(1));
    with("/rounds/1/turns/3", json!(12), WrongType, turn(1, 3));
    let record = game(json!({}));
    let at = |pointer: &str| record.pointer(pointer).unwrap().clone();
    // Another's card, one's own again, one from the row, one that was just taken as a prize.
    let other = at("/rounds/0/turns/1/0");
    with("/rounds/0/turns/1/2", other, CardNotInHand, play(0, 1, 2));
    let own = at("/rounds/0/turns/0/1");
    with("/rounds/0/turns/2/1", own.clone(), CardNotInHand, play(0, 2, 1));
    with("/rounds/0/turns/1/0", own, CardNotInHand, play(0, 1, 0));
    let prize = at("/rounds/0/row/0");
    for seat in 0..3 {
        let pointer = format!("/rounds/0/turns/1/{seat}");
        with(&pointer, prize.clone(), CardNotInHand, play(0, 1, seat));
    }
}
