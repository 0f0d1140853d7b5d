//! The referee of the Minds against games judged by others, and against records written by hand.

use mindlab::games::record::{Code, Illegal, parse};
use mindlab::games::the_mind::referee::judge;
use serde_json::{Value, json};

#[test]
fn fixtures_are_judged_as_others_judged_them() {
    let records = include_str!("fixtures/more_records.jsonl").lines();
    let verdicts = include_str!("fixtures/more_verdicts.jsonl").lines();
    let mut judged = 0;
    for (index, (record, verdict)) in records.zip(verdicts).enumerate() {
        let record = parse(record).unwrap();
        if record["game"] == "mind-up" {
            continue;
        }
        let expected = parse(verdict).unwrap();
        let mut found = serde_json::to_value(judge(&record).unwrap()).unwrap();
        found["record"] = index.into();
        assert_eq!(found, expected, "record {index}");
        judged += 1;
    }
    assert_eq!(judged, 60);
}

fn mind(rules: Value, levels: Value) -> Value {
    json!({"game": "the-mind", "players": 2, "rules": rules, "levels": levels})
}

fn extreme(rules: Value, levels: Value) -> Value {
    json!({"game": "the-mind-extreme", "players": 2, "rules": rules, "levels": levels})
}

/// An entry whose events are plays `[seat, card]` or, as they are, anything else.
fn entry(level: u64, hands: Value, events: &[Value]) -> Value {
    let events = events.iter().map(|event| match event {
        Value::Array(play) => json!({"seat": play[0], "play": play[1]}),
        other => other.clone(),
    });
    json!({"level": level, "hands": hands, "events": events.collect::<Vec<_>>()})
}

fn verdict(record: &Value) -> Value {
    serde_json::to_value(judge(record).unwrap_or_else(|error| panic!("{error}"))).unwrap()
}

fn illegal(record: &Value) -> Illegal {
    judge(record).unwrap_err()
}

/// A legal record with one thing changed, and how it must be refused.
fn refused(path: &str, value: Value, code: Code, place: Value) {
    let mut record = mind(
        json!({"levels": 3}),
        json!([
            entry(
                1,
                json!([[12], [40]]),
                &[json!({"seat": 0, "play": 12, "at": 3.5}), json!([1, 40])]
            ),
            entry(2, json!([[3, 90], [55, 57]]), &[json!([0, 3]), json!({"star": true, "at": 1})]),
        ]),
    );
    judge(&record).unwrap();
    *record.pointer_mut(path).unwrap() = value;
    check(&record, code, place);
}

fn check(record: &Value, code: Code, place: Value) {
    let mut error = serde_json::to_value(illegal(record)).unwrap();
    assert_eq!(error["code"], code.to_string(), "{error}");
    let error = error.as_object_mut().unwrap();
    assert!(error.shift_remove("message").is_some_and(|message| message != ""));
    error.shift_remove("code");
    assert_eq!(Value::Object(error.clone()), place, "{record}");
}

#[test]
fn the_top_of_a_record_is_checked() {
    refused("/game", json!("the-mint"), Code::UnknownGame, json!({}));
    refused("/game", json!("mind-up"), Code::UnknownGame, json!({}));
    refused("/game", json!(3), Code::WrongType, json!({}));
    refused("/players", json!(1), Code::BadPlayers, json!({}));
    refused("/players", json!(11), Code::BadPlayers, json!({}));
    refused("/players", json!(u64::MAX), Code::BadPlayers, json!({}));
    refused("/players", json!(2.5), Code::BadPlayers, json!({}));
    refused("/players", json!(-2), Code::BadPlayers, json!({}));
    refused("/players", json!(5), Code::BadRules, json!({}));
    refused("/rules", json!([]), Code::BadRules, json!({}));
    refused("/rules", json!(null), Code::BadRules, json!({}));
    for rules in [
        json!({"lives": -1}),
        json!({"lives": 0}),
        json!({"lives": 3.0}),
        json!({"lives": null}),
        json!({"mistake": null}),
        json!({"levels": 0}),
        json!({"levels": 51}),
        json!({"lifes": 1}),
        json!({"setup": "the-mind"}),
        json!({"blind": {"3": ["white"]}}),
        json!({"blind": "some"}),
        json!({"rewards": {"star": [0]}}),
        json!({"rewards": {"stars": []}}),
    ] {
        refused("/rules", rules, Code::BadRules, json!({}));
    }
    refused("/levels", json!({}), Code::WrongType, json!({}));
    check(&json!([]), Code::WrongType, json!({}));
    check(&json!({"game": "the-mind", "players": 2}), Code::MissingKey, json!({}));
    check(&json!({"players": 2, "levels": []}), Code::MissingKey, json!({}));
    let extra = json!({"game": "the-mind", "players": 2, "levels": [], "round": 1});
    check(&extra, Code::UnknownKey, json!({}));
}

