//! `mindlab init`: an experiment or a training to start from.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;

use super::{say, write};
use crate::error::InputError;
use crate::experiment::{spec, start};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The file to write; `-` prints it
    #[arg(default_value = "my-experiment.toml")]
    file: PathBuf,
    /// Write a training for `mindlab train` instead of an experiment
    #[arg(long)]
    train: bool,
    /// The game: mind-up, the-mind or the-mind-extreme
    #[arg(long, value_name = "G", default_value = "mind-up")]
    game: String,
}

pub(super) fn run(arguments: Arguments) -> Result<ExitCode> {
    let game = spec::game(&arguments.game)?;
    let path = arguments.file.as_path();
    let text = if arguments.train { start::training } else { start::text };
    if path == Path::new("-") {
        write(&text(game, Path::new(start::NAME)))?;
        return Ok(ExitCode::SUCCESS);
    }
    let refuse = |what: String| InputError::new("", "", what).in_file(path.display());
    let mut file =
        OpenOptions::new().write(true).create_new(true).open(path).map_err(|error| match error
            .kind()
        {
            ErrorKind::AlreadyExists => refuse(
                "this file exists already and is not overwritten; name another file, or `-` to \
                 print"
                    .to_owned(),
            ),
            _ => refuse(format!("mindlab can't write this file: {error}")),
        })?;
    file.write_all(text(game, path).as_bytes())?;
    let shown = path.display();
    say(&match arguments.train {
        true => format!("wrote {shown}; `mindlab train {shown}` learns from it"),
        false => format!("wrote {shown}; `mindlab run {shown}` plays it"),
    });
    Ok(ExitCode::SUCCESS)
}
