//! `mindlab run --dry-run`: the plan, and what it will take.

use std::time::Instant;

use anyhow::Result;

use crate::experiment::plan::{Cell, Plan};
use crate::experiment::run::{Monitor, Probe, run as play};
use crate::experiment::tally::Layout;
use crate::output::terminal::thousands;

/// A probe that lasts longer, in seconds, is believed.
const PROBE: f64 = 0.5;
/// Cells that are listed one by one.
const LISTED: usize = 40;

/// The plan in words, with the time and the memory to expect.
pub(super) fn describe(plan: &Plan, threads: usize) -> Result<String> {
    let lineups: usize = plan.cells.iter().map(|cell| cell.lineups.len()).sum();
    let mut text = format!(
        "{}: {} cells, {lineups} line-ups, {} games\n",
        plan.game,
        plan.cells.len(),
        thousands(&plan.games().to_string())
    );
    for cell in plan.cells.iter().take(LISTED) {
        let games: u64 = cell.lineups.iter().map(|lineup| lineup.games()).sum();
        text.push_str(&format!(
            "  cell {}: {}; {} line-ups, {} games\n",
            cell.index,
            cell.title(),
            cell.lineups.len(),
            thousands(&games.to_string())
        ));
    }
    if plan.cells.len() > LISTED {
        text.push_str(&format!("  and {} cells more\n", plan.cells.len() - LISTED));
    }
    let memory = plan.cells.iter().map(memory).sum::<usize>() * 2
        + plan.cells.iter().map(memory).max().unwrap_or(0) * threads;
    text.push_str(&format!(
        "expected time {}, memory for sums {:.1} MB\n",
        duration(seconds(plan, threads)?),
        memory as f64 / 1e6
    ));
    Ok(text)
}

/// The time that the plan is expected to take, from a short probe of every cell.
pub(super) fn seconds(plan: &Plan, threads: usize) -> Result<f64> {
    let mut deals = 1;
    loop {
        let (monitor, clock) = (Monitor::default(), Instant::now());
        play(plan, &Probe { deals }, threads, &monitor).map_err(super::run_error)?;
        let took = clock.elapsed().as_secs_f64();
        let most = plan.cells.iter().map(Cell::deals).max().unwrap_or(0);
        if took >= PROBE || deals >= most {
            let played = monitor.games.into_inner().max(1);
            return Ok(took * plan.games() as f64 / played as f64);
        }
        deals *= 4;
    }
}

/// The bytes of a cell's tally, about.
fn memory(cell: &Cell) -> usize {
    let Layout { lineups, strategies, segments, .. } = cell.layout();
    // A group's moments have 10 wide numbers and a count, a seat's sums as many.
    let moments = 10 * size_of::<i128>() + 16;
    let slots: usize = lineups.iter().map(|lineup| lineup.slots.len()).sum();
    let groups = crate::experiment::tally::GROUPS;
    slots * (groups + cell.players) * moments
        + strategies.len() * (cell.players + 1) * segments.len() * moments
}

pub(super) fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => format!("{s:.1} s"),
        s if s < 7_200.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3_600.0),
    }
}
