//! The tables of a game that a team wins or loses.

use super::{Builder, Row, estimate_columns, estimate_fields};
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

/// The columns of [`team_fields`].
fn team_columns() -> Vec<String> {
    let mut columns = ["games", "deals"].map(str::to_owned).to_vec();
    columns.extend(estimate_columns("win_rate", "win_rate"));
    for name in ["levels", "lives", "seconds"] {
        columns.extend(estimate_columns(&format!("{name}_mean"), name));
    }
    columns.extend(["mistakes_mean", "stars_used_mean", "forced_mean"].map(str::to_owned));
    columns
}

fn team_fields(figures: &TeamFigures) -> Vec<String> {
    let mut fields = [figures.games, figures.deals].map(|count| count.to_string()).to_vec();
    for estimate in [figures.win_rate, figures.levels, figures.lives, figures.seconds] {
        fields.extend(estimate_fields(&estimate));
    }
    fields.extend([figures.mistakes, figures.stars_used, figures.forced].map(real));
    fields
}

fn group_name(cell: &Cell) -> String {
    cell.group.as_ref().map_or(String::new(), |group| group.name.clone())
}

/// A row for each cell and team: what is won is won by the team.
fn summary(plan: &Plan, tallies: &[TeamTally]) -> Table {
    let names = ["group", "strategy", "team"];
    let mut table = Builder::new(plan, false, &names, &team_columns());
    for (cell, tally) in plan.cells.iter().zip(tallies) {
        let layout = cell.layout();
        for (place, lineup) in cell.lineups.iter().enumerate() {
            let own = lineup.strategies();
            let labels: Vec<String> = own.iter().map(|&number| table.label(number)).collect();
            let team = lineup.team(&plan.strategies);
            table.push(Row {
                cell,
                lineup: None,
                names: vec![group_name(cell), labels.join("+"), team],
                strategy: if let [only] = own.as_slice() { Some(*only) } else { None },
                figures: team_fields(&team_figures(&layout, tally, place)),
            });
        }
    }
    table.table
}

/// A row for each line-up and strategy in it; the figures are the team's.
fn lineups(plan: &Plan, tallies: &[TeamTally]) -> Table {
    let names = ["group", "seats", "strategy", "team"];
    let mut table = Builder::new(plan, true, &names, &team_columns());
    for (cell, tally) in plan.cells.iter().zip(tallies) {
        let layout = cell.layout();
        for (place, lineup) in cell.lineups.iter().enumerate() {
            for strategy in lineup.strategies() {
                let seats = lineup.seat_labels(&plan.strategies).join("+");
                let team = lineup.team(&plan.strategies);
                table.push(Row {
                    cell,
                    lineup: Some(lineup.index),
                    names: vec![group_name(cell), seats, table.label(strategy), team],
                    strategy: Some(strategy),
                    figures: team_fields(&team_figures(&layout, tally, place)),
                });
            }
        }
    }
    table.table
}

/// The columns of a level's figures.
fn level_columns() -> Vec<String> {
    let counts = ["reached", "done", "mistakes_mean", "stars_used_mean", "seconds_mean"];
    let mut columns = counts.map(str::to_owned).to_vec();
    columns.extend(estimate_columns("survival", "survival"));
    columns
}

/// A row for each cell, team and level that some game reached.
fn levels(plan: &Plan, tallies: &[TeamTally]) -> Table {
    let names = ["group", "team", "level"];
    let mut table = Builder::without_parameters(plan, &names, &level_columns());
    for (cell, tally) in plan.cells.iter().zip(tallies) {
        let layout = cell.layout();
        for (place, lineup) in cell.lineups.iter().enumerate() {
            let levels = level_figures(&layout, tally, place);
            for (level, found) in (1..).zip(levels).filter(|(_, level)| level.reached > 0) {
                let mut figures = [found.reached, found.done].map(|n| n.to_string()).to_vec();
                let means = [found.mistakes, found.stars_used, found.seconds];
                figures.extend(means.map(|mean| real(Some(mean))));
                figures.extend(estimate_fields(&found.survival));
                let team = lineup.team(&plan.strategies);
                let names = vec![group_name(cell), team, level.to_string()];
                table.push(Row { cell, lineup: None, names, strategy: None, figures });
            }
        }
    }
    table.table
}
