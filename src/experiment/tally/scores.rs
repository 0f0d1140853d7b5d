//! The tally of a game that gives every seat a score.

use std::ops::Range;

use super::objectives::ObjectiveTally;
use super::{Batches, Layout, Slot, Tally};
use crate::games::mind_up::{MAX_PLAYERS, Outcome};
use crate::stats::Moments;

/// A whole win in units of a share: 60 can be shared by 1 to 6 seats.
pub const SHARE: i64 = 60;

/// Win share in 1/60, score, and own score minus the mean of the others' times (n - 1).
type Measures = [i64; 3];

/// Numbers of a seat in a batch before its ranks: share, score, difference, squares of the score.
const SEAT_SUMS: usize = 4;

/// The numbers of a seat of the table in a batch: share, score, difference times (n - 1), squares of the
/// scores, and how often each rank was reached, in 1/60.
pub const fn seat_width(players: usize) -> usize {
    SEAT_SUMS + players
}

/// What a strategy's seats in a line-up add up to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineupEntry {
    /// Win share in 1/60, score, difference times (n - 1); a deal is one observation, the sum over
    /// its seatings.
    pub moments: Moments<3>,
    /// By seat of the table: the numbers of [`seat_width`].
    pub batches: Batches,
}

impl LineupEntry {
    /// What its games with the strategy in this seat of the table add up to.
    pub fn seat(&self, players: usize, seat: usize) -> SeatSums {
        let first = seat * seat_width(players);
        let total = |number: usize| self.batches.total(first + number);
        let rank = |rank: usize| total(SEAT_SUMS + rank) as u64;
        SeatSums {
            sums: std::array::from_fn(total),
            score_squares: total(3),
            ranks: std::array::from_fn(|place| if place < players { rank(place) } else { 0 }),
        }
    }
}

/// What a strategy in one seat of the table adds up to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SeatSums {
    /// The measures: win share in 1/60, score, difference times (n - 1).
    pub sums: [i128; 3],
    /// How often each rank was reached, in 1/60; a shared place counts in parts for each rank that
    /// it covers.
    pub ranks: [u64; MAX_PLAYERS],
    /// The sum of the squares of the scores.
    pub score_squares: i128,
}

impl SeatSums {
    /// Adds other sums.
    pub fn merge(&mut self, other: &Self) {
        for (sum, other) in self.sums.iter_mut().zip(other.sums) {
            *sum += other;
        }
        for (rank, other) in self.ranks.iter_mut().zip(other.ranks) {
            *rank += other;
        }
        self.score_squares += other.score_squares;
    }
}

/// What a strategy's seats in all line-ups of a cell add up to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StrategyEntry {
    /// For each segment of its deals, the weighted sum over line-ups as one observation a deal.
    pub segments: Vec<Moments<3>>,
    /// The same for each seat of the table alone: by seat, then by segment.
    pub seats: Vec<Vec<Moments<3>>>,
    /// How often each score was reached.
    pub scores: Histogram,
}

/// What a cell's games add up to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoreTally {
    /// By line-up and slot.
    pub lineups: Vec<Vec<LineupEntry>>,
    /// By strategy.
    pub strategies: Vec<StrategyEntry>,
    /// What objectives did.
    pub objectives: ObjectiveTally,
    /// The games played.
    pub games: u64,
}

/// Counts of whole numbers.
#[derive(Debug, Clone, Default)]
pub struct Histogram {
    low: i64,
    counts: Vec<u64>,
}

// Two histograms of the same counts may differ in the zeros at their edges.
impl PartialEq for Histogram {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Histogram {}

/// Memory for the deals of a block.
#[derive(Debug, Default)]
pub struct Scratch {
    /// By deal and slot, for the line-up that is being played.
    lineup: Vec<Measures>,
    /// By deal, strategy and seat of the table, weighted.
    cell: Vec<Measures>,
}

impl Tally for ScoreTally {
    type Outcome = Outcome;
    type Scratch = Scratch;

    fn new(layout: &Layout) -> Self {
        let width = layout.players * seat_width(layout.players);
        let entry = || LineupEntry {
            moments: Moments::new(),
            batches: Batches::new(layout.batches, width),
        };
        let strategy = |ends: &Vec<u64>| StrategyEntry {
            segments: vec![Moments::new(); ends.len()],
            seats: vec![vec![Moments::new(); ends.len()]; layout.players],
            scores: Histogram::default(),
        };
        ScoreTally {
            lineups: layout
                .lineups
                .iter()
                .map(|lineup| lineup.slots.iter().map(|_| entry()).collect())
                .collect(),
            strategies: layout.segments.iter().map(strategy).collect(),
            objectives: ObjectiveTally::new(layout),
            games: 0,
        }
    }

    fn bytes(layout: &Layout) -> usize {
        let players = layout.players;
        let batches = Batches::bytes(layout.batches, players * seat_width(players));
        let slots: usize = layout.lineups.iter().map(|lineup| lineup.slots.len()).sum();
        let segments: usize = layout.segments.iter().map(Vec::len).sum();
        let seat = layout.segments.len() * players * size_of::<Vec<Moments<3>>>();
        size_of::<Self>()
            + layout.lineups.len() * size_of::<Vec<LineupEntry>>()
            + slots * (size_of::<LineupEntry>() + batches)
            + layout.segments.len() * size_of::<StrategyEntry>()
            + seat
            + segments * (1 + players) * size_of::<Moments<3>>()
            + ObjectiveTally::bytes(layout)
    }

    fn games(&self) -> u64 {
        self.games
    }

