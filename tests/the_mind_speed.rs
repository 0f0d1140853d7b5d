//! Speed of the simulation, to be asked for:
//! `cargo test --release --test the_mind_speed -- --ignored --nocapture --test-threads 1`.

#[path = "the_mind_common/mod.rs"]
mod common;

use std::time::Instant;

use common::{Team, families, rules};
use mindlab::games::GameId::{self, TheMind, TheMindExtreme};
use mindlab::games::the_mind::body::Body;
use serde_json::json;

fn measure(game: GameId, family: &str, games: u64) {
    let body = Body { cv: 0.10, ..Body::default() };
    let rules = rules(game, 2, json!({}));
    let team = Team::new(&rules, family, json!({}), body);
    let games = std::env::var("GAMES").map_or(games, |games| games.parse().unwrap());
    let mut wins = 0u64;
    let start = Instant::now();
    team.each(games, |outcome| wins += u64::from(outcome.won));
    let rate = games as f64 / start.elapsed().as_secs_f64();
    println!("{game} {family}: {rate:.0} games/s, {:.4} won", wins as f64 / games as f64);
}

#[test]
#[ignore = "measures, does not judge"]
fn the_mind_linear() {
    measure(TheMind, "linear", 400_000);
}

#[test]
#[ignore = "measures, does not judge"]
fn the_mind_extreme_linear() {
    measure(TheMindExtreme, "linear", 400_000);
}

#[test]
#[ignore = "measures, does not judge"]
fn the_mind_other_families() {
    for family in families().into_iter().filter(|&family| family != "monte-carlo") {
        measure(TheMind, family, 400_000);
    }
    measure(TheMind, "monte-carlo", 400);
}
