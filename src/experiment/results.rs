//! From tallies to figures: estimates with their intervals. Floats appear here for the first time.

mod objectives;
mod teams;

pub use objectives::{ObjectiveFigures, objective_figures};
pub use teams::{LevelFigures, TeamFigures, level_figures, team_figures};

use serde::{Deserialize, Serialize};

use super::tally::{Layout, SHARE, ScoreTally, SeatSums};
use crate::games::mind_up::MAX_PLAYERS;
use crate::stats::{Interval, Moments, mean_interval, share_interval};

/// The confidence of all intervals.
pub const CONFIDENCE: f64 = 0.95;

/// A mean with its interval; nothing where nothing can be said.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Estimate {
    /// The mean.
    pub mean: Option<f64>,
    /// Its interval at [`CONFIDENCE`], clustered by deal.
    pub interval: Option<Interval>,
}

/// The figures of a strategy's seats.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ScoreFigures {
    /// Games in which it sat.
    pub games: u64,
    /// The mean share of the win of one of its seats; parity is 1/players.
    pub win_share: Estimate,
    /// The mean total of one of its seats.
    pub score: Estimate,
    /// The standard deviation of a single seat's total.
    pub score_sd: Option<f64>,
    /// The variance of the mean total over what it would be if all seats of all games were
    /// independent (Kish's design effect): 1 less it is what clusters of deals save.
    pub design_effect: Option<f64>,
    /// The mean of own total minus the mean of the others'.
    pub difference: Estimate,
    /// How often each rank was reached; shared places count in parts.
    pub ranks: [Option<f64>; MAX_PLAYERS],
}

/// What the measures of a deal add up to for one strategy, and what turns sums into means of a seat.
struct Sample {
    /// Means of one seat: share, score, difference.
    means: [f64; 3],
    /// Their standard errors.
    errors: [Option<f64>; 3],
    deals: u64,
    degrees_of_freedom: f64,
    /// Whether all seats are the strategy's own, so that its share is 1/players whatever happens.
    alone: bool,
}

/// A unit of a measure in the tally: a share is in 1/60, a difference times (n - 1).
fn units(players: usize) -> [f64; 3] {
    [SHARE as f64, 1.0, (players.max(2) - 1) as f64]
}

impl Sample {
    fn figures(&self, means: &LineupMeans, players: usize) -> ScoreFigures {
        let real = |measure: usize, constant: bool| {
            let mean = self.means[measure];
            let error = self.errors[measure];
            let interval = clustered_mean(mean, error, self.degrees_of_freedom, constant);
            Estimate { mean: Some(mean), interval }
        };
        let share = clustered_share(self.means[0], self.errors[0], self.deals, self.alone);
        let n = means.seats;
        let variance = means.mean_square - means.measures[1] * means.measures[1];
        let score_sd = (n >= 2.0).then(|| (variance.max(0.0) * n / (n - 1.0)).sqrt());
        let effect = |sd: f64| Some(self.errors[1]? * self.errors[1]? * n / (sd * sd));
        ScoreFigures {
            games: means.games,
            score_sd,
            design_effect: score_sd.filter(|&sd| sd > 0.0).and_then(effect),
            ranks: means.ranks(players),
            win_share: Estimate { mean: Some(self.means[0]), interval: share },
            score: real(1, false),
            // Where all seats are its own, the difference is 0 whatever happens.
            difference: real(2, self.alone),
        }
    }
}

/// The interval of a mean; none where deals happen to be alike, unless it is `constant` whatever
/// happens: see [`clustered_share`].
fn clustered_mean(mean: f64, error: Option<f64>, df: f64, constant: bool) -> Option<Interval> {
    let error = error.filter(|&error| error > 0.0 || constant)?;
    mean_interval(mean, error, df, CONFIDENCE)
}

/// The interval of a share of a win. Deals that happen to be alike say nothing of how much deals
/// differ, so then there is none, unless the share is `constant` whatever happens.
fn clustered_share(share: f64, error: Option<f64>, deals: u64, constant: bool) -> Option<Interval> {
    let error = error.unwrap_or(0.0);
    let by_chance = error == 0.0 && share > 0.0 && share < 1.0 && !constant;
    if by_chance {
        return None;
    }
    share_interval(share, error, deals, CONFIDENCE)
}

/// The figures of a strategy in a line-up.
pub fn lineup_figures(
    layout: &Layout,
    tally: &ScoreTally,
    lineup: usize,
    slot: usize,
) -> ScoreFigures {
    let shape = &layout.lineups[lineup];
    let entry = &tally.lineups[lineup][slot];
    let all = merged(&entry.groups);
    let means = lineup_means(layout, tally, lineup, slot, None);
    let (Some(means), deals) = (means, all.n()) else {
        return ScoreFigures::default();
    };
    let units = units(layout.players);
    let scale = |k: usize| shape.slots[slot].seats_per_deal as f64 * units[k];
    let sample = Sample {
        means: means.measures,
        errors: std::array::from_fn(|k| all.standard_error(k).map(|error| error / scale(k))),
        deals,
        degrees_of_freedom: deals as f64 - 1.0,
        alone: shape.slots.len() == 1,
    };
    sample.figures(&means, layout.players)
}

