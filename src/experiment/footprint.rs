//! The memory that a plan will take.

use super::plan::{Cell, GameRules, Plan};
use super::sums;
use super::tally::{ScoreTally, Tally, TeamTally};

/// What the program takes before the first game, and players and blocks of games, in bytes: measured.
const PROGRAM: usize = 11_000_000;
/// What a row of a table takes, in bytes: measured.
const ROW: usize = 1_000;

/// The bytes that a run of the plan takes at most, about. Each thread has sums of the cell that it is
/// at, which are added to the common ones; at the end there are the sums by batch and the tables.
pub fn bytes(plan: &Plan, threads: usize) -> usize {
    let cells: Vec<usize> = plan.cells.iter().map(tally).collect();
    let own = threads * cells.iter().max().copied().unwrap_or(0);
    let told: usize = plan.cells.iter().map(|cell| sums::bytes(cell) + rows(cell) * ROW).sum();
    PROGRAM + cells.iter().sum::<usize>() + own + told
}

fn tally(cell: &Cell) -> usize {
    match cell.rules {
        GameRules::MindUp(_) => ScoreTally::bytes(&cell.layout()),
        GameRules::TheMind(_) => TeamTally::bytes(&cell.layout()),
    }
}

/// The rows of its tables that grow with its line-ups.
fn rows(cell: &Cell) -> usize {
    let layout = cell.layout();
    layout.lineups.iter().map(|lineup| lineup.slots.len().max(layout.levels)).sum()
}
