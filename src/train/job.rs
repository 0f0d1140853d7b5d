//! A training, worked out: for each number of players its cells, start, opponents and space.

use std::path::Path;

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::space::Space;
use super::spec::{SELF, Training};
use crate::error::{InputError, check_name, short, unknown};
use crate::experiment::ground::{OffGround, off_ground};
use crate::experiment::plan::{Cell, Plan, hex};
use crate::games::GameId;
use crate::strategies::StrategySpec;
use crate::strategies::library::{self, ByPlayers, Learned, Library, bare, unnamed};
use crate::strategies::the_mind::stars::Stars;

/// A training that can be played.
#[derive(Debug, Clone)]
pub struct Job {
    /// As it was asked for, files that the rules name included.
    pub training: Training,
    /// A plan with all of its cells.
    pub plan: Plan,
    /// What is learned apart, by number of players.
    pub counts: Vec<Count>,
    /// The start as its file has it.
    pub start: Start,
}

/// A strategy as its file has it: strategies that its parameters name are names there.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Start {
    /// What holds at all numbers of players.
    pub parameters: Map<String, Value>,
    /// What holds at a number of players in place of that.
    pub players: ByPlayers,
}

/// What is learned for a number of players.
#[derive(Debug, Clone)]
pub struct Count {
    /// The number of players.
    pub players: usize,
    /// The cells with so many players; a strategy's worth is its mean over them.
    pub cells: Vec<Cell>,
    /// The strategy where the search begins, as it is at this number of players.
    pub start: StrategySpec,
    /// What is learned of it.
    pub space: Space,
    /// Who sits in the other seats.
    pub opponents: Vec<StrategySpec>,
    /// Whether the search itself is an opponent too.
    pub self_play: bool,
}

impl Job {
    /// Works out a training; `folder` is where files that the rules name are looked for.
    ///
    /// # Errors
    /// Whatever in it cannot be served, with its key.
    pub fn new(training: Training, folder: &Path, library: &Library) -> Result<Self, InputError> {
        let experiment = training.experiment(folder)?;
        let plan = Plan::new(&experiment, library)?;
        let mut training = training;
        training.rules = experiment.rules;
        let (spec, start) = start(&training, library).map_err(|error| error.under("start"))?;
        let mut counts = Vec::new();
        for &players in training.players.values() {
            let players = usize::try_from(players).unwrap_or(usize::MAX);
            let cells = plan.cells.iter().filter(|cell| cell.players == players).cloned().collect();
            counts.push(Count::new(&training, players, cells, &spec, library)?);
        }
        Ok(Job { training, plan, counts, start })
    }

    /// The opponents that were learned for other tables than these.
    pub fn off_ground(&self) -> Vec<OffGround> {
        let tables = self.counts.iter().flat_map(|count| {
            count.cells.iter().map(|cell| (cell.into(), count.opponents.iter().collect()))
        });
        off_ground(self.training.game, tables)
    }

    /// What the strategy's file says of how it was learned; `command` is what was asked for.
    pub fn learned(&self, command: &str) -> Learned {
        let training = &self.training;
        // Bodies play in the Minds alone, where nobody is named the ideal ones.
        let ideal = || self.plan.cells.iter().filter_map(|cell| cell.group.as_ref()).take(1);
        let groups = training.groups.clone();
        let mut parameters: Vec<String> = Vec::new();
        for key in self.counts.iter().flat_map(|count| count.space.keys()) {
            if !parameters.contains(&key) {
                parameters.push(key);
            }
        }
        Learned {
            game: training.game,
            players: self.counts.iter().map(|count| count.players).collect(),
            parameters,
            groups: groups
                .unwrap_or_else(|| ideal().map(|group| group.name.clone().into()).collect()),
            training: command.to_owned(),
            seed: training.seed,
            mindlab: env!("CARGO_PKG_VERSION").to_owned(),
            rules: training.rules.clone(),
        }
    }

    /// All that the training resolves to, in full.
    pub fn resolved(&self) -> Value {
        let count = |count: &Count| json!({"players": count.players, "start": count.start, "opponents": count.opponents});
        let counts: Vec<Value> = self.counts.iter().map(count).collect();
        let mut training = serde_json::to_value(&self.training).unwrap_or_default();
        if let Some(table) = training.as_object_mut() {
            table.shift_remove("question");
        }
        // Who sits in the plan's cells is of no account.
        let mut cells = self.plan.resolved()["cells"].take();
        for cell in cells.as_array_mut().into_iter().flatten() {
            cell.as_object_mut().map(|cell| cell.shift_remove("lineups"));
        }
        json!({"training": training, "counts": counts, "cells": cells})
    }

    /// The hash of all that the training resolves to, in hexadecimal.
    pub fn hash(&self) -> String {
        hex(&Sha256::digest(self.resolved().to_string()))
    }
}

