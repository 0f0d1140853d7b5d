//! `mindlab train`: learns a strategy and writes its file.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::{Instant, SystemTime};

use anyhow::{Context, Result};

use super::run::{replaceable, try_folder};
use super::signals::Signals;
use super::{dry_run, library, print, say, status, threads};
use crate::error::InputError;
use crate::experiment::run::{Driver, Monitor, RunError, run_from};
use crate::experiment::spec::{Overrides, folder_of};
use crate::output::draft::Draft;
use crate::output::folder::{self, BEHAVIOUR, FolderError, Manifest, Subject};
use crate::output::lock::{Found, Lock};
use crate::output::{ground, place, progress, terminal};
use crate::strategies::StrategySpec;
use crate::train::{Job, State, Trainer, Training, checkpoint, file, tables};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The training, as a TOML file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The folder for the learning curve and the confirmation [default: results/<name>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Worker threads [default: one for each core]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Change a key of the file, such as generations=5 or learn.weights.sd=0.1
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Show what will be learned, the games and the expected time, without learning
    #[arg(long)]
    dry_run: bool,
    /// Continue from the last finished generation, or start
    #[arg(long)]
    resume: bool,
    /// Start again, and replace existing results and an existing strategy
    #[arg(long, conflicts_with = "resume")]
    force: bool,
    /// Show no progress
    #[arg(long)]
    quiet: bool,
}

/// A training, ready to be played.
struct Task {
    job: Job,
    hash: String,
    folder: PathBuf,
    /// Where its state is kept.
    kept: PathBuf,
    /// As it can be asked for again.
    command: String,
}

