//! From tallies to figures: estimates with their intervals. Floats appear here for the first time.

use super::tally::{Layout, SHARE, ScoreTally, Slot, TeamTally};
use crate::games::mind_up::MAX_PLAYERS;
use crate::stats::{Interval, Moments, mean_interval, share_interval, wilson};

/// The confidence of all intervals.
pub const CONFIDENCE: f64 = 0.95;

/// A mean with its interval; nothing where nothing can be said.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
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
    fn figures(&self, games: u64) -> ScoreFigures {
        let real = |measure: usize| {
            let interval = self.errors[measure].and_then(|error| {
                let mean = self.means[measure];
                mean_interval(mean, error, self.degrees_of_freedom, CONFIDENCE)
            });
            Estimate {
                mean: Some(self.means[measure]),
                interval,
            }
        };
        let share = clustered_share(self.means[0], self.errors[0], self.deals, self.alone);
        ScoreFigures {
            games,
            win_share: Estimate {
                mean: Some(self.means[0]),
                interval: share,
            },
            score: real(1),
            difference: real(2),
            ..ScoreFigures::default()
        }
    }
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
    let Slot { seats_per_deal, .. } = shape.slots[slot];
    let all = merged(&entry.groups);
    let deals = all.n();
    if deals == 0 {
        return ScoreFigures::default();
    }
    let units = units(layout.players);
    let seats = seats_per_deal as f64;
    let scale = |measure: usize| seats * units[measure];
    let sample = Sample {
        means: std::array::from_fn(|k| all.mean(k).unwrap_or(0.0) / scale(k)),
        errors: std::array::from_fn(|k| all.standard_error(k).map(|error| error / scale(k))),
        deals,
        degrees_of_freedom: deals as f64 - 1.0,
        alone: shape.slots.len() == 1,
    };
    let observations = deals as f64 * seats;
    let mean_square = entry.score_squares as f64 / observations;
    ScoreFigures {
        score_sd: standard_deviation(mean_square, sample.means[1], observations),
        ranks: std::array::from_fn(|rank| {
            let part = entry.ranks[rank] as f64 / (observations * SHARE as f64);
            (rank < layout.players).then_some(part)
        }),
        ..sample.figures(deals * shape.rotations as u64)
    }
}

/// The sample standard deviation, from the mean square and the mean.
fn standard_deviation(mean_square: f64, mean: f64, n: f64) -> Option<f64> {
    let variance = (mean_square - mean * mean).max(0.0);
    (n >= 2.0).then(|| (variance * n / (n - 1.0)).sqrt())
}

