//! The sums of a run by batch of deals, told by names: what a folder of results keeps so that it can be
//! compared deal by deal.

use std::collections::BTreeMap;

use super::plan::{Cell, GameRules, Plan};
use super::run::Tallies;
use super::tally::{
    Batches, LEVEL_SUMS, OBJECTIVE_SUMS, ScoreTally, TEAM_SUMS, TeamTally, seat_width,
};

/// What sums are about. Rounds and levels count from 1.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum About {
    /// A strategy in a line-up (its number in the plan) on a seat of the table: share in 1/60, score,
    /// difference times (n - 1), squares of scores, ranks in 1/60.
    Seat {
        /// The line-up's number in the plan.
        lineup: usize,
        /// The strategy's label.
        strategy: String,
        /// The seat of the table.
        seat: usize,
    },
    /// A card in a round, for all seats (no strategy) or for those of one: games, seats, seats for which
    /// it held, games whose winners it changed.
    Objective {
        /// The card.
        objective: String,
        /// The round.
        round: usize,
        /// The strategy's label; empty for all seats.
        strategy: String,
    },
    /// A team: wins, levels, lives, time in microseconds, levels begun, levels done without a mistake,
    /// mistakes, stars used, forced plays.
    Team {
        /// The line-up's number in the plan.
        lineup: usize,
    },
    /// A team's level: games that reached it and did it, mistakes, stars used, time in microseconds.
    Level {
        /// The line-up's number in the plan.
        lineup: usize,
        /// The level.
        level: usize,
    },
}

/// The sums of a cell.
pub type CellSums = BTreeMap<About, Batches>;

/// The sums of all cells of a run.
pub fn of(plan: &Plan, tallies: &Tallies) -> Vec<CellSums> {
    let cells = plan.cells.iter();
    match tallies {
        Tallies::Scores(all) => cells.zip(all).map(|(cell, one)| scores(plan, cell, one)).collect(),
        Tallies::Teams(all) => cells.zip(all).map(|(cell, one)| teams(cell, one)).collect(),
    }
}

fn scores(plan: &Plan, cell: &Cell, tally: &ScoreTally) -> CellSums {
    let mut sums = CellSums::new();
    let label = |number: usize| plan.strategies[number].label.clone();
    let width = seat_width(cell.players);
    for (lineup, entries) in cell.lineups.iter().zip(&tally.lineups) {
        for (strategy, entry) in lineup.strategies().into_iter().zip(entries) {
            for seat in 0..cell.players {
                let about = About::Seat { lineup: lineup.index, strategy: label(strategy), seat };
                sums.insert(about, entry.batches.columns(seat * width, width));
            }
        }
    }
    if let GameRules::MindUp(rules) = &cell.rules
        && !tally.objectives.is_empty()
    {
        let objectives = &tally.objectives;
        let strategies = cell.strategies();
        for (card, objective) in rules.cards().iter().enumerate() {
            for (round, group) in (0..objectives.rounds())
                .flat_map(|round| (0..objectives.groups()).map(move |group| (round, group)))
            {
                let strategy =
                    group.checked_sub(1).map_or_else(String::new, |at| label(strategies[at]));
                let (objective, round_from_1) = (objective.id().to_owned(), round + 1);
                let about = About::Objective { objective, round: round_from_1, strategy };
                sums.insert(about, objectives.batches(group, round, card));
            }
        }
    }
    sums
}

fn teams(cell: &Cell, tally: &TeamTally) -> CellSums {
    let mut sums = CellSums::new();
    for (lineup, entry) in cell.lineups.iter().zip(&tally.lineups) {
        let (lineup, batches) = (lineup.index, &entry.batches);
        sums.insert(About::Team { lineup }, batches.columns(0, TEAM_SUMS));
        for level in 1..=entry.done_squares.len() {
            let first = TEAM_SUMS + (level - 1) * LEVEL_SUMS;
            sums.insert(About::Level { lineup, level }, batches.columns(first, LEVEL_SUMS));
        }
    }
    sums
}

/// The bytes that the sums of a cell take, about.
pub fn bytes(cell: &Cell) -> usize {
    /// What an entry takes beside its batches, with its label.
    const ENTRY: usize = 300;
    /// An entry has 4 to 10 numbers a batch.
    const NUMBERS: usize = 6;
    let layout = cell.layout();
    let entries = layout.batch_width() / NUMBERS;
    entries * (ENTRY + Batches::bytes(layout.batches, NUMBERS))
}

/// The numbers that sums have, besides their deals.
pub fn width(about: &About, players: usize) -> usize {
    match about {
        About::Seat { .. } => seat_width(players),
        About::Objective { .. } => OBJECTIVE_SUMS,
        About::Team { .. } => TEAM_SUMS,
        About::Level { .. } => LEVEL_SUMS,
    }
}
