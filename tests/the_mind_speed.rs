//! Speed of the simulation, to be asked for:
//! `cargo test --release --test the_mind_speed -- --ignored --nocapture`.

#[path = "the_mind_common/mod.rs"]
mod common;

use std::time::Instant;

use common::{Team, rules};
use mindlab::games::GameId::{TheMind, TheMindExtreme};
use mindlab::games::the_mind::body::Body;
use serde_json::json;

#[test]
#[ignore = "measures, does not judge"]
fn games_a_second() {
    let body = Body {
        cv: 0.10,
        ..Body::default()
    };
    for (game, family) in [
        (TheMind, "linear"),
        (TheMindExtreme, "linear"),
        (TheMind, "power"),
        (TheMind, "rank"),
        (TheMind, "random"),
    ] {
        let rules = rules(game, 2, json!({}));
        let team = Team::new(&rules, family, json!({}), body);
        let games = 200_000;
        let mut wins = 0u64;
        let start = Instant::now();
        team.each(games, |outcome| wins += u64::from(outcome.won));
        let seconds = start.elapsed().as_secs_f64();
        let rate = games as f64 / seconds;
        println!(
            "{game} {family}: {rate:.0} games/s, {:.4} won",
            wins as f64 / games as f64
        );
    }
}