#[test]
fn entries_and_hands_are_checked() {
    let at = |entry: u64, level: u64| json!({"entry": entry, "level": level});
    let seat = |entry, level, seat: u64| json!({"entry": entry, "level": level, "seat": seat});
    refused("/levels/1", json!(3), Code::WrongType, json!({"entry": 1}));
    refused(
        "/levels/1",
        json!({"level": 2, "hands": [[1, 2], [3, 4]]}),
        Code::MissingKey,
        at(1, 2),
    );
    refused("/levels/1", json!({"level": 2, "hand": []}), Code::UnknownKey, json!({"entry": 1}));
    refused("/levels/1", json!({}), Code::MissingKey, json!({"entry": 1}));
    refused("/levels/0/level", json!(0), Code::WrongLevel, at(0, 0));
    refused("/levels/1/level", json!(3), Code::WrongLevel, at(1, 3));
    refused("/levels/1/level", json!(1), Code::WrongLevel, at(1, 1));
    refused("/levels/1/level", json!("2"), Code::WrongType, json!({"entry": 1}));
    refused("/levels/1/hands", json!([[1, 2]]), Code::WrongCount, at(1, 2));
    refused("/levels/1/hands", json!({}), Code::WrongType, at(1, 2));
    refused("/levels/1/hands/1", json!([1]), Code::WrongCount, seat(1, 2, 1));
    refused("/levels/1/hands/1", json!([1, 2, 4]), Code::WrongCount, seat(1, 2, 1));
    refused("/levels/1/hands/1", json!(7), Code::WrongType, seat(1, 2, 1));
    refused("/levels/1/hands/1/0", json!(0), Code::CardOutOfRange, seat(1, 2, 1));
    refused("/levels/1/hands/1/0", json!(101), Code::CardOutOfRange, seat(1, 2, 1));
    refused("/levels/1/hands/1/0", json!(1.5), Code::WrongType, seat(1, 2, 1));
    refused("/levels/1/hands/1/0", json!("w5"), Code::WrongType, seat(1, 2, 1));
    refused("/levels/1/hands/1/0", json!(90), Code::CardTwice, seat(1, 2, 1));
    refused("/levels/1/hands/1/0", json!(57), Code::CardTwice, seat(1, 2, 1));
    refused("/levels/0/events", json!([]), Code::LevelUnfinished, at(0, 1));
}

#[test]
fn events_are_checked() {
    let at = |event: u64| json!({"entry": 0, "level": 1, "event": event});
    let seat =
        |event: u64, seat: u64| json!({"entry": 0, "level": 1, "event": event, "seat": seat});
    let event = |value: Value, code, place| refused("/levels/0/events/1", value, code, place);
    refused("/levels/0/events", json!(1), Code::WrongType, json!({"entry": 0, "level": 1}));
    event(json!(1), Code::WrongType, at(1));
    event(json!({}), Code::BadEvent, at(1));
    event(json!({"seat": 0}), Code::BadEvent, at(1));
    event(json!({"at": 4}), Code::BadEvent, at(1));
    event(json!({"star": true, "seat": 0, "play": 40}), Code::BadEvent, at(1));
    event(json!({"star": true, "seat": 0}), Code::BadEvent, at(1));
    event(json!({"star": false}), Code::BadEvent, at(1));
    event(json!({"star": ["w1", null]}), Code::WrongType, at(1));
    event(json!({"seat": 1, "play": 40, "by": 1}), Code::UnknownKey, at(1));
    event(json!({"play": 40}), Code::MissingKey, at(1));
    event(json!({"seat": 2, "play": 40}), Code::SeatOutOfRange, at(1));
    event(json!({"seat": "1", "play": 40}), Code::WrongType, at(1));
    event(json!({"seat": 1, "play": "40"}), Code::WrongType, seat(1, 1));
    event(json!({"seat": 1, "play": 0}), Code::CardOutOfRange, seat(1, 1));
    event(json!({"seat": 0, "play": 40}), Code::CardNotInHand, seat(1, 0));
    event(json!({"seat": 0, "play": 12}), Code::CardNotInHand, seat(1, 0));
    event(json!({"seat": 1, "play": 40, "at": -0.1}), Code::BadTime, at(1));
    event(json!({"seat": 1, "play": 40, "at": "4"}), Code::WrongType, at(1));
    event(json!({"seat": 1, "play": 40, "at": null}), Code::WrongType, at(1));
    event(json!({"seat": 1, "play": 40, "at": 3.4}), Code::TimeRunsBackwards, at(1));
    let late = json!([{"seat": 0, "play": 12}, {"seat": 1, "play": 40}, {"star": true}]);
    refused("/levels/0/events", late, Code::EventAfterLevel, at(2));
    let high = json!([{"seat": 0, "play": 90}]);
    let place = json!({"entry": 1, "level": 2, "event": 0, "seat": 0});
    refused("/levels/1/events", high, Code::CardNotPlayable, place);
    let stars = json!([{"star": true}, {"star": true}]);
    let place = json!({"entry": 1, "level": 2, "event": 1});
    let hands = json!([[1, 2], [3, 4]]);
    let level_1 = entry(1, json!([[12], [40]]), &[json!([0, 12]), json!([1, 40])]);
    let record = mind(json!({}), json!([level_1, {"level": 2, "hands": hands, "events": stars}]));
    check(&record, Code::NoStar, place);
}

