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
    /// Its name, as `mindlab list` shows it; an experiment's file or a folder of results will do too
    name: String,
    /// Of a folder of results: the rungs of a ladder alone
    #[arg(long)]
    rungs: bool,
    /// Of a folder of results: a row for each cell
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
        let what = "`--rungs` and `--brief` are for a folder of results";
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
            "this is neither a folder of results, which has a `manifest.json`, nor an \
             experiment's file, which ends in `.toml`"
        }
        (false, 2..) if unknown => "there is no such file or folder",
        _ => return error,
    };
    let what = format!("{what}; `mindlab list` shows what has a name");
    InputError::new("", path.display(), what)
}
