//! The tables of a game that gives every seat a score.

use super::{Lead, ends};
use crate::experiment::plan::{Cell, GameRules, Plan};
use crate::experiment::results::{
    ScoreFigures, lineup_figures, objective_figures, strategy_figures,
};
use crate::experiment::tally::ScoreTally;
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

fn score_columns(most_players: usize) -> Vec<String> {
    let mut columns: Vec<String> = [
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
    ]
    .map(str::to_owned)
    .to_vec();
    columns.extend((1..=most_players).map(|rank| format!("rank_{rank}")));
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

fn most_players(plan: &Plan) -> usize {
    plan.cells.iter().map(|cell| cell.players).max().unwrap_or(0)
}

fn summary(plan: &Plan, tallies: &[ScoreTally]) -> Table {
    let (lead, most) = (Lead::new(plan), most_players(plan));
    let mut columns = lead.columns(&[], &["strategy"]);
    columns.extend(lead.parameters.iter().cloned());
    columns.extend(score_columns(most));
    let mut rows = Vec::new();
    for (cell, tally) in plan.cells.iter().zip(tallies) {
        let layout = cell.layout();
        for (place, &strategy) in layout.strategies.iter().enumerate() {
            let mut row = lead.cell(plan, cell, None);
            row.push(plan.strategies[strategy].label.clone());
            row.extend(lead.parameters(plan, strategy));
            row.extend(score_fields(&strategy_figures(&layout, tally, place, None), most));
            rows.push(row);
        }
    }
    Table { columns, rows }
}

fn lineups(plan: &Plan, tallies: &[ScoreTally]) -> Table {
    let (lead, most) = (Lead::new(plan), most_players(plan));
    let mut columns = lead.columns(&["lineup"], &["seats", "strategy"]);
    columns.extend(lead.parameters.iter().cloned());
    columns.extend(score_columns(most));
    let mut rows = Vec::new();
    for (cell, tally) in plan.cells.iter().zip(tallies) {
        let layout = cell.layout();
        for (place, lineup) in cell.lineups.iter().enumerate() {
            for (slot, shape) in layout.lineups[place].slots.iter().enumerate() {
                let strategy = layout.strategies[shape.strategy];
                let mut row = lead.cell(plan, cell, Some(lineup.index));
                row.push(lineup.seat_labels(&plan.strategies).join("+"));
                row.push(plan.strategies[strategy].label.clone());
                row.extend(lead.parameters(plan, strategy));
                row.extend(score_fields(&lineup_figures(&layout, tally, place, slot), most));
                rows.push(row);
            }
        }
    }
    Table { columns, rows }
}

/// A row for each cell, strategy and seat of the table.
fn seats(plan: &Plan, tallies: &[ScoreTally]) -> Table {
    let (lead, most) = (Lead::new(plan), most_players(plan));
    let mut columns = lead.columns(&[], &["strategy", "seat"]);
    columns.extend(lead.parameters.iter().cloned());
    columns.extend(score_columns(most));
    let mut rows = Vec::new();
    for (cell, tally) in plan.cells.iter().zip(tallies) {
        let layout = cell.layout();
        for (place, &strategy) in layout.strategies.iter().enumerate() {
            for seat in 0..cell.players {
                let mut row = lead.cell(plan, cell, None);
                row.extend([plan.strategies[strategy].label.clone(), seat.to_string()]);
                row.extend(lead.parameters(plan, strategy));
                let figures = strategy_figures(&layout, tally, place, Some(seat));
                row.extend(score_fields(&figures, most));
                rows.push(row);
            }
        }
    }
    Table { columns, rows }
}

/// A row for each cell, strategy and score: a histogram of single seats' totals.
fn scores(plan: &Plan, tallies: &[ScoreTally]) -> Table {
    let lead = Lead::new(plan);
    let mut columns = lead.columns(&[], &["strategy"]);
    columns.extend(lead.parameters.iter().cloned());
    columns.extend(["score", "count"].map(str::to_owned));
    let mut rows = Vec::new();
    for (cell, tally) in plan.cells.iter().zip(tallies) {
        for (&strategy, entry) in cell.strategies().iter().zip(&tally.strategies) {
            for (score, count) in entry.scores.iter() {
                let mut row = lead.cell(plan, cell, None);
                row.push(plan.strategies[strategy].label.clone());
                row.extend(lead.parameters(plan, strategy));
                row.extend([score.to_string(), count.to_string()]);
                rows.push(row);
            }
        }
    }
    Table { columns, rows }
}

const OBJECTIVE_COLUMNS: [&str; 13] = [
    "objective",
    "round",
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
    let lead = Lead::new(plan);
    let columns = lead.columns(&[], &OBJECTIVE_COLUMNS);
    let mut rows = Vec::new();
    for (cell, tally) in plan.cells.iter().zip(tallies) {
        let Cell { rules: GameRules::MindUp(rules), .. } = cell else {
            continue;
        };
        for (card, objective) in rules.cards().iter().enumerate() {
            for (round, entries) in (1..).zip(&tally.objectives) {
                let figures = objective_figures(cell.players, objective.points(), &entries[card]);
                if figures.games == 0 {
                    continue;
                }
                let mut row = lead.cell(plan, cell, None);
                row.extend([objective.id().to_owned(), round.to_string()]);
                row.extend([figures.games.to_string(), figures.triggered.to_string()]);
                let rates = [figures.trigger_rate, figures.points, figures.winner_changed];
                for estimate in rates {
                    row.push(real(estimate.mean));
                    row.extend(ends(&estimate));
                }
                rows.push(row);
            }
        }
    }
    Table { columns, rows }
}
