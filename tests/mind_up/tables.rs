//! Tables of any rules and seats, for the property tests.

use super::common::families;
use super::support::{key, players};
use mindlab::games::mind_up::player::Player;
use mindlab::games::mind_up::{Block, Observer, Options, Outcome, Rules};
use mindlab::rng::GameKey;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::{Value, json};

/// Few cases, the same in every run.
pub fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// A table: rules, who sits where, and the deal's seed.
#[derive(Debug, Clone)]
pub struct Table {
    pub rules: Rules,
    pub names: Vec<&'static str>,
    pub seed: u64,
}

impl Table {
    pub fn players(&self) -> Vec<Box<dyn Player>> {
        players(&self.names)
    }

    pub fn key(&self) -> GameKey {
        key(self.seed, self.names.len(), 0)
    }

    pub fn play<O: Observer>(&self, keys: &[GameKey], observer: &mut O) -> Vec<Outcome> {
        play(&self.rules, &mut self.players(), keys, observer)
    }
}

/// Plays a block.
pub fn play<O: Observer>(
    rules: &Rules,
    players: &mut [Box<dyn Player>],
    keys: &[GameKey],
    observer: &mut O,
) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    Block::default().play(rules, players, keys, observer, &mut outcomes).unwrap();
    outcomes
}

fn maybe(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    prop_oneof![2 => Just(Value::Null), 1 => value]
}

fn options() -> impl Strategy<Value = Options> {
    let letters = prop_oneof![Just("distinct-in-round"), Just("distinct-in-game")];
    let next_hand = prop_oneof![Just("tableau"), Just("deal")];
    let own = json!([{"id": "H1", "points": 5, "text": "own", "when":
        {"kind": "count", "colour": "pink", "in": [0, 2]}}]);
    let points = json!({"A1": -7, "B2": 99, "G1": 0});
    let parts = (
        (0u8..=5, maybe((3u8..=4).prop_map(Value::from))),
        maybe(letters.prop_map(Value::from)),
        maybe(next_hand.prop_map(Value::from)),
        maybe((1u8..=6).prop_map(Value::from)),
        maybe((2u8..=12).prop_map(Value::from)),
        maybe(prop::collection::vec(-99i8..=99, 5..=8).prop_map(Value::from)),
        maybe(Just(own)),
        maybe(Just(points)),
    );
    parts.prop_map(
        |((objectives, kept), letters, next_hand, rounds, first, values, own, points)| {
            let given = json!({
            "objectives": objectives, "objectives_kept_from": kept, "objective_letters": letters,
            "next_hand": next_hand, "rounds": rounds, "first_hand": first,
            "scoring_values": values, "objective_cards": own, "objective_points": points});
            serde_json::from_value(given).unwrap()
        },
    )
}

/// Rules for 2 to 6 players, a deck of a designer's own among them.
pub fn rulebooks() -> impl Strategy<Value = Rules> {
    let parts = (options(), 2usize..=6, any::<bool>());
    parts.prop_filter_map("rules refused", |(options, players, own)| {
        let deck = own.then(|| {
            let row = |card: usize| {
                let colour = ["red", "blue", "green", "orange", "pink", "purple"][card % 6];
                format!("{},{colour},{}\n", card * 7 + 3, card as i32 % 5 - 2)
            };
            let rows: String = (0..60).map(row).collect();
            format!("number,colour,points\n{rows}")
        });
        Rules::new(players, &Options { deck, ..options }).ok()
    })
}

/// Any table.
pub fn tables() -> impl Strategy<Value = Table> {
    let names: Vec<_> = families().map(|family| family.name).collect();
    let seats = prop::collection::vec(prop::sample::select(names), 2..=6);
    (options(), seats, any::<u64>()).prop_filter_map("rules refused", |(options, names, seed)| {
        let rules = Rules::new(names.len(), &options).ok()?;
        Some(Table { rules, names, seed })
    })
}
