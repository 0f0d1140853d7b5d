//! What every family must do, whatever its parameters: play by the rules, the same again with the
//! same seed, and nothing that hidden cards change.

use super::properties::{replay, with_hidden_shuffled};
use super::support::{State, key};
use super::tables::{config, rulebooks};
use mindlab::games::mind_up::player::{Player, Request};
use mindlab::games::mind_up::{Card, Record, Rules, record_game};
use mindlab::games::referee::judge_line;
use mindlab::rng::{Key, below};
use mindlab::strategies::mind_up::FAMILIES;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Every family, those that take their time with less of it; bots from outside have tests of their
/// own.
fn all() -> Vec<(&'static str, Map<String, Value>)> {
    let mut all = Vec::new();
    for family in FAMILIES.iter().filter(|family| family.name != mindlab::bots::NAME) {
        let defaults = (family.defaults)();
        if !defaults.contains_key("playouts") {
            all.push((family.name, defaults));
            continue;
        }
        for changes in [
            json!({"playouts": 2}),
            json!({"playouts": 3, "horizon": 2, "noise": 1.0}),
            json!({"playouts": 1, "policy": "random"}),
            json!({"playouts": 2, "carries": 0.7, "policy": {
                "family": "linear",
                "parameters": {"opens": 0.3, "denies": 0.5, "keeps": 0.8, "gives": -0.3},
            }}),
        ] {
            let mut parameters = defaults.clone();
            for (key, value) in changes.as_object().unwrap() {
                if parameters.contains_key(key) {
                    parameters.insert(key.clone(), value.clone());
                }
            }
            all.push((family.name, parameters));
        }
    }
    all
}

fn seat(which: &(&'static str, Map<String, Value>)) -> Box<dyn Player> {
    let family = FAMILIES.iter().find(|family| family.name == which.0).unwrap();
    (family.build)(&which.1).unwrap().seat().unwrap()
}

/// What a new player chooses in a block of states, each with a generator of the same seed.
fn choose(
    which: &(&'static str, Map<String, Value>),
    rules: &Rules,
    own: usize,
    states: &[&State],
    seed: u64,
) -> Vec<Card> {
    let count = states.len();
    let mut player = seat(which);
    player.begin(&vec![key(1, rules.players(), 0); count]);
    let mut plays = vec![Card::MAX; count];
    let request = Request {
        rules,
        seat: own,
        public: &states.iter().map(|state| state.public).collect::<Vec<_>>(),
        hands: &states.iter().map(|state| state.hands[own]).collect::<Vec<_>>(),
        rngs: &mut vec![Key::root(seed).rng(); count],
        plays: &mut plays,
    };
    player.choose(request).unwrap();
    plays
}

/// A game of the first family with its states, and one of these and a seat to look at.
fn situation(rules: &Rules, seed: u64, pick: u64) -> (Record, Vec<State>, usize, usize) {
    let mut players: Vec<_> = (0..rules.players()).map(|_| seat(&all()[0])).collect();
    let (record, _) = record_game(rules, &mut players, key(seed, rules.players(), 0)).unwrap();
    let mut rng = Key::root(pick).rng();
    let states = replay(&record);
    let at = below(&mut rng, states.len() as u32) as usize;
    (record, states, at, below(&mut rng, rules.players() as u32) as usize)
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn all_families_play_by_the_rules_and_alike_with_equal_seeds(
        rules in rulebooks(), seed: u64, pick: u64,
    ) {
        let all = all();
        let mut rng = Key::root(pick).rng();
        let mut seats = || -> Vec<Box<dyn Player>> {
            (0..rules.players())
                .map(|_| seat(&all[below(&mut rng, all.len() as u32) as usize]))
                .collect()
        };
        let mut players = seats();
        let (record, outcome) = record_game(&rules, &mut players, key(seed, rules.players(), 0)).unwrap();
        let again = record_game(&rules, &mut players, key(seed, rules.players(), 0)).unwrap();
        prop_assert_eq!((&record, outcome), (&again.0, again.1));
        prop_assert!(judge_line(&record.to_string()).is_ok());
    }

    /// Whatever the hidden cards are, and whatever a player was asked in the game before in its
    /// block, a seat does the same.
    #[test]
    fn a_choice_depends_on_what_the_seat_sees_alone(rules in rulebooks(), seed: u64, pick: u64) {
        let all = all();
        let (record, states, at, own) = situation(&rules, seed, pick);
        let state = &states[at];
        if state.turn == rules.turns(state.round) {
            return Ok(());
        }
        let others = replay(&with_hidden_shuffled(&rules, &record, state, own, pick));
        let same = |other: &&State| (other.round, other.turn) == (state.round, state.turn);
        let other = others.iter().find(same).unwrap();
        for which in &all {
            let choice = choose(which, &rules, own, &[state], seed)[0];
            prop_assert!(state.hands[own] >> choice & 1 == 1, "{:?}", which);
            prop_assert_eq!(choose(which, &rules, own, &[&states[0], other], seed)[1], choice);
        }
    }

    /// Blind to objectives is as if there were none.
    #[test]
    fn who_ignores_objectives_plays_as_without_them(rules in rulebooks(), seed: u64, pick: u64) {
        let all = all();
        let (_, states, at, own) = situation(&rules, seed, pick);
        let state = &states[at];
        if state.turn == rules.turns(state.round) {
            return Ok(());
        }
        for which in &all {
            let mut blind = which.clone();
            blind.1.insert("objectives".to_owned(), "ignore".into());
            let choice = choose(&blind, &rules, own, &[state], seed);
            let without = choose(which, &rules.without_objectives(), own, &[state], seed);
            prop_assert_eq!(choice, without, "{:?}", which);
        }
    }
}

#[test]
fn parameters_out_of_range_are_refused() {
    let family = FAMILIES.iter().find(|family| family.name == "monte-carlo").unwrap();
    for (key, value) in [
        ("playouts", json!(0)),
        ("playouts", json!(100_001)),
        ("noise", json!(1.5)),
        ("noise", json!(-0.1)),
        ("horizon", json!(61)),
        ("policy", json!("clever")),
    ] {
        let mut parameters = (family.defaults)();
        parameters.insert(key.to_owned(), value);
        let error = (family.build)(&parameters).err().unwrap();
        assert_eq!(error.key, key);
    }
}
