//! Speed of decisions in Mind Up!, to be asked for:
//! `cargo test --release --test mind_up_speed -- --ignored --nocapture --test-threads 1`.

use std::time::Instant;

use mindlab::games::mind_up::player::{Player, Request};
use mindlab::games::mind_up::{Card, MAX_PLAYERS, Observer, Options, Public, Rules, record_game};
use mindlab::rng::{GameKey, Key, deal_key};
use mindlab::strategies::mind_up::FAMILIES;

/// Keeps the first state of a game.
#[derive(Default)]
struct Start(Option<(Public, [u64; MAX_PLAYERS])>);

impl Observer for Start {
    fn dealt(&mut self, _: usize, public: &Public, hands: &[u64; MAX_PLAYERS]) {
        self.0.get_or_insert((*public, *hands));
    }
}

fn seat(name: &str) -> Box<dyn Player> {
    let family = FAMILIES.iter().find(|family| family.name == name).unwrap();
    let strategy = (family.build)(&(family.defaults)()).unwrap();
    strategy.seat().unwrap()
}

/// Microseconds a decision in the first turn, with full hands.
fn measure(name: &str, players: usize, decisions: usize) {
    let rules = Rules::new(players, &Options::default()).unwrap();
    let (mut public, mut hands) = (Vec::new(), Vec::new());
    for deal in 0..64 {
        let key = GameKey::new(deal_key(1, 0, players, deal), 0, 0);
        let mut seats: Vec<_> = (0..players).map(|_| seat("lowest")).collect();
        let (record, _) = record_game(&rules, &mut seats, key).unwrap();
        let record = serde_json::to_value(&record).unwrap();
        let mut start = Start::default();
        let reading = mindlab::games::mind_up::referee::Reading::open(&record).unwrap();
        reading.judge(&mut start).unwrap();
        let (state, dealt) = start.0.unwrap();
        public.push(state);
        hands.push(dealt[0]);
    }
    let mut player = seat(name);
    let mut rngs = vec![Key::root(1).rng(); public.len()];
    let mut plays = vec![Card::MAX; public.len()];
    let rounds = decisions.div_ceil(public.len());
    let clock = Instant::now();
    for _ in 0..rounds {
        player.begin(&vec![GameKey::new(Key::root(1), 0, 0); public.len()]);
        let request = Request {
            rules: &rules,
            seat: 0,
            public: &public,
            hands: &hands,
            rngs: &mut rngs,
            plays: &mut plays,
        };
        player.choose(request).unwrap();
    }
    let micros = clock.elapsed().as_secs_f64() * 1e6 / (rounds * public.len()) as f64;
    println!("{name}, {players} players, hands of 7: {micros:.3} us a decision");
}

#[test]
#[ignore = "measures, does not judge"]
fn decisions() {
    for players in [2, 3, 4, 6] {
        measure("greedy", players, 1_000_000);
        measure("monte-carlo", players, 2_000);
    }
}
