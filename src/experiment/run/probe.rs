//! How long a plan will take, from some of its games, in bounded time.

use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::{Duration, Instant};

use super::{Driver, Monitor, RunError, Stage, Tallies, run};
use crate::error::InputError;
use crate::experiment::lineups::Lineup;
use crate::experiment::plan::{Cell, Plan};
use crate::stats::{Interval, Student};

/// The most line-ups that are looked at.
const MOST: usize = 256;
/// A sample that takes less is played again with more deals, so that clocks and starts don't count.
const SHORT: Duration = Duration::from_millis(5);

/// How long a plan is expected to take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Expected {
    /// Seconds.
    pub seconds: f64,
    /// Its 95 % interval, in seconds; none where there was one sample at most.
    pub interval: Option<Interval>,
    /// The games that were played for it; where there are none, the seconds are the least that it
    /// can take.
    pub games: u64,
}

impl Expected {
    /// The time of so many times the games.
    #[must_use]
    pub fn times(self, whole: f64) -> Self {
        let interval = self
            .interval
            .map(|Interval { low, high }| Interval { low: low * whole, high: high * whole });
        Expected { seconds: self.seconds * whole, interval, ..self }
    }
}

/// A sample: games, and the seconds that they took.
type Sample = (u64, f64);

/// Plays some games of a plan and works out how long all of them take. It answers when `most` is over,
/// also where not one game ended: the game that is being played is then left to itself.
///
/// # Errors
/// See [`RunError`].
pub fn probe(plan: &Plan, threads: usize, most: Duration) -> Result<Expected, RunError> {
    let deadline = Instant::now() + most;
    let (told, samples) = mpsc::channel();
    let sampled = sample(plan);
    let player = thread::Builder::new()
        .spawn(move || {
            let driver = Sampler { threads, deadline, told };
            run(&sampled, &driver, threads, &Monitor::default()).map(drop)
        })
        .map_err(|error| RunError::Threads(error.to_string()))?;
    let left = || deadline.saturating_duration_since(Instant::now());
    let mut all = Vec::new();
    while let Ok(sample) = samples.recv_timeout(left()) {
        all.push(sample);
    }
    if player.is_finished()
        && let Ok(Err(error)) = player.join()
    {
        return Err(error);
    }
    Ok(expected(&all, plan.games(), threads, most))
}

/// The whole from its samples, each of which stands for the same number of games.
fn expected(samples: &[Sample], games: u64, threads: usize, most: Duration) -> Expected {
    let played = samples.iter().map(|(games, _)| games).sum();
    let all: Vec<f64> =
        samples.iter().map(|&(played, took)| took * games as f64 / played.max(1) as f64).collect();
    let n = all.len() as f64;
    if all.is_empty() {
        let seconds = most.as_secs_f64() * (games as f64 / threads.max(1) as f64).max(1.0);
        return Expected { seconds, interval: None, games: 0 };
    }
    let mean = all.iter().sum::<f64>() / n;
    let squares: f64 = all.iter().map(|one| (one - mean) * (one - mean)).sum();
    let known = (n > 1.0).then(|| Student {
        value: mean,
        standard_error: (squares / (n - 1.0) / n).sqrt(),
        degrees_of_freedom: n - 1.0,
    });
    let interval = known.and_then(|known| known.interval(0.95));
    let interval = interval.map(|Interval { low, high }| Interval { low: low.max(0.0), high });
    Expected { seconds: mean, interval, games: played }
}

/// A plan with a cell for each sample: a line-up of the plan in its first rotation. Samples are spread
/// over the plan's games by the golden ratio, so that the first few already meet all kinds.
fn sample(plan: &Plan) -> Plan {
    let lineups: Vec<(&Cell, &Lineup)> = plan
        .cells
        .iter()
        .flat_map(|cell| cell.lineups.iter().map(move |one| (cell, one)))
        .collect();
    let games = plan.games() as f64;
    let golden = (5f64.sqrt() - 1.0) / 2.0;
    let cells = (0..MOST).filter_map(|number| {
        let wanted = (0.5 + golden * number as f64).fract() * games;
        let after = lineups.partition_point(|(_, lineup)| lineup.first_game as f64 <= wanted);
        let &(cell, lineup) = lineups.get(after.checked_sub(1)?)?;
        let lineup = Lineup { rotations: 1, ..lineup.clone() };
        Some(Cell { lineups: vec![lineup], batches: 1, ..cell.clone() })
    });
    Plan { cells: cells.collect(), ..plan.clone() }
}

/// Plays sample after sample until the time is over.
struct Sampler {
    threads: usize,
    deadline: Instant,
    told: Sender<Sample>,
}

/// Where a [`Sampler`] is.
struct At {
    /// The sample that is played.
    number: usize,
    /// The deals that a thread plays of it.
    deals: u64,
    since: Instant,
}

impl Default for At {
    fn default() -> Self {
        At { number: 0, deals: 1, since: Instant::now() }
    }
}

impl Sampler {
    /// The deals of a sample, which has no more than its line-up.
    fn deals(&self, cell: &Cell, at: &At) -> u64 {
        cell.deals().min(at.deals * self.threads.max(1) as u64)
    }
}

impl Driver for Sampler {
    type State = At;

    fn stage(&self, plan: &Plan, at: &At) -> Result<Option<Stage>, InputError> {
        if at.number >= plan.cells.len() || Instant::now() >= self.deadline {
            return Ok(None);
        }
        let own = |(number, cell)| if number == at.number { self.deals(cell, at) } else { 0 };
        let deals = plan.cells.iter().enumerate().map(own).map(|deals| 0..deals).collect();
        Ok(Some(Stage { number: at.number as u64, plan: None, deals, note: None }))
    }

    fn next(&self, plan: &Plan, at: At, _: &Tallies) -> At {
        let (took, cell) = (at.since.elapsed(), &plan.cells[at.number]);
        let games = self.deals(cell, &at);
        if took < SHORT && games < cell.deals() {
            return At { deals: at.deals * 4, since: Instant::now(), ..at };
        }
        // Where nobody listens any more, the time is over.
        let _ = self.told.send((games, took.as_secs_f64()));
        At { number: at.number + 1, ..At::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: Duration = Duration::from_secs(2);

    #[test]
    fn samples_stand_for_the_games_that_were_not_played() {
        // 2 s and 4 s for a thousand games: 3 s, and Student's t of one degree of freedom.
        let found = expected(&[(10, 0.02), (5, 0.02)], 1_000, 2, MOST);
        assert_eq!((found.seconds, found.games), (3.0, 15));
        let Interval { low, high } = found.interval.unwrap();
        assert_eq!(low, 0.0);
        assert!((high - (3.0 + 12.7062)).abs() < 1e-3, "{high}");
        let alone = expected(&[(1, 0.5)], 10, 2, MOST);
        assert_eq!((alone.seconds, alone.interval), (5.0, None));
    }

    #[test]
    fn without_a_game_the_time_is_a_least_one() {
        let found = expected(&[], 100, 2, MOST);
        assert_eq!(found, Expected { seconds: 100.0, interval: None, games: 0 });
        assert_eq!(expected(&[], 1, 8, MOST).seconds, 2.0);
    }
}
