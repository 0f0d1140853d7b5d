//! The tables of a run.

use serde_json::Value;

use super::{Table, real};
use crate::experiment::plan::{Cell, Plan, varied_text};
use crate::experiment::results::{
    Estimate, ScoreFigures, TeamFigures, lineup_figures, strategy_figures, team_figures,
};
use crate::experiment::run::Tallies;
use crate::experiment::tally::{ScoreTally, TeamTally};

/// All tables of a run, by the names of their files.
pub fn all(plan: &Plan, tallies: &Tallies) -> Vec<(&'static str, Table)> {
    match tallies {
        Tallies::Scores(tallies) => vec![
            ("summary.csv", summary(plan, tallies)),
            ("lineups.csv", lineups(plan, tallies)),
        ],
        Tallies::Teams(tallies) => vec![
            ("summary.csv", team_summary(plan, tallies)),
            ("lineups.csv", team_lineups(plan, tallies)),
        ],
    }
}

/// Columns that every table starts with: the cell, and what the grids vary.
struct Lead {
    rules: Vec<String>,
    parameters: Vec<String>,
}

impl Lead {
    fn new(plan: &Plan) -> Self {
        let (rules, parameters) = plan.varied_columns();
        // A name that both grids vary, or that a table has already, is told apart.
        let fixed = [
            "cell", "lineup", "game", "players", "strategy", "games", "group", "team",
        ];
        let clash = |name: &String, others: &[String]| {
            others.contains(name) || fixed.contains(&name.as_str())
        };
        Lead {
            rules: rules.clone(),
            parameters: parameters
                .into_iter()
                .map(|name| {
                    if clash(&name, &rules) {
                        format!("strategy_{name}")
                    } else {
                        name
                    }
                })
                .collect(),
        }
    }

    fn columns(&self, middle: &[&str], rest: &[&str]) -> Vec<String> {
        let owned = |names: &[&str]| {
            names
                .iter()
                .map(|&name| name.to_owned())
                .collect::<Vec<_>>()
        };
        let mut columns = owned(&["cell"]);
        columns.extend(owned(middle));
        columns.extend(owned(&["game", "players"]));
        columns.extend(self.rules.iter().cloned());
        columns.extend(owned(rest));
        columns
    }

    fn cell(&self, plan: &Plan, cell: &Cell, middle: Option<usize>) -> Vec<String> {
        let mut row = vec![cell.index.to_string()];
        row.extend(middle.map(|number| number.to_string()));
        row.extend([plan.game.name().to_owned(), cell.players.to_string()]);
        row.extend(self.rules.iter().map(|name| value_of(&cell.varied, name)));
        row
    }

    fn parameters(&self, plan: &Plan, strategy: usize) -> Vec<String> {
        let varied = &plan.strategies[strategy].varied;
        self.parameters
            .iter()
            .map(|name| {
                let own = value_of(varied, name);
                let plain = name.strip_prefix("strategy_").unwrap_or(name);
                if own.is_empty() {
                    value_of(varied, plain)
                } else {
                    own
                }
            })
            .collect()
    }
}

fn value_of(varied: &[(String, Value)], name: &str) -> String {
    varied
        .iter()
        .find(|(key, _)| key == name)
        .map_or(String::new(), |(_, v)| varied_text(v))
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
        "score_difference",
        "score_difference_low",
        "score_difference_high",
    ]
    .map(str::to_owned)
    .to_vec();
    columns.extend((1..=most_players).map(|rank| format!("rank_{rank}")));
    columns
}

fn ends(estimate: &Estimate) -> [String; 2] {
    let interval = estimate.interval;
    [
        real(interval.map(|ends| ends.low)),
        real(interval.map(|ends| ends.high)),
    ]
}

fn score_fields(figures: &ScoreFigures, most_players: usize) -> Vec<String> {
    let mut fields = vec![figures.games.to_string(), real(figures.win_share.mean)];
    fields.extend(ends(&figures.win_share));
    fields.extend([real(figures.score.mean), real(figures.score_sd)]);
    fields.extend(ends(&figures.score));
    fields.push(real(figures.difference.mean));
    fields.extend(ends(&figures.difference));
    fields.extend(figures.ranks[..most_players].iter().map(|&rank| real(rank)));
    fields
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
    for estimate in [
        figures.win_rate,
        figures.levels,
        figures.lives,
        figures.seconds,
    ] {
        fields.push(real(estimate.mean));
        fields.extend(ends(&estimate));
    }
    fields.extend([figures.mistakes, figures.stars_used, figures.forced].map(real));
    fields
}

fn group_name(cell: &Cell) -> String {
    cell.group
        .as_ref()
        .map_or(String::new(), |group| group.name.clone())
}

/// A row for each cell and team: what is won is won by the team.
fn team_summary(plan: &Plan, tallies: &[TeamTally]) -> Table {
    let lead = Lead::new(plan);
    let mut columns = lead.columns(&[], &["group", "strategy", "team"]);
    columns.extend(lead.parameters.iter().cloned());
    columns.extend(TEAM_COLUMNS.map(str::to_owned));
    let mut rows = Vec::new();
    for (cell, tally) in plan.cells.iter().zip(tallies) {
        let layout = cell.layout();
        for (place, lineup) in cell.lineups.iter().enumerate() {
            let own = lineup.strategies();
            let labels = own
                .iter()
                .map(|&number| plan.strategies[number].label.as_str());
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
fn team_lineups(plan: &Plan, tallies: &[TeamTally]) -> Table {
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

fn most_players(plan: &Plan) -> usize {
    plan.cells
        .iter()
        .map(|cell| cell.players)
        .max()
        .unwrap_or(0)
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
            row.extend(score_fields(
                &strategy_figures(&layout, tally, place, None),
                most,
            ));
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
                row.extend(score_fields(
                    &lineup_figures(&layout, tally, place, slot),
                    most,
                ));
                rows.push(row);
            }
        }
    }
    Table { columns, rows }
}