#[test]
fn nothing_comes_after_the_end() {
    let level = entry(1, json!([[12], [40]]), &[json!([0, 12]), json!([1, 40])]);
    let next = entry(2, json!([[1, 2], [3, 4]]), &[]);
    let won = mind(json!({"levels": 1}), json!([level, next]));
    check(&won, Code::LevelAfterGame, json!({"entry": 1, "level": 2}));
    let level = entry(1, json!([[12], [40]]), &[json!([1, 40])]);
    let lost = mind(json!({"lives": 1}), json!([level, next]));
    check(&lost, Code::LevelAfterGame, json!({"entry": 1, "level": 2}));
    let level = entry(1, json!([[12], [40]]), &[json!([1, 40]), json!([0, 12])]);
    let lost = mind(json!({"lives": 1}), json!([level]));
    check(&lost, Code::EventAfterLevel, json!({"entry": 0, "level": 1, "event": 1}));
}

#[test]
fn choices_for_a_star_fit_the_hands() {
    let star = |choices: Value| {
        let hands = json!([["w5", "r40"], ["w9", "w30"]]);
        let first = entry(1, json!([["w1"], ["r50"]]), &[json!([0, "w1"]), json!([1, "r50"])]);
        let plays = [json!([0, "w5"]), json!([0, "r40"]), json!({"star": choices})];
        extreme(json!({}), json!([first, entry(2, hands, &plays)]))
    };
    judge(&star(json!([null, "w9"]))).unwrap();
    let place = json!({"entry": 1, "level": 2, "event": 2});
    let seat = |seat: u64| json!({"entry": 1, "level": 2, "event": 2, "seat": seat});
    check(&star(json!(true)), Code::WrongType, place.clone());
    check(&star(json!([null])), Code::WrongCount, place);
    check(&star(json!(["w5", "w9"])), Code::StarChoice, seat(0));
    check(&star(json!([null, null])), Code::StarChoice, seat(1));
    check(&star(json!([null, "w30"])), Code::CardNotPlayable, seat(1));
    check(&star(json!([null, "w31"])), Code::CardNotInHand, seat(1));
    check(&star(json!([null, "w51"])), Code::CardOutOfRange, seat(1));
    check(&star(json!([null, "w09"])), Code::CardOutOfRange, seat(1));
    check(&star(json!([null, "x9"])), Code::CardOutOfRange, seat(1));
    check(&star(json!([null, ""])), Code::CardOutOfRange, seat(1));
    check(&star(json!([null, 9])), Code::WrongType, seat(1));
}

#[test]
fn empty_records_are_unfinished() {
    for game in ["the-mind", "the-mind-extreme"] {
        let record = json!({"game": game, "players": 3, "levels": []});
        let expected =
            json!({"game": game, "levels": [], "result": "unfinished", "levels_done": 0});
        assert_eq!(verdict(&record), expected);
    }
    let record = mind(json!({}), json!([entry(1, json!([[1], [2]]), &[])]));
    assert_eq!(verdict(&record)["levels"][0]["outcome"], "unfinished");
}

