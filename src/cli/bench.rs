//! `mindlab bench`: speed, and a fingerprint of behaviour.

mod first_turns;

use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::Result;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::{print, say, threads, write};
use crate::cpu::{self, LevelId};
use crate::error::InputError;
use crate::experiment::plan::{Plan, hex};
use crate::experiment::run::{Fixed, Monitor, run as play};
use crate::experiment::spec::{Overrides, Spec};
use crate::output::{tables, terminal};
use crate::strategies::Library;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Worker threads of the second measurement [default: one for each core]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Measure only the workloads whose name contains this
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Play at this instruction level [default: the fastest of this CPU]
    #[arg(long, value_name = "NAME")]
    level: Option<LevelId>,
}

/// How long a workload runs, in seconds.
const SECONDS: f64 = 2.0;

/// Two that wait a second for each number, with a timing error of 10 %.
macro_rules! linear_pair {
    () => {
        "players = 2\nstrategies = ['linear']\ngroups = [{ name = 'cv-0.10', cv = 0.10 }]"
    };
}

/// The workloads: a name and the experiment that is played, by the same way as `run`.
const WORKLOADS: &[(&str, &str)] = &[
    ("mind-up-random-4p", "game = 'mind-up'\nplayers = 4\nstrategies = ['random']"),
    ("mind-up-greedy-4p", "game = 'mind-up'\nplayers = 4\nstrategies = ['greedy']"),
    ("the-mind-linear-2p", concat!("game = 'the-mind'\n", linear_pair!())),
    ("the-mind-extreme-linear-2p", concat!("game = 'the-mind-extreme'\n", linear_pair!())),
];

/// The workload whose unit is the decision: `monte-carlo` as it is shipped, in the first turn.
const DECISIONS: &str = "mind-up-monte-carlo-4p";

#[derive(Debug, Serialize)]
struct Report {
    fingerprint: String,
    level: &'static str,
    workloads: Vec<Measured>,
}

#[derive(Debug, Serialize)]
struct Measured {
    name: &'static str,
    threads: usize,
    per_second: f64,
    unit: &'static str,
}

pub(super) fn run(arguments: Arguments) -> Result<ExitCode> {
    let all = threads(arguments.threads)?;
    if let Some(level) = arguments.level {
        cpu::set_level(level).map_err(|error| InputError { key: "--level".to_owned(), ..error })?;
    }
    let level = cpu::level().name();
    let mut report = Report { fingerprint: fingerprint()?, level, workloads: Vec::new() };
    if !arguments.json {
        print(&format!("fingerprint {}\nlevel       {level}\n", report.fingerprint))?;
    }
    let wanted = |name: &str| arguments.only.as_ref().is_none_or(|only| name.contains(only));
    let games = WORKLOADS.iter().map(|&(name, text)| (name, "games", Some(text)));
    let all_workloads = games.chain([(DECISIONS, "decisions", None)]);
    for (name, unit, text) in all_workloads.filter(|(name, ..)| wanted(name)) {
        let mut counts = vec![1, all];
        counts.dedup();
        for threads in counts {
            let per_second = match text {
                Some(text) => measure(text, threads)?,
                None => first_turns::measure(SECONDS, threads)?,
            }
            .round();
            if !arguments.json {
                let speed = terminal::thousands(&format!("{per_second}"));
                print(&format!("{name:28} {threads:3} threads {speed:>12} {unit}/s\n"))?;
            }
            report.workloads.push(Measured { name, threads, per_second, unit });
        }
    }
    if arguments.json {
        write(&format!("{}\n", serde_json::to_string_pretty(&report)?))?;
    } else if cfg!(debug_assertions) {
        say("this is a debug build; use `cargo run --release -- bench` to measure");
    }
    Ok(ExitCode::SUCCESS)
}

fn plan(text: &str, games: u64) -> Result<Plan> {
    let design = if text.contains("lineups") { "" } else { "design = 'self-play'" };
    let text = format!("name = 'bench'\ngames = {games}\n{design}\n{text}");
    let spec = Spec::from_toml(&text, Path::new(""), &Overrides::default())?;
    Ok(Plan::new(&spec, &Library::default())?)
}

/// Games a second: a probe tells how many games take [`SECONDS`], and these are measured.
fn measure(text: &str, threads: usize) -> Result<f64> {
    let mut games = 1_000;
    loop {
        let plan = plan(text, games)?;
        let (monitor, clock) = (Monitor::default(), Instant::now());
        play(&plan, &Fixed, threads, &monitor)?;
        let seconds = clock.elapsed().as_secs_f64();
        let played = monitor.games.load(Ordering::Relaxed) as f64;
        if seconds >= SECONDS {
            return Ok(played / seconds);
        }
        // A tenth more than needed, and not a hundred times the probe at once.
        let wanted = (played * 1.1 * SECONDS / seconds.max(1e-6)).min(played * 100.0);
        games = wanted as u64 + 1;
    }
}

/// A hash of the tables of small runs: it changes when behaviour does (or the list of workloads).
fn fingerprint() -> Result<String> {
    let mut hash = Sha256::new();
    for (_, text) in WORKLOADS {
        let plan = plan(text, 500)?;
        let tallies = play(&plan, &Fixed, 1, &Monitor::default())?;
        for (name, table) in tables::all(&plan, &tallies) {
            hash.update(name);
            hash.update(table.to_csv()?);
        }
    }
    Ok(hex(&hash.finalize()[..8]))
}
