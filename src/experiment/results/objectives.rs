//! The figures of bonus objectives.

use super::{Estimate, clustered_share};
use crate::experiment::tally::OBJECTIVE_SUMS;
use crate::stats::{Interval, Moments, Share};

/// What an objective did in a round.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ObjectiveFigures {
    /// Games in which it was on the table.
    pub games: u64,
    /// Seats for which it held.
    pub triggered: u64,
    /// The share of seats for which it held.
    pub trigger_rate: Estimate,
    /// The mean points that it gave a seat.
    pub points: Estimate,
    /// The share of games that others would have won without its points.
    pub winner_changed: Estimate,
}

/// The figures of an objective with these points, from its sums: games, seats, seats for which it held,
/// games whose winners it changed.
pub fn objective_figures(points: i16, sums: &Moments<OBJECTIVE_SUMS>) -> ObjectiveFigures {
    let trigger_rate = rate(sums, 2, 1);
    let points = f64::from(points);
    let scaled = |interval: Interval| Interval {
        low: (interval.low * points).min(interval.high * points),
        high: (interval.low * points).max(interval.high * points),
    };
    ObjectiveFigures {
        games: sums.sum(0) as u64,
        triggered: sums.sum(2) as u64,
        trigger_rate,
        points: Estimate {
            mean: trigger_rate.mean.map(|rate| rate * points),
            error: trigger_rate.error.map(|error| error * points.abs()),
            interval: trigger_rate.interval.map(scaled),
        },
        winner_changed: rate(sums, 3, 0),
    }
}

/// The share that number `k` has of all `chances`. Deals differ in their number of games, so it is a
/// ratio of sums over deals, with the variance of its linearisation (W. G. Cochran, Sampling Techniques,
/// 3rd ed., 1977, section 2.11).
fn rate(sums: &Moments<OBJECTIVE_SUMS>, k: usize, chances: usize) -> Estimate {
    let all = sums.sum(chances) as f64;
    if all == 0.0 {
        return Estimate::default();
    }
    let (rate, n) = (sums.sum(k) as f64 / all, sums.n() as f64);
    let variance = || {
        let spread = sums.variance(k)? - 2.0 * rate * sums.covariance(k, chances)?;
        Some((spread + rate * rate * sums.variance(chances)?).max(0.0))
    };
    let error = variance().map_or(0.0, |variance| (variance * n).sqrt() / all);
    let games = (all / n).max(1.0);
    clustered_share(&Share { mean: rate, standard_error: error, deals: n, games, most: 1.0 })
}