/// Means over the seats of a strategy in a line-up.
struct LineupMeans {
    games: u64,
    /// The single seats that are averaged.
    seats: f64,
    /// Share, score, difference.
    measures: [f64; 3],
    mean_square: f64,
    ranks: [f64; MAX_PLAYERS],
}

impl LineupMeans {
    fn ranks(&self, players: usize) -> [Option<f64>; MAX_PLAYERS] {
        std::array::from_fn(|rank| (rank < players).then_some(self.ranks[rank]))
    }

    /// The mean over line-ups, which weigh alike.
    fn average(all: &[LineupMeans]) -> Option<LineupMeans> {
        let count = all.len() as f64;
        let mean = |value: &dyn Fn(&LineupMeans) -> f64| all.iter().map(value).sum::<f64>() / count;
        (!all.is_empty()).then(|| LineupMeans {
            games: all.iter().map(|means| means.games).sum(),
            seats: all.iter().map(|means| means.seats).sum(),
            measures: std::array::from_fn(|k| mean(&|means| means.measures[k])),
            mean_square: mean(&|means| means.mean_square),
            ranks: std::array::from_fn(|rank| mean(&|means| means.ranks[rank])),
        })
    }
}

/// The means in a line-up, over all seats of the table or for one of them; nothing where the
/// strategy played no game there.
fn lineup_means(
    layout: &Layout,
    tally: &ScoreTally,
    lineup: usize,
    slot: usize,
    seat: Option<usize>,
) -> Option<LineupMeans> {
    let shape = &layout.lineups[lineup];
    let entry = &tally.lineups[lineup][slot];
    let deals: u64 = entry.groups.iter().map(Moments::n).sum();
    let sums = match seat {
        Some(seat) => entry.seats[seat],
        None => entry.seats.iter().fold(SeatSums::default(), |mut all, seat| {
            all.merge(seat);
            all
        }),
    };
    // In the rotations of a deal a strategy comes to every seat of the table equally often.
    let share = if seat.is_some() { layout.players } else { 1 };
    let times = (shape.slots[slot].seats_per_deal / share) as u64;
    let seats = (deals * times) as f64;
    let units = units(layout.players);
    (deals > 0).then(|| LineupMeans {
        games: if seat.is_some() { deals * times } else { deals * shape.rotations as u64 },
        seats,
        measures: std::array::from_fn(|k| sums.sums[k] as f64 / (seats * units[k])),
        mean_square: sums.score_squares as f64 / seats,
        ranks: std::array::from_fn(|rank| sums.ranks[rank] as f64 / (seats * SHARE as f64)),
    })
}

/// The figures of a strategy in a cell, over all seats of the table or in one of them: its line-ups
/// weigh alike, and deals are clusters over all of them.
pub fn strategy_figures(
    layout: &Layout,
    tally: &ScoreTally,
    strategy: usize,
    seat: Option<usize>,
) -> ScoreFigures {
    let lineups: Vec<LineupMeans> = layout
        .slots_of(strategy)
        .filter_map(|(lineup, slot)| lineup_means(layout, tally, lineup, slot, seat))
        .collect();
    let Some(means) = LineupMeans::average(&lineups) else {
        return ScoreFigures::default();
    };
    let entry = &tally.strategies[strategy];
    let segments = seat.map_or(&entry.segments, |seat| &entry.seats[seat]);
    let used: Vec<_> = segments.iter().filter(|segment| segment.n() > 0).collect();
    let deals: u64 = used.iter().map(|segment| segment.n()).sum();
    let share = if seat.is_some() { layout.players as f64 } else { 1.0 };
    let (units, scale) = (units(layout.players), layout.scale(strategy, deals) / share);
    // The variance of a sum over independent deals, segment by segment.
    let error = |k: usize| {
        let variances = used.iter().map(|s| s.variance(k).map(|v| v * s.n() as f64));
        let sum = variances.sum::<Option<f64>>()?;
        Some(sum.sqrt() / (scale * units[k]))
    };
    let alone = |(lineup, _): (usize, usize)| layout.lineups[lineup].slots.len() == 1;
    let sample = Sample {
        means: means.measures,
        errors: std::array::from_fn(error),
        deals,
        degrees_of_freedom: deals as f64 - used.len() as f64,
        // Of one seat's own share nothing is certain, even among equals.
        alone: seat.is_none() && layout.slots_of(strategy).all(alone),
    };
    sample.figures(&means, layout.players)
}

fn merged<const K: usize>(groups: &[Moments<K>]) -> Moments<K> {
    groups.iter().fold(Moments::new(), |mut all, group| {
        all.merge(group);
        all
    })
}