impl Count {
    fn new(
        training: &Training,
        players: usize,
        cells: Vec<Cell>,
        start: &StrategySpec,
        library: &Library,
    ) -> Result<Self, InputError> {
        let game = training.game;
        let parameters = start.at(players);
        let mut start = StrategySpec { parameters, players: ByPlayers::default(), ..start.clone() };
        // Of a star policy all numbers can be learned, those too that the start leaves out.
        if let Some(star) = start.parameters.get_mut("star") {
            let policy = Stars::from_json(star);
            *star = policy.map_err(|error| error.under("start.star"))?.to_json();
        }
        let defaults = library::family_of(game, &start.family).map(|(_, defaults)| defaults);
        let defaults = defaults.unwrap_or_default();
        let space = Space::new(&training.learn, &mut start.parameters, &defaults)?;
        library::check_at(game, &start, players).map_err(|error| place(training, error))?;
        let mut opponents: Vec<StrategySpec> = Vec::new();
        let mut self_play = false;
        for (index, entry) in training.opponents.iter().enumerate() {
            let key = format!("opponents[{index}]");
            let twice = || InputError::new(&key, short(entry), "this opponent is there twice");
            if entry.as_str() == Some(SELF) {
                if std::mem::replace(&mut self_play, true) {
                    return Err(twice());
                }
                continue;
            }
            for spec in resolve(training, library, entry).map_err(|error| error.under(&key))? {
                if opponents.iter().any(|known| known.label == spec.label) {
                    return Err(twice());
                }
                opponents.push(spec);
            }
        }
        Ok(Count { players, cells, start, space, opponents, self_play })
    }

    /// The start with other numbers in the places that are learned.
    pub fn with(&self, values: &[f64], label: &str) -> StrategySpec {
        StrategySpec {
            label: label.to_owned(),
            parameters: self.space.apply(values, &self.start.parameters),
            ..self.start.clone()
        }
    }

    /// The opponents as a person reads them: `greedy, self`.
    pub fn against(&self) -> String {
        let own = self.self_play.then(|| SELF.to_owned());
        let named = Some(self.named()).filter(|named| !named.is_empty());
        named.into_iter().chain(own).collect::<Vec<_>>().join(", ")
    }

    /// The opponents without the search itself: `greedy, threshold`.
    pub fn named(&self) -> String {
        let labels = self.opponents.iter().map(|spec| spec.label.as_str());
        labels.collect::<Vec<_>>().join(", ")
    }
}

/// Where a number stands that the strategy refuses: what is learned may give its own start.
fn place(training: &Training, error: InputError) -> InputError {
    let own = training
        .learn
        .iter()
        .find(|(key, entry)| error.is_within(key) && entry.get("start").is_some());
    match own {
        Some((key, _)) => error.moved(key, &format!("learn.{key}.start")),
        None => error.under("start"),
    }
}

/// The strategy where the search begins, in full and as its file has it.
fn start(training: &Training, library: &Library) -> Result<(StrategySpec, Start), InputError> {
    let game = training.game;
    if let (Some(family), Value::Object(table)) = (training.start.get("family"), &training.start) {
        let spec = of_family(game, family, table)?;
        let start = Start { parameters: spec.parameters.clone(), ..Start::default() };
        return Ok((strict(library.complete(game, spec)?)?, start));
    }
    let specs = resolve(training, library, &training.start)?;
    let [spec] = specs.as_slice() else {
        let what = "this must be one strategy, not a grid";
        return Err(InputError::new("", format!("{} strategies", specs.len()), what));
    };
    let named = library.get(game, &spec.base)?;
    let mut start = Start { parameters: named.parameters, players: named.players };
    for (key, value) in training.start.as_object().into_iter().flatten() {
        if let Some(known) = start.parameters.get_mut(key) {
            *known = unnamed(value);
            start.players.values_mut().for_each(|own| drop(own.shift_remove(key)));
        }
    }
    Ok((spec.clone(), start))
}

/// A family with its defaults, but for what the table says.
fn of_family(
    game: GameId,
    family: &Value,
    table: &Map<String, Value>,
) -> Result<StrategySpec, InputError> {
    let name = family.as_str().unwrap_or_default();
    let Some((_, mut parameters)) = library::family_of(game, name) else {
        let what = unknown("family", name, library::families(game));
        return Err(InputError::new("family", short(family), what));
    };
    for (key, value) in table.iter().filter(|(key, _)| *key != "family") {
        let Some(known) = parameters.get_mut(key) else {
            let names = parameters.keys().map(String::as_str);
            let what = unknown(&format!("parameter of `{name}`"), key, names);
            return Err(InputError::new(key, short(value), what));
        };
        *known = unnamed(value);
    }
    Ok(StrategySpec {
        label: name.to_owned(),
        base: name.to_owned(),
        family: name.to_owned(),
        parameters,
        players: ByPlayers::default(),
        varied: Vec::new(),
        grounds: Vec::new(),
        answers: false,
    })
}

/// What an entry resolves to. The strategy that is to be written can't be what it is made from: the same
/// training would give other results the next time.
fn resolve(
    training: &Training,
    library: &Library,
    entry: &Value,
) -> Result<Vec<StrategySpec>, InputError> {
    let base = entry.get("base").unwrap_or(entry).as_str().unwrap_or_default();
    if base == training.name {
        let what = "this training writes this strategy, so that a second training would differ \
                    from the first; choose another `name`, or start from a { family = ... }";
        return Err(InputError::new("", base, what));
    }
    if let Some(name) = entry.get("name").and_then(Value::as_str) {
        check_name("name", name)?;
    }
    library.resolve(training.game, entry)?.into_iter().map(strict).collect()
}

/// A bot from outside that fails ends a training: what is learned from games that it forfeits, or that
/// chance plays for it, says nothing of it.
fn strict(mut spec: StrategySpec) -> Result<StrategySpec, InputError> {
    if spec.family != crate::bots::NAME {
        return Ok(spec);
    }
    const KEY: &str = "on_failure";
    for parameters in spec.players.values_mut().chain([&mut spec.parameters]) {
        let Some(follows) = parameters.get_mut(KEY) else { continue };
        if follows == "random" {
            let what = "a training stops when a bot fails; remove this, or use \"stop\"";
            return Err(InputError::new(KEY, bare(follows), what));
        }
        *follows = "stop".into();
    }
    Ok(spec)
}
