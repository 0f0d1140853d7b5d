//! Exact sums: what a cell's games add up to, in integers, in constant memory.
//!
//! The unit is the deal: what a strategy got in all seatings of a deal is added up first and then
//! taken as one observation. Besides, each line-up keeps its sums by [batch](Batches) of deals, for
//! differences that are paired by deal and for statistics that are no sums.

mod batches;
mod objectives;
mod scores;
mod teams;

pub use batches::{Batches, count_for as batches_for};
pub use objectives::{OBJECTIVE_SUMS, ObjectiveTally, ObjectiveWatch};
pub use scores::{Histogram, LineupEntry, SHARE, ScoreTally, SeatSums, StrategyEntry, seat_width};
pub use teams::{LEVEL_SUMS, LevelSums, TEAM_SUMS, TeamEntry, TeamTally};

use std::ops::Range;

use super::lineups::Lineup;

/// What a cell's games add up to. Merging is exact, so neither order nor partition matters.
pub trait Tally: Clone + Send {
    /// How a game ended.
    type Outcome;
    /// Memory for the deals of a block.
    type Scratch: Default;

    /// The tally of no games.
    fn new(layout: &Layout) -> Self;

    /// The bytes that a tally of this layout takes, about: how far scores will spread is not known.
    fn bytes(layout: &Layout) -> usize;

    /// The games played.
    fn games(&self) -> u64;

    /// Adds another tally of the same layout.
    fn merge(&mut self, other: &Self);

    /// A block of deals begins.
    fn begin(&self, layout: &Layout, deals: usize, scratch: &mut Self::Scratch);

    /// A line-up begins, which plays the first `deals` of the block.
    fn begin_lineup(&self, layout: &Layout, lineup: usize, deals: usize, s: &mut Self::Scratch);

    /// Adds the outcomes of a line-up's rotation, one for each deal from `first` on.
    fn add(
        &mut self,
        layout: &Layout,
        lineup_and_rotation: (usize, usize),
        first: u64,
        outcomes: &[Self::Outcome],
        scratch: &mut Self::Scratch,
    );

    /// A line-up ends: each deal becomes an observation.
    fn end_lineup(
        &mut self,
        layout: &Layout,
        lineup: usize,
        deals: Range<u64>,
        scratch: &mut Self::Scratch,
    );

    /// A block of deals ends.
    fn end(&mut self, layout: &Layout, deals: Range<u64>, scratch: &mut Self::Scratch);
}

/// How a cell's line-ups are laid out for a tally.
#[derive(Debug, Clone)]
pub struct Layout {
    /// The number of players.
    pub players: usize,
    /// The numbers of the cell's strategies in the plan, ascending.
    pub strategies: Vec<usize>,
    /// Its line-ups.
    pub lineups: Vec<LineupLayout>,
    /// For each strategy, where the number of its line-ups that are still played changes: their
    /// distinct numbers of deals, ascending. Between two of these, its deals are alike.
    pub segments: Vec<Vec<u64>>,
    /// The rounds and the objective cards that are tallied; none where objectives are not played.
    pub objectives: (usize, usize),
    /// The levels that are tallied; none where the game has none.
    pub levels: usize,
    /// The batches that sums are kept by.
    pub batches: usize,
}

/// A line-up in a tally.
#[derive(Debug, Clone)]
pub struct LineupLayout {
    /// The slot of each seat in rotation 0.
    pub slot_of_seat: Vec<usize>,
    /// The strategies that it has, each with one slot.
    pub slots: Vec<Slot>,
    /// Its deals.
    pub deals: u64,
    /// Its rotations.
    pub rotations: usize,
}

impl LineupLayout {
    /// The seats of the table that a slot's strategy has.
    pub fn own_seats(&self, slot: usize) -> f64 {
        self.slot_of_seat.iter().filter(|&&own| own == slot).count().max(1) as f64
    }
}

/// A strategy in a line-up.
#[derive(Debug, Clone, Copy)]
pub struct Slot {
    /// Its place in [`Layout::strategies`].
    pub strategy: usize,
    /// How often it sits in a deal: seats by rotations.
    pub seats_per_deal: usize,
    /// What an observation of this line-up weighs in the strategy's own sums, in which all its
    /// line-ups and all their seats weigh alike; see [`Layout::scale`].
    pub weight: i64,
}

