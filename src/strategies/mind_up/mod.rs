//! Strategies for Mind Up!.
//!
//! A new family is a file beside this one and a line in [`FAMILIES`].

pub mod best_response;
mod duct;
mod greedy;
mod linear;
pub mod monte_carlo;
mod odds;
pub mod playout;
pub mod policy;
mod regret_matching;
mod simple;
mod soft_greedy;
mod threshold;
mod values;

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Build, Built, Family, StrategySpec};
use crate::cpu::{self, Kernel, Level};
use crate::error::{InputError, PlayError, read};
use crate::games::mind_up::player::{Player, Request};
use crate::games::mind_up::rules::MAX_HAND;
use crate::games::mind_up::{Card, Rules, View};
use crate::rng::{GameKey, Rng, below};

/// All families.
pub const FAMILIES: &[Family<dyn Player>] = &[
    family::<simple::Random>(),
    family::<simple::Lowest>(),
    family::<simple::Highest>(),
    family::<greedy::Greedy>(),
    family::<soft_greedy::SoftGreedy>(),
    family::<linear::Linear>(),
    family::<threshold::Threshold>(),
    family::<monte_carlo::MonteCarlo>(),
    family::<regret_matching::RegretMatching>(),
    family::<duct::Duct>(),
    family::<best_response::BestResponse>(),
    crate::bots::family(),
];

/// A family's code; its fields are its parameters, [`Default`] their defaults.
pub trait Strategy: Clone + Default + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// The family's name.
    const NAME: &'static str;
    /// What it does, in one line.
    const SUMMARY: &'static str;
    /// The parameters that name another strategy.
    const STRATEGIES: &'static [&'static str] = &[];
    /// What it remembers of a game, fresh for each.
    type Memory: Default + Send;

    /// Refuses parameters out of range.
    ///
    /// # Errors
    /// The parameter, its value, and what would do.
    fn check(&self) -> Result<(), InputError> {
        Ok(())
    }

    /// Prepares what depends on the rules alone. Called before the first choice under them.
    fn prepare(&mut self, _rules: &Rules) {}

    /// Chooses from the seat's hand, which has two cards or more.
    ///
    /// Implementations are `#[inline(always)]`, so that they are compiled for each instruction
    /// level.
    fn choose<L: Level>(&self, view: &View<'_, L>, desk: &mut Desk<'_, Self::Memory>) -> Decision;
}

/// What a strategy works with besides the view.
#[derive(Debug)]
pub struct Desk<'a, M> {
    /// What it remembers of this game.
    pub memory: &'a mut M,
    /// Its own generator.
    pub rng: &'a mut Rng,
    /// Where a [`Decision::Mixture`] is written.
    pub mixture: &'a mut Mixture,
}

/// What a seat does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Plays this card of its hand.
    Play(Card),
    /// Declares that each card of the hand is as likely as any other; the runner draws.
    Uniform,
    /// Declares the mixture on the desk; the runner draws.
    Mixture,
}

/// The probabilities that a seat plays by: a weight for each card of the hand, in ascending order.
/// Whole numbers, so that the draw is exact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mixture {
    /// The weights; those beyond the hand are not read. Their sum is below 2^32 and positive.
    pub weights: [u32; MAX_HAND],
}

impl Mixture {
    /// Gives the cards of a hand weights in proportion to `exp(above)`, the highest of which is 0.
    #[inline(always)]
    fn soften(&mut self, above: impl Iterator<Item = f64>) {
        /// The weight of the best card; a hand of the most cards that are alike stays below 2^32.
        const WHOLE: f64 = (1 << 26) as f64;
        for (weight, above) in self.weights.iter_mut().zip(above) {
            // With a temperature next to 0 the best card's is 0 times infinity.
            *weight = (WHOLE * libm::exp(above.min(0.0))) as u32;
        }
    }

    /// Draws the place of a card in a hand of `size` cards; the last where all weights are 0.
    pub fn draw(&self, size: usize, rng: &mut Rng) -> u32 {
        let sum = self.weights[..size.min(MAX_HAND)].iter().sum::<u32>();
        self.at(size, below(rng, sum.max(1)))
    }

    /// The same by a uniform random word, to within 2^-32 of the sum of weights.
    pub fn place(&self, size: usize, word: u32) -> u32 {
        let sum = self.weights[..size.min(MAX_HAND)].iter().sum::<u32>();
        self.at(size, ((u64::from(word) * u64::from(sum)) >> 32) as u32)
    }

    fn at(&self, size: usize, mut left: u32) -> u32 {
        let weights = &self.weights[..size.min(MAX_HAND)];
        for (place, &weight) in weights.iter().enumerate() {
            if left < weight {
                return place as u32;
            }
            left -= weight;
        }
        size as u32 - 1
    }
}

/// Whether a strategy plays for the objectives on the table: every family's parameter `objectives`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Objectives {
    /// It does.
    #[default]
    Play,
    /// It plays as if there were none, to see what playing for them is worth.
    Ignore,
}

impl Objectives {
    const KEY: &'static str = "objectives";

    /// Takes the parameter from among those of a family.
    fn take(parameters: &mut Map<String, Value>) -> Result<Self, InputError> {
        let value = parameters.shift_remove(Self::KEY);
        value.map_or(Ok(Objectives::Play), |value| {
            read(&value).map_err(|error| error.under(Self::KEY))
        })
    }

