//! One game of a plan, played alone: the same game that the run counted.

use super::plan::{GameRules, Place, Plan};
use super::run::RunError;
use crate::error::InputError;
use crate::games::record::{Illegal, parse};
use crate::games::{mind_up, the_mind};
use crate::rng::{GameKey, deal_key};
use crate::strategies::{Family, StrategySpec, build};

/// A game that was played.
#[derive(Debug, Clone, PartialEq)]
pub struct Played {
    /// The label of the strategy on each seat.
    pub names: Vec<String>,
    /// What happened, and what a run counts of it.
    pub game: PlayedGame,
}

/// The record of a game, and its outcome.
#[derive(Debug, Clone, PartialEq)]
pub enum PlayedGame {
    /// Mind Up!.
    MindUp(mind_up::Record, mind_up::Outcome),
    /// The Mind or The Mind Extreme.
    TheMind(the_mind::record::Record, Box<the_mind::outcome::Outcome>),
}

/// Plays a game of a plan's stage 0 by its place.
///
/// # Errors
/// A place that the plan does not have; a strategy that fails.
pub fn play(plan: &Plan, place: Place) -> Result<Played, RunError> {
    let cell = plan.cells.get(place.cell);
    let found = cell.and_then(|cell| Some((cell, cell.lineups.get(place.lineup)?)));
    let Some((cell, lineup)) =
        found.filter(|(_, lineup)| place.deal < lineup.deals && place.rotation < lineup.rotations)
    else {
        return Err(InputError::new("--game", "", "the experiment has no such game").into());
    };
    let deal = deal_key(plan.seed, 0, cell.players, place.deal);
    let seating = lineup.first_seating + place.rotation as u64;
    let key = GameKey::new(deal, cell.index as u64, seating);
    let strategies: Vec<_> = (0..cell.players)
        .map(|seat| &plan.strategies[lineup.strategy(place.rotation, seat)])
        .collect();
    let names = strategies
        .iter()
        .map(|strategy| strategy.label.clone())
        .collect();
    let game = match &cell.rules {
        GameRules::MindUp(rules) => {
            let mut seats = seats(crate::strategies::mind_up::FAMILIES, &strategies)?;
            let (record, outcome) = mind_up::record_game(rules, &mut seats, key)?;
            PlayedGame::MindUp(record, outcome)
        }
        GameRules::TheMind(rules) => {
            let mut seats = seats(&crate::strategies::the_mind::FAMILIES, &strategies)?;
            let mut players: Vec<&mut dyn the_mind::player::Player> =
                seats.iter_mut().map(|seat| seat.as_mut() as _).collect();
            let mut recorder = the_mind::record::Recorder::new(rules, 1);
            let mut outcomes = Vec::new();
            let bodies = cell.bodies();
            let mut block = the_mind::block::Block::new();
            block.play(
                rules,
                &bodies,
                &mut players,
                &[key],
                &mut recorder,
                &mut outcomes,
            )?;
            let record = recorder.into_records().into_iter().next();
            match (record, outcomes.first()) {
                (Some(record), Some(&outcome)) => PlayedGame::TheMind(record, Box::new(outcome)),
                _ => return Err(InputError::new("--game", "", "no game was played").into()),
            }
        }
    };
    Ok(Played { names, game })
}

fn seats<P: ?Sized>(
    families: &[Family<P>],
    strategies: &[&StrategySpec],
) -> Result<Vec<Box<P>>, RunError> {
    let seat = |strategy: &&StrategySpec| Ok(build(families, strategy)?.seat()?);
    strategies.iter().map(seat).collect()
}

impl Played {
    /// The game's record, on one line without its end.
    pub fn line(&self) -> String {
        match &self.game {
            PlayedGame::MindUp(record, _) => record.to_string(),
            PlayedGame::TheMind(record, _) => serde_json::to_string(record).unwrap_or_default(),
        }
    }

    /// The game told for a person.
    ///
    /// # Errors
    /// Never for a game that mindlab played: the referee finds its own records legal.
    pub fn tell(&self) -> Result<String, Illegal> {
        let value = parse(&self.line())?;
        match &self.game {
            PlayedGame::MindUp(..) => mind_up::tell::tell(&value, &self.names),
            PlayedGame::TheMind(record, _) => {
                let seats = self.names.iter().enumerate();
                let seats = seats.map(|(seat, name)| format!("seat {seat}: {name}\n"));
                let verdict = the_mind::referee::judge(&value)?;
                let told = the_mind::tell::tell(record, &verdict);
                Ok(format!("{}{told}", seats.collect::<String>()))
            }
        }
    }
}
