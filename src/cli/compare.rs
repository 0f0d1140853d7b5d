//! `mindlab compare`: two results side by side.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use super::{print, status};
use crate::output::compare::{self, Side};
use crate::output::reopen;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// A folder of results
    #[arg(value_name = "DIR")]
    a: PathBuf,
    /// Another, that is compared with it
    #[arg(value_name = "DIR")]
    b: PathBuf,
}

pub(super) fn run(arguments: Arguments) -> Result<ExitCode> {
    let folders = [&arguments.a, &arguments.b];
    let manifests = [reopen::manifest(folders[0])?, reopen::manifest(folders[1])?];
    let summary = |at: usize| reopen::table(folders[at], &manifests[at], "summary.csv");
    let summaries = [summary(0)?, summary(1)?];
    let side =
        |at: usize| Side { folder: folders[at], manifest: &manifests[at], summary: &summaries[at] };
    let (a, b) = (side(0), side(1));
    print(&compare::text(&a, &b, &compare::compare(&a, &b)))?;
    let broken =
        compare::must_be_equal(&a, &b) && compare::same_files(&a, &b).iter().any(|(_, same)| !same);
    Ok(match broken {
        true => ExitCode::from(status::WANTING),
        false => ExitCode::SUCCESS,
    })
}
