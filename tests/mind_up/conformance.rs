//! What every family must do, whatever its parameters: play by the rules, the same again with the
//! same seed, and nothing that hidden cards change.

use super::common::{families, family, quick};
use super::properties::{replay, with_hidden_shuffled};
use super::support::{State, key};
use super::tables::{config, rulebooks};
use mindlab::cpu::Portable;
use mindlab::games::mind_up::player::{Player, Request};
use mindlab::games::mind_up::{Card, Record, Rules, View, record_game};
use mindlab::games::referee::judge_line;
use mindlab::rng::{Key, below};
use mindlab::strategies::mind_up::playout::{Mover, Playouts, Search};
use mindlab::strategies::mind_up::policy::Policy;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Every family, the searchers with parameters of several kinds.
fn all() -> Vec<(&'static str, Map<String, Value>)> {
    let mut all = Vec::new();
    for family in families() {
        let defaults = quick(family);
        if !defaults.contains_key("playouts") {
            if defaults.contains_key("temperature") {
                let mut mixing = defaults.clone();
                mixing.insert("temperature".to_owned(), json!(2.0));
                all.push((family.name, mixing));
            }
            all.push((family.name, defaults));
            continue;
        }
        for changes in [
            json!({"playouts": 2}),
            json!({"playouts": 3, "horizon": 2, "noise": 1.0}),
            json!({"playouts": 1, "policy": "random"}),
            json!({"playouts": 2, "carries": 0.7, "public": 0.5, "policy": {
                "family": "linear",
                "parameters": {"opens": 0.3, "denies": 0.5, "keeps": 0.8, "gives": -0.3, "temperature": 1.0},
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
    super::common::seat(family(which.0), &which.1)
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

/// A game of the first family with its states, and one of these and a seat to look at; none where the
/// state that was picked leaves no choice.
fn situation(rules: &Rules, seed: u64, pick: u64) -> Option<(Record, Vec<State>, usize, usize)> {
    let mut players: Vec<_> = (0..rules.players()).map(|_| seat(&all()[0])).collect();
    let (record, _) = record_game(rules, &mut players, key(seed, rules.players(), 0)).unwrap();
    let mut rng = Key::root(pick).rng();
    let states = replay(&record);
    let at = below(&mut rng, states.len() as u32) as usize;
    let own = below(&mut rng, rules.players() as u32) as usize;
    (states[at].turn < rules.turns(states[at].round)).then_some((record, states, at, own))
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
        let Some((record, states, at, own)) = situation(&rules, seed, pick) else { return Ok(()) };
        let state = &states[at];
        let others = replay(&with_hidden_shuffled(&rules, &record, state, own, pick));
        let same = |other: &&State| (other.round, other.turn) == (state.round, state.turn);
        let other = others.iter().find(same).unwrap();
        for which in &all {
            let choice = choose(which, &rules, own, &[state], seed)[0];
            prop_assert!(state.hands[own] >> choice & 1 == 1, "{:?}", which);
            prop_assert_eq!(choose(which, &rules, own, &[&states[0], other], seed)[1], choice);
        }
    }

    /// Greedy in the features of `linear`: the same mixture, but for what rounding does to a draw
    /// (about once in 10^7).
    #[test]
    fn a_linear_that_is_greedy_mixes_as_soft_greedy(rules in rulebooks(), seed: u64, pick: u64) {
        let Some((_, states, at, own)) = situation(&rules, seed, pick) else { return Ok(()) };
        let state = &states[at];
        let mixes = |family, parameters: Value| {
            let which = (family, parameters.as_object().unwrap().clone());
            choose(&which, &rules, own, &[state], seed)[0]
        };
        let linear = mixes("linear", json!({"objective": 1.0, "temperature": 1.5}));
        prop_assert_eq!(linear, mixes("soft-greedy", json!({"temperature": 1.5})));
    }

    /// Deals as all may see them: legal hands in which known cards stay, the own hidden ones not.
    #[test]
    fn public_deals_hide_the_own_hand(rules in rulebooks(), seed: u64, pick: u64) {
        let Some((_, states, at, own)) = situation(&rules, seed, pick) else { return Ok(()) };
        let state = &states[at];
        let view = View::new(&rules, &state.public, state.hands[own], own, Portable);
        let policy = Policy::try_from(json!("greedy")).unwrap();
        let mover = Mover { policy: &policy, noise: 0.0 };
        let playouts = Playouts { own: mover, others: mover, horizon: 0, carries: 0.0 };
        let search = Search::new(&view, &playouts);
        let mut rng = Key::root(pick).rng();
        let hidden = state.hands[own] & !view.known(own);
        let (mut seen, mut kept) = (0, hidden);
        for _ in 0..1_000 {
            let deal = search.deal_all(&mut rng);
            let mut dealt = 0;
            for seat in 0..rules.players() {
                let hand = deal.hand(seat);
                prop_assert_eq!(hand.count_ones(), state.hands[seat].count_ones());
                prop_assert_eq!(hand & view.known(seat), view.known(seat));
                prop_assert_eq!(hand & dealt, 0);
                dealt |= hand;
            }
            prop_assert_eq!(dealt & !(view.unseen() | state.hands.iter().fold(0, |all, hand| all | hand)), 0);
            seen |= deal.hand(own);
            kept &= deal.hand(own);
        }
        // With one hidden card at least and one unseen beside it, a card stays in all 1,000 deals
        // with a chance below 60 (1 - 1/61)^1000 < 10^-5.
        if hidden != 0 && view.unseen() != 0 {
            prop_assert_eq!(kept, 0);
            prop_assert_eq!(seen & view.unseen(), view.unseen());
        }
    }

    /// Blind to objectives is as if there were none.
    #[test]
    fn who_ignores_objectives_plays_as_without_them(rules in rulebooks(), seed: u64, pick: u64) {
        let all = all();
        let Some((_, states, at, own)) = situation(&rules, seed, pick) else { return Ok(()) };
        let state = &states[at];
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
    let family = family("monte-carlo");
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
