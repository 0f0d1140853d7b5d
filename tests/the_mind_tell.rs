//! One game of each of the Minds, told: what changes when rules, strategies or seeding change.

#[path = "the_mind_common/mod.rs"]
mod common;

use common::{key, rules, strategy};
use mindlab::games::GameId::{self, TheMind, TheMindExtreme};
use mindlab::games::the_mind::block::Block;
use mindlab::games::the_mind::groups;
use mindlab::games::the_mind::player::Player;
use mindlab::games::the_mind::record::Recorder;
use mindlab::games::the_mind::referee::judge;
use mindlab::games::the_mind::tell::tell;
use serde_json::{Value, json};

fn told(game: GameId, rules_of_game: Value, families: [&str; 2], number: u64) -> String {
    let rules = rules(game, 2, rules_of_game);
    let bodies = groups::named("strangers").unwrap().bodies(2);
    let star = json!({"star": {"policy": "when-risk-above", "risk": 0.2}});
    let mut seats = families.map(|family| strategy(family, star.clone()).seat().unwrap());
    let mut seats: Vec<_> = seats.iter_mut().map(|seat| &mut **seat as &mut dyn Player).collect();
    let mut recorder = Recorder::new(&rules, 1);
    let keys = [key(2, number)];
    Block::new().play(&rules, &bodies, &mut seats, &keys, &mut recorder, &mut Vec::new()).unwrap();
    let record = recorder.into_records().remove(0);
    let line = serde_json::to_string(&record).unwrap();
    let verdict = judge(&serde_json::from_str(&line).unwrap()).unwrap();
    format!("{line}\n\n{}", tell(&record, &verdict))
}

#[test]
fn a_game_of_the_mind() {
    let rules = json!({"levels": 4, "lives": 1});
    insta::assert_snapshot!(told(TheMind, rules, ["linear", "power"], 2));
}

#[test]
fn a_game_of_the_mind_extreme() {
    let rules = json!({"levels": 4, "lives": 3});
    insta::assert_snapshot!(told(TheMindExtreme, rules, ["rank", "linear"], 2));
}

#[test]
fn a_random_game_of_the_mind_extreme() {
    let rules = json!({"levels": 3, "lives": 9, "mistake": "continue"});
    insta::assert_snapshot!(told(TheMindExtreme, rules, ["random", "random"], 1));
}
