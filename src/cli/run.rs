//! `mindlab run`: plays experiments and writes their results.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, Result};

use super::signals::Signals;
use super::{dry_run, library, print, say, threads};
use crate::bots::{Seen, is_uncertain};
use crate::error::InputError;
use crate::experiment::plan::Plan;
use crate::experiment::run::{Fixed, GameSink, Monitor, Tallies, game_columns, run as play};
use crate::experiment::spec::{Overrides, Spec};
use crate::experiment::sums::{self, CellSums};
use crate::output::draft::Draft;
use crate::output::folder::{self, BEHAVIOUR, FolderError, Manifest, Subject};
use crate::output::lock::{Found, Lock};
use crate::output::{Table, batches, ground, notes, place, progress, reopen, tables, terminal};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Experiments: TOML files, or manifests of results
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The folder for the results [default: results/<name>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Games of each line-up; replaces the value in the file
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// The seed; replaces the value in the file
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Worker threads [default: one for each core]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Change a key of the file, such as rules.objectives=2 or players=[3,4]
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Show cells, line-ups, games, expected time and memory, without playing
    #[arg(long)]
    dry_run: bool,
    /// Complete incomplete results, or start; the games of incomplete results are played again
    #[arg(long)]
    resume: bool,
    /// Replace existing results
    #[arg(long, conflicts_with = "resume")]
    force: bool,
    /// Show no progress and no notes
    #[arg(long)]
    quiet: bool,
}

/// An experiment, ready to be played.
struct Job {
    file: PathBuf,
    spec: Spec,
    plan: Plan,
    folder: PathBuf,
}

