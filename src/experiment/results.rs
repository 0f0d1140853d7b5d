//! From tallies to figures: estimates with their intervals. Floats appear here for the first time.

pub mod batched;
mod objectives;
mod teams;

pub use objectives::{ObjectiveFigures, objective_figures};
pub use teams::{LevelFigures, TeamFigures, level_figures, team_figures};

use serde::{Deserialize, Serialize};

use super::tally::{Layout, SHARE, ScoreTally, SeatSums};
use crate::games::mind_up::MAX_PLAYERS;
use crate::stats::{Interval, Moments, Share, Student, satterthwaite};

/// The confidence of all intervals.
pub const CONFIDENCE: f64 = 0.95;

/// A mean with its interval; nothing where nothing can be said.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Estimate {
    /// The mean.
    pub mean: Option<f64>,
    /// Its standard error, clustered by deal.
    pub error: Option<f64>,
    /// Its interval at [`CONFIDENCE`], from the same computation.
    pub interval: Option<Interval>,
}

/// The figures of a strategy's seats.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ScoreFigures {
    /// Games in which it sat.
    pub games: u64,
    /// The deals of these games.
    pub deals: u64,
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
    /// Their standard errors and degrees of freedom; none below 2 deals.
    errors: [Option<(f64, f64)>; 3],
    /// The deals that count.
    deals: u64,
    /// The deals of the line-up that has the fewest.
    fewest: u64,
    /// The games of a deal, in all line-ups.
    games: f64,
    /// The most that a deal can give of the win to one of the seats.
    most: f64,
    /// Whether all seats are the strategy's own, so that its share is 1/players whatever happens.
    alone: bool,
}

/// A unit of a measure in the tally: a share is in 1/60, a difference times (n - 1).
fn units(players: usize) -> [f64; 3] {
    [SHARE as f64, 1.0, (players.max(2) - 1) as f64]
}

impl Sample {
    fn figures(&self, means: &LineupMeans, players: usize) -> ScoreFigures {
        let real =
            |k: usize, constant: bool| clustered_mean(self.means[k], self.errors[k], constant);
        let n = means.seats;
        let variance = means.mean_square - means.measures[1] * means.measures[1];
        let score_sd = (n >= 2.0).then(|| (variance.max(0.0) * n / (n - 1.0)).sqrt());
        let effect = |sd: f64| self.errors[1].map(|(error, _)| error * error * n / (sd * sd));
        ScoreFigures {
            games: means.games,
            deals: self.deals,
            score_sd,
            design_effect: score_sd.filter(|&sd| sd > 0.0).and_then(effect),
            ranks: means.ranks(players),
            win_share: match self.alone {
                true => clustered_mean(self.means[0], self.errors[0], true),
                false => clustered_share(&self.share()),
            },
            score: real(1, false),
            // Where all seats are its own, the difference is 0 whatever happens.
            difference: real(2, self.alone),
        }
    }

    fn share(&self) -> Share {
        let (error, df) = self.errors[0].unwrap_or((0.0, 0.0));
        let mean = self.means[0].min(self.most);
        // Without any spread no degrees of freedom can be told.
        let deals = if error == 0.0 { self.fewest as f64 } else { df + 1.0 };
        Share { mean, standard_error: error, deals, games: self.games, most: self.most }
    }
}

/// A mean with its standard error and degrees of freedom. It has no interval where deals happen to be
/// alike, since that says nothing of how much deals differ, unless it is `constant` whatever happens.
fn clustered_mean(mean: f64, error: Option<(f64, f64)>, constant: bool) -> Estimate {
    let interval = error.and_then(|(error, df)| match error == 0.0 && constant {
        true => Some(Interval { low: mean, high: mean }),
        false => {
            let student = Student { value: mean, standard_error: error, degrees_of_freedom: df };
            student.interval(CONFIDENCE)
        }
    });
    Estimate { mean: Some(mean), error: error.map(|(error, _)| error), interval }
}

/// A share of a win, or another share of what a deal gives one chance for or several.
fn clustered_share(share: &Share) -> Estimate {
    let error = Some(share.standard_error).filter(|_| share.deals > 1.0);
    Estimate { mean: Some(share.mean), error, interval: share.interval(CONFIDENCE) }
}

