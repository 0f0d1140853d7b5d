//! The tables of a training.

use super::confirm::Row;
use super::driver::State;
use super::job::Job;
use crate::experiment::results::Estimate;
use crate::games::GameId;
use crate::output::{Table, real};

/// The tables, by the names of their files.
pub fn all(job: &Job, state: &State) -> Vec<(&'static str, Table)> {
    vec![("learning.csv", learning(job, state)), ("confirmation.csv", confirmation(job, state))]
}

fn table(columns: &[&str]) -> Table {
    let columns = columns.iter().map(|&column| column.to_owned()).collect();
    Table { columns, rows: Vec::new() }
}

fn minds(job: &Job) -> bool {
    job.training.game != GameId::MindUp
}

/// A row for each generation.
fn learning(job: &Job, state: &State) -> Table {
    let minds = minds(job);
    let mut columns =
        vec!["players", "restart", "generation", "best", "mean", "middle", "best_so_far", "sigma"];
    columns.extend(minds.then_some("level_seconds"));
    columns.push("games");
    let mut table = table(&columns);
    for row in &state.curve {
        let numbers = [row.players as u64, row.restart, row.generation];
        let mut fields: Vec<String> = numbers.iter().map(u64::to_string).collect();
        fields.extend([row.best, row.mean, row.middle, row.best_so_far].map(real));
        fields.push(real(Some(row.sigma)));
        fields.extend(minds.then(|| real(row.level_seconds)));
        fields.push(row.games.to_string());
        table.rows.push(fields);
    }
    table
}

fn fields(estimate: &Estimate) -> [String; 3] {
    let interval = estimate.interval;
    [real(estimate.mean), real(interval.map(|ends| ends.low)), real(interval.map(|ends| ends.high))]
}

const MIND_UP: [&str; 2] = ["win_share", "score_difference"];
const MINDS: [&str; 4] = ["win_rate", "levels", "clean", "level_seconds"];

/// A row for each line-up of the confirmations, and one for all of a strategy's together.
fn confirmation(job: &Job, state: &State) -> Table {
    let minds = minds(job);
    let figures: &[&str] = if minds { &MINDS } else { &MIND_UP };
    let mut columns = vec!["game", "players", "rules"];
    columns.push(if minds { "group" } else { "against" });
    columns.extend(["strategy", "games", "objective", "objective_low", "objective_high"]);
    columns.extend(["gain", "gain_low", "gain_high"]);
    let named: Vec<String> = figures
        .iter()
        .flat_map(|name| [(*name).to_owned(), format!("{name}_low"), format!("{name}_high")])
        .collect();
    columns.extend(named.iter().map(String::as_str));
    let mut table = table(&columns);
    for (learned, count) in state.learned.iter().zip(&job.counts) {
        for row in &learned.rows {
            let cell = row.cell.and_then(|place| count.cells.get(place));
            let varied = cell.map_or(&[][..], |cell| cell.varied.as_slice()).iter();
            let rules = varied.map(|(key, value)| {
                format!("{key}={}", crate::experiment::plan::varied_text(value))
            });
            let group = cell.and_then(|cell| cell.group.as_ref()).map(|group| group.name.clone());
            let Row { strategy, against, games, objective, gain, .. } = row;
            let mut line = vec![job.training.game.name().to_owned(), learned.players.to_string()];
            line.push(if cell.is_none() {
                "all".to_owned()
            } else {
                rules.collect::<Vec<_>>().join(", ")
            });
            line.push(match minds {
                true => group.unwrap_or_else(|| "all".to_owned()),
                false => against.clone(),
            });
            line.extend([strategy.clone(), games.to_string()]);
            line.extend(fields(objective));
            line.extend(fields(gain));
            let nothing = Estimate::default();
            let own = (0..figures.len()).map(|at| row.figures.get(at).unwrap_or(&nothing));
            line.extend(own.flat_map(fields));
            table.rows.push(line);
        }
    }
    table
}
