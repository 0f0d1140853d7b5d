//! The runner: plays a plan's deals by blocks, on all threads, into tallies.
//!
//! There is one runner. What to play next is decided by a [`Driver`], a pure state machine.

mod arena;
mod engines;
mod rows;
mod sink;

pub use rows::columns as game_columns;
pub use sink::GameSink;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;

use arena::{Arena, Engine, Worker};

use super::plan::Plan;
use super::tally::{ScoreTally, Tally, TeamTally};
use crate::bots::{Counts, Seen};
use crate::error::InputError;
use crate::error::PlayError;
use crate::games::GameId;

/// The most deals of a block: they are played in lockstep, and a block is what a thread takes at a
/// time. Results do not depend on it.
pub const BLOCK: u64 = 64;
/// A block that took less is followed by a larger one, and one that took more by a smaller one, so
/// that a run of slow strategies shows how far it is and can be stopped.
const SHORT_AND_LONG: [Duration; 2] = [Duration::from_millis(20), Duration::from_millis(200)];
/// The same where bots from outside play: what they can do for many games at once needs a block of
/// many.
const WITH_BOTS: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(8)];

/// Decides what is played next, from its state and what was tallied so far.
pub trait Driver {
    /// All that it has to remember between stages.
    type State: Clone + Default + Serialize + DeserializeOwned;

    /// The next stage and the state after it, or nothing where the run is finished.
    fn next(
        &self,
        plan: &Plan,
        state: &Self::State,
        tallies: &Tallies,
    ) -> Option<(Stage, Self::State)>;
}

/// A stage of a run: for each cell the deals that are played now. Its number is in the seed path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stage {
    /// The stage's number, from 0.
    pub number: u64,
    /// By cell.
    pub deals: Vec<Range<u64>>,
}

/// Plays the first deals of each cell, to see how long they take.
#[derive(Debug, Clone, Copy)]
pub struct Probe {
    /// The deals of each cell.
    pub deals: u64,
}

impl Driver for Probe {
    type State = bool;

    fn next(&self, plan: &Plan, played: &bool, _: &Tallies) -> Option<(Stage, bool)> {
        let deals = plan.cells.iter().map(|cell| 0..cell.deals().min(self.deals)).collect();
        (!played).then_some((Stage { number: 0, deals }, true))
    }
}

/// Plays the plan as it stands, in one stage.
#[derive(Debug, Clone, Copy, Default)]
pub struct Fixed;

impl Driver for Fixed {
    type State = bool;

    fn next(&self, plan: &Plan, played: &bool, _: &Tallies) -> Option<(Stage, bool)> {
        let deals = plan.cells.iter().map(|cell| 0..cell.deals()).collect();
        (!played).then_some((Stage { number: 0, deals }, true))
    }
}

/// What was tallied, by cell.
#[derive(Debug, Clone, PartialEq)]
pub enum Tallies {
    /// Games that give every seat a score: Mind Up!.
    Scores(Vec<ScoreTally>),
    /// Games that a team wins or loses: the Minds.
    Teams(Vec<TeamTally>),
}

/// Why a run stopped before its end.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RunError {
    /// The request was wrong.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A strategy failed.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// The threads could not be started.
    #[error("the worker threads could not be started: {0}")]
    Threads(String),
}

/// What a run shows of itself, and how it is stopped. Updated by the block.
#[derive(Debug, Default)]
pub struct Monitor {
    /// Games played so far.
    pub games: AtomicU64,
    /// Set to end the run after the blocks that are being played.
    pub stop: Arc<AtomicBool>,
    /// Who leads so far, in the cell that was merged last.
    pub leader: Mutex<String>,
    /// Where single games go, if they are asked for.
    pub sink: Option<GameSink>,
    /// The bots from outside that play.
    pub bots: Mutex<Vec<BotCounts>>,
}

/// A strategy's number in the plan, and what it was asked and failed.
pub type BotCounts = (usize, Arc<Counts>);

