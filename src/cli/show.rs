//! `mindlab show`: a strategy, group, objective, setup, game or experiment in full.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use super::{library, print};
use crate::output::show;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Its name, as `mindlab list` shows it; an experiment's file will do as well
    name: String,
}

pub(super) fn run(arguments: Arguments) -> Result<ExitCode> {
    let mut experiments = super::list::experiment_files();
    let file = PathBuf::from(&arguments.name);
    let known = experiments.contains(&file);
    if !known && file.extension().is_some_and(|ending| ending == "toml") {
        experiments.push(file);
    }
    print(&show::show(&arguments.name, &library(), &experiments)?)?;
    Ok(ExitCode::SUCCESS)
}
