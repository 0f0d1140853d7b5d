//! `mindlab man`: the manual page, for packagers.

use std::process::ExitCode;

use anyhow::Result;
use clap::CommandFactory;

use super::{Cli, write};
use crate::error::{InputError, unknown};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The command to describe [default: mindlab itself]
    command: Option<String>,
}

pub(super) fn run(arguments: Arguments) -> Result<ExitCode> {
    let mut all = Cli::command();
    // Gives each command the name that its page is looked for by: `man mindlab-run`.
    all.build();
    let page = match arguments.command {
        None => all,
        Some(name) => match all.find_subcommand(&name) {
            Some(found) => found.clone(),
            None => {
                let known: Vec<&str> = all.get_subcommands().map(clap::Command::get_name).collect();
                return Err(InputError::new("", &name, unknown("command", &name, known)).into());
            }
        },
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text)?;
    write(&String::from_utf8_lossy(&text))?;
    Ok(ExitCode::SUCCESS)
}
