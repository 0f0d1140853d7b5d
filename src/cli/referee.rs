//! `mindlab referee`: judges records of games.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;

use super::status;
use crate::error::InputError;
use crate::games::referee::judge_stream;
use crate::output::progress;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Records, with one JSON object on each line; `-` means standard input
    file: PathBuf,
}

pub(super) fn run(arguments: Arguments) -> Result<ExitCode> {
    let out = BufWriter::new(io::stdout().lock());
    let all_legal = records(&arguments.file, |input| judge_stream(input, out))??;
    Ok(if all_legal { ExitCode::SUCCESS } else { ExitCode::from(status::WANTING) })
}

/// Reads a file of records, and shows how far it is; `-` is standard input.
pub(super) fn records<T>(
    path: &Path,
    work: impl FnOnce(Box<dyn BufRead + '_>) -> T,
) -> Result<T, InputError> {
    if path == Path::new("-") {
        return Ok(work(Box::new(io::stdin().lock())));
    }
    let refuse =
        |error: io::Error| InputError::new("", "", error.to_string()).in_file(path.display());
    let file = File::open(path).map_err(refuse)?;
    let metadata = file.metadata().map_err(refuse)?;
    if metadata.is_dir() {
        let what = "this is a folder, but it must be a file of records";
        return Err(InputError::new("", "", what).in_file(path.display()));
    }
    let size = metadata.is_file().then_some(metadata.len());
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    Ok(progress::reading(&name, size, Box::new(BufReader::new(file)), work))
}
