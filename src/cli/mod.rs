//! The command line: one short file for each command.

mod analyze;
mod bench;
mod check_bot;
mod compare;
mod completions;
#[cfg(test)]
mod documents;
mod dry_run;
mod init;
mod list;
mod man;
mod play;
mod referee;
mod replay;
mod run;
mod schema;
mod show;
mod signals;
mod train;

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::error::{ContextKind, ContextValue};
use clap::{Parser, Subcommand};

use crate::error::{InputError, clipped};
use crate::experiment::plan::Plan;
use crate::experiment::replay::Played;
use crate::experiment::run::RunError;
use crate::games::paint::Paint;
use crate::output::notes;
use crate::safe::{safe, steers};
use crate::strategies::Library;

/// Plays millions of games of Mind Up!, The Mind and The Mind Extreme, and says who wins.
#[derive(Debug, Parser)]
#[command(name = "mindlab", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run experiments and write their results
    Run(run::Arguments),
    /// Learn a strategy's parameters and write its file
    Train(train::Arguments),
    /// Play one game and describe it, or print it as a record
    Play(play::Arguments),
    /// Play one game of a run again
    Replay(replay::Arguments),
    /// Judge records of games
    Referee(referee::Arguments),
    /// Analyze records of games: show what each choice was worth
    Analyze(analyze::Arguments),
    /// List games, strategies, groups, experiments, objectives or setups
    List(list::Arguments),
    /// Show a strategy, group, objective, setup, game, experiment or results in full
    Show(show::Arguments),
    /// Compare two results: show what changed, and whether it is more than noise
    Compare(compare::Arguments),
    /// Test a bot from outside: a program of your own that plays
    CheckBot(check_bot::Arguments),
    /// Write an experiment or a training to start from
    Init(init::Arguments),
    /// Print the JSON Schema of each format
    Schema(schema::Arguments),
    /// Measure speed and show a fingerprint of behaviour
    Bench(bench::Arguments),
    /// Print the completions of arguments for a shell
    Completions(completions::Arguments),
    /// Print the manual page
    #[command(hide = true)]
    Man(man::Arguments),
}

/// The exit statuses.
mod status {
    /// Judged and found wanting.
    pub const WANTING: u8 = 1;
    /// The request was wrong.
    pub const REQUEST: u8 = 2;
    /// Something failed under way.
    pub const FAILED: u8 = 3;
}

/// Runs the command with the process's arguments.
pub fn main() -> ExitCode {
    let result = match parse().command {
        Command::Run(arguments) => run::run(arguments),
        Command::Train(arguments) => train::run(arguments),
        Command::Play(arguments) => play::run(arguments),
        Command::Replay(arguments) => replay::run(arguments),
        Command::Referee(arguments) => referee::run(arguments),
        Command::Analyze(arguments) => analyze::run(arguments),
        Command::List(arguments) => list::run(arguments),
        Command::Show(arguments) => show::run(arguments),
        Command::Compare(arguments) => compare::run(arguments),
        Command::CheckBot(arguments) => check_bot::run(arguments),
        Command::Init(arguments) => init::run(arguments),
        Command::Schema(arguments) => schema::run(arguments),
        Command::Bench(arguments) => bench::run(arguments),
        Command::Completions(arguments) => completions::run(arguments),
        Command::Man(arguments) => man::run(arguments),
    };
    match result {
        Ok(code) => code,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Where nobody reads standard error, the status still tells.
            say(&format!("error: {error:#}"));
            let request = error.downcast_ref::<InputError>().is_some();
            ExitCode::from(if request { status::REQUEST } else { status::FAILED })
        }
    }
}

/// Reads the arguments; of what is refused no more than a message can have is shown.
fn parse() -> Cli {
    let shown = |text: &str| safe(&clipped(text)).into_owned();
    Cli::try_parse().unwrap_or_else(|mut error| {
        let asked: Vec<(ContextKind, ContextValue)> = error
            .context()
            .filter_map(|(kind, value)| match value {
                ContextValue::String(text) => Some((kind, ContextValue::String(shown(text)))),
                ContextValue::Strings(all) => Some((
                    kind,
                    ContextValue::Strings(all.iter().map(|text| shown(text)).collect()),
                )),
                _ => None,
            })
            .collect();
        for (kind, value) in asked {
            error.insert(kind, value);
        }
        // It shows an argument as it was written.
        if std::env::args_os().any(|argument| argument.to_string_lossy().contains(steers)) {
            error.remove(ContextKind::Suggested);
        }
        error.exit()
    })
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let broken = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(broken))
}

/// Writes to standard output what a person reads.
fn print(text: &str) -> io::Result<()> {
    write(&safe(text))
}

/// Writes to standard output what a program reads, or what is made [`safe`] already.
fn write(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Writes a message to standard error; where nobody reads it, nothing is lost.
fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{}", safe(text));
}

/// Colours where a person sees them and has not asked for none (no-color.org).
fn paint() -> Paint {
    let unset = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let able = std::env::var_os("TERM").is_none_or(|terminal| terminal != "dumb");
    match unset && able && io::stdout().is_terminal() {
        true => Paint::Ansi,
        false => Paint::Plain,
    }
}

/// The named strategies: those of the working folder's `strategies/` before those shipped.
fn library() -> Library {
    let own = PathBuf::from("strategies");
    Library::new(own.is_dir().then_some(own).as_deref())
}

/// Says what bots from outside failed at in a game that was played alone.
fn tell_failures(plan: &Plan, played: &Played) {
    notes::bots(plan, &played.bots).iter().for_each(|note| say(&format!("note: {note}")));
}

/// The number of threads: as asked for, else one for each core.
fn threads(asked: Option<usize>) -> Result<usize, InputError> {
    match asked {
        Some(threads @ 1..=1024) => Ok(threads),
        Some(threads) => {
            Err(InputError::new("--threads", threads, "this must be from 1 to 1024 threads"))
        }
        None => Ok(std::thread::available_parallelism().map_or(1, std::num::NonZero::get)),
    }
}

/// A run's error, so that a wrong request is told from what failed under way.
fn run_error(error: RunError) -> anyhow::Error {
    match error {
        RunError::Input(error) => error.into(),
        other => other.into(),
    }
}