impl Monitor {
    /// What the bots from outside were asked and failed so far, by their numbers in the plan.
    pub fn bots(&self) -> Vec<(usize, Seen)> {
        let bots = self.bots.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all: BTreeMap<usize, Seen> = BTreeMap::new();
        for (number, counts) in bots.iter() {
            all.entry(*number).or_default().merge(counts.seen());
        }
        all.into_iter().collect()
    }
}

/// How often a thread adds its sums to the common ones while it stays in a cell.
const MERGE: Duration = Duration::from_secs(1);

/// Plays a plan as its driver says.
///
/// # Errors
/// See [`RunError`].
pub fn run<D: Driver>(
    plan: &Plan,
    driver: &D,
    threads: usize,
    monitor: &Monitor,
) -> Result<Tallies, RunError> {
    match plan.game {
        GameId::MindUp => {
            let engines = engines::mind_up(plan)?;
            play(plan, driver, engines, threads, monitor, Tallies::Scores)
        }
        GameId::TheMind | GameId::TheMindExtreme => {
            let engines = engines::the_mind(plan)?;
            play(plan, driver, engines, threads, monitor, Tallies::Teams)
        }
    }
}

fn play<D: Driver, E: Engine>(
    plan: &Plan,
    driver: &D,
    engines: Vec<E>,
    threads: usize,
    monitor: &Monitor,
    wrap: fn(Vec<E::Tally>) -> Tallies,
) -> Result<Tallies, RunError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| RunError::Threads(error.to_string()))?;
    let arenas: Vec<Arena<'_, E>> = plan
        .cells
        .iter()
        .zip(engines)
        .map(|(cell, engine)| Arena::new(plan, cell, engine))
        .collect();
    let mut bots: Vec<BotCounts> = Vec::new();
    for (number, counts) in arenas.iter().flat_map(|arena| arena.engine.bots()) {
        if !bots.iter().any(|(_, known)| Arc::ptr_eq(known, &counts)) {
            bots.push((number, counts));
        }
    }
    *monitor.bots.lock().unwrap_or_else(PoisonError::into_inner) = bots;
    let mut tallies: Vec<E::Tally> = arenas.iter().map(Arena::tally).collect();
    let mut state = D::State::default();
    while let Some((stage, next)) = driver.next(plan, &state, &wrap(tallies.clone())) {
        play_stage(&pool, &arenas, &stage, monitor, &mut tallies)?;
        state = next;
        if monitor.stop.load(Ordering::Relaxed) {
            break;
        }
    }
    Ok(wrap(tallies))
}

