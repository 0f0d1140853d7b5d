//! `mindlab play`: one game, told or as a record, or with a person in it.

use std::fs::OpenOptions;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use serde_json::{Map, Value, json};

use super::{library, say, write};
use crate::error::InputError;
use crate::experiment::plan::{Place, Plan};
use crate::experiment::replay;
use crate::experiment::run::RunError;
use crate::experiment::spec::{Overrides, Spec, game, split_list, strategy_entry};
use crate::games::GameId;
use crate::human::{self, Console, Guests};
use crate::output::{ground, told};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The game: mind-up, the-mind or the-mind-extreme
    #[arg(long, value_name = "G")]
    game: String,
    /// The number of players [default: as many as strategies]
    #[arg(long, value_name = "N")]
    players: Option<u64>,
    /// Who plays: one strategy for each seat, or one for all; `linear(pace=2)` changes a parameter,
    /// `human` asks at the terminal, `bot(command=["./mine"])` asks a program
    #[arg(long, value_name = "A,B,...")]
    strategies: String,
    /// The group whose bodies play, for the Minds: `intuitive`, `ideal(cv=0.1)` [default: ideal]
    #[arg(long, value_name = "GROUP")]
    group: Option<String>,
    /// The seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Change an option of the rules, such as objectives=2 or lives=3
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Print the game as a record, on one line
    #[arg(long)]
    record: bool,
    /// The file for the record [default with a human: <game>-<seed>.jsonl, or the next free name]
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

/// The only game of the plan.
const PLACE: Place = Place { cell: 0, lineup: 0, deal: 0, rotation: 0 };

pub(super) fn run(arguments: Arguments) -> Result<ExitCode> {
    let (plan, humans) = plan(&arguments)?;
    ground::notes(&plan).iter().for_each(|note| say(&format!("note: {note}")));
    if let Some(path) = &arguments.save {
        check_folder(path)?;
    }
    if !humans.is_empty() {
        let console = Console::new(BufReader::new(io::stdin()), io::stdout());
        return with_humans(&arguments, &plan, humans, console);
    }
    let played = replay::play(&plan, PLACE).map_err(super::run_error)?;
    super::tell_failures(&plan, &played);
    if let Some(path) = &arguments.save {
        save(path, &(played.line() + "\n"))?;
    }
    let text =
        if arguments.record { played.line() + "\n" } else { told::game(&played, super::paint())? };
    write(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Plays with persons in some seats, and keeps the record.
fn with_humans(
    arguments: &Arguments,
    plan: &Plan,
    seats: Vec<usize>,
    console: Console,
) -> Result<ExitCode> {
    let guests = Guests::new(console.clone(), seats);
    let played = match replay::play_with(plan, PLACE, Some(&guests)) {
        Ok(played) => played,
        Err(RunError::Play(_)) if console.left() => {
            say("the game is not finished; a record of Mind Up! must be a whole game, so no \
                 record is kept");
            return Ok(ExitCode::SUCCESS);
        }
        Err(error) => return Err(super::run_error(error)),
    };
    super::tell_failures(plan, &played);
    let line = played.line() + "\n";
    let path = match &arguments.save {
        Some(path) => {
            save(path, &line)?;
            path.clone()
        }
        None => save_free(plan.game, arguments.seed, &line)?,
    };
    if console.left() {
        say("the game is not finished");
    }
    say(&format!("the record is in {}", path.display()));
    if arguments.record {
        write(&line)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Refuses a file whose folder is not there, before a game is played for it.
fn check_folder(path: &Path) -> Result<(), InputError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        Some(folder) if !folder.is_dir() => {
            Err(InputError::new("--save", path.display(), "there is no such folder"))
        }
        _ if path.exists() => {
            let what = "this file exists already; choose another name";
            Err(InputError::new("--save", path.display(), what))
        }
        _ => Ok(()),
    }
}

/// Writes a record where no file is: one may have come there since the game began.
fn save(path: &Path, line: &str) -> Result<(), InputError> {
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
    written.map_err(|error| refuse(path, &error))
}

fn refuse(path: &Path, error: &io::Error) -> InputError {
    InputError::new("--save", path.display(), error.to_string())
}

/// Writes to `<game>-<seed>.jsonl`, with a number behind it where there is such a file already.
fn save_free(game: GameId, seed: u64, line: &str) -> Result<PathBuf, InputError> {
    let mut number = 1;
    loop {
        let path = match number {
            1 => PathBuf::from(format!("{game}-{seed}.jsonl")),
            number => PathBuf::from(format!("{game}-{seed}-{number}.jsonl")),
        };
        let mut new = OpenOptions::new();
        match new.write(true).create_new(true).open(&path) {
            Ok(mut file) => {
                let written = file.write_all(line.as_bytes());
                return written.map(|()| path.clone()).map_err(|error| refuse(&path, &error));
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(refuse(&path, &error)),
        }
    }
}

/// A game is an experiment of one deal, so that it goes the same way as those of a run. Also the
/// seats of persons, for whom a strategy stands in that both games have.
fn plan(arguments: &Arguments) -> Result<(Plan, Vec<usize>), InputError> {
    let game = game(&arguments.game)?;
    let mut entries = split_list(&arguments.strategies)
        .into_iter()
        .map(strategy_entry)
        .collect::<Result<Vec<_>, _>>()?;
    let players = arguments.players.unwrap_or(entries.len() as u64);
    if let ([only], 1..=MOST_PLAYERS) = (entries.as_slice(), players) {
        entries = vec![only.clone(); players as usize];
    }
    let mut humans = Vec::new();
    for (seat, entry) in entries.iter_mut().enumerate() {
        if *entry == human::NAME {
            humans.push(seat);
            *entry = json!("random");
        }
    }
    let mut spec = Map::new();
    for (key, value) in [
        ("name", json!("play")),
        ("game", json!(game)),
        ("players", json!(players)),
        ("games", json!(1)),
        ("seed", json!(arguments.seed)),
        ("lineups", json!([entries])),
    ] {
        spec.insert(key.to_owned(), value);
    }
    if let Some(group) = &arguments.group {
        spec.insert("groups".to_owned(), json!([strategy_entry(group)?]));
    }
    let set = arguments.set.iter().map(|change| format!("rules.{change}")).collect();
    let overrides = Overrides { set, ..Overrides::default() };
    let place = |error| argument(error, arguments.players.is_some());
    let spec = Spec::from_value(Value::Object(spec), Path::new(""), &overrides).map_err(place)?;
    let plan = Plan::new(&spec, &library()).map_err(place)?;
    match plan.cells.as_slice() {
        [cell] if cell.lineups.len() == 1 => Ok((plan, humans)),
        _ => Err(InputError::new(
            "--set",
            "",
            "each option must have exactly one value, because only one game is played",
        )),
    }
}

/// The argument that an error of the experiment's is about, whose keys nobody wrote.
/// `players` is whether their number was given.
fn argument(error: InputError, players: bool) -> InputError {
    let of_seat = |error: InputError, seat: u64| {
        let argument = format!("--strategies, seat {seat}");
        error.moved_to_argument(&format!("lineups[0][{seat}]"), &argument)
    };
    (0..MOST_PLAYERS)
        .fold(error, of_seat)
        .moved_to_argument("lineups[0]", "--strategies")
        .moved_to_argument("players", if players { "--players" } else { "--strategies" })
        .moved_to_argument("rules", "--set")
        .moved_to_argument("groups[0]", "--group")
}

/// More than any game has; keeps a mistyped number from filling the memory.
const MOST_PLAYERS: u64 = 100;
