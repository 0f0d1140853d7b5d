//! The figures of a game that a team wins or loses.

use super::{CONFIDENCE, Estimate, clustered_mean, clustered_share};
use crate::experiment::tally::{Layout, TeamTally};
use crate::stats::{Interval, Share, wilson};

/// The figures of a team.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TeamFigures {
    /// Games.
    pub games: u64,
    /// Their deals.
    pub deals: u64,
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
    let (all, rotations) = (&entry.moments, shape.rotations as f64);
    let deals = all.n();
    if deals == 0 {
        return TeamFigures::default();
    }
    let games = deals as f64 * rotations;
    let error = |k: usize| all.standard_error(k).map(|error| error / rotations);
    let mean = |k: usize, unit: f64| {
        let error = error(k).map(|error| (error / unit, deals as f64 - 1.0));
        let estimate = clustered_mean(all.sum(k) as f64 / games / unit, error, false);
        // None of these can be negative.
        let floor = |ends: Interval| Interval { low: ends.low.max(0.0), ..ends };
        Estimate { interval: estimate.interval.map(floor), ..estimate }
    };
    let wins = all.sum(0) as f64;
    let each = |count: u64| Some(count as f64 / games);
    let [mistakes, stars_used, forced] = entry.counts();
    TeamFigures {
        games: deals * shape.rotations as u64,
        deals,
        win_rate: share_of_games(wins / games, error(0), deals, rotations),
        levels: mean(1, 1.0),
        lives: mean(2, 1.0),
        seconds: mean(3, 1e6),
        mistakes: each(mistakes),
        stars_used: each(stars_used),
        forced: each(forced),
    }
}

/// The figures of a level, all attempts together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LevelFigures {
    /// Games that reached it.
    pub reached: u64,
    /// Games that did it.
    pub done: u64,
    /// Mistakes on open piles, of a game that reached it.
    pub mistakes: f64,
    /// Stars used, of a game that reached it.
    pub stars_used: f64,
    /// Seconds, of a game that reached it.
    pub seconds: f64,
    /// The share of all games that did this level.
    pub survival: Estimate,
}

/// The figures of a line-up's levels, from level 1.
pub fn level_figures(layout: &Layout, tally: &TeamTally, lineup: usize) -> Vec<LevelFigures> {
    let (shape, entry) = (&layout.lineups[lineup], &tally.lineups[lineup]);
    let deals = entry.moments.n();
    let figures = |index: usize| {
        let level = entry.level(index);
        let each = |count: f64| count / level.reached.max(1) as f64;
        LevelFigures {
            reached: level.reached,
            done: level.done,
            mistakes: each(level.mistakes as f64),
            stars_used: each(level.stars_used as f64),
            seconds: each(level.micros as f64 / 1e6),
            survival: survival(level.done, level.done_squares, deals, shape.rotations),
        }
    };
    (0..layout.levels).map(figures).collect()
}

fn survival(done: u64, squares: u64, deals: u64, rotations: usize) -> Estimate {
    if deals == 0 {
        return Estimate::default();
    }
    let (n, rotations) = (deals as f64, rotations as f64);
    let share = done as f64 / (n * rotations);
    // The sample variance of a deal's count, from whole numbers that are far below 2^53.
    let spread = squares as f64 - done as f64 * done as f64 / n;
    let error = (deals > 1).then(|| (spread.max(0.0) / (n - 1.0) / n).sqrt() / rotations);
    share_of_games(share, error, deals, rotations)
}

/// Where a deal gives one 0 or 1, Wilson's interval holds; else deals are clusters.
fn share_of_games(share: f64, error: Option<f64>, deals: u64, rotations: f64) -> Estimate {
    let n = deals as f64;
    if rotations == 1.0 {
        let interval = wilson((share * n).round(), n, CONFIDENCE);
        return Estimate { mean: Some(share), error, interval };
    }
    let standard_error = error.unwrap_or(0.0);
    let (deals, games) = (n, rotations);
    clustered_share(&Share { mean: share, standard_error, deals, games, most: 1.0 })
}