/// The figures of a strategy in a cell: its line-ups weigh alike, deals are clusters over all of
/// them.
pub fn strategy_figures(layout: &Layout, tally: &ScoreTally, strategy: usize) -> ScoreFigures {
    let lineups: Vec<(usize, ScoreFigures)> = layout
        .slots_of(strategy)
        .map(|(lineup, own)| {
            let slots = &layout.lineups[lineup].slots;
            let slot = slots
                .iter()
                .position(|slot| slot.strategy == own.strategy)
                .unwrap_or(0);
            (lineup, lineup_figures(layout, tally, lineup, slot))
        })
        .filter(|(_, figures)| figures.games > 0)
        .collect();
    if let [(_, only)] = lineups.as_slice() {
        return only.clone();
    }
    if lineups.is_empty() {
        return ScoreFigures::default();
    }
    let count = lineups.len() as f64;
    let mean = |value: &dyn Fn(&ScoreFigures) -> Option<f64>| {
        lineups
            .iter()
            .filter_map(|(_, figures)| value(figures))
            .sum::<f64>()
            / count
    };
    let segments = &tally.strategies[strategy].segments;
    let (units, scale) = (units(layout.players), layout.scale(strategy));
    let used: Vec<_> = segments.iter().filter(|segment| segment.n() > 0).collect();
    let deals: u64 = used.iter().map(|segment| segment.n()).sum();
    // The variance of a sum over independent deals, segment by segment.
    let error = |k: usize| {
        let variances = used.iter().map(|s| s.variance(k).map(|v| v * s.n() as f64));
        let sum = variances.sum::<Option<f64>>()?;
        Some(sum.sqrt() / (scale * units[k]))
    };
    let sample = Sample {
        means: [
            mean(&|figures| figures.win_share.mean),
            mean(&|figures| figures.score.mean),
            mean(&|figures| figures.difference.mean),
        ],
        errors: std::array::from_fn(error),
        deals,
        degrees_of_freedom: deals as f64 - used.len() as f64,
        alone: lineups
            .iter()
            .all(|(lineup, _)| layout.lineups[*lineup].slots.len() == 1),
    };
    // E[x^2] = sd^2 + mean^2, averaged like the means.
    let mean_square = mean(&|figures| {
        let (sd, score) = (figures.score_sd.unwrap_or(0.0), figures.score.mean?);
        Some(sd * sd + score * score)
    });
    let variance = (mean_square - sample.means[1] * sample.means[1]).max(0.0);
    ScoreFigures {
        score_sd: Some(variance.sqrt()),
        ranks: std::array::from_fn(|rank| {
            (rank < layout.players).then(|| mean(&|figures| figures.ranks[rank]))
        }),
        ..sample.figures(lineups.iter().map(|(_, figures)| figures.games).sum())
    }
}

fn merged<const K: usize>(groups: &[Moments<K>]) -> Moments<K> {
    groups.iter().fold(Moments::new(), |mut all, group| {
        all.merge(group);
        all
    })
}

/// The figures of a team.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TeamFigures {
    /// Games.
    pub games: u64,
    /// The share of games that were won.
    pub win_rate: Estimate,
    /// The mean number of levels done.
    pub levels: Estimate,
    /// The mean number of lives left.
    pub lives: Estimate,
    /// The mean length of a game in seconds.
    pub seconds: Estimate,
    /// Mistakes on open piles, a game.
    pub mistakes: Option<f64>,
    /// Stars used, a game.
    pub stars_used: Option<f64>,
    /// Plays forced because nobody would play, a game.
    pub forced: Option<f64>,
}

/// The figures of a line-up of a game that a team wins or loses.
pub fn team_figures(layout: &Layout, tally: &TeamTally, lineup: usize) -> TeamFigures {
    let (shape, entry) = (&layout.lineups[lineup], &tally.lineups[lineup]);
    let all = merged(&entry.groups);
    let (deals, rotations) = (all.n(), shape.rotations as f64);
    if deals == 0 {
        return TeamFigures::default();
    }
    let games = deals as f64 * rotations;
    let error = |k: usize| all.standard_error(k).map(|error| error / rotations);
    let mean = |k: usize, unit: f64| {
        let mean = all.sum(k) as f64 / games / unit;
        let interval = error(k)
            .and_then(|error| mean_interval(mean, error / unit, deals as f64 - 1.0, CONFIDENCE));
        Estimate {
            mean: Some(mean),
            interval,
        }
    };
    let wins = all.sum(0) as f64;
    // Where a deal gives one 0 or 1, Wilson's interval holds; else deals are clusters.
    let win_interval = match shape.rotations {
        1 => wilson(wins, games, CONFIDENCE),
        _ => clustered_share(wins / games, error(0), deals, false),
    };
    let each = |count: u64| Some(count as f64 / games);
    TeamFigures {
        games: deals * shape.rotations as u64,
        win_rate: Estimate {
            mean: Some(wins / games),
            interval: win_interval,
        },
        levels: mean(1, 1.0),
        lives: mean(2, 1.0),
        seconds: mean(3, 1e6),
        mistakes: each(entry.mistakes),
        stars_used: each(entry.stars_used),
        forced: each(entry.forced),
    }
}
