//! `mindlab list`: what there is, one line each.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;

use super::{library, print};
use crate::experiment::spec::{Overrides, Spec};
use crate::games::the_mind::groups;
use crate::games::the_mind::setup::Setup;
use crate::games::{GameId, mind_up};
use crate::output::notes::numbers;
use crate::output::show;
use crate::train::Training;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// What to list
    what: What,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum What {
    /// The games
    Games,
    /// The strategies of each game
    Strategies,
    /// The groups of players, for the Minds
    Groups,
    /// The experiments in the folder experiments/, and the trainings in experiments/train/
    Experiments,
    /// The objective cards of Mind Up!
    Objectives,
    /// The official setups of the Minds
    Setups,
}

pub(super) fn run(arguments: Arguments) -> Result<ExitCode> {
    let rows = match arguments.what {
        What::Games => games(),
        What::Strategies => strategies(),
        What::Groups => groups(),
        What::Experiments => experiments(),
        What::Objectives => objectives()?,
        What::Setups => setups(),
    };
    print(&aligned(&rows))?;
    Ok(ExitCode::SUCCESS)
}

type Row = Vec<String>;

/// Columns of equal width, but for the last.
fn aligned(rows: &[Row]) -> String {
    let mut text = String::new();
    for row in rows {
        for (column, field) in row.iter().enumerate() {
            let wide = |row: &Row| row.get(column).map_or(0, |field| field.chars().count());
            let width = rows.iter().map(wide).max().unwrap_or(0);
            match column + 1 == row.len() {
                true => text.push_str(field),
                false => text.push_str(&format!("{field:width$}  ")),
            }
        }
        text.push('\n');
    }
    text
}

fn games() -> Vec<Row> {
    GameId::ALL.map(|game| vec![game.name().to_owned(), show::about(game).to_owned()]).to_vec()
}

fn strategies() -> Vec<Row> {
    let library = library();
    let mut rows = Vec::new();
    for game in [GameId::MindUp, GameId::TheMind] {
        for name in library.names(game) {
            let named = match library.get(game, &name) {
                Ok(named) => named,
                Err(error) => {
                    let what = format!("(can't be played: {error})");
                    rows.push(vec![game.name().to_owned(), name, what]);
                    continue;
                }
            };
            let counts: Vec<usize> = named.players.keys().copied().collect();
            let learned = match counts.as_slice() {
                [] => String::new(),
                counts => format!(" (set for {} players)", numbers(counts)),
            };
            rows.push(vec![game.name().to_owned(), name, named.summary + &learned]);
        }
    }
    rows
}

fn experiments() -> Vec<Row> {
    let row = |path: PathBuf, question: fn(&Path) -> String| {
        vec![path.display().to_string(), question(&path)]
    };
    let runs = experiment_files().into_iter().map(|path| row(path, question));
    let trainings = toml_files("experiments/train").into_iter().map(|path| row(path, training));
    runs.chain(trainings).collect()
}

/// The files in the folder experiments/, sorted.
pub(super) fn experiment_files() -> Vec<PathBuf> {
    toml_files("experiments")
}

fn toml_files(folder: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .collect();
    files.sort();
    files
}

fn question(path: &Path) -> String {
    match Spec::from_file(path, &Overrides::default()) {
        Ok(spec) => spec.question.unwrap_or_default().replace('\n', " "),
        Err(error) => format!("(can't be run: {error})"),
    }
}

fn training(path: &Path) -> String {
    match Training::from_file(path, &Overrides::default()) {
        Ok(training) => training.question.unwrap_or_default().replace('\n', " "),
        Err(error) => format!("(mindlab can't learn from this: {error})"),
    }
}

fn objectives() -> Result<Vec<Row>> {
    let file = mind_up::objectives::ObjectiveFile::from_toml(mind_up::objectives::OFFICIAL)?;
    Ok(file
        .objective
        .into_iter()
        .map(|card| vec![card.id, format!("{:+}", card.points), card.text.unwrap_or_default()])
        .collect())
}

fn groups() -> Vec<Row> {
    groups::all().iter().map(|group| vec![group.name.clone(), group.summary.clone()]).collect()
}

fn setups() -> Vec<Row> {
    let counts = |setup: &Setup| {
        let text = setup.counts.iter().map(|c| {
            format!(
                "{} players: {} levels, {} lives, {} star",
                c.players, c.levels, c.lives, c.stars
            )
        });
        text.collect::<Vec<_>>().join("; ")
    };
    let row = |setup: &Setup| vec![setup.name.clone(), setup.summary.clone(), counts(setup)];
    Setup::all().iter().map(row).collect()
}
