//! `mindlab show`: a strategy, group, objective, setup, game or experiment in full, or a run's tables.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;

use super::{library, print};
use crate::error::{ErrorKind, InputError};
use crate::experiment::spec::is_manifest;
use crate::output::terminal::compact;
use crate::output::{reopen, show};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// A name that `mindlab list` shows, an experiment's file, or a folder of results
    name: String,
    /// Show only the rungs of a ladder, for a folder of results
    #[arg(long)]
    rungs: bool,
    /// Show one row for each cell, for a folder of results
    #[arg(long, conflicts_with = "rungs")]
    brief: bool,
}

pub(super) fn run(arguments: Arguments) -> Result<ExitCode> {
    let file = PathBuf::from(&arguments.name);
    if file.join("manifest.json").is_file() {
        let manifest = reopen::manifest(&file)?;
        let table = |name| reopen::table(&file, &manifest, name);
        let text = match (arguments.rungs, arguments.brief, super::train::shown(&file, &manifest)?)
        {
            (true, ..) => compact::rungs(&table("rungs.csv")?),
            (_, true, _) => compact::brief(&table("summary.csv")?),
            (_, _, Some(text)) => text,
            _ => reopen::shown(&file, &manifest)?,
        };
        print(&format!("{}{text}", reopen::incomplete(&file, &manifest)))?;
        return Ok(ExitCode::SUCCESS);
    }
    if arguments.rungs || arguments.brief {
        let what = "`--rungs` and `--brief` need a folder of results";
        return Err(InputError::new("", arguments.name, what).into());
    }
    let mut experiments = super::list::experiment_files();
    let known = experiments.contains(&file);
    if !known && (is_manifest(&file) || file.extension().is_some_and(|ending| ending == "toml")) {
        experiments.push(file.clone());
    }
    let shown = show::show(&arguments.name, &library(), &experiments);
    print(&shown.map_err(|error| not_a_path(error, &file))?)?;
    Ok(ExitCode::SUCCESS)
}

/// Where a path was meant, names are no help.
fn not_a_path(error: InputError, path: &Path) -> InputError {
    let unknown = error.kind == ErrorKind::NothingToShow;
    let what = match (path.exists(), path.components().count()) {
        (true, _) if unknown => {
            "this must be a folder of results, which has a `manifest.json`, or an experiment's \
             file, which ends in `.toml`"
        }
        (false, 2..) if unknown => "there is no such file or folder",
        _ => return error,
    };
    let what = format!("{what}; `mindlab list` shows all names");
    InputError::new("", path.display(), what)
}
