//! `mindlab analyze`: looks records over, choice by choice.

use std::io::{self, BufWriter};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use super::{referee, status};
use crate::analyze::{Settings, analyze_stream};
use crate::error::InputError;
use crate::strategies::mind_up::playout::MOST_PLAYOUTS;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Records, with one JSON object on each line; `-` means standard input
    file: PathBuf,
    /// Playouts of each card, for Mind Up!
    #[arg(long, value_name = "N", default_value_t = 200)]
    playouts: u32,
    /// The seed of the playouts
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Print JSON, with one object for each record
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: Arguments) -> Result<ExitCode> {
    if !(1..=MOST_PLAYOUTS).contains(&arguments.playouts) {
        let what = format!("this must be from 1 to {MOST_PLAYOUTS} playouts for each card");
        return Err(InputError::new("--playouts", arguments.playouts, what).into());
    }
    let settings =
        Settings { playouts: arguments.playouts, seed: arguments.seed, json: arguments.json };
    let out = BufWriter::new(io::stdout().lock());
    let all_legal =
        referee::records(&arguments.file, |input| analyze_stream(input, out, &settings))??;
    Ok(if all_legal { ExitCode::SUCCESS } else { ExitCode::from(status::WANTING) })
}
