//! What a record looks like, and which game of a block it is of.

use super::support::{key, players};
use super::tables::play;
use mindlab::games::mind_up::{Options, Recorder, Rules, record_game};
use serde_json::{Value, json};

#[test]
fn a_record_names_the_options_that_were_given() {
    let record = |options: Value| {
        let options: Options = serde_json::from_value(options).unwrap();
        let rules = Rules::new(3, &options).unwrap();
        let mut seats = players(&["lowest", "highest", "greedy"]);
        let (record, _) = record_game(&rules, &mut seats, key(1, 3, 0)).unwrap();
        record.to_string()
    };
    let plain = r#"{"game":"mind-up","players":3,"rounds":[{"scoring":["#;
    assert!(record(json!({})).starts_with(plain));
    let line = record(json!({"rounds": 3, "next_hand": "deal", "objectives": 1}));
    let head =
        r#"{"game":"mind-up","players":3,"rules":{"next_hand":"deal","objectives":1,"rounds":3},"#;
    assert!(line.starts_with(head), "{line}");
    for (keys, times) in [
        (r#"],"hands":[["#, 3),
        (r#"],"objectives":[""#, 3),
        (r#"]],"row":["#, 1),
        (r#""turns":[["#, 3),
        ("drawn", 0),
    ] {
        assert_eq!(line.matches(keys).count(), times, "{keys} in {line}");
    }
    assert!(record(json!({})).contains(r#"],"drawn":["#));
}

#[test]
fn a_block_of_one_and_an_index_in_a_block_record_alike() {
    let rules = Rules::new(4, &Options::default()).unwrap();
    let seats = || players(&["random", "greedy", "lowest", "random"]);
    let keys: Vec<_> = (0..9).map(|deal| key(8, 4, deal)).collect();
    for game in [0, 4, 8] {
        let mut recorder = Recorder::new(&rules, game);
        play(&rules, &mut seats(), &keys, &mut recorder);
        let (alone, _) = record_game(&rules, &mut seats(), keys[game]).unwrap();
        assert_eq!(recorder.finish(), alone);
    }
}
