//! Records looked over: small ones with known answers, and all that the fixtures have.

use mindlab::analyze::{Settings, analyze_line, analyze_stream};
use serde_json::{Value, json};

const SETTINGS: Settings = Settings { playouts: 20, seed: 1, json: true };

fn analysis(record: &Value) -> Value {
    let found = analyze_line(&record.to_string(), 0, &SETTINGS).unwrap();
    assert!(found.text().lines().all(|line| line.chars().count() <= 100));
    serde_json::to_value(&found).unwrap()
}

/// Seat 0 holds the lowest and the highest card, which are alike: so it chooses between the two
/// prizes, green +2 and green -1, and the other seat gets the other one: 6 points between them.
#[test]
fn a_choice_with_a_certain_price() {
    let record = |card: u16| {
        json!({"game": "mind-up", "players": 2, "rules": {"rounds": 1, "first_hand": 2},
            "rounds": [{"scoring": [2, 5, 1, 3, 4], "hands": [[1, 60], [30, 31]],
                "row": [4, 25], "turns": [[card, 30]]}]})
    };
    let bad = analysis(&record(60));
    let choice = &bad["choices"][0];
    assert_eq!((&choice["played"], &choice["best"]), (&json!(60), &json!(1)));
    assert_eq!(choice["difference"], -6.0);
    assert_eq!((&choice["standard_error"], &choice["within_noise"]), (&json!(0.0), &json!(false)));
    assert_eq!(
        (&bad["seats"][0]["given_away"], &bad["seats"][0]["mistakes"]),
        (&json!(6.0), &json!(1))
    );
    let good = analysis(&record(1));
    assert_eq!(
        (&good["choices"][0]["best"], &good["choices"][0]["difference"]),
        (&json!(1), &json!(0.0))
    );
    assert_eq!(good["seats"][0]["given_away"], 0.0);
    // Nobody knows which of its cards a seat that forfeits has chosen itself.
    let mut lost = record(60);
    lost["forfeits"] = json!([0]);
    assert_eq!(analysis(&lost)["seats"][0]["forfeits"], true);
    assert_eq!(good["seats"][0].get("forfeits"), None);
    let text = analyze_line(&lost.to_string(), 0, &SETTINGS).unwrap().text();
    assert_eq!(text.matches("it forfeits the game").count(), 1, "{text}");
}

fn level_one(card: u8, at: Option<f64>) -> Value {
    let mut event = json!({"seat": 0, "play": card});
    if let Some(at) = at {
        event["at"] = json!(at);
    }
    analysis(&json!({"game": "the-mind", "players": 2,
        "levels": [{"level": 1, "hands": [[card], [20]], "events": [event]}]}))
}

#[test]
fn odds_of_a_lower_card_are_hypergeometric() {
    let found = level_one(40, None);
    let odds = |value: &Value| value["lower_out"].as_f64().unwrap();
    assert!((odds(&found["plays"][0]) - 39.0 / 99.0).abs() < 1e-12);
    assert!((odds(&found["mistakes"][0]["held"][0]) - 19.0 / 99.0).abs() < 1e-12);
    assert_eq!(found["pace"], Value::Null);
    // By the odds, 40 was a fair play and 20 was held too long; 80 was not.
    assert_eq!(
        (&found["mistakes"][0]["fault"], &found["mistakes"][0]["seat"]),
        (&json!("too-late"), &json!(1))
    );
    let found = level_one(80, None);
    assert_eq!(
        (&found["mistakes"][0]["fault"], &found["mistakes"][0]["seat"]),
        (&json!("too-early"), &json!(0))
    );
    // A card from a pile where a lower one is certain to be out.
    let all = analysis(&json!({"game": "the-mind", "players": 2, "levels": [
        {"level": 1, "hands": [[100], [20]], "events": [{"seat": 0, "play": 100}]}]}));
    assert!((odds(&all["plays"][0]) - 1.0).abs() < 1e-12);
}

#[test]
fn waits_are_held_against_the_tables_pace() {
    // 10 waits 10 s, 30 comes 20 s later, then 50 only 5 s later while 45 is still in a hand.
    let found = analysis(&json!({"game": "the-mind", "players": 2, "levels": [
        {"level": 1, "hands": [[10], [30]], "events": [
            {"seat": 0, "play": 10, "at": 10.0}, {"seat": 1, "play": 30, "at": 30.0}]},
        {"level": 2, "hands": [[20, 50], [45, 60]], "events": [
            {"seat": 0, "play": 20, "at": 20.0}, {"seat": 0, "play": 50, "at": 25.0},
            {"seat": 1, "play": 60, "at": 35.0}]}]}));
    assert_eq!(found["pace"], 1.0);
    let play = &found["plays"][3];
    assert_eq!(
        (&play["gap"], &play["waited"], &play["fair"]),
        (&json!(30), &json!(5.0), &json!(30.0))
    );
    let mistake = &found["mistakes"][0];
    assert_eq!((&mistake["play"], &mistake["held"][0]["fair"]), (&json!(3), &json!(25.0)));
    assert_eq!((&mistake["fault"], &mistake["seat"]), (&json!("too-early"), &json!(0)));
    assert_eq!(
        (&found["seats"][0]["too_early"], &found["seats"][1]["too_late"]),
        (&json!(1), &json!(0))
    );
    assert_eq!(found["seats"][0]["plays"], 3);
}

