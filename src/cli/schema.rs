//! `mindlab schema`: the JSON Schema of each format.

use std::process::ExitCode;

use anyhow::Result;

use super::write;
use crate::output::schema::{self, Format};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The format [default: all formats, in one object]
    format: Option<Format>,
}

pub(super) fn run(arguments: Arguments) -> Result<ExitCode> {
    let schema = match arguments.format {
        Some(format) => format.schema(),
        None => schema::all(),
    };
    write(&format!("{schema:#}\n"))?;
    Ok(ExitCode::SUCCESS)
}
