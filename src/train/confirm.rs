//! The confirmation: the chosen strategy and the start on deals that neither the search nor the
//! selection has seen, so that its figures owe nothing to having been chosen.

use serde::{Deserialize, Serialize};

use super::driver::Finalist;
use super::job::{Count, Job};
use super::judge::{Figure, Judge, Measure};
use super::spec::Objective;
use super::stages::{Field, Pair};
use crate::experiment::results::{Estimate, lineup_figures, team_figures};
use crate::experiment::run::Tallies;
use crate::games::GameId;

/// The numbers of the chosen strategy and of the start in the stage.
const CHOSEN: usize = 0;
const START: usize = 1;

/// What the start is called.
pub const START_NAME: &str = "start";

/// What was learned for a number of players, and how it did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Learned {
    /// The number of players.
    pub players: usize,
    /// Where it was found.
    pub origin: String,
    /// Its numbers.
    pub values: Vec<f64>,
    /// The objective over all cells, against the opponents that the training names; against the start
    /// where the search itself is the only one.
    pub objective: Estimate,
    /// By how much that is above the start's, on the same deals; nothing where no opponent is named.
    pub gain: Estimate,
    /// The objective of one among starts, where the search itself is an opponent among others.
    pub own: Option<Estimate>,
    /// Seconds a level in the slowest cell (the Minds).
    pub level_seconds: Option<Estimate>,
    /// Whether it is as quick as it has to be.
    pub keeps_pace: bool,
    /// Seconds a level of the start in its slowest cell, where that is more than the pace allows: such
    /// a start had time for what the strategy may not do.
    pub slow_start: Option<f64>,
    /// The lines of the table.
    pub rows: Vec<Row>,
}

/// A line-up of the confirmation, or all of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The cell's place among those with so many players; nothing for all cells.
    pub cell: Option<usize>,
    /// The strategy that the line is about.
    pub strategy: String,
    /// Who sat in the other seats (Mind Up!).
    pub against: String,
    /// Its games.
    pub games: u64,
    /// The objective.
    pub objective: Estimate,
    /// By how much that is above the start's against the same, on the same deals.
    pub gain: Estimate,
    /// Figures of the game: win share and score difference, or win rate, levels, clean levels and
    /// seconds a level.
    pub figures: Vec<Estimate>,
}

/// The chosen one and the start against each opponent, and in Mind Up! each among the other.
pub(super) fn field(job: &Job, count: &Count, chosen: &Finalist) -> Field {
    let name = &job.training.name;
    let specs = vec![
        count.with(&chosen.values, name),
        crate::strategies::StrategySpec { label: START_NAME.to_owned(), ..count.start.clone() },
    ];
    // In self-play the two are each other's opponents.
    let mut field = Field::new(count, specs, |one| vec![CHOSEN + START - one]);
    if job.training.game == GameId::MindUp && !count.self_play {
        let opponent = count.opponents.len();
        for (one, rest) in [(CHOSEN, START), (START, CHOSEN)] {
            field.pairs.push(Pair { one, rest, opponent, weight: 0.0 });
        }
    }
    field
}

pub(super) fn learned(job: &Job, count: &Count, chosen: &Finalist, judge: Judge<'_>) -> Learned {
    let mut rows = Vec::new();
    for one in [CHOSEN, START] {
        for cell in &judge.plan.cells {
            let own = judge.field.pairs_of(one);
            rows.extend(own.map(|(lineup, pair)| row(judge, cell.index, lineup, pair)));
        }
        rows.push(total(judge, one));
    }
    let seconds = judge.seconds(CHOSEN).map(|figure| figure.estimate());
    let mean = seconds.and_then(|seconds| seconds.mean);
    let start = judge.seconds(START).and_then(|figure| figure.value());
    let own = judge.own(CHOSEN);
    let slow = |seconds: &f64| job.training.pace.is_some_and(|pace| *seconds > pace);
    Learned {
        players: count.players,
        origin: chosen.origin.clone(),
        values: chosen.values.clone(),
        objective: judge.told(CHOSEN).estimate(),
        gain: gain_of(judge),
        own: own.filter(|_| judge.field.named > 0).map(|figure| figure.estimate()),
        level_seconds: seconds,
        keeps_pace: !mean.as_ref().is_some_and(slow),
        slow_start: start.filter(slow),
        rows,
    }
}

/// The gain over the start against the same others; in self-play alone there are no such.
fn gain_of(judge: Judge<'_>) -> Estimate {
    match judge.own(CHOSEN) {
        Some(_) if judge.field.named == 0 => Estimate::default(),
        _ => gain(&judge.told(CHOSEN), &judge.told(START)),
    }
}

fn gain(chosen: &Figure, start: &Figure) -> Estimate {
    let mut difference = Figure::default();
    difference.add(1.0, chosen);
    difference.add(-1.0, start);
    difference.estimate()
}

fn name(judge: Judge<'_>, one: usize) -> String {
    judge.field.strategies[one].label.clone()
}

fn row(judge: Judge<'_>, cell: usize, lineup: usize, pair: &Pair) -> Row {
    let at = &judge.plan.cells[cell];
    let objective = |lineup| judge.figure(at, lineup, Measure::Objective(judge.objective));
    // The start's line-up against the same opponents; between the two there is none.
    let start = judge.field.pairs_of(START).find(|(_, start)| {
        let alone = matches!(judge.tallies, Tallies::Teams(_));
        pair.one == CHOSEN && (alone || start.rest == pair.rest)
    });
    let gain = start.map(|(start, _)| gain(&objective(lineup), &objective(start)));
    let layout = at.layout();
    let (games, against, figures) = match judge.tallies {
        Tallies::Scores(tallies) => {
            let slots = &layout.lineups[lineup].slots;
            let own = |slot: &crate::experiment::tally::Slot| {
                layout.strategies.get(slot.strategy) == Some(&pair.one)
            };
            let slot = slots.iter().position(own).unwrap_or(0);
            let figures = lineup_figures(&layout, &tallies[cell], lineup, slot);
            let shown = vec![figures.win_share, figures.difference];
            (figures.games, name(judge, pair.rest), shown)
        }
        Tallies::Teams(tallies) => {
            let figures = team_figures(&layout, &tallies[cell], lineup);
            let ratio = |measure| judge.figure(at, lineup, measure).estimate();
            let clean = ratio(Measure::Objective(Objective::Clean));
            let seconds = ratio(Measure::LevelSeconds);
            (figures.games, String::new(), vec![figures.win_rate, figures.levels, clean, seconds])
        }
    };
    let shown = match judge.objective {
        Objective::WinShare | Objective::WinRate => 0,
        Objective::ScoreDifference | Objective::Levels => 1,
        Objective::Clean => 2,
    };
    Row {
        cell: Some(cell),
        strategy: name(judge, pair.one),
        against,
        games,
        objective: figures.get(shown).copied().unwrap_or_default(),
        gain: gain.unwrap_or_default(),
        figures,
    }
}

/// All line-ups that are told together, and all cells.
fn total(judge: Judge<'_>, one: usize) -> Row {
    let games = judge.field.told(one).map(|(lineup, _)| {
        judge.plan.cells.iter().map(|cell| cell.lineups[lineup].games()).sum::<u64>()
    });
    Row {
        cell: None,
        strategy: name(judge, one),
        against: "all".to_owned(),
        games: games.sum(),
        objective: judge.told(one).estimate(),
        gain: if one == CHOSEN { gain_of(judge) } else { Estimate::default() },
        figures: Vec::new(),
    }
}
