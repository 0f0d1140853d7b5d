//! `mindlab run --dry-run`: the plan, and what it will take.

use std::time::Instant;

use anyhow::Result;

use crate::bots;
use crate::experiment::plan::{Cell, Plan};
use crate::experiment::run::{Monitor, Probe, run as play};
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
    let time = expected(seconds(plan, threads)?);
    text.push_str(&format!("{time}, memory for sums {:.1} MB\n", memory as f64 / 1e6));
    Ok(text)
}

/// The time that the plan is expected to take, from a short probe of every cell. None where bots
/// from outside play: nothing is started, and waited for, to tell what would be.
pub(super) fn seconds(plan: &Plan, threads: usize) -> Result<Option<f64>> {
    if plan.strategies.iter().any(|strategy| strategy.family == bots::NAME) {
        return Ok(None);
    }
    let mut deals = 1;
    loop {
        let (monitor, clock) = (Monitor::default(), Instant::now());
        play(plan, &Probe { deals }, threads, &monitor).map_err(super::run_error)?;
        let took = clock.elapsed().as_secs_f64();
        let most = plan.cells.iter().map(Cell::deals).max().unwrap_or(0);
        if took >= PROBE || deals >= most {
            let played = monitor.games.into_inner().max(1);
            return Ok(Some(took * plan.games() as f64 / played as f64));
        }
        deals *= 4;
    }
}

/// The bytes of a cell's tally, about.
fn memory(cell: &Cell) -> usize {
    let layout = cell.layout();
    layout.batches * layout.batch_width() * size_of::<i64>()
}

/// The time in words.
pub(super) fn expected(seconds: Option<f64>) -> String {
    match seconds {
        None => "time unknown: bots from outside play; `mindlab check-bot` shows theirs".to_owned(),
        Some(s) if s < 120.0 => format!("expected time {s:.1} s"),
        Some(s) if s < 7_200.0 => format!("expected time {:.0} min", s / 60.0),
        Some(s) => format!("expected time {:.1} h", s / 3_600.0),
    }
}
