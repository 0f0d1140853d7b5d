//! The tables of a run.

mod scores;
mod teams;

use serde_json::Value;

use super::{Table, real};
use crate::experiment::plan::{Cell, Plan, varied_text};
use crate::experiment::results::Estimate;
use crate::experiment::run::Tallies;

/// All tables of a run, by the names of their files.
pub fn all(plan: &Plan, tallies: &Tallies) -> Vec<(&'static str, Table)> {
    match tallies {
        Tallies::Scores(tallies) => scores::all(plan, tallies),
        Tallies::Teams(tallies) => teams::all(plan, tallies),
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
        let fixed = ["cell", "lineup", "game", "players", "strategy", "games", "group", "team"];
        let clash = |name: &String, others: &[String]| {
            others.contains(name) || fixed.contains(&name.as_str())
        };
        Lead {
            rules: rules.clone(),
            parameters: parameters
                .into_iter()
                .map(|name| if clash(&name, &rules) { format!("strategy_{name}") } else { name })
                .collect(),
        }
    }

    fn columns(&self, middle: &[&str], rest: &[&str]) -> Vec<String> {
        let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
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
                if own.is_empty() { value_of(varied, plain) } else { own }
            })
            .collect()
    }
}

fn value_of(varied: &[(String, Value)], name: &str) -> String {
    varied.iter().find(|(key, _)| key == name).map_or(String::new(), |(_, v)| varied_text(v))
}

fn ends(estimate: &Estimate) -> [String; 2] {
    let interval = estimate.interval;
    [real(interval.map(|ends| ends.low)), real(interval.map(|ends| ends.high))]
}
