//! `mindlab run`: plays experiments and writes their results.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Instant, SystemTime};

use anyhow::{Context, Result};

use super::signals::Signals;
use super::{dry_run, library, print, say, threads};
use crate::bots::is_uncertain;
use crate::error::InputError;
use crate::experiment::plan::Plan;
use crate::experiment::run::{Fixed, GameSink, Monitor, game_columns, run as play};
use crate::experiment::spec::{Overrides, Spec};
use crate::output::folder::{self, BEHAVIOUR, Draft, Manifest, Subject};
use crate::output::lock::Lock;
use crate::output::{batches, ground, notes, progress, reopen, tables, terminal};

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
    /// Show the plan: cells, line-ups, games, expected time, memory; play nothing
    #[arg(long)]
    dry_run: bool,
    /// Go on where results are incomplete (their games are played anew), or start
    #[arg(long)]
    resume: bool,
    /// Replace results that are there
    #[arg(long, conflicts_with = "resume")]
    force: bool,
    /// Show no progress and no notes
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
    if !arguments.quiet {
        let of = |job: &Job| [notes::elsewhere(&job.plan), ground::notes(&job.plan)].concat();
        let notes = jobs.iter().flat_map(of);
        notes.for_each(|note| say(&format!("note: {note}")));
    }
    if arguments.dry_run {
        for job in &jobs {
            print(&format!(
                "{}{}",
                terminal::head(&job.spec.name, job.spec.question.as_deref()),
                dry_run::describe(&job.plan, threads)?
            ))?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let stop = Arc::new(AtomicBool::new(false));
    let signals = Signals::watch(&stop).context("signals can't be watched")?;
    for job in &jobs {
        match &job.done {
            Some(manifest) => show_again(job, manifest)?,
            None => play_job(job, threads, arguments.quiet, &stop)?,
        }
        if let Some(status) = signals.status() {
            return Ok(status);
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn job(arguments: &Arguments, file: &Path) -> Result<Job, InputError> {
    let overrides =
        Overrides { games: arguments.games, seed: arguments.seed, set: arguments.set.clone() };
    let spec = Spec::from_file(file, &overrides)?;
    let plan = Plan::new(&spec, &library())?;
    let folder = match &arguments.out {
        Some(out) => out.clone(),
        None => Path::new("results").join(&spec.name),
    };
    // Behind a link stands the folder that results are to be in.
    let folder = match folder.is_symlink() {
        true => folder.canonicalize().unwrap_or(folder),
        false => folder,
    };
    let done = match (arguments.dry_run, arguments.force) {
        (true, _) => None,
        (_, true) => replaceable(&folder).map(|()| None)?,
        _ => done(&folder, &plan, arguments.resume)?,
    };
    Ok(Job { spec, plan, folder, done })
}

/// Refuses to replace what is no folder of results, or has anything else in it.
fn replaceable(folder: &Path) -> Result<(), InputError> {
    folder::foreign(folder).map_or(Ok(()), |foreign| {
        let what = format!("{}: `--force` replaces results and nothing else", foreign.display());
        Err(InputError::new("--out", folder.display(), what))
    })
}

/// The manifest of results that are there already; other ones are refused, and incomplete ones
/// unless they are to be resumed.
fn done(folder: &Path, plan: &Plan, resume: bool) -> Result<Option<Manifest>, InputError> {
    if folder.symlink_metadata().is_ok_and(|found| !found.is_dir()) {
        let what = "this is no folder; `--out DIR` goes elsewhere";
        return Err(InputError::new("--out", folder.display(), what));
    }
    if !folder.exists() || folder.read_dir().is_ok_and(|mut entries| entries.next().is_none()) {
        return Ok(None);
    }
    let refuse = |what: &str| {
        let what = format!("{what}; `--force` replaces it, `--out DIR` goes elsewhere");
        InputError::new("--out", folder.display(), what)
    };
    let Ok(manifest) = folder::manifest(folder) else {
        let what = "this folder holds no results of this version; `--out DIR` goes elsewhere";
        return Err(InputError::new("--out", folder.display(), what));
    };
    if manifest.hash != plan.hash() {
        return Err(refuse("this folder holds the results of another experiment"));
    }
    if manifest.behaviour != BEHAVIOUR {
        return Err(refuse("these results come from a version that behaved differently"));
    }
    match (manifest.complete, resume) {
        (true, _) => Ok(Some(manifest)),
        (false, true) => Ok(None),
        (false, false) => Err(refuse("these results are incomplete; `--resume` completes them")),
    }
}

fn show_again(job: &Job, manifest: &Manifest) -> Result<()> {
    print(&reopen::shown(&job.folder, manifest)?)?;
    say(&format!("{} holds these results already", job.folder.display()));
    Ok(())
}

fn play_job(job: &Job, threads: usize, quiet: bool, stop: &Arc<AtomicBool>) -> Result<()> {
    let Job { spec, plan, folder, .. } = job;
    let (started, clock) = (SystemTime::now(), Instant::now());
    let _lock = Lock::take(folder)?;
    let draft = Draft::begin(folder)?;
    let sink = match spec.games_csv {
        true => Some(GameSink::new(Box::new(draft.csv("games.csv", &game_columns(plan))?))),
        false => None,
    };
    let monitor = Monitor { stop: Arc::clone(stop), sink, ..Monitor::default() };
    let tallies = progress::watch(&spec.name, plan.games(), quiet, &monitor, || {
        play(plan, &Fixed, threads, &monitor)
    })
    .map_err(super::run_error)?;
    if let Some(sink) = &monitor.sink {
        sink.finish().context("games.csv can't be written")?;
    }
    let games = monitor.games.load(Ordering::Relaxed);
    if games == 0 {
        say(&format!("{}: stopped before the first block was finished", spec.name));
        return Ok(());
    }
    let took = clock.elapsed();
    let bots = monitor.bots();
    let mut tables = tables::all(plan, &tallies);
    tables.extend(tables::bots(plan, &bots));
    let reproducible =
        !bots.iter().any(|(number, seen)| is_uncertain(&plan.strategies[*number]) || seen.failed());
    let run = folder::Run { started, took, games, threads, reproducible };
    for (name, bytes) in batches::files(plan, &tallies).context("sums can't be written")? {
        draft.write(name, &bytes)?;
    }
    draft.finish(&Subject::of(spec, plan), &tables, run)?;
    let table = |name: &str| tables.iter().find(|(known, _)| *known == name).map(|(_, t)| t);
    if let (Some(summary), Some(lineups)) = (table("summary.csv"), table("lineups.csv")) {
        let shown = terminal::results(summary, lineups, table("rungs.csv"));
        print(&format!("{}{shown}", terminal::head(&spec.name, spec.question.as_deref())))?;
        // Best responses sit with different others, and are not compared with each other.
        if !quiet && plan.strategies.iter().all(|strategy| !strategy.answers) {
            notes::too_small(plan, &tallies, summary)
                .iter()
                .for_each(|note| say(&format!("note: {note}")));
        }
    }
    // Not a matter of taste: the figures above are those of a bot that failed.
    notes::bots(plan, &bots).iter().for_each(|note| say(&format!("note: {note}")));
    if !quiet {
        say(&ending(plan, games, took.as_secs_f64(), threads, folder));
    }
    Ok(())
}

fn ending(plan: &Plan, games: u64, seconds: f64, threads: usize, folder: &Path) -> String {
    let count = |number: f64| terminal::thousands(&format!("{number:.0}"));
    let part = match plan.games() {
        all if all == games => String::new(),
        all => format!("INCOMPLETE, of {} ", count(all as f64)),
    };
    format!(
        "{} {part}games in {seconds:.2} s ({} a second, {threads} threads); results in {}",
        count(games as f64),
        count(games as f64 / seconds.max(1e-9)),
        folder.display()
    )
}