pub(super) fn run(arguments: Arguments) -> Result<ExitCode> {
    let threads = threads(arguments.threads)?;
    let task = task(&arguments).map_err(|error| error.in_file(arguments.file.display()))?;
    let place = |error: InputError| error.in_file(arguments.file.display());
    if !arguments.quiet {
        let off = task.job.off_ground();
        off.iter().for_each(|off| say(&format!("note: {}", ground::note(off))));
    }
    let check = || file::check(&task.job, &task.command, &library(), arguments.force);
    if arguments.dry_run {
        check().map_err(place)?;
        print(&describe(&task, threads)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    // That which was kept when the folder was looked at last.
    let mut state = Trainer(&task.job).first();
    let found = Lock::take_unless(&task.folder, || {
        Ok(match begin(&task, &arguments, check).map_err(place)? {
            Begin::Done(manifest) => Some(manifest),
            Begin::From(kept) => {
                state = *kept;
                None
            }
        })
    });
    let _lock = match found? {
        Found::Filled(manifest) => return show_again(&task, &manifest),
        Found::Free(lock) => lock,
    };
    // Another training may learn the same strategy into another folder.
    let _name = lock_name(&task).map_err(place)?;
    check().map_err(place)?;
    try_folder(&task.folder)?;
    let stop = Arc::new(AtomicBool::new(false));
    let signals = Signals::watch(&stop).context("mindlab can't watch for signals")?;
    let (started, clock) = (SystemTime::now(), Instant::now());
    let state = learn(&task, state, threads, arguments.quiet, &stop)?;
    if let Some(status) = signals.status() {
        say(&format!(
            "{}: the training was stopped; use `--resume` to continue it",
            task.job.training.name
        ));
        return Ok(status);
    }
    let games = state.games;
    let reproducible = !players(&task.job).any(crate::bots::is_uncertain);
    let run = folder::Run { started, took: clock.elapsed(), games, threads, reproducible };
    finish(&task, &state, run, arguments.force)
}

/// Refuses a strategy that another training is learning. Where its file will stand within the folder of
/// results, that folder's lock does.
fn lock_name(task: &Task) -> Result<Option<Lock>, InputError> {
    let taken =
        "another training is learning this strategy; wait until it ends, or choose another `name`";
    let path = file::path(&task.job);
    let whole = |path: &Path| std::path::absolute(path).unwrap_or(path.to_owned());
    let folder = task.folder.canonicalize().unwrap_or_else(|_| whole(&task.folder));
    if whole(&path).starts_with(folder) {
        return Ok(None);
    }
    let refuse = |what: &str| InputError::new("name", &task.job.training.name, what);
    Lock::beside(&path, taken, refuse).map(Some)
}

fn task(arguments: &Arguments) -> Result<Task, InputError> {
    let overrides = Overrides { set: arguments.set.clone(), ..Overrides::default() };
    let training = Training::from_file(&arguments.file, &overrides)?;
    let job = Job::new(training, folder_of(&arguments.file), &library())?;
    let folder = match &arguments.out {
        Some(out) => out.clone(),
        None => Path::new("results").join(&job.training.name),
    };
    let folder = place::folder(&folder);
    let mut command = arguments.file.display().to_string();
    for change in &arguments.set {
        command.push_str(&format!(" --set '{change}'"));
    }
    Ok(Task { hash: job.hash(), kept: checkpoint::path(&folder), job, folder, command })
}

/// All who play; the plan's own strategies hold the seats of others.
fn players(job: &Job) -> impl Iterator<Item = &StrategySpec> {
    job.counts.iter().flat_map(|count| count.opponents.iter().chain([&count.start]))
}

/// Where a training begins.
enum Begin {
    /// It was finished before.
    Done(Box<Manifest>),
    From(Box<State>),
}

/// `check` is for one that is not finished.
fn begin(
    task: &Task,
    arguments: &Arguments,
    check: impl Fn() -> Result<(), InputError>,
) -> Result<Begin, InputError> {
    let Task { job, hash, folder, kept, .. } = task;
    let first = || check().map(|()| Begin::From(Box::new(Trainer(job).first())));
    if arguments.force {
        replaceable(folder)?;
        return first();
    }
    let refuse = |what: &str| {
        let what =
            format!("{what}; use `--force` to replace it, or `--out DIR` to choose another folder");
        Err(InputError::new("--out", folder.display(), what))
    };
    if !place::is_free(folder) {
        return match folder::manifest(folder) {
            Ok(manifest) if manifest.hash == *hash && manifest.behaviour == BEHAVIOUR => {
                Ok(Begin::Done(Box::new(manifest)))
            }
            Ok(_) => refuse("this folder holds other results"),
            Err(_) => refuse("this is not a folder of results of this version"),
        };
    }
    match (checkpoint::load(kept, hash)?, arguments.resume) {
        (None, _) => first(),
        (Some(state), true) => check().map(|()| Begin::From(Box::new(state))),
        (Some(_), false) => {
            let what = "a training was stopped before it was finished; use `--resume` to continue \
                        it, or `--force` to start again";
            Err(InputError::new("", "", what).in_file(kept.display()))
        }
    }
}

fn learn(
    task: &Task,
    state: State,
    threads: usize,
    quiet: bool,
    stop: &Arc<AtomicBool>,
) -> Result<State> {
    let Task { job, hash, kept, .. } = task;
    let trainer = Trainer(job);
    let games = AtomicU64::new(state.games);
    let monitor = Monitor { stop: Arc::clone(stop), games, ..Monitor::default() };
    let mut keep = |state: &State| {
        let refused = |error| RunError::Keep(format!("{}: {error}", kept.display()));
        checkpoint::save(kept, hash, state).map_err(refused)
    };
    let (state, _) = progress::watch(&job.training.name, trainer.games(), quiet, &monitor, || {
        run_from(&job.plan, &trainer, state, threads, &monitor, &mut keep)
    })
    .map_err(|error| match (kept.is_file(), error) {
        (true, error @ (RunError::Play(_) | RunError::Keep(_))) => {
            anyhow::anyhow!("{error}; use `--resume` to continue from the last finished generation")
        }
        (_, error) => super::run_error(error),
    })?;
    Ok(state)
}

/// Prints what was learned before, and writes its file where it has gone.
fn show_again(task: &Task, manifest: &Manifest) -> Result<ExitCode> {
    let (good, text) = written(&task.folder, manifest)?;
    print(&format!("{}{}", head(&task.job.training), file::told_in(&text)))?;
    say(&format!("{} holds these results already", task.folder.display()));
    match good {
        true => install(&task.job, &text, false),
        false => Ok(wanting()),
    }
}

/// Whether the strategy may be used, and its file's text.
fn written(folder: &Path, manifest: &Manifest) -> Result<(bool, String)> {
    let good = manifest.files.contains_key(STRATEGY);
    let bytes = folder::file(folder, manifest, if good { STRATEGY } else { TOO_SLOW })?;
    Ok((good, String::from_utf8_lossy(&bytes).into_owned()))
}

/// What a folder's training found; nothing where it holds a run's results.
pub(super) fn shown(folder: &Path, manifest: &Manifest) -> Result<Option<String>> {
    match Training::from_value(manifest.experiment.clone()) {
        Ok(training) => {
            let (_, text) = written(folder, manifest)?;
            Ok(Some(format!("{}{}", head(&training), file::told_in(&text))))
        }
        Err(_) => Ok(None),
    }
}

fn head(training: &Training) -> String {
    terminal::head(&training.name, training.question.as_deref())
}

/// What will be learned, the games and the time to expect.
fn describe(task: &Task, threads: usize) -> Result<String> {
    let job = &task.job;
    let trainer = Trainer(job);
    let mut text = head(&job.training);
    for count in &job.counts {
        let against = match count.against() {
            none if none.is_empty() => String::new(),
            some => format!(" against {some}"),
        };
        text.push_str(&format!(
            "  {} players: {} numbers of `{}`, {} cells{against}\n",
            count.players,
            count.space.len(),
            count.start.label,
            count.cells.len()
        ));
    }
    let mut time = None;
    if let Some(plan) = trainer.stage(&job.plan, &trainer.first())?.and_then(|stage| stage.plan) {
        let whole = trainer.games() as f64 / plan.games().max(1) as f64;
        time = dry_run::seconds(&plan, threads)?.map(|expected| expected.times(whole));
    }
    text.push_str(&format!(
        "about {} games, {}\n",
        terminal::thousands(&trainer.games().to_string()),
        dry_run::expected(time.as_ref())
    ));
    Ok(text)
}

/// Writes results and, where it may be used, the strategy.
fn finish(task: &Task, state: &State, run: folder::Run, replace: bool) -> Result<ExitCode> {
    let Task { job, hash, folder, kept, command } = task;
    let text = file::text(job, state, command);
    let good = state.learned.iter().all(|learned| learned.keeps_pace);
    let subject = Subject {
        experiment: serde_json::to_value(&job.training).unwrap_or_default(),
        resolved: job.resolved(),
        hash: hash.clone(),
        seed: job.training.seed,
        games: state.games,
        programs: folder::programs_of(players(job)),
    };
    let written = Draft::begin(folder).and_then(|mut draft| {
        draft.write(if good { STRATEGY } else { TOO_SLOW }, text.as_bytes());
        draft.finish(&subject, &tables::all(job, state), run)
    });
    // What was learned is shown even where it can't be written.
    let told = job.counts.iter().zip(&state.learned);
    let told = told.map(|(count, learned)| file::confirmed(job, count, learned) + "\n");
    let printed = print(&(head(&job.training) + &told.collect::<String>()));
    written.map_err(|error| {
        let what = format!("{}; use `--resume` to write them again without playing", error.what);
        FolderError { what, ..error }
    })?;
    printed?;
    // What it was kept for is done; a file that stays is in nobody's way.
    let _ = std::fs::remove_file(kept);
    say(&format!(
        "{} games in {:.2} s; results in {}",
        terminal::thousands(&state.games.to_string()),
        run.took.as_secs_f64(),
        folder.display()
    ));
    match good {
        true => install(job, &text, replace),
        false => Ok(wanting()),
    }
}

/// What is too slow for the pace is not written.
fn wanting() -> ExitCode {
    say("the strategy is too slow and is not written");
    ExitCode::from(status::WANTING)
}

/// The strategy's file in the folder of results; one that is too slow is called so.
const STRATEGY: &str = "strategy.toml";
const TOO_SLOW: &str = "too-slow.toml";

/// Puts the strategy's file into its place, where no other one stands in the way.
fn install(job: &Job, text: &str, replace: bool) -> Result<ExitCode> {
    let path = file::path(job);
    let shown = path.display();
    let there = match std::fs::read(&path) {
        Ok(known) => known != text.as_bytes(),
        Err(error) => error.kind() != std::io::ErrorKind::NotFound,
    };
    if there && !replace {
        let what = format!(
            "{shown} differs from what was learned, and is not changed; move it away and this \
             command writes it, or use `--force` to learn again and replace it"
        );
        return Err(InputError::new("name", &job.training.name, what).into());
    }
    file::write(&path, text).with_context(|| format!("mindlab can't write {shown}"))?;
    say(&format!("{shown} has the strategy"));
    Ok(ExitCode::SUCCESS)
}
