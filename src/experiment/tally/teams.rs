//! The tally of a game that a team wins or loses.

use std::ops::Range;

use super::{GROUPS, Layout, Tally};
use crate::games::the_mind::options::MAX_LEVELS;
use crate::games::the_mind::outcome::Outcome;
use crate::stats::Moments;

/// Wins, levels done, lives left, time in microseconds, levels begun, levels done without a mistake.
type Measures = [i64; 6];

/// What the games of a line-up (a team) add up to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TeamEntry {
    /// For each group of deals: wins, levels done, lives left, time in microseconds, levels begun,
    /// levels done at the first attempt without a mistake; a deal is one observation, the sum over
    /// its seatings.
    pub groups: Vec<Moments<6>>,
    /// Mistakes on open piles.
    pub mistakes: u64,
    /// Stars used.
    pub stars_used: u64,
    /// Plays that were forced because nobody would play.
    pub forced: u64,
    /// By level, from level 1.
    pub levels: Vec<LevelSums>,
}

/// What a level's games add up to, all attempts together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LevelSums {
    /// Games that reached the level.
    pub reached: u64,
    /// Games that did it.
    pub done: u64,
    /// The sum over deals of the square of the games that did it.
    pub done_squares: u64,
    /// Mistakes on open piles.
    pub mistakes: u64,
    /// Stars used.
    pub stars_used: u64,
    /// Time in microseconds.
    pub micros: i128,
}

/// What a cell's games add up to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TeamTally {
    /// By line-up.
    pub lineups: Vec<TeamEntry>,
    /// The games played.
    pub games: u64,
}

/// Memory for the deals of a block.
#[derive(Debug, Default)]
pub struct Scratch {
    /// By deal.
    sums: Vec<Measures>,
    /// By deal and level: the games that did it.
    done: Vec<[u8; MAX_LEVELS as usize]>,
    /// The last level that a game did.
    last: usize,
}

impl Tally for TeamTally {
    type Outcome = Outcome;
    type Scratch = Scratch;

    fn new(layout: &Layout) -> Self {
        let entry = || TeamEntry {
            groups: vec![Moments::new(); GROUPS],
            mistakes: 0,
            stars_used: 0,
            forced: 0,
            levels: vec![LevelSums::default(); usize::from(MAX_LEVELS)],
        };
        TeamTally { lineups: layout.lineups.iter().map(|_| entry()).collect(), games: 0 }
    }

    fn games(&self) -> u64 {
        self.games
    }

    fn merge(&mut self, other: &Self) {
        self.games += other.games;
        for (entry, other) in self.lineups.iter_mut().zip(&other.lineups) {
            for (group, other) in entry.groups.iter_mut().zip(&other.groups) {
                group.merge(other);
            }
            entry.mistakes += other.mistakes;
            entry.stars_used += other.stars_used;
            entry.forced += other.forced;
            for (level, other) in entry.levels.iter_mut().zip(&other.levels) {
                level.reached += other.reached;
                level.done += other.done;
                level.done_squares += other.done_squares;
                level.mistakes += other.mistakes;
                level.stars_used += other.stars_used;
                level.micros += other.micros;
            }
        }
    }

    fn begin(&self, _: &Layout, _: usize, _: &mut Scratch) {}

    fn begin_lineup(&self, _: &Layout, _: usize, deals: usize, scratch: &mut Scratch) {
        scratch.sums.clear();
        scratch.sums.resize(deals, [0; 6]);
        scratch.done.clear();
        scratch.done.resize(deals, [0; MAX_LEVELS as usize]);
        scratch.last = 0;
    }

    fn add(
        &mut self,
        _: &Layout,
        lineup: usize,
        _: usize,
        outcomes: &[Outcome],
        scratch: &mut Scratch,
    ) {
        let entry = &mut self.lineups[lineup];
        self.games += outcomes.len() as u64;
        for ((outcome, measures), done) in
            outcomes.iter().zip(&mut scratch.sums).zip(&mut scratch.done)
        {
            scratch.last = scratch.last.max(usize::from(outcome.levels_done));
            measures[0] += i64::from(outcome.won);
            measures[1] += i64::from(outcome.levels_done);
            measures[2] += i64::from(outcome.lives);
            measures[3] += outcome.micros;
            entry.mistakes += u64::from(outcome.mistakes);
            entry.stars_used += u64::from(outcome.stars_used);
            entry.forced += u64::from(outcome.forced);
            let mut begun = false;
            for (level, sums) in (1..).zip(&mut entry.levels) {
                let played = outcome.level(level);
                match (played.attempts, begun) {
                    // The rules deal a later level first.
                    (0, false) => continue,
                    (0, true) => break,
                    _ => begun = true,
                }
                let mistakes = played.mistakes + played.blind_penalty;
                measures[4] += 1;
                measures[5] += i64::from(played.done && played.attempts == 1 && mistakes == 0);
                sums.reached += 1;
                sums.done += u64::from(played.done);
                done[usize::from(level) - 1] += u8::from(played.done);
                sums.mistakes += u64::from(played.mistakes);
                sums.stars_used += u64::from(played.stars_used);
                sums.micros += i128::from(played.micros);
            }
        }
    }

    fn end_lineup(&mut self, _: &Layout, lineup: usize, groups: &[usize], scratch: &mut Scratch) {
        let entry = &mut self.lineups[lineup];
        for ((sums, done), &group) in scratch.sums.iter().zip(&scratch.done).zip(groups) {
            entry.groups[group].push(sums);
            for (level, &done) in entry.levels.iter_mut().zip(&done[..scratch.last]) {
                level.done_squares += u64::from(done) * u64::from(done);
            }
        }
    }

    fn end(&mut self, _: &Layout, _: Range<u64>, _: &mut Scratch) {}
}
