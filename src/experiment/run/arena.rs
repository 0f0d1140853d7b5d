//! A cell, ready to be played by many threads; and the games behind it.

use std::ops::Range;
use std::sync::Arc;

use super::super::plan::{Cell, GameRules, Plan};
use super::super::tally::{GROUPS, Layout, ObjectiveWatch, ScoreTally, Tally, TeamTally};
use crate::error::{InputError, PlayError};
use crate::games::{mind_up, the_mind};
use crate::rng::{GameKey, deal_key};
use crate::strategies::{Build, Family, build};

/// A game under the rules of a cell.
pub(super) trait Engine: Sync {
    type Tally: Tally;
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

    /// A block of so many deals begins.
    fn begin(&self, _table: &mut Self::Table, _deals: usize) {}

    /// A block ends.
    fn end(&self, _table: &mut Self::Table, _tally: &mut Self::Tally) {}
}

pub(super) struct Arena<'a, E> {
    cell: &'a Cell,
    seed: u64,
    layout: Layout,
    engine: E,
}

/// What a thread needs to play a cell.
pub(super) struct Worker<E: Engine> {
    table: E::Table,
    seats: Vec<usize>,
    keys: Vec<GameKey>,
    groups: Vec<usize>,
    outcomes: Vec<<E::Tally as Tally>::Outcome>,
    scratch: <E::Tally as Tally>::Scratch,
}

impl<'a, E: Engine> Arena<'a, E> {
    pub(super) fn new(plan: &Plan, cell: &'a Cell, engine: E) -> Self {
        Arena {
            cell,
            seed: plan.seed,
            layout: cell.layout(),
            engine,
        }
    }

    pub(super) fn tally(&self) -> E::Tally {
        E::Tally::new(&self.layout)
    }

    pub(super) fn worker(&self) -> Result<Worker<E>, PlayError> {
        Ok(Worker {
            table: self.engine.table(&self.layout.strategies)?,
            seats: Vec::new(),
            keys: Vec::new(),
            groups: Vec::new(),
            outcomes: Vec::new(),
            scratch: Default::default(),
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
        tally.end(&self.layout, deals, &mut worker.scratch);
        self.engine.end(&mut worker.table, tally);
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
        let Worker {
            table,
            seats,
            keys,
            groups,
            outcomes,
            scratch,
        } = worker;
        tally.begin_lineup(
            &self.layout,
            index,
            (deals.end - deals.start) as usize,
            scratch,
        );
        for rotation in 0..lineup.rotations {
            let seating = lineup.first_seating + rotation as u64;
            keys.clear();
            keys.extend(deals.clone().map(|deal| {
                let deal = deal_key(self.seed, stage, players, deal);
                GameKey::new(deal, self.cell.index as u64, seating)
            }));
            seats.clear();
            seats.extend((0..players).map(|seat| {
                let slot = shape.slot_of_seat[(seat + rotation) % players];
                shape.slots[slot].strategy
            }));
            self.engine.play(table, seats, keys, outcomes)?;
            tally.add(&self.layout, index, rotation, outcomes, scratch);
        }
        groups.clear();
        groups.extend(
            keys.iter()
                .map(|key| key.deal().group(GROUPS as u64) as usize),
        );
        tally.end_lineup(&self.layout, index, groups, scratch);
        Ok(())
    }
}

/// By the strategy's number in the plan.
type Builders<P> = Vec<Arc<dyn Build<P>>>;

fn builders<P: ?Sized>(plan: &Plan, families: &[Family<P>]) -> Result<Builders<P>, InputError> {
    plan.strategies
        .iter()
        .map(|strategy| build(families, strategy))
        .collect()
}

/// By seat, then by the strategy's place among those of the table.
type Players<P> = Vec<Vec<Box<P>>>;

fn players<P: ?Sized>(
    builders: &Builders<P>,
    players: usize,
    strategies: &[usize],
) -> Result<Players<P>, PlayError> {
    let row = || {
        strategies
            .iter()
            .map(|&number| builders[number].seat())
            .collect()
    };
    (0..players).map(|_| row()).collect()
}

pub(super) struct MindUp<'a> {
    rules: &'a mind_up::Rules,
    builders: Arc<Builders<dyn mind_up::player::Player>>,
}

pub(super) struct MindUpTable {
    block: mind_up::Block,
    /// Where objectives are played.
    watch: Option<ObjectiveWatch>,
    players: Players<dyn mind_up::player::Player>,
}

/// The cells of a plan for Mind Up!.
pub(super) fn mind_up(plan: &Plan) -> Result<Vec<MindUp<'_>>, InputError> {
    let builders = Arc::new(builders(plan, crate::strategies::mind_up::FAMILIES)?);
    Ok(plan
        .cells
        .iter()
        .filter_map(|cell| match &cell.rules {
            GameRules::MindUp(rules) => Some(MindUp {
                rules,
                builders: builders.clone(),
            }),
            GameRules::TheMind(_) => None,
        })
        .collect())
}

