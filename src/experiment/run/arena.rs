//! A cell, ready to be played by many threads.

use std::ops::Range;

use super::BotCounts;
use super::rows::{self, Rows};
use crate::error::PlayError;
use crate::experiment::plan::{Cell, Plan};
use crate::experiment::tally::{Layout, Tally};
use crate::rng::GameKey;

/// A game under the rules of a cell.
pub(super) trait Engine: Sync {
    type Tally: Tally;
    /// Whether a row of `games.csv` begins with a figure for each seat.
    const PER_SEAT: bool;
    /// What a thread plays at: the engine's memory and the players.
    type Table;

    /// A table with a player for each seat and strategy, `strategies` by their numbers in the plan.
    fn table(&self, strategies: &[usize]) -> Result<Self::Table, PlayError>;

    /// Plays a game for each key in place of what `outcomes` held. `seats` has, for each seat, the
    /// place of its strategy among those of the table.
    fn play(
        &self,
        table: &mut Self::Table,
        seats: &[usize],
        keys: &[GameKey],
        outcomes: &mut Vec<<Self::Tally as Tally>::Outcome>,
    ) -> Result<(), PlayError>;

    /// The bots from outside among the strategies, by their numbers in the plan.
    fn bots(&self) -> Vec<BotCounts>;

    /// What `games.csv` says of a game's end, in the order of [`columns`](super::rows::columns).
    fn row(&self, outcome: &<Self::Tally as Tally>::Outcome) -> Vec<String>;

    /// A strategy's figure that tells who leads.
    fn standing(tally: &Self::Tally, layout: &Layout, lineup: usize, slot: usize) -> f64;

    /// A block of so many deals begins.
    fn begin(&self, _table: &mut Self::Table, _deals: usize) {}

    /// The block of these deals ends.
    fn end(&self, _table: &mut Self::Table, _tally: &mut Self::Tally, _deals: Range<u64>) {}
}

pub(super) struct Arena<'a, E> {
    pub(super) plan: &'a Plan,
    pub(super) cell: &'a Cell,
    layout: Layout,
    pub(super) engine: E,
}

/// What a thread needs to play a cell.
pub(super) struct Worker<E: Engine> {
    table: E::Table,
    seats: Vec<usize>,
    keys: Vec<GameKey>,
    outcomes: Vec<<E::Tally as Tally>::Outcome>,
    scratch: <E::Tally as Tally>::Scratch,
    /// The rows of single games of the block, where they are asked for.
    rows: Option<Rows>,
}

impl<E: Engine> Worker<E> {
    /// The rows of the block that was played.
    pub(super) fn take_rows(&mut self) -> Option<Vec<u8>> {
        let rows = self.rows.as_mut()?;
        Some(rows::to_csv(std::mem::take(rows)))
    }
}

impl<'a, E: Engine> Arena<'a, E> {
    pub(super) fn new(plan: &'a Plan, cell: &'a Cell, engine: E) -> Self {
        Arena { plan, cell, layout: cell.layout(), engine }
    }

    pub(super) fn tally(&self) -> E::Tally {
        E::Tally::new(&self.layout)
    }

    pub(super) fn worker(&self, rows: bool) -> Result<Worker<E>, PlayError> {
        Ok(Worker {
            table: self.engine.table(&self.layout.strategies)?,
            seats: Vec::new(),
            keys: Vec::new(),
            outcomes: Vec::new(),
            scratch: Default::default(),
            rows: rows.then(Vec::new),
        })
    }

    /// Plays a block of deals in all line-ups and rotations; returns the games played.
    pub(super) fn play(
        &self,
        worker: &mut Worker<E>,
        stage: u64,
        deals: Range<u64>,
        tally: &mut E::Tally,
    ) -> Result<u64, PlayError> {
        let before = tally.games();
        let count = (deals.end - deals.start) as usize;
        tally.begin(&self.layout, count, &mut worker.scratch);
        self.engine.begin(&mut worker.table, count);
        for (index, lineup) in self.cell.lineups.iter().enumerate() {
            let deals = deals.start..deals.end.min(lineup.deals);
            if !deals.is_empty() {
                self.play_lineup(worker, stage, deals, index, tally)?;
            }
        }
        tally.end(&self.layout, deals.clone(), &mut worker.scratch);
        self.engine.end(&mut worker.table, tally, deals);
        Ok(tally.games() - before)
    }

    fn play_lineup(
        &self,
        worker: &mut Worker<E>,
        stage: u64,
        deals: Range<u64>,
        index: usize,
        tally: &mut E::Tally,
    ) -> Result<(), PlayError> {
        let (players, lineup) = (self.cell.players, &self.cell.lineups[index]);
        let shape = &self.layout.lineups[index];
        let Worker { table, seats, keys, outcomes, scratch, rows } = worker;
        tally.begin_lineup(&self.layout, index, (deals.end - deals.start) as usize, scratch);
        for rotation in 0..lineup.rotations {
            keys.clear();
            let key = |deal| self.plan.key(self.cell, lineup, stage, deal, rotation);
            keys.extend(deals.clone().map(key));
            seats.clear();
            seats.extend((0..players).map(|seat| {
                let slot = shape.slot_of_seat[(seat + rotation) % players];
                shape.slots[slot].strategy
            }));
            self.engine.play(table, seats, keys, outcomes).map_err(|error| {
                error.in_plan(
                    |seat| self.plan.strategies[lineup.strategy(rotation, seat)].label.clone(),
                    |slot| lineup.game(deals.start + slot, rotation),
                )
            })?;
            tally.add(&self.layout, (index, rotation), deals.start, outcomes, scratch);
            if let Some(rows) = rows {
                self.write_rows(rows, lineup, rotation, deals.clone(), outcomes);
            }
        }
        tally.end_lineup(&self.layout, index, deals, scratch);
        Ok(())
    }

    /// Who leads, in words; empty where nobody does.
    pub(super) fn leader(&self, tally: &E::Tally) -> String {
        let mut best: Option<(f64, String)> = None;
        for strategy in 0..self.layout.strategies.len() {
            let slots = self.layout.slots_of(strategy);
            let (sum, count) = slots.fold((0.0, 0.0), |(sum, count), (lineup, slot)| {
                (sum + E::standing(tally, &self.layout, lineup, slot), count + 1.0)
            });
            let mean = sum / f64::max(count, 1.0);
            if best.as_ref().is_none_or(|(known, _)| mean > *known) {
                let label = &self.plan.strategies[self.layout.strategies[strategy]].label;
                best = Some((mean, format!("{label} {mean:.3}")));
            }
        }
        match best {
            Some((_, leader)) if self.layout.strategies.len() > 1 => leader,
            _ => String::new(),
        }
    }
}
