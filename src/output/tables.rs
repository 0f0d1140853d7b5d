//! The tables of a run.

mod rungs;
mod scores;
mod teams;

use serde_json::Value;

use super::{Table, real};
use crate::bots::{Failure, Seen};
use crate::experiment::plan::{Cell, Plan, varied_text};
use crate::experiment::results::Estimate;
use crate::experiment::run::Tallies;
use crate::experiment::spec::Design;

/// All tables of a run, by the names of their files.
pub fn all(plan: &Plan, tallies: &Tallies) -> Vec<(&'static str, Table)> {
    match tallies {
        Tallies::Scores(tallies) => {
            let mut tables = scores::all(plan, tallies);
            if plan.design == Some(Design::Ladder) {
                tables.push(("rungs.csv", rungs::table(plan, tallies)));
            }
            tables
        }
        Tallies::Teams(tallies) => teams::all(plan, tallies),
    }
}

/// The table of bots from outside, by strategy; none where none plays.
pub fn bots(plan: &Plan, bots: &[(usize, Seen)]) -> Option<(&'static str, Table)> {
    if bots.is_empty() {
        return None;
    }
    let (_, parameters) = plan.varied_columns();
    let mut columns: Vec<String> = ["game", "strategy"].map(str::to_owned).to_vec();
    let figures = ["games", "answers"].into_iter().chain(Failure::ALL.map(Failure::name));
    let figures: Vec<&str> = figures.chain(["forfeits"]).collect();
    columns.extend(parameters.iter().map(|name| match figures.contains(&name.as_str()) {
        true => format!("strategy_{name}"),
        false => name.clone(),
    }));
    columns.extend(figures.into_iter().map(str::to_owned));
    let row = |(number, seen): &(usize, Seen)| {
        let strategy = &plan.strategies[*number];
        let mut fields = vec![plan.game.name().to_owned(), strategy.label.clone()];
        fields.extend(parameters.iter().map(|name| value_of(&strategy.varied, name)));
        let counts = [seen.games, seen.answers].into_iter().chain(seen.failures);
        fields.extend(counts.chain([seen.forfeits]).map(|count| count.to_string()));
        fields
    };
    Some(("bots.csv", Table { columns, rows: bots.iter().map(row).collect() }))
}

/// Builds a table. Every row begins with its cell and what grids vary in it: options of the rules
/// behind the players, parameters of the strategy behind the row's names.
struct Builder<'a> {
    plan: &'a Plan,
    rules: Vec<String>,
    parameters: Vec<String>,
    table: Table,
}

/// What a row is about.
struct Row<'a> {
    cell: &'a Cell,
    /// Where the table has a column for it.
    lineup: Option<usize>,
    /// Who and what, by the table's names.
    names: Vec<String>,
    /// Whose parameters are shown; nobody's for a team of several.
    strategy: Option<usize>,
    figures: Vec<String>,
}

impl<'a> Builder<'a> {
    /// A table with a column for line-ups or without, and with these names and figures.
    fn new(plan: &'a Plan, lineup: bool, names: &[&str], figures: &[String]) -> Self {
        let (rules, parameters) = plan.varied_columns();
        // A name that both grids vary, or that a table has already, is told apart.
        let fixed = ["cell", "lineup", "game", "players", "strategy", "games", "group", "team"];
        let clash = |name: &String| rules.contains(name) || fixed.contains(&name.as_str());
        let shown = parameters
            .iter()
            .map(|name| if clash(name) { format!("strategy_{name}") } else { name.clone() });
        let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        let mut columns = owned(if lineup { &["cell", "lineup"] } else { &["cell"] });
        columns.extend(owned(&["game", "players"]));
        columns.extend(rules.iter().cloned());
        columns.extend(owned(names));
        columns.extend(shown);
        columns.extend_from_slice(figures);
        Builder { plan, rules, parameters, table: Table { columns, rows: Vec::new() } }
    }

    /// A table that is not about strategies.
    fn without_parameters(plan: &'a Plan, names: &[&str], figures: &[String]) -> Self {
        let mut builder = Self::new(plan, false, names, figures);
        let first = builder.table.columns.len() - figures.len() - builder.parameters.len();
        builder.table.columns.drain(first..first + builder.parameters.len());
        builder.parameters.clear();
        builder
    }

    fn push(&mut self, row: Row<'_>) {
        let Row { cell, lineup, names, strategy, figures } = row;
        let mut fields = vec![cell.index.to_string()];
        fields.extend(lineup.map(|number| number.to_string()));
        fields.extend([self.plan.game.name().to_owned(), cell.players.to_string()]);
        fields.extend(self.rules.iter().map(|name| value_of(&cell.varied, name)));
        fields.extend(names);
        let varied = strategy.map_or(&[][..], |number| &self.plan.strategies[number].varied);
        fields.extend(self.parameters.iter().map(|name| value_of(varied, name)));
        fields.extend(figures);
        self.table.rows.push(fields);
    }

    fn label(&self, strategy: usize) -> String {
        self.plan.strategies[strategy].label.clone()
    }
}

fn value_of(varied: &[(String, Value)], name: &str) -> String {
    varied.iter().find(|(key, _)| key == name).map_or(String::new(), |(_, v)| varied_text(v))
}

/// The columns of an estimate: its mean, and below `stem` its standard error and its interval.
fn estimate_columns(mean: &str, stem: &str) -> [String; 4] {
    [mean.to_owned(), format!("{stem}_se"), format!("{stem}_low"), format!("{stem}_high")]
}

/// The fields of [`estimate_columns`].
fn estimate_fields(estimate: &Estimate) -> [String; 4] {
    let Estimate { mean, error, interval } = *estimate;
    [mean, error, interval.map(|ends| ends.low), interval.map(|ends| ends.high)].map(real)
}
