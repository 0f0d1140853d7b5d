//! `mindlab show`: a strategy, group, objective, setup, game or experiment in full, or a run's tables.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use super::{library, print};
use crate::output::{reopen, show};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Its name, as `mindlab list` shows it; an experiment's file or a folder of results will do too
    name: String,
}

pub(super) fn run(arguments: Arguments) -> Result<ExitCode> {
    let file = PathBuf::from(&arguments.name);
    if file.join("manifest.json").is_file() {
        let manifest = reopen::manifest(&file)?;
        let text = match super::train::shown(&file, &manifest)? {
            Some(text) => text,
            None => reopen::shown(&file, &manifest)?,
        };
        print(&text)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut experiments = super::list::experiment_files();
    let known = experiments.contains(&file);
    if !known && file.extension().is_some_and(|ending| ending == "toml") {
        experiments.push(file);
    }
    print(&show::show(&arguments.name, &library(), &experiments)?)?;
    Ok(ExitCode::SUCCESS)
}