/// The figures of a strategy in a line-up.
pub fn lineup_figures(
    layout: &Layout,
    tally: &ScoreTally,
    lineup: usize,
    slot: usize,
) -> ScoreFigures {
    match lineup_sample(layout, tally, lineup, slot) {
        Some((sample, means)) => sample.figures(&means, layout.players),
        None => ScoreFigures::default(),
    }
}

/// The share of the win that a strategy has in a line-up, to be tested against another; nothing where
/// it played no game there.
pub fn lineup_share(
    layout: &Layout,
    tally: &ScoreTally,
    lineup: usize,
    slot: usize,
) -> Option<Share> {
    lineup_sample(layout, tally, lineup, slot).map(|(sample, _)| sample.share())
}

fn lineup_sample(
    layout: &Layout,
    tally: &ScoreTally,
    lineup: usize,
    slot: usize,
) -> Option<(Sample, LineupMeans)> {
    let shape = &layout.lineups[lineup];
    let moments = &tally.lineups[lineup][slot].moments;
    let means = lineup_means(layout, tally, lineup, slot, None)?;
    let units = units(layout.players);
    let df = moments.n() as f64 - 1.0;
    let error = |k: usize| {
        let scale = shape.slots[slot].seats_per_deal as f64 * units[k];
        moments.standard_error(k).map(|error| (error / scale, df))
    };
    let sample = Sample {
        means: means.measures,
        errors: std::array::from_fn(error),
        deals: moments.n(),
        fewest: moments.n(),
        games: shape.rotations as f64,
        most: 1.0 / shape.own_seats(slot),
        alone: shape.slots.len() == 1,
    };
    Some((sample, means))
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
    let deals = entry.moments.n();
    let of = |seat: usize| entry.seat(layout.players, seat);
    let sums = match seat {
        Some(seat) => of(seat),
        None => (0..layout.players).map(of).fold(SeatSums::default(), |mut all, seat| {
            all.merge(&seat);
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
    let deals: u64 = segments.iter().map(|segment| segment.n()).sum();
    let share = if seat.is_some() { layout.players as f64 } else { 1.0 };
    let (units, scale) = (units(layout.players), layout.scale(strategy, deals) / share);
    let own = || layout.slots_of(strategy);
    let played = || {
        let deals = own().map(|(lineup, slot)| tally.lineups[lineup][slot].moments.n());
        deals.filter(|&deals| deals > 0)
    };
    let most = |(lineup, slot): (usize, usize)| match seat {
        Some(_) => 1.0,
        None => 1.0 / layout.lineups[lineup].own_seats(slot),
    };
    let sample = Sample {
        means: means.measures,
        errors: std::array::from_fn(|k| error_of_sum(segments, k, scale * units[k])),
        deals,
        fewest: played().min().unwrap_or(0),
        games: (means.games as f64 / deals.max(1) as f64).max(1.0),
        most: own().map(most).sum::<f64>() / own().count() as f64,
        // Of one seat's own share nothing is certain, even among equals.
        alone: seat.is_none() && own().all(|(lineup, _)| layout.lineups[lineup].slots.len() == 1),
    };
    sample.figures(&means, layout.players)
}

/// The standard error of a sum over independent deals, over `scale`, with its degrees of freedom: the
/// deals of a segment are alike, those of others vary more or less.
///
/// A segment of one deal has no spread of its own, and is given that of the segment before, in which
/// more line-ups are played; it adds no degrees of freedom.
fn error_of_sum(segments: &[Moments<3>], k: usize, scale: f64) -> Option<(f64, f64)> {
    let mut parts: Vec<(f64, f64)> = Vec::new();
    let mut spread = None;
    let used: Vec<&Moments<3>> = segments.iter().filter(|segment| segment.n() > 0).collect();
    // The longest segment stands in for a first one of a single deal.
    let longest = used.iter().max_by_key(|segment| segment.n())?.variance(k)?;
    for segment in used {
        let n = segment.n() as f64;
        spread = segment.variance(k).or(spread);
        let variance = spread.unwrap_or(longest) * n / (scale * scale);
        match (parts.last_mut(), segment.n()) {
            (Some((last, _)), 1) => *last += variance,
            _ => parts.push((variance, (n - 1.0).max(1.0))),
        }
    }
    let variance: f64 = parts.iter().map(|(variance, _)| variance).sum();
    // Without any spread the degrees of freedom serve for nothing.
    let df = satterthwaite(&parts).or_else(|| Some(parts.iter().map(|(_, df)| df).sum()))?;
    Some((variance.sqrt(), df))
}
