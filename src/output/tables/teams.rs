//! The tables of a game that a team wins or loses.

use super::{Lead, ends};
use crate::experiment::plan::{Cell, Plan};
use crate::experiment::results::{TeamFigures, level_figures, team_figures};
use crate::experiment::tally::TeamTally;
use crate::output::{Table, real};

pub(super) fn all(plan: &Plan, tallies: &[TeamTally]) -> Vec<(&'static str, Table)> {
    vec![
        ("summary.csv", summary(plan, tallies)),
        ("lineups.csv", lineups(plan, tallies)),
        ("levels.csv", levels(plan, tallies)),
    ]
}

const TEAM_COLUMNS: [&str; 16] = [
    "games",
    "win_rate",
    "win_rate_low",
    "win_rate_high",
    "levels_mean",
    "levels_low",
    "levels_high",
    "lives_mean",
    "lives_low",
    "lives_high",
    "seconds_mean",
    "seconds_low",
    "seconds_high",
    "mistakes_mean",
    "stars_used_mean",
    "forced_mean",
];

fn team_fields(figures: &TeamFigures) -> Vec<String> {
    let mut fields = vec![figures.games.to_string()];
    for estimate in [figures.win_rate, figures.levels, figures.lives, figures.seconds] {
        fields.push(real(estimate.mean));
        fields.extend(ends(&estimate));
    }
    fields.extend([figures.mistakes, figures.stars_used, figures.forced].map(real));
    fields
}

fn group_name(cell: &Cell) -> String {
    cell.group.as_ref().map_or(String::new(), |group| group.name.clone())
}

/// A row for each cell and team: what is won is won by the team.
fn summary(plan: &Plan, tallies: &[TeamTally]) -> Table {
    let lead = Lead::new(plan);
    let mut columns = lead.columns(&[], &["group", "strategy", "team"]);
    columns.extend(lead.parameters.iter().cloned());
    columns.extend(TEAM_COLUMNS.map(str::to_owned));
    let mut rows = Vec::new();
    for (cell, tally) in plan.cells.iter().zip(tallies) {
        let layout = cell.layout();
        for (place, lineup) in cell.lineups.iter().enumerate() {
            let own = lineup.strategies();
            let labels = own.iter().map(|&number| plan.strategies[number].label.as_str());
            let mut row = lead.cell(plan, cell, None);
            row.push(group_name(cell));
            row.push(labels.collect::<Vec<_>>().join("+"));
            row.push(lineup.team(&plan.strategies));
            row.extend(match own.as_slice() {
                [only] => lead.parameters(plan, *only),
                _ => vec![String::new(); lead.parameters.len()],
            });
            row.extend(team_fields(&team_figures(&layout, tally, place)));
            rows.push(row);
        }
    }
    Table { columns, rows }
}

/// A row for each line-up and strategy in it; the figures are the team's.
fn lineups(plan: &Plan, tallies: &[TeamTally]) -> Table {
    let lead = Lead::new(plan);
    let mut columns = lead.columns(&["lineup"], &["group", "seats", "strategy", "team"]);
    columns.extend(lead.parameters.iter().cloned());
    columns.extend(TEAM_COLUMNS.map(str::to_owned));
    let mut rows = Vec::new();
    for (cell, tally) in plan.cells.iter().zip(tallies) {
        let layout = cell.layout();
        for (place, lineup) in cell.lineups.iter().enumerate() {
            for strategy in lineup.strategies() {
                let mut row = lead.cell(plan, cell, Some(lineup.index));
                row.push(group_name(cell));
                row.push(lineup.seat_labels(&plan.strategies).join("+"));
                row.push(plan.strategies[strategy].label.clone());
                row.push(lineup.team(&plan.strategies));
                row.extend(lead.parameters(plan, strategy));
                row.extend(team_fields(&team_figures(&layout, tally, place)));
                rows.push(row);
            }
        }
    }
    Table { columns, rows }
}

/// A row for each cell, team and level that some game reached.
fn levels(plan: &Plan, tallies: &[TeamTally]) -> Table {
    let lead = Lead::new(plan);
    let mut columns = lead.columns(&[], &["group", "team", "level", "reached", "done"]);
    columns.extend(["mistakes_mean", "stars_used_mean", "seconds_mean"].map(str::to_owned));
    columns.extend(["survival", "survival_low", "survival_high"].map(str::to_owned));
    let mut rows = Vec::new();
    for (cell, tally) in plan.cells.iter().zip(tallies) {
        let layout = cell.layout();
        for (place, lineup) in cell.lineups.iter().enumerate() {
            let figures = level_figures(&layout, tally, place);
            for (level, figures) in (1..).zip(figures).take_while(|(_, level)| level.reached > 0) {
                let mut row = lead.cell(plan, cell, None);
                row.extend([group_name(cell), lineup.team(&plan.strategies)]);
                let counts = [level, figures.reached, figures.done];
                row.extend(counts.map(|count: u64| count.to_string()));
                let means = [figures.mistakes, figures.stars_used, figures.seconds];
                row.extend(means.map(|mean| real(Some(mean))));
                row.push(real(figures.survival.mean));
                row.extend(ends(&figures.survival));
                rows.push(row);
            }
        }
    }
    Table { columns, rows }
}
