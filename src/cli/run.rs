//! `mindlab run`: plays experiments and writes their results.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{Instant, SystemTime};

use anyhow::Result;

use super::{library, print, say, threads};
use crate::error::InputError;
use crate::experiment::plan::Plan;
use crate::experiment::run::{Fixed, Monitor, run as play};
use crate::experiment::spec::{Overrides, Spec};
use crate::output::folder::{self, BEHAVIOUR, Manifest};
use crate::output::{progress, tables, terminal};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Experiments, as TOML files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Where the results go [default: results/<name>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Games of each line-up, in place of the file's
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// The seed, in place of the file's
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Worker threads [default: one for each core]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Change a key of the file: rules.objectives=2, players=[3,4]
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Replace results that are there
    #[arg(long)]
    force: bool,
    /// Show no progress
    #[arg(long)]
    quiet: bool,
}

/// An experiment, ready to be played.
struct Job {
    spec: Spec,
    plan: Plan,
    folder: PathBuf,
    done: Option<Manifest>,
}

pub(super) fn run(arguments: Arguments) -> Result<ExitCode> {
    let threads = threads(arguments.threads)?;
    if arguments.out.is_some() && arguments.files.len() > 1 {
        let what = "one folder can't hold several experiments; leave --out away or run them singly";
        return Err(InputError::new("--out", "", what).into());
    }
    // All requests are looked at before the first game is played.
    let jobs = arguments
        .files
        .iter()
        .map(|file| job(&arguments, file).map_err(|error| error.in_file(file.display())))
        .collect::<Result<Vec<_>, _>>()?;
    for job in &jobs {
        match &job.done {
            Some(manifest) => show_again(job, manifest)?,
            None => play_job(job, threads, arguments.quiet)?,
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn job(arguments: &Arguments, file: &Path) -> Result<Job, InputError> {
    let overrides = Overrides {
        games: arguments.games,
        seed: arguments.seed,
        set: arguments.set.clone(),
    };
    let spec = Spec::from_file(file, &overrides)?;
    let plan = Plan::new(&spec, &library())?;
    let folder = match &arguments.out {
        Some(out) => out.clone(),
        None => Path::new("results").join(&spec.name),
    };
    let done = if arguments.force {
        None
    } else {
        done(&folder, &plan)?
    };
    Ok(Job {
        spec,
        plan,
        folder,
        done,
    })
}

/// The manifest of results that are there already; other or incomplete ones are refused.
fn done(folder: &Path, plan: &Plan) -> Result<Option<Manifest>, InputError> {
    if !folder.exists() || is_empty(folder) {
        return Ok(None);
    }
    let refuse = |what: &str| {
        let what = format!("{what}; `--force` replaces it, `--out DIR` goes elsewhere");
        InputError::new("--out", folder.display(), what)
    };
    let Ok(manifest) = folder::manifest(folder) else {
        return Err(refuse("this folder holds no results of this version"));
    };
    if manifest.hash != plan.hash() {
        return Err(refuse(
            "this folder holds the results of another experiment",
        ));
    }
    if manifest.behaviour != BEHAVIOUR {
        return Err(refuse(
            "these results come from a version that behaved differently",
        ));
    }
    if !manifest.complete {
        return Err(refuse("these results are incomplete"));
    }
    Ok(Some(manifest))
}

fn is_empty(folder: &Path) -> bool {
    std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none())
}

fn show_again(job: &Job, manifest: &Manifest) -> Result<()> {
    let summary = folder::table(&job.folder, manifest, "summary.csv")?;
    print(&format!(
        "{}{}",
        head(&job.spec),
        terminal::summary(&summary)
    ))?;
    say(&format!(
        "{} holds these results already",
        job.folder.display()
    ));
    Ok(())
}

fn play_job(job: &Job, threads: usize, quiet: bool) -> Result<()> {
    let Job {
        spec, plan, folder, ..
    } = job;
    let (monitor, started, clock) = (Monitor::default(), SystemTime::now(), Instant::now());
    let tallies = progress::watch(&spec.name, plan.games(), quiet, &monitor, || {
        play(plan, &Fixed, threads, &monitor)
    })
    .map_err(super::run_error)?;
    let games = monitor.games.load(Ordering::Relaxed);
    let took = clock.elapsed();
    let tables = tables::all(plan, &tallies);
    folder::write(
        folder,
        spec,
        plan,
        &tables,
        folder::Run {
            started,
            took,
            games,
            threads,
        },
    )?;
    if let Some((_, summary)) = tables.iter().find(|(name, _)| *name == "summary.csv") {
        print(&format!("{}{}", head(spec), terminal::summary(summary)))?;
    }
    if !quiet {
        say(&format!(
            "{} games in {:.2} s ({} a second, {threads} threads); results in {}",
            terminal::thousands(&games.to_string()),
            took.as_secs_f64(),
            terminal::thousands(&format!(
                "{:.0}",
                games as f64 / took.as_secs_f64().max(1e-9)
            )),
            folder.display()
        ));
    }
    Ok(())
}

fn head(spec: &Spec) -> String {
    match &spec.question {
        Some(question) => format!("{}: {question}\n", spec.name),
        None => format!("{}\n", spec.name),
    }
}
