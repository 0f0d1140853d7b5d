//! What the tests of the Minds share.
#![allow(dead_code, clippy::unwrap_used)]

use std::sync::Arc;

use mindlab::error::read;
use mindlab::games::GameId;
use mindlab::games::the_mind::block::Block;
use mindlab::games::the_mind::body::Body;
use mindlab::games::the_mind::options::Options;
use mindlab::games::the_mind::outcome::Outcome;
use mindlab::games::the_mind::player::Player;
use mindlab::games::the_mind::rules::Rules;
use mindlab::rng::{GameKey, deal_key};
use mindlab::strategies::the_mind::FAMILIES;
use mindlab::strategies::{Build, Family};
use serde_json::{Value, json};

/// Rules from options as files write them.
pub fn rules(game: GameId, players: usize, options: Value) -> Rules {
    Rules::new(game, players, &read::<Options>(&options).unwrap()).unwrap()
}

/// The names of all families that play by themselves, from the program's own list. `bot` does not:
/// a program from outside answers for it, and tests/bots has programs of its own.
pub fn families() -> Vec<&'static str> {
    let names = FAMILIES.iter().map(|family| family.name);
    names.filter(|&name| name != mindlab::bots::NAME).collect()
}

/// A strategy of a family, some parameters changed.
pub fn strategy(family: &str, changes: Value) -> Arc<dyn Build<dyn Player>> {
    let family = family_of(family);
    let mut parameters = (family.defaults)();
    parameters.extend(changes.as_object().unwrap().clone());
    (family.build)(&parameters).unwrap_or_else(|error| {
        panic!("{}: {error}; see QUICK in tests/the_mind_common/mod.rs", family.name)
    })
}

fn family_of(name: &str) -> &'static Family<dyn Player> {
    FAMILIES.iter().find(|family| family.name == name).unwrap()
}

/// What makes a family quick where its strength does not matter, for those that have the parameter.
/// A family that can't be built from its defaults, or takes long by them, has its line here.
const QUICK: [(&str, u32); 1] = [("samples", 4)];

/// Changes to a family's parameters that make it quick.
pub fn quick(family: &str) -> Value {
    let defaults = (family_of(family).defaults)();
    QUICK
        .into_iter()
        .filter(|(key, _)| defaults.contains_key(*key))
        .map(|(key, value)| (key.to_owned(), json!(value)))
        .collect()
}

/// The key of a game of seed 1.
pub fn key(players: usize, game: u64) -> GameKey {
    GameKey::new(deal_key(1, 0, players, game), 0, 0)
}

/// One strategy and one body in all seats.
pub struct Team<'a> {
    rules: &'a Rules,
    strategy: Arc<dyn Build<dyn Player>>,
    bodies: Vec<Body>,
}

impl<'a> Team<'a> {
    pub fn new(rules: &'a Rules, family: &str, parameters: Value, body: Body) -> Self {
        body.check().unwrap();
        Team { rules, strategy: strategy(family, parameters), bodies: vec![body; rules.players()] }
    }

    /// Plays games in blocks of 64 and hands over each outcome.
    pub fn each(&self, games: u64, mut hear: impl FnMut(&Outcome)) {
        let players = self.rules.players();
        let mut seats: Vec<_> = (0..players).map(|_| self.strategy.seat().unwrap()).collect();
        let mut seats: Vec<_> =
            seats.iter_mut().map(|seat| &mut **seat as &mut dyn Player).collect();
        let mut block = Block::new();
        let mut outcomes = Vec::new();
        for start in (0..games).step_by(64) {
            let keys: Vec<_> = (start..games.min(start + 64)).map(|g| key(players, g)).collect();
            outcomes.clear();
            block
                .play(self.rules, &self.bodies, &mut seats, &keys, &mut (), &mut outcomes)
                .unwrap();
            outcomes.iter().for_each(&mut hear);
        }
    }

    /// The outcomes of some games.
    pub fn play(&self, games: u64) -> Vec<Outcome> {
        let mut all = Vec::new();
        self.each(games, |outcome| all.push(*outcome));
        all
    }

    /// How many of some games are as asked.
    pub fn count(&self, games: u64, is: impl Fn(&Outcome) -> bool) -> u64 {
        let mut count = 0;
        self.each(games, |outcome| count += u64::from(is(outcome)));
        count
    }
}
