//! `mindlab referee`: judges records of games.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;

use super::status;
use crate::error::InputError;
use crate::games::referee::judge_stream;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Records, one JSON object a line; `-` is standard input
    file: PathBuf,
}

pub(super) fn run(arguments: Arguments) -> Result<ExitCode> {
    let out = BufWriter::new(io::stdout().lock());
    let all_legal = judge_stream(open(&arguments.file)?, out)?;
    Ok(if all_legal { ExitCode::SUCCESS } else { ExitCode::from(status::WANTING) })
}

/// A file of records; `-` is standard input.
pub(super) fn open(path: &Path) -> Result<Box<dyn BufRead>, InputError> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    let refuse =
        |error: io::Error| InputError::new("", "", error.to_string()).in_file(path.display());
    let file = File::open(path).map_err(refuse)?;
    if file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
        let what = "this is a folder; a file of records is needed";
        return Err(InputError::new("", "", what).in_file(path.display()));
    }
    Ok(Box::new(BufReader::new(file)))
}
