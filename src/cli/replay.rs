//! `mindlab replay`: a game of a run once more, told or as a record.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use super::{library, write};
use crate::experiment::replay;
use crate::output::{reopen, told};
use crate::safe::safe;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// A folder of results that `mindlab run` has written
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The game's number, from 0
    #[arg(long, value_name = "N")]
    game: u64,
    /// Print the game as a record, on one line
    #[arg(long)]
    record: bool,
}

pub(super) fn run(arguments: Arguments) -> Result<ExitCode> {
    let manifest = reopen::manifest(&arguments.folder)?;
    let plan = reopen::plan(&arguments.folder, &manifest, &library())?;
    let place = told::place(&plan, arguments.game)?;
    let played = replay::play(&plan, place).map_err(super::run_error)?;
    if !manifest.complete {
        super::say("note: this run is INCOMPLETE, so it may not have played this game");
    }
    if !manifest.reproducible {
        super::say(
            "note: bots of this run may give other answers each time, so this may not be the game \
             that it played",
        );
    }
    super::tell_failures(&plan, &played);
    let text = if arguments.record {
        played.line() + "\n"
    } else {
        let heading = told::heading(&plan, arguments.game, place);
        format!("{}\n\n{}", safe(&heading), told::game(&played, super::paint())?)
    };
    write(&text)?;
    Ok(ExitCode::SUCCESS)
}
