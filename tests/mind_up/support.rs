//! What the tests share.

use mindlab::cpu::Portable;
use mindlab::games::mind_up::player::Player;
use mindlab::games::mind_up::{Card, MAX_PLAYERS, Observer, Options, Public, RoundScore, Rules};
use mindlab::rng::{GameKey, deal_key};
use serde_json::{Map, Value, json};

use super::common::{self, family};

/// The lines of a fixture.
pub fn lines(name: &str) -> Vec<String> {
    let path = format!("{}/tests/fixtures/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// The rules of options in JSON.
pub fn rules(players: usize, options: &Value) -> Rules {
    let options: Options = serde_json::from_value(options.clone()).unwrap();
    Rules::new(players, &options).unwrap()
}

/// A seat's player, by the quick parameters of its family.
pub fn player(name: &str) -> Box<dyn Player> {
    common::seat(family(name), &Map::new())
}

/// Players for all seats.
pub fn players(names: &[&str]) -> Vec<Box<dyn Player>> {
    names.iter().map(|name| player(name)).collect()
}

/// Players for all seats who see no objectives.
pub fn blind_players(names: &[&str]) -> Vec<Box<dyn Player>> {
    let blind = Map::from_iter([("objectives".to_owned(), json!("ignore"))]);
    names.iter().map(|name| common::seat(family(name), &blind)).collect()
}

/// The key of a deal, in the first cell and seating.
pub fn key(seed: u64, players: usize, deal: u64) -> GameKey {
    GameKey::new(deal_key(seed, 0, players, deal), 0, 0)
}

/// Something that an observer was shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seen {
    Dealt(Public, [u64; MAX_PLAYERS]),
    Turn(Public, [Card; MAX_PLAYERS]),
    Scored(Public, [RoundScore; MAX_PLAYERS]),
}

/// Keeps all that it is shown, by game.
#[derive(Debug, Clone, Default)]
pub struct Log(pub Vec<Vec<Seen>>);

impl Log {
    fn push(&mut self, game: usize, seen: Seen) {
        if self.0.len() <= game {
            self.0.resize(game + 1, Vec::new());
        }
        self.0[game].push(seen);
    }
}

impl Observer for Log {
    fn dealt(&mut self, game: usize, public: &Public, hands: &[u64; MAX_PLAYERS]) {
        self.push(game, Seen::Dealt(*public, *hands));
    }
    fn turn(&mut self, game: usize, public: &Public, plays: &[Card; MAX_PLAYERS]) {
        self.push(game, Seen::Turn(*public, *plays));
    }
    fn scored(&mut self, game: usize, public: &Public, scores: &[RoundScore; MAX_PLAYERS]) {
        self.push(game, Seen::Scored(*public, *scores));
    }
}

/// A state: after so many turns of a round, what is public and the hands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    pub round: usize,
    pub turn: usize,
    pub public: Public,
    pub hands: [u64; MAX_PLAYERS],
}

/// The states of a game, those before the first turn and after the last one of a round included.
pub fn states(rules: &Rules, seen: &[Seen]) -> Vec<State> {
    let mut states: Vec<State> = Vec::new();
    for seen in seen {
        match seen {
            Seen::Dealt(public, hands) => states.push(State {
                round: usize::from(public.round),
                turn: 0,
                public: *public,
                hands: *hands,
            }),
            Seen::Turn(public, plays) => {
                let mut state = states.last().unwrap().clone();
                assert_eq!(state.public, *public, "what a turn finds is what the last one left");
                state.public.turn(Portable, rules, plays);
                for seat in 0..rules.players() {
                    state.hands[seat] &= !(1 << plays[seat]);
                }
                state.turn += 1;
                states.push(state);
            }
            Seen::Scored(..) => {}
        }
    }
    states
}