/// What it takes is no wait, and what came before it was forgotten.
#[test]
fn waits_begin_anew_with_a_refocus() {
    let found = analysis(&json!({"game": "the-mind", "players": 2, "rules": {"refocuses": 1},
        "levels": [{"level": 1, "hands": [[10], [30]], "events": [
            {"seat": 0, "play": 10, "at": 10.0}, {"refocus": true, "at": 40.0},
            {"seat": 1, "play": 30, "at": 62.0}]}]}));
    let play = &found["plays"][1];
    assert_eq!((&play["event"], &play["waited"]), (&json!(2), &json!(22.0)));
}

#[test]
fn a_level_dealt_again_a_star_and_blind_piles_are_played_through() {
    let found = analysis(&json!({"game": "the-mind-extreme", "players": 2, "levels": [
        {"level": 1, "hands": [["w9"], ["w3"]], "events": [{"seat": 0, "play": "w9"}]},
        {"level": 1, "hands": [["w9"], ["r3"]], "events": [{"seat": 1, "play": "r3"}, {"seat": 0, "play": "w9"}]},
        {"level": 2, "hands": [["w9", "r4"], ["w8", "r50"]], "events": [
            {"star": ["w9", "r50"]}, {"seat": 1, "play": "w8"}, {"seat": 0, "play": "r4"}]},
        {"level": 3, "hands": [["w9", "w1", "r4"], ["w8", "r50", "w10"]], "events": [
            {"seat": 0, "play": "w1"}, {"seat": 1, "play": "r50"}]}]}));
    let cards: Vec<_> =
        found["plays"].as_array().unwrap().iter().map(|play| &play["card"]).collect();
    // The white pile of level 3 is blind.
    assert_eq!(json!(cards), json!(["w9", "r3", "w9", "w8", "r4", "r50"]));
    assert_eq!(found["mistakes"].as_array().unwrap().len(), 1);
}

#[test]
fn all_records_of_the_fixtures_are_looked_over() {
    for name in ["more_records", "mind_up_records"] {
        let path = format!("{}/tests/fixtures/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        for json in [true, false] {
            let settings = Settings { playouts: 1, seed: 1, json };
            let mut out = Vec::new();
            analyze_stream(text.as_bytes(), &mut out, &settings).unwrap();
            let out = String::from_utf8(out).unwrap();
            let count = text.lines().filter(|line| !line.trim().is_empty()).count();
            let found = if json { out.lines().count() } else { out.matches("Record ").count() };
            assert_eq!(found, count);
            assert!(out.lines().filter(|_| !json).all(|line| line.chars().count() <= 300));
        }
    }
}

#[test]
fn illegal_records_are_reported_in_their_place() {
    let good = r#"{"game": "the-mind", "players": 2, "levels": []}"#;
    let bad = r#"{"game": "mind-up", "players": 9, "rounds": []}"#;
    let text = format!("{good}\n\nnonsense\n{bad}\n{good}\n");
    let mut out = Vec::new();
    assert!(!analyze_stream(text.as_bytes(), &mut out, &SETTINGS).unwrap());
    let lines: Vec<Value> = out
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect();
    let codes: Vec<_> = lines.iter().map(|line| &line["error"]["code"]).collect();
    assert_eq!(json!(codes), json!([null, "not-json", "bad-players", null]));
    let mut text_out = Vec::new();
    let settings = Settings { json: false, ..SETTINGS };
    assert!(!analyze_stream(text.as_bytes(), &mut text_out, &settings).unwrap());
    assert!(String::from_utf8(text_out).unwrap().contains("Record 2 is illegal: bad-players"));
    assert!(analyze_stream(good.as_bytes(), Vec::new(), &SETTINGS).unwrap());
}

#[test]
fn equal_seeds_find_equal_things() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/mind_up_records.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    let line = text.lines().find(|line| analyze_line(line, 0, &SETTINGS).is_ok()).unwrap();
    let found = |number, seed| {
        let settings = Settings { seed, ..SETTINGS };
        analyze_line(line, number, &settings).unwrap()
    };
    assert_eq!(found(0, 1), found(0, 1));
    assert_ne!(found(0, 1), found(0, 2));
    assert_ne!(found(0, 1), found(1, 1));
}
