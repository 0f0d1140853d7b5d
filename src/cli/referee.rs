//! `mindlab referee`: judges records.
use std::process::ExitCode;

use anyhow::Result;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {}

pub(super) fn run(_: Arguments) -> Result<ExitCode> {
    Ok(ExitCode::SUCCESS)
}
