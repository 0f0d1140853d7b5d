//! The runner: plays a plan's deals by blocks, on all threads, into tallies.
//!
//! There is one runner. What to play next is decided by a [`Driver`], a pure state machine.

mod arena;
mod engines;
mod probe;
mod rows;
mod sink;

pub use probe::{Expected, probe};
pub use rows::columns as game_columns;
pub use sink::GameSink;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use arena::{Arena, Engine, Worker};
use engines::Game;

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

/// Decides what is played next, from its state and what was tallied. A run is its driver's states in
/// turn: `stage` says what is played from a state, `next` which state that leads to. So whatever a
/// driver has to remember is in its state, and a run goes on from any state that was kept.
pub trait Driver {
    /// All that it has to remember between stages.
    type State;

    /// What is played from this state; nothing where the run is finished.
    ///
    /// # Errors
    /// Where the request turns out to be one that can't be served.
    fn stage(&self, plan: &Plan, state: &Self::State) -> Result<Option<Stage>, InputError>;

    /// The state after its stage was played. `plan` is the plan that was played; `tallies` are those
    /// of all stages under the run's own plan so far, or of this stage where it brought a plan.
    fn next(&self, plan: &Plan, state: Self::State, tallies: &Tallies) -> Self::State;
}

/// A stage of a run: for each cell the deals that are played now. Its number is in the seed path.
#[derive(Debug, Clone, PartialEq)]
pub struct Stage {
    /// The stage's number, from 0.
    pub number: u64,
    /// What is played in place of the run's own plan: the same game, tallied apart.
    pub plan: Option<Plan>,
    /// By cell.
    pub deals: Vec<Range<u64>>,
    /// What progress says meanwhile; left out, it is who leads.
    pub note: Option<String>,
}

impl Stage {
    /// The first and only stage of a run.
    fn only(plan: &Plan) -> Stage {
        let deals = plan.cells.iter().map(|cell| 0..cell.deals()).collect();
        Stage { number: 0, plan: None, deals, note: None }
    }
}

/// Plays the plan as it stands, in one stage.
#[derive(Debug, Clone, Copy, Default)]
pub struct Fixed;

impl Driver for Fixed {
    type State = bool;

    fn stage(&self, plan: &Plan, played: &bool) -> Result<Option<Stage>, InputError> {
        Ok((!played).then(|| Stage::only(plan)))
    }

    fn next(&self, _: &Plan, _: bool, _: &Tallies) -> bool {
        true
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
    /// A state could not be kept.
    #[error("{0}")]
    Keep(String),
    /// The threads could not be started.
    #[error("mindlab can't start its threads: {0}")]
    Threads(String),
}

/// What a run shows of itself, and how it is stopped. Updated by the block.
#[derive(Debug, Default)]
pub struct Monitor {
    /// Games played so far.
    pub games: AtomicU64,
    /// Set to end the run after the blocks that are being played.
    pub stop: Arc<AtomicBool>,
    /// Who leads so far in the cell that was merged last, or the stage's note.
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
        // A strategy has counts of its own at each number of players.
        let mut all: BTreeMap<usize, Seen> = BTreeMap::new();
        for (number, counts) in bots.iter() {
            all.entry(*number).or_default().add(&counts.seen());
        }
        all.into_iter().collect()
    }

    /// Has progress say this beside its numbers.
    fn show(&self, text: String) {
        *self.leader.lock().unwrap_or_else(PoisonError::into_inner) = text;
    }
}

/// How often a thread adds its sums to the common ones while it stays in a cell.
const MERGE: Duration = Duration::from_secs(1);

/// Plays a plan as its driver says, from the driver's first state.
///
/// # Errors
/// See [`RunError`].
pub fn run<D: Driver<State: Default>>(
    plan: &Plan,
    driver: &D,
    threads: usize,
    monitor: &Monitor,
) -> Result<Tallies, RunError> {
    let first = D::State::default();
    let (_, tallies) = run_from(plan, driver, first, threads, monitor, &mut |_| Ok(()))?;
    Ok(tallies)
}

/// Plays a plan as its driver says, from a state on. `keep` is shown each state that a finished stage
/// led to. Returns the last state, and what was tallied under the run's own plan; where the run was
/// stopped, the former is that of the last finished stage.
///
/// # Errors
/// See [`RunError`]; that of `keep` ends the run.
pub fn run_from<D: Driver>(
    plan: &Plan,
    driver: &D,
    state: D::State,
    threads: usize,
    monitor: &Monitor,
    keep: &mut dyn FnMut(&D::State) -> Result<(), RunError>,
) -> Result<(D::State, Tallies), RunError> {
    match plan.game {
        GameId::MindUp => play::<D, engines::Scored>(plan, driver, state, threads, monitor, keep),
        GameId::TheMind | GameId::TheMindExtreme => {
            play::<D, engines::Teamed>(plan, driver, state, threads, monitor, keep)
        }
    }
}

fn play<D: Driver, G: Game>(
    plan: &Plan,
    driver: &D,
    mut state: D::State,
    threads: usize,
    monitor: &Monitor,
    keep: &mut dyn FnMut(&D::State) -> Result<(), RunError>,
) -> Result<(D::State, Tallies), RunError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| RunError::Threads(error.to_string()))?;
    let own = arenas::<G>(plan)?;
    let mut bots: Vec<BotCounts> = Vec::new();
    for (number, counts) in own.iter().flat_map(|arena| arena.engine.bots()) {
        if !bots.iter().any(|(_, known)| Arc::ptr_eq(known, &counts)) {
            bots.push((number, counts));
        }
    }
    *monitor.bots.lock().unwrap_or_else(PoisonError::into_inner) = bots;
    let mut sums = G::wrap(own.iter().map(Arena::tally).collect());
    while let Some(stage) = driver.stage(plan, &state)? {
        if let Some(note) = &stage.note {
            monitor.show(note.clone());
        }
        let stopped = || monitor.stop.load(Ordering::Relaxed);
        state = match &stage.plan {
            None => {
                play_stage(&pool, &own, &stage, monitor, G::tallies(&mut sums))?;
                if stopped() {
                    break;
                }
                driver.next(plan, state, &sums)
            }
            Some(plan) => {
                let arenas = arenas::<G>(plan)?;
                let mut sums = G::wrap(arenas.iter().map(Arena::tally).collect());
                play_stage(&pool, &arenas, &stage, monitor, G::tallies(&mut sums))?;
                if stopped() {
                    break;
                }
                driver.next(plan, state, &sums)
            }
        };
        keep(&state)?;
    }
    Ok((state, sums))
}

/// The cells of a plan, ready to be played.
fn arenas<G: Game>(plan: &Plan) -> Result<Vec<Arena<'_, G::Engine<'_>>>, InputError> {
    let cells = plan.cells.iter().zip(G::engines(plan)?);
    Ok(cells.map(|(cell, engine)| Arena::new(plan, cell, engine)).collect())
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
        if stage.note.is_none() {
            monitor.show(arenas[cell].leader(&merged[cell]));
        }
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
