//! How often the interval of a win share holds the truth in games that are really played: weak and
//! strong strategies of Mind Up!, alone among others, over many seeds, against one long run.

use mindlab::experiment::plan::Plan;
use mindlab::experiment::results::lineup_share;
use mindlab::experiment::run::{Fixed, Monitor, Tallies, run};
use mindlab::experiment::spec::{Overrides, Spec};
use mindlab::stats::Share;
use mindlab::strategies::Library;

const CONFIDENCE: f64 = 0.95;
const SEEDS: u64 = 500;
/// Games of each line-up. Of 100 deals' standard error its own is a fortieth at most.
const LONG: u64 = 1_000_000;

/// The shares of all strategies in all line-ups, in order.
fn shares(players: usize, deals: u64, seed: u64) -> Vec<Share> {
    let text = format!(
        "name = \"coverage\"\ngame = \"mind-up\"\nplayers = {players}\ngames = {}\nseed = {seed}\n\
         strategies = [\"random\", \"lowest\", \"greedy\"]\ndesign = \"one-vs-rest\"\n",
        deals * players as u64,
    );
    let spec = Spec::from_toml(&text, ".".as_ref(), &Overrides::default()).unwrap();
    let plan = Plan::new(&spec, &Library::default()).unwrap();
    let Tallies::Scores(tallies) = run(&plan, &Fixed, 2, &Monitor::default()).unwrap() else {
        panic!("Mind Up! has scores");
    };
    let layout = plan.cells[0].layout();
    let lineups = layout.lineups.iter().enumerate();
    // Among its likes a strategy's share is 1/players whatever happens.
    let mixed = lineups.filter(|(_, lineup)| lineup.slots.len() > 1);
    let slots =
        mixed.flat_map(|(number, lineup)| (0..lineup.slots.len()).map(move |slot| (number, slot)));
    slots.map(|(lineup, slot)| lineup_share(&layout, &tallies[0], lineup, slot).unwrap()).collect()
}

#[test]
#[ignore = "a minute: `cargo test --release --test coverage -- --ignored --nocapture`"]
fn shares_of_games_are_covered() {
    let allowed = 4.0 * (CONFIDENCE * (1.0 - CONFIDENCE) / SEEDS as f64).sqrt();
    println!("| players | true share | 5 deals | 10 deals | 30 deals | 100 deals |");
    println!("| ---: | ---: | ---: | ---: | ---: | ---: |");
    for players in [3, 4, 6] {
        let truths = shares(players, LONG / players as u64, u64::MAX / 2);
        let mut covered = vec![[0; 4]; truths.len()];
        for (number, deals) in [5, 10, 30, 100].into_iter().enumerate() {
            for seed in 0..SEEDS {
                for (row, share) in shares(players, deals, seed).iter().enumerate() {
                    let interval = share.interval(CONFIDENCE).unwrap();
                    covered[row][number] += u64::from(interval.contains(truths[row].mean));
                }
            }
        }
        for (truth, covered) in truths.iter().zip(covered) {
            let parts = covered.map(|count| count as f64 / SEEDS as f64);
            let [a, b, c, d] = parts;
            println!("| {players} | {:.4} | {a:.3} | {b:.3} | {c:.3} | {d:.3} |", truth.mean);
            let least = parts.into_iter().fold(1.0, f64::min);
            assert!(least >= CONFIDENCE - allowed, "{players} players, {}: {parts:?}", truth.mean);
        }
    }
}