pub(super) fn run(arguments: Arguments) -> Result<ExitCode> {
    let threads = threads(arguments.threads)?;
    if arguments.out.is_some() && arguments.files.len() > 1 {
        let what =
            "one folder can't hold several experiments; remove --out, or run them one at a time";
        return Err(InputError::new("--out", "", what).into());
    }
    // All requests are looked at before the first game is played.
    let jobs = arguments.files.iter().map(|file| job(&arguments, file));
    let jobs = jobs.collect::<Result<Vec<_>, _>>()?;
    check_apart(&jobs)?;
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
    let tasks = jobs.iter().map(|job| task(&arguments, job)).collect::<Result<Vec<_>, _>>()?;
    let stop = Arc::new(AtomicBool::new(false));
    let signals = Signals::watch(&stop).context("mindlab can't watch for signals")?;
    for (job, task) in jobs.iter().zip(tasks) {
        match task {
            Found::Filled(manifest) => show_again(job, &manifest)?,
            Found::Free(_lock) => play_job(job, threads, arguments.quiet, &stop)?,
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
    let plan = Plan::new(&spec, &library()).map_err(|error| error.in_file(file.display()))?;
    let folder = match &arguments.out {
        Some(out) => out.clone(),
        None => Path::new("results").join(&spec.name),
    };
    Ok(Job { file: file.to_owned(), spec, plan, folder: place::folder(&folder) })
}

/// Refuses experiments that would replace each other's results.
fn check_apart(jobs: &[Job]) -> Result<(), InputError> {
    for (at, job) in jobs.iter().enumerate() {
        let folder = place::real(&job.folder);
        let twice = jobs[..at].iter().find(|other| place::real(&other.folder) == folder);
        if let Some(other) = twice {
            let what = format!(
                "its results go to {}, and so do the results of {}; give it another `name`, or \
                 run them one at a time with `--out DIR`",
                job.folder.display(),
                other.file.display()
            );
            let error = InputError::new("name", &job.spec.name, what);
            return Err(error.in_file(job.file.display()));
        }
    }
    Ok(())
}

/// The lock under which an experiment is played, or the manifest of its results, which are shown
/// again.
fn task(arguments: &Arguments, job: &Job) -> Result<Found<Box<Manifest>>, InputError> {
    let look = || match arguments.force {
        true => replaceable(&job.folder).map(|()| None),
        false => done(&job.folder, &job.plan, arguments.resume),
    };
    let look = || look().map_err(|error| error.in_file(job.file.display()));
    let found = Lock::take_unless(&job.folder, || Ok(look()?.map(Box::new)))?;
    if matches!(found, Found::Free(_)) {
        try_folder(&job.folder)?;
    }
    Ok(found)
}

/// Tries whether results can be put there: better now than after the last game.
pub(super) fn try_folder(folder: &Path) -> Result<(), InputError> {
    Draft::begin(folder).map(drop).map_err(|error| {
        let source = error.source.as_ref().map_or(String::new(), |source| format!(": {source}"));
        let what = format!("{error}{source}; use `--out DIR` to choose another folder");
        InputError::new("--out", folder.display(), what)
    })
}

/// Refuses to replace what is no folder of results, or has anything else in it.
pub(super) fn replaceable(folder: &Path) -> Result<(), InputError> {
    folder::foreign(folder).map_or(Ok(()), |foreign| {
        let what = format!("{}: `--force` replaces only results", foreign.display());
        Err(InputError::new("--out", folder.display(), what))
    })
}

/// The manifest of results that are there already; other ones are refused, and incomplete ones
/// unless they are to be resumed.
fn done(folder: &Path, plan: &Plan, resume: bool) -> Result<Option<Manifest>, InputError> {
    if folder.symlink_metadata().is_ok_and(|found| !found.is_dir()) {
        let what = "this is not a folder; use `--out DIR` to choose another one";
        return Err(InputError::new("--out", folder.display(), what));
    }
    if place::is_free(folder) {
        return Ok(None);
    }
    let refuse = |what: &str| {
        let what =
            format!("{what}; use `--force` to replace it, or `--out DIR` to choose another folder");
        InputError::new("--out", folder.display(), what)
    };
    let Ok(manifest) = folder::manifest(folder) else {
        let what = "this folder does not hold results of this version; use `--out DIR` to choose \
                    another folder";
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
        (false, false) => {
            Err(refuse("these results are incomplete; use `--resume` to complete them"))
        }
    }
}

fn show_again(job: &Job, manifest: &Manifest) -> Result<()> {
    print(&reopen::shown(&job.folder, manifest)?)?;
    say(&format!("{} holds these results already", job.folder.display()));
    Ok(())
}

/// What was played.
struct Played {
    tallies: Tallies,
    sums: Vec<CellSums>,
    bots: Vec<(usize, Seen)>,
    games: u64,
    started: SystemTime,
    took: Duration,
}

fn play_job(job: &Job, threads: usize, quiet: bool, stop: &Arc<AtomicBool>) -> Result<()> {
    let Job { spec, plan, folder, .. } = job;
    let mut draft = Draft::begin(folder)?;
    let subject = Subject::of(spec, plan);
    let played = play_games(job, &mut draft, threads, quiet, stop)?;
    if played.games == 0 {
        say(&format!("{}: it was stopped before the first block was finished", spec.name));
        return Ok(());
    }
    let mut tables = tables::all(plan, &played.tallies);
    tables.extend(tables::bots(plan, &played.bots));
    let written = write(job, draft, &subject, &played, &tables, threads);
    // What was played is shown even where it can't be written.
    let command = written.is_ok().then(|| reopen::completes(folder, &spec.name));
    let printed = show(job, &played, &tables, command.as_deref(), quiet);
    written?;
    printed?;
    if !quiet {
        say(&ending(&played, threads, folder));
    }
    Ok(())
}

/// Plays all games; rows of `games.csv` go to the draft.
fn play_games(
    job: &Job,
    draft: &mut Draft,
    threads: usize,
    quiet: bool,
    stop: &Arc<AtomicBool>,
) -> Result<Played> {
    let Job { spec, plan, .. } = job;
    let (started, clock) = (SystemTime::now(), Instant::now());
    let sink = match spec.games_csv {
        true => Some(GameSink::new(Box::new(draft.csv(GAMES, &game_columns(plan))?))),
        false => None,
    };
    let monitor = Monitor { stop: Arc::clone(stop), sink, ..Monitor::default() };
    let tallies = progress::watch(&spec.name, plan.games(), quiet, &monitor, || {
        play(plan, &Fixed, threads, &monitor)
    })
    .map_err(super::run_error)?;
    if let Some(Err(error)) = monitor.sink.as_ref().map(GameSink::finish) {
        draft.spoil(GAMES, error);
    }
    let games = monitor.games.load(Ordering::Relaxed);
    let (sums, bots) = (sums::of(plan, &tallies), monitor.bots());
    Ok(Played { tallies, sums, bots, games, started, took: clock.elapsed() })
}

/// The file of single games.
const GAMES: &str = "games.csv";

/// Writes the folder.
fn write(
    job: &Job,
    mut draft: Draft,
    subject: &Subject,
    played: &Played,
    tables: &[(&'static str, Table)],
    threads: usize,
) -> Result<(), FolderError> {
    let uncertain = |(number, seen): &(usize, Seen)| {
        is_uncertain(&job.plan.strategies[*number]) || seen.failed()
    };
    let &Played { started, took, games, .. } = played;
    let reproducible = !played.bots.iter().any(uncertain);
    let run = folder::Run { started, took, games, threads, reproducible };
    match batches::files(&job.plan, &played.sums) {
        Ok(files) => files.iter().for_each(|(name, bytes)| draft.write(name, bytes)),
        Err(error) => draft.spoil(batches::SUMS, error),
    }
    draft.finish(subject, tables, run)
}

/// Prints the tables, and notes on them. `command` completes them where they are incomplete.
fn show(
    job: &Job,
    played: &Played,
    tables: &[(&'static str, Table)],
    command: Option<&str>,
    quiet: bool,
) -> Result<()> {
    let Job { spec, plan, .. } = job;
    let table = |name: &str| tables.iter().find(|(known, _)| *known == name).map(|(_, t)| t);
    if let (Some(summary), Some(lineups)) = (table("summary.csv"), table("lineups.csv")) {
        let incomplete = reopen::unfinished(played.games, plan.games(), command);
        let head = terminal::head(&spec.name, spec.question.as_deref());
        let shown = terminal::results(summary, lineups, table("rungs.csv"));
        print(&format!("{incomplete}{head}{shown}"))?;
        // Best responses sit with different others, and are not compared with each other.
        if !quiet && plan.strategies.iter().all(|strategy| !strategy.answers) {
            notes::too_small(plan, &played.sums, summary)
                .iter()
                .for_each(|note| say(&format!("note: {note}")));
        }
    }
    // Not a matter of taste: the figures above are those of a bot that failed.
    notes::bots(plan, &played.bots).iter().for_each(|note| say(&format!("note: {note}")));
    Ok(())
}

fn ending(played: &Played, threads: usize, folder: &Path) -> String {
    let count = |number: f64| terminal::thousands(&format!("{number:.0}"));
    let (games, seconds) = (played.games as f64, played.took.as_secs_f64());
    format!(
        "{} games in {seconds:.2} s ({} a second, {threads} threads); results in {}",
        count(games),
        count(games / seconds.max(1e-9)),
        folder.display()
    )
}
