//! The figures of bonus objectives.

use super::{CONFIDENCE, Estimate};
use crate::stats::{Interval, Moments, mean_interval, share_interval};

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

/// The figures of an objective with these points, from its sums: games, seats for which it held,
/// games whose winners it changed.
pub fn objective_figures(players: usize, points: i16, sums: &Moments<3>) -> ObjectiveFigures {
    let trigger_rate = rate(sums, 1, players as f64);
    let points = f64::from(points);
    let scaled = |interval: Interval| Interval {
        low: (interval.low * points).min(interval.high * points),
        high: (interval.low * points).max(interval.high * points),
    };
    ObjectiveFigures {
        games: sums.sum(0) as u64,
        triggered: sums.sum(1) as u64,
        trigger_rate,
        points: Estimate {
            mean: trigger_rate.mean.map(|rate| rate * points),
            interval: trigger_rate.interval.map(scaled),
        },
        winner_changed: rate(sums, 2, 1.0),
    }
}

/// The share that measure `k` has of all chances, `chances` a game. Deals differ in their number of
/// games, so it is a ratio of sums over deals, with the variance of its linearisation (W. G.
/// Cochran, Sampling Techniques, 3rd ed., 1977, section 2.11).
fn rate(sums: &Moments<3>, k: usize, chances: f64) -> Estimate {
    let all = sums.sum(0) as f64 * chances;
    if all == 0.0 {
        return Estimate::default();
    }
    let rate = sums.sum(k) as f64 / all;
    let (n, slope) = (sums.n() as f64, rate * chances);
    let variance = || {
        let spread = sums.variance(k)? - 2.0 * slope * sums.covariance(k, 0)?;
        Some((spread + slope * slope * sums.variance(0)?).max(0.0))
    };
    let interval = match variance() {
        // At 0 or 1 deals show no spread: the effective number is that of the deals.
        _ if rate <= 0.0 || rate >= 1.0 => share_interval(rate, 0.0, sums.n(), CONFIDENCE),
        Some(variance) if variance > 0.0 => {
            let error = (variance * n).sqrt() / all;
            mean_interval(rate, error, n - 1.0, CONFIDENCE).map(|interval| Interval {
                low: interval.low.max(0.0),
                high: interval.high.min(1.0),
            })
        }
        _ => None,
    };
    Estimate { mean: Some(rate), interval }
}