/// Makes the rounding of weights between line-ups of different numbers of deals small: they bear
/// on standard errors alone, never on means.
const WEIGHT_UNIT: u64 = 1 << 12;

impl Layout {
    /// The layout of a cell's line-ups.
    pub fn new(players: usize, strategies: Vec<usize>, lineups: &[Lineup]) -> Self {
        let layout = |lineup: &Lineup| {
            let own = lineup.strategies();
            let slot = |strategy: &usize| Slot {
                strategy: strategies.iter().position(|known| known == strategy).unwrap_or(0),
                seats_per_deal: lineup.count(*strategy) * lineup.rotations,
                weight: 0,
            };
            LineupLayout {
                slot_of_seat: lineup
                    .seats
                    .iter()
                    .map(|seat| own.iter().position(|known| known == seat).unwrap_or(0))
                    .collect(),
                slots: own.iter().map(slot).collect(),
                deals: lineup.deals,
                rotations: lineup.rotations,
            }
        };
        let lineups = lineups.iter().map(layout).collect();
        let mut layout = Layout {
            players,
            strategies,
            lineups,
            segments: Vec::new(),
            objectives: (0, 0),
            levels: 0,
            batches: batches::LEAST,
        };
        layout.segments = (0..layout.strategies.len()).map(|one| layout.ends(one)).collect();
        layout.weigh();
        layout
    }

    /// The distinct numbers of deals of a strategy's line-ups, ascending.
    fn ends(&self, strategy: usize) -> Vec<u64> {
        let own = self.slots_of(strategy).map(|(lineup, _)| self.lineups[lineup].deals);
        let mut ends: Vec<u64> = own.collect();
        ends.sort_unstable();
        ends.dedup();
        ends
    }

    fn weigh(&mut self) {
        for strategy in 0..self.strategies.len() {
            let common = self.common(strategy);
            let all = u128::from(self.unit(strategy)) * u128::from(self.longest(strategy));
            for lineup in &mut self.lineups {
                for slot in lineup.slots.iter_mut().filter(|slot| slot.strategy == strategy) {
                    let by_deals =
                        (all + u128::from(lineup.deals) / 2) / u128::from(lineup.deals.max(1));
                    slot.weight = (common / slot.seats_per_deal as u64) as i64 * by_deals as i64;
                }
            }
        }
    }

    /// The deals of a strategy's longest line-up.
    fn longest(&self, strategy: usize) -> u64 {
        self.segments[strategy].last().copied().unwrap_or(0)
    }

    fn unit(&self, strategy: usize) -> u64 {
        if self.segments[strategy].len() > 1 { WEIGHT_UNIT } else { 1 }
    }

    /// The least common multiple of a strategy's seats in a deal of each line-up.
    fn common(&self, strategy: usize) -> u64 {
        self.slots_of(strategy)
            .map(|(lineup, slot)| self.lineups[lineup].slots[slot].seats_per_deal as u64)
            .fold(1, lcm)
    }

    /// A strategy's line-ups and its slots there, by their numbers.
    pub fn slots_of(&self, strategy: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.lineups.iter().enumerate().filter_map(move |(index, lineup)| {
            let slot = lineup.slots.iter().position(|slot| slot.strategy == strategy)?;
            Some((index, slot))
        })
    }

    /// The sum of a strategy's weighted observations of so many deals over this is its mean for
    /// one seat, in which its line-ups weigh alike.
    pub fn scale(&self, strategy: usize, deals: u64) -> f64 {
        let lineups = self.slots_of(strategy).count() as f64;
        self.unit(strategy) as f64 * deals as f64 * self.common(strategy) as f64 * lineups
    }

    /// A strategy's segment that a deal belongs to; none after its last line-up.
    pub fn segment(&self, strategy: usize, deal: u64) -> Option<usize> {
        let ends = &self.segments[strategy];
        let segment = ends.partition_point(|&end| end <= deal);
        (segment < ends.len()).then_some(segment)
    }

    /// The numbers that its sums have by batch.
    pub fn batch_width(&self) -> usize {
        let slots: usize = self.lineups.iter().map(|lineup| lineup.slots.len()).sum();
        match self.levels {
            0 => slots * self.players * seat_width(self.players) + objectives::width(self),
            levels => self.lineups.len() * (TEAM_SUMS + levels * LEVEL_SUMS),
        }
    }
}

fn lcm(a: u64, b: u64) -> u64 {
    let (mut x, mut y) = (a, b);
    while y > 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}
