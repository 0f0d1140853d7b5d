//! Cells of Mind Up!.

use std::ops::Range;
use std::sync::Arc;

use super::super::plan::{Cell, GameRules, Plan};
use super::super::tally::{GROUPS, Layout, ScoreScratch, ScoreTally};
use super::Arena;
use crate::error::InputError;
use crate::error::PlayError;
use crate::games::mind_up::player::Player;
use crate::games::mind_up::{Block, Outcome, Rules};
use crate::rng::{GameKey, deal_key};
use crate::strategies::mind_up::FAMILIES;
use crate::strategies::{Build, build};

pub(super) struct MindUpArena<'a> {
    cell: &'a Cell,
    rules: &'a Rules,
    seed: u64,
    layout: Layout,
    /// By the strategy's number in the plan.
    builders: Vec<Arc<dyn Build<dyn Player>>>,
}

pub(super) fn arenas(plan: &Plan) -> Result<Vec<MindUpArena<'_>>, InputError> {
    let builders = plan
        .strategies
        .iter()
        .map(|strategy| build(FAMILIES, strategy))
        .collect::<Result<Vec<_>, _>>()?;
    let cells = plan.cells.iter().map(|cell| match &cell.rules {
        GameRules::MindUp(rules) => MindUpArena {
            cell,
            rules,
            seed: plan.seed,
            layout: cell.layout(),
            builders: builders.clone(),
        },
    });
    Ok(cells.collect())
}

/// What a thread needs to play a cell.
pub(super) struct Worker {
    /// By seat, then by the strategy's place in the layout.
    players: Vec<Vec<Box<dyn Player>>>,
    block: Block,
    outcomes: Vec<Outcome>,
    keys: Vec<GameKey>,
    groups: Vec<usize>,
    scratch: ScoreScratch,
}

impl Arena for MindUpArena<'_> {
    type Tally = ScoreTally;
    type Worker = Worker;

    fn tally(&self) -> ScoreTally {
        ScoreTally::new(&self.layout)
    }

    fn merge(into: &mut ScoreTally, from: &ScoreTally) {
        into.merge(from);
    }

    fn worker(&self) -> Result<Worker, PlayError> {
        let row = || {
            self.layout
                .strategies
                .iter()
                .map(|&number| self.builders[number].seat())
        };
        Ok(Worker {
            players: (0..self.cell.players)
                .map(|_| row().collect())
                .collect::<Result<_, _>>()?,
            block: Block::default(),
            outcomes: Vec::new(),
            keys: Vec::new(),
            groups: Vec::new(),
            scratch: ScoreScratch::default(),
        })
    }

    fn play(
        &self,
        worker: &mut Worker,
        stage: u64,
        deals: Range<u64>,
        tally: &mut ScoreTally,
    ) -> Result<u64, PlayError> {
        let before = tally.games;
        tally.begin(&self.layout, &deals, &mut worker.scratch);
        for lineup in 0..self.cell.lineups.len() {
            self.play_lineup(worker, stage, deals.clone(), lineup, tally)?;
        }
        tally.end(&self.layout, deals, &mut worker.scratch);
        Ok(tally.games - before)
    }
}

impl MindUpArena<'_> {
    fn play_lineup(
        &self,
        worker: &mut Worker,
        stage: u64,
        deals: Range<u64>,
        index: usize,
        tally: &mut ScoreTally,
    ) -> Result<(), PlayError> {
        let lineup = &self.cell.lineups[index];
        let deals = deals.start..deals.end.min(lineup.deals);
        if deals.is_empty() {
            return Ok(());
        }
        let players = self.cell.players;
        let shape = &self.layout.lineups[index];
        let Worker { scratch, .. } = worker;
        tally.begin_lineup(
            &self.layout,
            index,
            (deals.end - deals.start) as usize,
            scratch,
        );
        for rotation in 0..lineup.rotations {
            let seating = lineup.first_seating + rotation as u64;
            worker.keys.clear();
            worker.keys.extend(deals.clone().map(|deal| {
                let deal = deal_key(self.seed, stage, players, deal);
                GameKey::new(deal, self.cell.index as u64, seating)
            }));
            let mut seats: Vec<&mut dyn Player> = worker
                .players
                .iter_mut()
                .enumerate()
                .map(|(seat, row)| {
                    let slot = shape.slot_of_seat[(seat + rotation) % players];
                    row[shape.slots[slot].strategy].as_mut()
                })
                .collect();
            let (keys, outcomes) = (&worker.keys, &mut worker.outcomes);
            worker
                .block
                .play(self.rules, &mut seats, keys, &mut (), outcomes)?;
            tally.add(&self.layout, index, rotation, outcomes, &mut worker.scratch);
        }
        worker.groups.clear();
        let group = |key: &GameKey| key.deal().group(GROUPS as u64) as usize;
        worker.groups.extend(worker.keys.iter().map(group));
        tally.end_lineup(&self.layout, index, &worker.groups, &mut worker.scratch);
        Ok(())
    }
}