    fn merge(&mut self, other: &Self) {
        self.games += other.games;
        for (lineup, others) in self.lineups.iter_mut().zip(&other.lineups) {
            for (entry, other) in lineup.iter_mut().zip(others) {
                entry.moments.merge(&other.moments);
                entry.batches.merge(&other.batches);
            }
        }
        for (entry, other) in self.strategies.iter_mut().zip(&other.strategies) {
            for (segment, other) in entry.segments.iter_mut().zip(&other.segments) {
                segment.merge(other);
            }
            let seats = entry.seats.iter_mut().flatten().zip(other.seats.iter().flatten());
            seats.for_each(|(seat, other)| seat.merge(other));
            entry.scores.merge(&other.scores);
        }
        self.objectives.merge(&other.objectives);
    }

    fn begin(&self, layout: &Layout, deals: usize, scratch: &mut Scratch) {
        scratch.cell.clear();
        scratch.cell.resize(deals * layout.strategies.len() * layout.players, [0; 3]);
    }

    fn begin_lineup(&self, layout: &Layout, lineup: usize, deals: usize, s: &mut Scratch) {
        s.lineup.clear();
        s.lineup.resize(deals * layout.lineups[lineup].slots.len(), [0; 3]);
    }

    fn add(
        &mut self,
        layout: &Layout,
        (lineup, rotation): (usize, usize),
        first: u64,
        outcomes: &[Outcome],
        scratch: &mut Scratch,
    ) {
        let players = layout.players.min(MAX_PLAYERS);
        let width = seat_width(players);
        let shape = &layout.lineups[lineup];
        let slots = shape.slots.len();
        let entries = &mut self.lineups[lineup];
        self.games += outcomes.len() as u64;
        let deals = scratch.lineup.chunks_exact_mut(slots);
        let cells = scratch.cell.chunks_exact_mut(layout.strategies.len() * players);
        for (((deal, outcome), by_slot), by_seat) in (first..).zip(outcomes).zip(deals).zip(cells) {
            let total: i64 = outcome.totals[..players].iter().map(|&score| i64::from(score)).sum();
            for seat in 0..players {
                let slot = shape.slot_of_seat[(seat + rotation) % players];
                let Slot { strategy, weight, .. } = shape.slots[slot];
                let sums = &mut entries[slot].batches.row_of(deal)[seat * width..][..width];
                let (rank, tied) = outcome.place(players, seat);
                let part = SHARE / tied as i64;
                for place in &mut sums[SEAT_SUMS + rank..][..tied] {
                    *place += part;
                }
                let score = i64::from(outcome.totals[seat]);
                sums[3] += score * score;
                self.strategies[strategy].scores.add(score);
                let share = if rank == 0 { part } else { 0 };
                let measures = [share, score, players as i64 * score - total];
                let weighted = &mut by_seat[strategy * players + seat];
                for (k, measure) in measures.into_iter().enumerate() {
                    sums[k] += measure;
                    by_slot[slot][k] += measure;
                    weighted[k] += measure * weight;
                }
            }
        }
    }

    fn end_lineup(&mut self, _: &Layout, lineup: usize, deals: Range<u64>, scratch: &mut Scratch) {
        let entries = &mut self.lineups[lineup];
        for (sums, deal) in scratch.lineup.chunks_exact(entries.len()).zip(deals) {
            for (sums, entry) in sums.iter().zip(entries.iter_mut()) {
                entry.moments.push(sums);
                entry.batches.count_deal(deal);
            }
        }
    }

    fn end(&mut self, layout: &Layout, deals: Range<u64>, scratch: &mut Scratch) {
        let cells = scratch.cell.chunks_exact(layout.strategies.len() * layout.players);
        for (deal, cell) in deals.zip(cells) {
            let strategies = cell.chunks_exact(layout.players).zip(&mut self.strategies);
            for (strategy, (seats, entry)) in strategies.enumerate() {
                let Some(segment) = layout.segment(strategy, deal) else { continue };
                let mut all = [0; 3];
                for (seat, sums) in seats.iter().zip(&mut entry.seats) {
                    sums[segment].push(seat);
                    for (all, measure) in all.iter_mut().zip(seat) {
                        *all += measure;
                    }
                }
                entry.segments[segment].push(&all);
            }
        }
    }
}

impl Histogram {
    /// Counts a value.
    #[inline]
    pub fn add(&mut self, value: i64) {
        match self.counts.get_mut(value.wrapping_sub(self.low) as usize) {
            Some(count) => *count += 1,
            None => self.grow(value, 1),
        }
    }

    #[cold]
    fn grow(&mut self, value: i64, count: u64) {
        if self.counts.is_empty() {
            self.low = value;
        }
        if value < self.low {
            let more = (self.low - value) as usize;
            self.counts.splice(0..0, std::iter::repeat_n(0, more));
            self.low = value;
        }
        let place = (value - self.low) as usize;
        if place >= self.counts.len() {
            self.counts.resize(place + 1, 0);
        }
        self.counts[place] += count;
    }

    /// Adds another histogram.
    pub fn merge(&mut self, other: &Self) {
        for (value, count) in other.iter() {
            self.grow(value, count);
        }
    }

    /// The values that were counted, ascending, with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (i64, u64)> + '_ {
        (self.low..).zip(self.counts.iter().copied()).filter(|&(_, count)| count > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn histograms_grow_both_ways_and_merge() {
        let mut one = Histogram::default();
        for value in [5, 7, 3, 5, -2] {
            one.add(value);
        }
        assert_eq!(one.iter().collect::<Vec<_>>(), [(-2, 1), (3, 1), (5, 2), (7, 1)]);
        let mut two = Histogram::default();
        two.add(9);
        two.merge(&one);
        assert_eq!(two.iter().map(|(_, count)| count).sum::<u64>(), 6);
    }
}
