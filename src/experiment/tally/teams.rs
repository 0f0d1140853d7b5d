//! The tally of a game that a team wins or loses.

use std::ops::Range;

use super::{Batches, Layout, Tally};
use crate::games::the_mind::options::MAX_LEVELS;
use crate::games::the_mind::outcome::Outcome;
use crate::stats::Moments;

/// Wins, levels done, lives left, time in microseconds, levels begun, levels done without a mistake.
type Measures = [i64; 6];

/// The numbers of a team in a batch before its levels: wins, levels done, lives left, time in microseconds,
/// levels begun, levels done without a mistake, mistakes, stars used, forced plays.
pub const TEAM_SUMS: usize = 9;
/// The numbers of a level in a batch: games that reached it, games that did it, mistakes on open piles,
/// stars used, time in microseconds.
pub const LEVEL_SUMS: usize = 5;

/// What the games of a line-up (a team) add up to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TeamEntry {
    /// Wins, levels done, lives left, time in microseconds, levels begun, levels done at the first
    /// attempt without a mistake; a deal is one observation, the sum over its seatings.
    pub moments: Moments<6>,
    /// The numbers of [`TEAM_SUMS`], then by level, from level 1, those of [`LEVEL_SUMS`].
    pub batches: Batches,
    /// By level, from level 1: the sum over deals of the square of the games that did it.
    pub done_squares: Vec<u64>,
}

impl TeamEntry {
    /// Mistakes on open piles, stars used, and plays that were forced because nobody would play.
    pub fn counts(&self) -> [u64; 3] {
        std::array::from_fn(|place| self.batches.total(6 + place) as u64)
    }

    /// What a level's games add up to, `index` from 0 for level 1.
    pub fn level(&self, index: usize) -> LevelSums {
        let total = |number: usize| self.batches.total(TEAM_SUMS + index * LEVEL_SUMS + number);
        LevelSums {
            reached: total(0) as u64,
            done: total(1) as u64,
            done_squares: self.done_squares[index],
            mistakes: total(2) as u64,
            stars_used: total(3) as u64,
            micros: total(4),
        }
    }
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
            moments: Moments::new(),
            batches: Batches::new(layout.batches, TEAM_SUMS + layout.levels * LEVEL_SUMS),
            done_squares: vec![0; layout.levels],
        };
        TeamTally { lineups: layout.lineups.iter().map(|_| entry()).collect(), games: 0 }
    }

    fn bytes(layout: &Layout) -> usize {
        let batches = Batches::bytes(layout.batches, TEAM_SUMS + layout.levels * LEVEL_SUMS);
        let entry = size_of::<TeamEntry>() + batches + layout.levels * size_of::<u64>();
        size_of::<Self>() + layout.lineups.len() * entry
    }

    fn games(&self) -> u64 {
        self.games
    }

    fn merge(&mut self, other: &Self) {
        self.games += other.games;
        for (entry, other) in self.lineups.iter_mut().zip(&other.lineups) {
            entry.moments.merge(&other.moments);
            entry.batches.merge(&other.batches);
            for (squares, other) in entry.done_squares.iter_mut().zip(&other.done_squares) {
                *squares += other;
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
        (lineup, _): (usize, usize),
        first: u64,
        outcomes: &[Outcome],
        scratch: &mut Scratch,
    ) {
        let entry = &mut self.lineups[lineup];
        self.games += outcomes.len() as u64;
        let deals = (first..).zip(outcomes);
        for (((deal, outcome), measures), done) in
            deals.zip(&mut scratch.sums).zip(&mut scratch.done)
        {
            scratch.last = scratch.last.max(usize::from(outcome.levels_done));
            let mut own: Measures = [
                i64::from(outcome.won),
                i64::from(outcome.levels_done),
                i64::from(outcome.lives),
                outcome.micros,
                0,
                0,
            ];
            let (team, levels) = entry.batches.row_of(deal).split_at_mut(TEAM_SUMS);
            let mut begun = false;
            for (level, sums) in (1..).zip(levels.chunks_exact_mut(LEVEL_SUMS)) {
                let played = outcome.level(level);
                match (played.attempts, begun) {
                    // The rules deal a later level first.
                    (0, false) => continue,
                    (0, true) => break,
                    _ => begun = true,
                }
                let mistakes = played.mistakes + played.blind_penalty;
                own[4] += 1;
                own[5] += i64::from(played.done && played.attempts == 1 && mistakes == 0);
                done[usize::from(level) - 1] += u8::from(played.done);
                let played = [
                    1,
                    i64::from(played.done),
                    i64::from(played.mistakes),
                    i64::from(played.stars_used),
                    played.micros,
                ];
                sums.iter_mut().zip(played).for_each(|(sum, more)| *sum += more);
            }
            let counts = [outcome.mistakes, outcome.stars_used, outcome.forced].map(i64::from);
            let all = own.into_iter().chain(counts);
            team.iter_mut().zip(all).for_each(|(sum, more)| *sum += more);
            measures.iter_mut().zip(own).for_each(|(sum, more)| *sum += more);
        }
    }

    fn end_lineup(&mut self, _: &Layout, lineup: usize, deals: Range<u64>, scratch: &mut Scratch) {
        let entry = &mut self.lineups[lineup];
        for ((sums, done), deal) in scratch.sums.iter().zip(&scratch.done).zip(deals) {
            entry.moments.push(sums);
            entry.batches.count_deal(deal);
            for (squares, &done) in entry.done_squares.iter_mut().zip(&done[..scratch.last]) {
                *squares += u64::from(done) * u64::from(done);
            }
        }
    }

    fn end(&mut self, _: &Layout, _: Range<u64>, _: &mut Scratch) {}
}
