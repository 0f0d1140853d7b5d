//! `mindlab completions`: what a shell needs to complete the command's arguments.

use std::process::ExitCode;

use anyhow::Result;
use clap::CommandFactory;
use clap_complete::Shell;

use super::{Cli, write};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The shell
    shell: Shell,
}

pub(super) fn run(arguments: Arguments) -> Result<ExitCode> {
    // Into memory first: clap_complete panics where it can't write.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "mindlab", &mut script);
    write(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}
