//! The tables of a game that gives every seat a score.

use super::{Builder, Row, ends};
use crate::experiment::plan::{Cell, GameRules, Plan};
use crate::experiment::results::{
    ScoreFigures, lineup_figures, objective_figures, strategy_figures,
};
use crate::experiment::tally::ScoreTally;
use crate::games::mind_up::MAX_PLAYERS;
use crate::output::{Table, real};

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
fn score_columns(most_players: usize) -> Vec<&'static str> {
    const RANKS: [&str; MAX_PLAYERS] = ["rank_1", "rank_2", "rank_3", "rank_4", "rank_5", "rank_6"];
    let mut columns = vec![
        "games",
        "win_share",
        "win_share_low",
        "win_share_high",
        "score_mean",
        "score_sd",
        "score_low",
        "score_high",
        "design_effect",
        "score_difference",
        "score_difference_low",
        "score_difference_high",
    ];
    columns.extend(&RANKS[..most_players.min(MAX_PLAYERS)]);
    columns
}

fn score_fields(figures: &ScoreFigures, most_players: usize) -> Vec<String> {
    let mut fields = vec![figures.games.to_string(), real(figures.win_share.mean)];
    fields.extend(ends(&figures.win_share));
    fields.extend([real(figures.score.mean), real(figures.score_sd)]);
    fields.extend(ends(&figures.score));
    fields.push(real(figures.design_effect));
    fields.push(real(figures.difference.mean));
    fields.extend(ends(&figures.difference));
    fields.extend(figures.ranks[..most_players].iter().map(|&rank| real(rank)));
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
    let mut table = Builder::new(plan, false, &["strategy"], &["score", "count"]);
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

const OBJECTIVE_COLUMNS: [&str; 11] = [
    "games",
    "triggered",
    "trigger_rate",
    "trigger_rate_low",
    "trigger_rate_high",
    "points_mean",
    "points_low",
    "points_high",
    "winner_changed_rate",
    "winner_changed_rate_low",
    "winner_changed_rate_high",
];

/// A row for each cell, objective and round (from 1) in which it was on the table.
fn objectives(plan: &Plan, tallies: &[ScoreTally]) -> Table {
    let names = ["objective", "round"];
    let mut table = Builder::without_parameters(plan, &names, &OBJECTIVE_COLUMNS);
    for (cell, tally) in plan.cells.iter().zip(tallies) {
        let Cell { rules: GameRules::MindUp(rules), .. } = cell else { continue };
        for (card, objective) in rules.cards().iter().enumerate() {
            for (round, entries) in (1..).zip(&tally.objectives) {
                let found = objective_figures(cell.players, objective.points(), &entries[card]);
                if found.games == 0 {
                    continue;
                }
                let mut figures = vec![found.games.to_string(), found.triggered.to_string()];
                for estimate in [found.trigger_rate, found.points, found.winner_changed] {
                    figures.push(real(estimate.mean));
                    figures.extend(ends(&estimate));
                }
                let names = vec![objective.id().to_owned(), round.to_string()];
                table.push(Row { cell, lineup: None, names, strategy: None, figures });
            }
        }
    }
    table.table
}
