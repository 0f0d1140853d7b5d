//! The tables of a game that gives every seat a score.

use super::{Builder, Row, estimate_columns, estimate_fields};
use crate::experiment::plan::{Cell, GameRules, Plan};
use crate::experiment::results::{
    ScoreFigures, lineup_figures, objective_figures, strategy_figures,
};
use crate::experiment::tally::ScoreTally;
use crate::games::mind_up::MAX_PLAYERS;
use crate::output::{Table, real};
use crate::strategies::mind_up;

pub(super) fn all(plan: &Plan, tallies: &[ScoreTally]) -> Vec<(&'static str, Table)> {
    let mut tables = vec![
        ("summary.csv", summary(plan, tallies)),
        ("lineups.csv", lineups(plan, tallies)),
        ("seats.csv", seats(plan, tallies)),
        ("scores.csv", scores(plan, tallies)),
    ];
    if tallies.iter().any(|tally| !tally.objectives.is_empty()) {
        tables.push(("objectives.csv", objectives(plan, tallies)));
    }
    tables
}

/// The columns of [`score_fields`].
fn score_columns(most_players: usize) -> Vec<String> {
    let mut columns = ["games", "deals"].map(str::to_owned).to_vec();
    columns.extend(estimate_columns("win_share", "win_share"));
    columns.extend(estimate_columns("score_mean", "score"));
    columns.extend(["score_sd", "design_effect"].map(str::to_owned));
    columns.extend(estimate_columns("score_difference", "score_difference"));
    columns.extend((1..=most_players.min(MAX_PLAYERS)).map(|rank| format!("rank_{rank}")));
    columns
}

fn score_fields(figures: &ScoreFigures, most_players: usize) -> Vec<String> {
    let mut fields = [figures.games, figures.deals].map(|count| count.to_string()).to_vec();
    fields.extend(estimate_fields(&figures.win_share));
    fields.extend(estimate_fields(&figures.score));
    fields.extend([figures.score_sd, figures.design_effect].map(real));
    fields.extend(estimate_fields(&figures.difference));
    fields.extend(figures.ranks[..most_players.min(MAX_PLAYERS)].iter().map(|&rank| real(rank)));
    fields
}

/// A row for each cell and strategy.
fn summary(plan: &Plan, tallies: &[ScoreTally]) -> Table {
    let most = plan.most_players();
    let mut table = Builder::new(plan, false, &["strategy"], &score_columns(most));
    for (cell, tally) in plan.cells.iter().zip(tallies) {
        let layout = cell.layout();
        for (place, &strategy) in layout.strategies.iter().enumerate() {
            table.push(Row {
                cell,
                lineup: None,
                names: vec![table.label(strategy)],
                strategy: Some(strategy),
                figures: score_fields(&strategy_figures(&layout, tally, place, None), most),
            });
        }
    }
    table.table
}

/// A row for each cell, line-up and strategy in it.
fn lineups(plan: &Plan, tallies: &[ScoreTally]) -> Table {
    let most = plan.most_players();
    let mut table = Builder::new(plan, true, &["seats", "strategy"], &score_columns(most));
    for (cell, tally) in plan.cells.iter().zip(tallies) {
        let layout = cell.layout();
        for (place, lineup) in cell.lineups.iter().enumerate() {
            for (slot, shape) in layout.lineups[place].slots.iter().enumerate() {
                let strategy = layout.strategies[shape.strategy];
                let seats = lineup.seat_labels(&plan.strategies).join("+");
                table.push(Row {
                    cell,
                    lineup: Some(lineup.index),
                    names: vec![seats, table.label(strategy)],
                    strategy: Some(strategy),
                    figures: score_fields(&lineup_figures(&layout, tally, place, slot), most),
                });
            }
        }
    }
    table.table
}

/// A row for each cell, strategy and seat of the table.
fn seats(plan: &Plan, tallies: &[ScoreTally]) -> Table {
    let most = plan.most_players();
    let mut table = Builder::new(plan, false, &["strategy", "seat"], &score_columns(most));
    for (cell, tally) in plan.cells.iter().zip(tallies) {
        let layout = cell.layout();
        for (place, &strategy) in layout.strategies.iter().enumerate() {
            for seat in 0..cell.players {
                let figures = strategy_figures(&layout, tally, place, Some(seat));
                table.push(Row {
                    cell,
                    lineup: None,
                    names: vec![table.label(strategy), seat.to_string()],
                    strategy: Some(strategy),
                    figures: score_fields(&figures, most),
                });
            }
        }
    }
    table.table
}

/// A row for each cell, strategy and score: a histogram of single seats' totals.
fn scores(plan: &Plan, tallies: &[ScoreTally]) -> Table {
    let mut table =
        Builder::new(plan, false, &["strategy"], &["score", "count"].map(str::to_owned));
    for (cell, tally) in plan.cells.iter().zip(tallies) {
        for (&strategy, entry) in cell.strategies().iter().zip(&tally.strategies) {
            for (score, count) in entry.scores.iter() {
                table.push(Row {
                    cell,
                    lineup: None,
                    names: vec![table.label(strategy)],
                    strategy: Some(strategy),
                    figures: vec![score.to_string(), count.to_string()],
                });
            }
        }
    }
    table.table
}

/// The columns of an objective's figures.
fn objective_columns() -> Vec<String> {
    let mut columns = ["games", "triggered"].map(str::to_owned).to_vec();
    columns.extend(estimate_columns("trigger_rate", "trigger_rate"));
    columns.extend(estimate_columns("points_mean", "points"));
    columns.extend(estimate_columns("winner_changed_rate", "winner_changed_rate"));
    columns
}

/// A row for each cell, objective and round (from 1) in which it was on the table: for all seats, with
/// no strategy named, and where several strategies sit for the seats of each.
fn objectives(plan: &Plan, tallies: &[ScoreTally]) -> Table {
    let names = ["objective", "round", "strategy", "aware"];
    let mut table = Builder::without_parameters(plan, &names, &objective_columns());
    for (cell, tally) in plan.cells.iter().zip(tallies) {
        let Cell { rules: GameRules::MindUp(rules), .. } = cell else { continue };
        let tally = &tally.objectives;
        let strategies = cell.strategies();
        for (card, objective) in rules.cards().iter().enumerate() {
            for round in 0..tally.rounds() {
                for group in 0..tally.groups() {
                    let sums = tally.sums(group, round, card);
                    let found = objective_figures(objective.points(), sums);
                    if found.games == 0 {
                        continue;
                    }
                    let only = if let [only] = strategies.as_slice() { Some(*only) } else { None };
                    let strategy = match group {
                        0 => only,
                        group => strategies.get(group - 1).copied(),
                    };
                    let label = strategy.map_or_else(String::new, |number| table.label(number));
                    let aware = strategy.and_then(|number| {
                        mind_up::is_aware(&plan.strategies[number], cell.players)
                    });
                    let aware = aware.map_or_else(String::new, |aware| u8::from(aware).to_string());
                    let mut figures =
                        [found.games, found.triggered].map(|n| n.to_string()).to_vec();
                    for estimate in [found.trigger_rate, found.points, found.winner_changed] {
                        figures.extend(estimate_fields(&estimate));
                    }
                    let names =
                        vec![objective.id().to_owned(), (round + 1).to_string(), label, aware];
                    table.push(Row { cell, lineup: None, names, strategy: None, figures });
                }
            }
        }
    }
    table.table
}
