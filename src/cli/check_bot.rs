//! `mindlab check-bot`: tries a bot from outside.

use std::process::ExitCode;

use anyhow::Result;

use super::{print, status};
use crate::bots::check::Trial;
use crate::experiment::spec::game;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The program and its arguments; write `--` before it if an argument begins with `-`
    #[arg(required = true, value_name = "CMD")]
    command: Vec<String>,
    /// The game: mind-up, the-mind or the-mind-extreme
    #[arg(long, value_name = "G")]
    game: String,
    /// The number of players [default: 3 for mind-up, 2 for the others]
    #[arg(long, value_name = "N")]
    players: Option<usize>,
    /// The number of games that it plays with built-in strategies
    #[arg(long, value_name = "N", default_value_t = 30)]
    games: u64,
    /// Seconds that a reply may take
    #[arg(long, value_name = "S", default_value_t = 10.0)]
    timeout: f64,
    /// Play the games again in reverse order and in other batches, and require equal answers
    #[arg(long)]
    deterministic: bool,
}

pub(super) fn run(arguments: Arguments) -> Result<ExitCode> {
    let Arguments { command, game: name, players, games, timeout, deterministic } = arguments;
    // A command in quotes is split as a shell would split a simple one.
    let command = match command.as_slice() {
        [line] => line.split_whitespace().map(str::to_owned).collect(),
        _ => command,
    };
    let game = game(&name)?;
    let report = Trial { command, game, players, games, timeout, deterministic }.run()?;
    print(&report.to_string())?;
    Ok(if report.is_sound() { ExitCode::SUCCESS } else { ExitCode::from(status::WANTING) })
}