impl Engine for MindUp<'_> {
    type Tally = ScoreTally;
    type Table = MindUpTable;

    fn table(&self, strategies: &[usize]) -> Result<MindUpTable, PlayError> {
        let players = players(&self.builders, self.rules.players(), strategies)?;
        let watch = (self.rules.objectives() > 0).then(|| ObjectiveWatch::new(self.rules));
        Ok(MindUpTable {
            block: mind_up::Block::default(),
            watch,
            players,
        })
    }

    fn play(
        &self,
        table: &mut MindUpTable,
        seats: &[usize],
        keys: &[GameKey],
        outcomes: &mut Vec<mind_up::Outcome>,
    ) -> Result<(), PlayError> {
        let players = table.players.iter_mut().zip(seats);
        let mut players: Vec<_> = players.map(|(row, &place)| row[place].as_mut()).collect();
        let block = &mut table.block;
        match &mut table.watch {
            Some(watch) => block.play(self.rules, &mut players, keys, watch, outcomes),
            None => block.play(self.rules, &mut players, keys, &mut (), outcomes),
        }
    }

    fn begin(&self, table: &mut MindUpTable, deals: usize) {
        if let Some(watch) = &mut table.watch {
            watch.begin(deals);
        }
    }

    fn end(&self, table: &mut MindUpTable, tally: &mut ScoreTally) {
        if let Some(watch) = &table.watch {
            watch.end(tally);
        }
    }
}

pub(super) struct TheMind<'a> {
    rules: &'a the_mind::rules::Rules,
    bodies: Vec<the_mind::body::Body>,
    builders: Arc<Builders<dyn the_mind::player::Player>>,
}

pub(super) struct TheMindTable {
    block: the_mind::block::Block,
    players: Players<dyn the_mind::player::Player>,
}

/// The cells of a plan for one of the Minds.
pub(super) fn the_mind(plan: &Plan) -> Result<Vec<TheMind<'_>>, InputError> {
    let builders = Arc::new(builders(plan, &crate::strategies::the_mind::FAMILIES)?);
    Ok(plan
        .cells
        .iter()
        .filter_map(|cell| match &cell.rules {
            GameRules::TheMind(rules) => Some(TheMind {
                rules,
                bodies: cell.bodies(),
                builders: builders.clone(),
            }),
            GameRules::MindUp(_) => None,
        })
        .collect())
}

impl Engine for TheMind<'_> {
    type Tally = TeamTally;
    type Table = TheMindTable;

    fn table(&self, strategies: &[usize]) -> Result<TheMindTable, PlayError> {
        let players = players(&self.builders, self.rules.players(), strategies)?;
        Ok(TheMindTable {
            block: the_mind::block::Block::new(),
            players,
        })
    }

    fn play(
        &self,
        table: &mut TheMindTable,
        seats: &[usize],
        keys: &[GameKey],
        outcomes: &mut Vec<the_mind::outcome::Outcome>,
    ) -> Result<(), PlayError> {
        outcomes.clear();
        let players = table.players.iter_mut().zip(seats);
        let mut players: Vec<&mut dyn the_mind::player::Player> = players
            .map(|(row, &place)| row[place].as_mut() as _)
            .collect();
        table.block.play(
            self.rules,
            &self.bodies,
            &mut players,
            keys,
            &mut (),
            outcomes,
        )
    }
}