    fn put(self, parameters: &mut Map<String, Value>) {
        parameters.insert(Self::KEY.to_owned(), serde_json::to_value(self).unwrap_or_default());
    }

    /// The rules as one sees them who ignores objectives, where that is to be and there are any.
    fn blind(self, rules: &Rules) -> Option<Rules> {
        let blind = self == Objectives::Ignore && rules.objectives() > 0;
        blind.then(|| rules.without_objectives())
    }
}

/// Whether a strategy plays for the objectives on the table; nothing where that is not known, as of a
/// program from outside.
pub fn is_aware(strategy: &StrategySpec, players: usize) -> Option<bool> {
    const BLIND: [&str; 3] = [simple::Random::NAME, simple::Lowest::NAME, simple::Highest::NAME];
    if BLIND.contains(&strategy.family.as_str()) {
        return Some(false);
    }
    let value = strategy.at(players).shift_remove(Objectives::KEY)?;
    Some(value != serde_json::to_value(Objectives::Ignore).unwrap_or_default())
}

/// Refuses weights that no sum of features needs.
fn check_weights(weights: &[(&'static str, f64)]) -> Result<(), InputError> {
    match weights.iter().find(|(_, weight)| weight.abs() > 1e6 || weight.is_nan()) {
        Some(&(key, weight)) => {
            Err(InputError::new(key, weight, "this must be from -1000000 to 1000000"))
        }
        None => Ok(()),
    }
}

/// The family of a strategy.
const fn family<S: Strategy>() -> Family<dyn Player> {
    Family {
        name: S::NAME,
        summary: S::SUMMARY,
        defaults: defaults::<S>,
        strategies: S::STRATEGIES,
        build: build::<S>,
    }
}

fn defaults<S: Strategy>() -> Map<String, Value> {
    let mut parameters = match serde_json::to_value(S::default()) {
        Ok(Value::Object(parameters)) => parameters,
        _ => Map::new(),
    };
    Objectives::default().put(&mut parameters);
    parameters
}

fn build<S: Strategy>(parameters: &Map<String, Value>) -> Built<dyn Player> {
    let mut parameters = parameters.clone();
    let objectives = Objectives::take(&mut parameters)?;
    let strategy: S = read(&Value::Object(parameters))?;
    strategy.check()?;
    Ok(Arc::new(Ready { strategy, objectives }))
}

/// A strategy that takes no seat yet.
struct Ready<S> {
    strategy: S,
    objectives: Objectives,
}

impl<S: Strategy> Build<dyn Player> for Ready<S> {
    fn seat(&self) -> Result<Box<dyn Player>, PlayError> {
        Ok(Box::new(Seated {
            strategy: self.strategy.clone(),
            objectives: self.objectives,
            memory: Vec::new(),
            prepared: false,
            blind: None,
        }))
    }
}

/// A built-in strategy on a seat.
struct Seated<S: Strategy> {
    strategy: S,
    objectives: Objectives,
    memory: Vec<S::Memory>,
    prepared: bool,
    /// The rules that it sees in place of the game's, where it ignores objectives.
    blind: Option<Rules>,
}

impl<S: Strategy> Player for Seated<S> {
    fn begin(&mut self, keys: &[GameKey]) {
        self.memory.clear();
        self.memory.resize_with(keys.len(), S::Memory::default);
    }

    fn choose(&mut self, request: Request<'_>) -> Result<(), PlayError> {
        if !self.prepared {
            self.blind = self.objectives.blind(request.rules);
            self.strategy.prepare(self.blind.as_ref().unwrap_or(request.rules));
            self.prepared = true;
        }
        let request = Request { rules: self.blind.as_ref().unwrap_or(request.rules), ..request };
        cpu::run(Choose { strategy: &self.strategy, memory: &mut self.memory, request });
        Ok(())
    }
}

struct Choose<'a, S: Strategy> {
    strategy: &'a S,
    memory: &'a mut [S::Memory],
    request: Request<'a>,
}

impl<S: Strategy> Kernel for Choose<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<L: Level>(self, level: L) {
        let Request { rules, seat, public, hands, rngs, plays } = self.request;
        let mut mixture = Mixture { weights: [0; MAX_HAND] };
        let games = public.iter().zip(hands).zip(self.memory).zip(rngs).zip(plays);
        for ((((public, &hand), memory), rng), play) in games {
            let view = View::new(rules, public, hand, seat, level);
            let desk = &mut Desk { memory, rng, mixture: &mut mixture };
            *play = match self.strategy.choose(&view, desk) {
                Decision::Play(card) => card,
                Decision::Uniform => view.nth_card(below(rng, view.hand_size())),
                Decision::Mixture => view.nth_card(mixture.draw(hand.count_ones() as usize, rng)),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_temperature_next_to_0_leaves_the_best_card() {
        let scale = 1.0 / 1e-320;
        let mut mixture = Mixture { weights: [1; MAX_HAND] };
        mixture.soften([-2.0, 0.0, -1e-9].into_iter().map(|above| above * scale));
        assert_eq!(mixture.weights[0], 0);
        assert!(mixture.weights[1] > 0);
        assert_eq!(mixture.weights[2], 0);
    }
}
