//! `mindlab play`: one game, told or as a record.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use serde_json::{Map, Value, json};

use super::{library, print};
use crate::error::InputError;
use crate::experiment::plan::{Place, Plan};
use crate::experiment::replay;
use crate::experiment::spec::{Overrides, Spec, game, split_list, strategy_entry};
use crate::output::told;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The game: mind-up, the-mind or the-mind-extreme
    #[arg(long, value_name = "G")]
    game: String,
    /// The number of players [default: as many as strategies]
    #[arg(long, value_name = "N")]
    players: Option<u64>,
    /// Who plays: a strategy for each seat, or one for all; `linear(pace=2)` changes a parameter
    #[arg(long, value_name = "A,B,...")]
    strategies: String,
    /// Whose bodies play, for the Minds: `intuitive`, `ideal(cv=0.1)` [default: ideal]
    #[arg(long, value_name = "GROUP")]
    group: Option<String>,
    /// The seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Change an option of the rules: objectives=2, lives=3
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Print the game as a record, on one line
    #[arg(long)]
    record: bool,
}

pub(super) fn run(arguments: Arguments) -> Result<ExitCode> {
    let plan = plan(&arguments)?;
    let played = replay::play(
        &plan,
        Place {
            cell: 0,
            lineup: 0,
            deal: 0,
            rotation: 0,
        },
    )
    .map_err(super::run_error)?;
    let text = if arguments.record {
        played.line() + "\n"
    } else {
        told::game(&played, super::paint())?
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// A game is an experiment of one deal, so that it goes the same way as those of a run.
fn plan(arguments: &Arguments) -> Result<Plan, InputError> {
    let game = game(&arguments.game)?;
    let mut entries = split_list(&arguments.strategies)
        .into_iter()
        .map(strategy_entry)
        .collect::<Result<Vec<_>, _>>()?;
    let players = arguments.players.unwrap_or(entries.len() as u64);
    if let ([only], 1..=MOST_PLAYERS) = (entries.as_slice(), players) {
        entries = vec![only.clone(); players as usize];
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
    let set = arguments
        .set
        .iter()
        .map(|change| format!("rules.{change}"))
        .collect();
    let overrides = Overrides {
        set,
        ..Overrides::default()
    };
    let spec = Spec::from_value(Value::Object(spec), Path::new(""), &overrides)?;
    let plan = Plan::new(&spec, &library())?;
    match plan.cells.as_slice() {
        [cell] if cell.lineups.len() == 1 => Ok(plan),
        _ => Err(InputError::new(
            "--set",
            "",
            "one game has one value of each option",
        )),
    }
}

/// More than any game has; keeps a mistyped number from filling the memory.
const MOST_PLAYERS: u64 = 100;