/// Plays a stage: each thread takes the next block until there is none, and keeps sums of its own
/// that are merged when it leaves a cell. The sums are integers, so the order does not matter.
fn play_stage<E: Engine>(
    pool: &rayon::ThreadPool,
    arenas: &[Arena<'_, E>],
    stage: &Stage,
    monitor: &Monitor,
    tallies: &mut [E::Tally],
) -> Result<(), PlayError> {
    let queue = Queue::new(&stage.deals);
    let merged = Mutex::new(tallies);
    let bots = arenas.iter().any(|arena| !arena.engine.bots().is_empty());
    let [short, long] = if bots { WITH_BOTS } else { SHORT_AND_LONG };
    let failed: Mutex<Option<PlayError>> = Mutex::new(None);
    let merge = |cell: usize, tally: &E::Tally| {
        let mut merged = merged.lock().unwrap_or_else(PoisonError::into_inner);
        merged[cell].merge(tally);
        let leader = arenas[cell].leader(&merged[cell]);
        *monitor.leader.lock().unwrap_or_else(PoisonError::into_inner) = leader;
    };
    let work = || -> Result<(), PlayError> {
        let mut at: Option<Station<E>> = None;
        while !monitor.stop.load(Ordering::Relaxed) {
            let here = at.as_ref().map(|at| (at.cell, at.size));
            let Some(Block { number, cell, deals }) = queue.take(here) else { break };
            if at.as_ref().is_none_or(|at| at.cell != cell) {
                if let Some(left) = at.take() {
                    merge(left.cell, &left.tally);
                }
                at = Some(Station {
                    cell,
                    worker: arenas[cell].worker(monitor.sink.is_some())?,
                    tally: arenas[cell].tally(),
                    merged: Instant::now(),
                    size: 1,
                });
            }
            let Some(station) = &mut at else { break };
            let (arena, clock) = (&arenas[cell], Instant::now());
            let games = arena.play(&mut station.worker, stage.number, deals, &mut station.tally)?;
            monitor.games.fetch_add(games, Ordering::Relaxed);
            if let (Some(sink), Some(rows)) = (&monitor.sink, station.worker.take_rows()) {
                sink.put(number, rows);
            }
            station.size = match clock.elapsed() {
                took if took < short => (station.size * 2).min(BLOCK),
                took if took > long => (station.size / 2).max(1),
                _ => station.size,
            };
            if station.merged.elapsed() >= MERGE {
                merge(cell, &station.tally);
                (station.tally, station.merged) = (arena.tally(), Instant::now());
            }
        }
        if let Some(left) = at {
            merge(left.cell, &left.tally);
        }
        Ok(())
    };
    pool.broadcast(|_| {
        if let Err(error) = work() {
            monitor.stop.store(true, Ordering::Relaxed);
            failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    });
    match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// The cell that a thread is at.
struct Station<E: Engine> {
    cell: usize,
    worker: Worker<E>,
    tally: E::Tally,
    /// When its sums were last added to the common ones.
    merged: Instant,
    /// The deals of its next block.
    size: u64,
}

/// A block of deals.
#[derive(Debug, PartialEq, Eq)]
struct Block {
    /// Its number in the order of cells and deals.
    number: usize,
    cell: usize,
    deals: Range<u64>,
}

/// The deals of a stage that nobody has taken yet, cell by cell.
struct Queue<'a> {
    deals: &'a [Range<u64>],
    /// The number of the next block, its cell, and its first deal.
    next: Mutex<(usize, usize, u64)>,
}

impl<'a> Queue<'a> {
    fn new(deals: &'a [Range<u64>]) -> Self {
        Queue { deals, next: Mutex::new((0, 0, deals.first().map_or(0, |deals| deals.start))) }
    }

    /// The next block, of so many deals where it is in the cell that the thread is at; a thread
    /// that comes to a cell begins with one deal, since it may be a slow one.
    fn take(&self, here: Option<(usize, u64)>) -> Option<Block> {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let (number, mut cell, mut start) = *next;
        while start >= self.deals.get(cell)?.end {
            cell += 1;
            start = self.deals.get(cell)?.start;
        }
        let size = here.filter(|&(at, _)| at == cell).map_or(1, |(_, size)| size);
        let end = self.deals[cell].end.min(start + size);
        *next = (number + 1, cell, end);
        Some(Block { number, cell, deals: start..end })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_cover_every_deal_once() {
        let deals = [0..130, 0..0, 5..6, 0..3];
        let queue = Queue::new(&deals);
        let sizes = [None, Some((0, 64)), Some((0, 64)), Some((0, 64)), Some((0, 64)), None];
        let blocks = sizes.map(|here| queue.take(here).map(|block| (block.cell, block.deals)));
        let wanted = [(0, 0..1), (0, 1..65), (0, 65..129), (0, 129..130), (2, 5..6), (3, 0..1)];
        assert_eq!(blocks, wanted.map(Some));
        assert_eq!(queue.take(Some((3, 64))), Some(Block { number: 6, cell: 3, deals: 1..3 }));
        assert_eq!(queue.take(Some((3, 64))), None);
        assert_eq!(queue.take(None), None);
        assert_eq!(Queue::new(&[]).take(None), None);
    }
}
