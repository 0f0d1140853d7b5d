//! Where all play uniformly at random and without objectives, each seat's expected total is exactly
//! 84: 24 cards come into a tableau, each worth 3 for its column and 0.5 for its bubble.

use super::support::{key, players, rules};
use mindlab::games::mind_up::Block;
use serde_json::json;

#[test]
fn random_play_is_worth_84() {
    const GAMES: u64 = 9_600;
    const BLOCK: u64 = 64;
    for count in 3..=6 {
        let rules = rules(count, &json!({}));
        let mut seats = players(&vec!["random"; count]);
        let (mut block, mut outcomes) = (Block::default(), Vec::new());
        let (mut sums, mut squares) = ([0i64; 6], [0i64; 6]);
        for first in (0..GAMES).step_by(BLOCK as usize) {
            let keys: Vec<_> = (first..first + BLOCK).map(|deal| key(84, count, deal)).collect();
            block.play(&rules, &mut seats, &keys, &mut (), &mut outcomes).unwrap();
            for outcome in &outcomes {
                for seat in 0..count {
                    sums[seat] += i64::from(outcome.totals[seat]);
                    squares[seat] += i64::from(outcome.totals[seat]).pow(2);
                }
            }
        }
        let n = GAMES as f64;
        for seat in 0..count {
            let mean = sums[seat] as f64 / n;
            let variance = (squares[seat] as f64 / n - mean * mean) * n / (n - 1.0);
            let error = (variance / n).sqrt();
            assert!(
                (mean - 84.0).abs() < 5.0 * error,
                "{count} players, seat {seat}: {mean} is not 84 (standard error {error})"
            );
            assert!(error < 0.2, "the bound says something: {error}");
        }
    }
}
