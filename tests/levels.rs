//! Every family plays the same games at every instruction level that this CPU has. The level holds
//! for the whole process, so this test is alone in its own.

#[path = "mind_up_common/mod.rs"]
mod common;

use mindlab::cpu::{LevelId, level, set_level};
use mindlab::games::mind_up::{Options, Rules, record_game};
use mindlab::rng::{GameKey, deal_key};
use serde_json::Map;

/// Records of two games of each family with itself.
fn records() -> Vec<String> {
    let rules = Rules::new(4, &Options { objectives: Some(2), ..Options::default() }).unwrap();
    let game = |deal| GameKey::new(deal_key(1, 0, 4, deal), 0, 0);
    common::families()
        .flat_map(|family| {
            let mut seats: Vec<_> = (0..4).map(|_| common::seat(family, &Map::new())).collect();
            [0, 1].map(|deal| record_game(&rules, &mut seats, game(deal)).unwrap().0.to_string())
        })
        .collect()
}

#[test]
fn every_level_plays_the_same_games() {
    assert!(LevelId::present().contains(&level()));
    let usual = records();
    for &present in LevelId::present() {
        set_level(present).unwrap();
        assert_eq!(level(), present);
        assert!(records() == usual, "{present} plays otherwise");
    }
    for absent in LevelId::ALL.iter().filter(|level| !LevelId::present().contains(level)) {
        let error = set_level(*absent).unwrap_err().to_string();
        assert_eq!(error, format!("`level = {absent}`: this CPU has `portable`"));
    }
}