#[test]
fn a_game_may_begin_at_a_later_level() {
    let level = entry(2, json!([[3], [55]]), &[]);
    let rules = json!({"first_level": 2, "levels": 3});
    check(
        &mind(rules.clone(), json!([level])),
        Code::WrongCount,
        json!({"entry": 0, "level": 2, "seat": 0}),
    );
    let level = entry(2, json!([[3, 90], [55, 57]]), &[json!([0, 3]), json!({"star": true})]);
    let found = verdict(&mind(rules.clone(), json!([level])));
    assert_eq!((&found["result"], &found["levels_done"]), (&json!("unfinished"), &json!(0)));
    let first = entry(1, json!([[12], [40]]), &[]);
    check(&mind(rules, json!([first])), Code::WrongLevel, json!({"entry": 0, "level": 1}));
}

#[test]
fn a_refocus_is_one_that_the_rules_allow() {
    let with = |rules: Value, events: &[Value]| {
        let level = entry(1, json!([[12], [40]]), &[&[json!([0, 12])], events].concat());
        mind(rules, json!([level]))
    };
    let refocus = json!({"refocus": true, "at": 17});
    let two = json!({"refocuses": 2, "refocus_seconds": 3});
    let found = verdict(&with(two.clone(), &[refocus.clone(), refocus.clone(), json!([1, 40])]));
    assert_eq!(found["levels"][0]["outcome"], "done");
    let place = |event: u64| json!({"entry": 0, "level": 1, "event": event});
    check(&with(json!({}), std::slice::from_ref(&refocus)), Code::NoRefocus, place(1));
    check(&with(json!({"refocuses": 1}), &vec![refocus; 2]), Code::NoRefocus, place(2));
    for (odd, code) in [
        (json!({"refocus": false}), Code::BadEvent),
        (json!({"refocus": 1}), Code::WrongType),
        (json!({"refocus": true, "seat": 0}), Code::BadEvent),
        (json!({"refocus": true, "star": true}), Code::BadEvent),
        (json!({"refocus": true, "at": -1}), Code::BadTime),
        (json!({"refocuss": true}), Code::UnknownKey),
    ] {
        check(&with(two.clone(), &[odd]), code, place(1));
    }
}

#[test]
fn a_game_that_is_forfeited_is_lost() {
    let done = entry(1, json!([[12], [40]]), &[json!([0, 12]), json!([1, 40])]);
    let under_way = entry(2, json!([[3, 90], [55, 57]]), &[json!([0, 3])]);
    let forfeited = |levels: Value, seats: Value| {
        let mut record = mind(json!({"levels": 2}), levels);
        record["forfeits"] = seats;
        record
    };
    let found = verdict(&forfeited(json!([done, under_way]), json!([1, 0])));
    assert_eq!((&found["result"], &found["levels_done"]), (&json!("lost"), &json!(1)));
    assert_eq!(found["levels"][0], verdict(&mind(json!({}), json!([done])))["levels"][0]);
    assert_eq!(found["levels"][1]["outcome"], "lost");
    assert_eq!(
        (&found["levels"][1]["lives"], &found["levels"][1]["stars"]),
        (&json!(0), &json!(1))
    );
    assert_eq!(verdict(&forfeited(json!([]), json!([1])))["result"], "lost");
    assert_eq!(verdict(&forfeited(json!([]), json!([])))["result"], "unfinished");
    let bad = |seats, code, place| check(&forfeited(json!([under_way]), seats), code, place);
    bad(json!([0]), Code::WrongLevel, json!({"entry": 0, "level": 2}));
    let bad = |seats, code, place| check(&forfeited(json!([done]), seats), code, place);
    bad(json!(1), Code::WrongType, json!({}));
    bad(json!(["1"]), Code::WrongType, json!({}));
    bad(json!([2]), Code::SeatOutOfRange, json!({}));
    bad(json!([1, 1]), Code::BadForfeits, json!({"seat": 1}));
    let mut won = forfeited(json!([done]), json!([0]));
    won["rules"]["levels"] = json!(1);
    check(&won, Code::BadForfeits, json!({}));
}

#[test]
fn first_errors_come_first() {
    // A play that is forbidden in the first entry, a key that is missing in the second.
    let record =
        mind(json!({}), json!([entry(1, json!([[12], [40]]), &[json!([0, 40])]), {"level": 2}]));
    let place = json!({"entry": 0, "level": 1, "event": 0, "seat": 0});
    check(&record, Code::CardNotInHand, place);
}
