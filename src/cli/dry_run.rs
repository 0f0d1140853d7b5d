//! `mindlab run --dry-run`: the plan, and what it will take.

use std::time::Duration;

use anyhow::Result;

use crate::bots;
use crate::experiment::footprint;
use crate::experiment::plan::Plan;
use crate::experiment::run::{Expected, probe};
use crate::output::terminal::thousands;
use crate::stats::Interval;

/// How long games are played to see how long all will take.
const PROBE: Duration = Duration::from_secs(2);
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
    text.push_str(&format!(
        "{}; about {} MB of memory\n",
        expected(seconds(plan, threads)?.as_ref()),
        (footprint::bytes(plan, threads) as f64 / 1e6).ceil()
    ));
    Ok(text)
}

/// The time that the plan is expected to take, from some of its games. None where bots from outside
/// play: nothing is started, and waited for, to tell what would be.
pub(super) fn seconds(plan: &Plan, threads: usize) -> Result<Option<Expected>> {
    if plan.strategies.iter().any(|strategy| strategy.family == bots::NAME) {
        return Ok(None);
    }
    probe(plan, threads, PROBE).map(Some).map_err(super::run_error)
}

/// The time in words, and how sure it is.
pub(super) fn expected(found: Option<&Expected>) -> String {
    let Some(&Expected { seconds, interval, games }) = found else {
        return "time unknown: bots from outside play; `mindlab check-bot` shows theirs".to_owned();
    };
    let tried = match games {
        1 => "one game".to_owned(),
        _ => format!("{} games", thousands(&games.to_string())),
    };
    match interval {
        _ if games == 0 => format!(
            "expected time over {}, since no game ended in {} s",
            told(seconds),
            PROBE.as_secs()
        ),
        None => format!("expected time {}, a guess from {tried}", told(seconds)),
        Some(Interval { low: 0.0, high }) => {
            format!("expected time {} (up to {}, from {tried})", told(seconds), told(high))
        }
        Some(Interval { low, high }) => {
            format!(
                "expected time {} ({} to {}, from {tried})",
                told(seconds),
                told(low),
                told(high)
            )
        }
    }
}

/// A time in its unit.
fn told(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => format!("{s:.1} s"),
        s if s < 7_200.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3_600.0),
    }
}
