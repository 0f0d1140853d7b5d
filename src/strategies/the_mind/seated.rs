//! A strategy in a seat of a block of games: the loop around it, monomorphised for each strategy.

use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::Strategy;
use super::stars::Stars;
use crate::error::{InputError, Reader};
use crate::games::the_mind::player::{Batch, Intent, Player, Sight, Visit};
use crate::games::the_mind::rules::Rules;
use crate::games::the_mind::timing::Clocks;
use crate::games::the_mind::view::View;
use crate::rng::{GameKey, Rng, SeatPart};
use crate::strategies::{Build, Built, Family, PlayError};

/// A seat's own generator, made only where a strategy asks for it.
pub struct Draws<'a> {
    key: &'a GameKey,
    level: u8,
    attempt: u8,
    seat: usize,
    made: &'a mut Made,
}

/// A generator and the level and attempt that it was made for; level 0: none yet.
#[derive(Clone)]
struct Made {
    level: u8,
    attempt: u8,
    rng: Rng,
}

impl Draws<'_> {
    /// The generator of this seat's strategy in this level and attempt.
    #[inline]
    pub fn rng(&mut self) -> &mut Rng {
        if (self.made.level, self.made.attempt) != (self.level, self.attempt) {
            let (round, attempt) = (usize::from(self.level) - 1, usize::from(self.attempt));
            let rng = self.key.seat_rng(round, attempt, SeatPart::Strategy, self.seat);
            *self.made = Made { level: self.level, attempt: self.attempt, rng };
        }
        &mut self.made.rng
    }
}

/// A strategy with a star policy, in one seat of a block.
pub struct Seated<S: Strategy> {
    strategy: S,
    stars: Stars,
    rules: Option<Rules>,
    memories: Vec<(S::Memory, Made)>,
}

impl<S: Strategy> Seated<S> {
    /// A strategy that takes a seat.
    pub fn new(strategy: S, stars: Stars) -> Self {
        Seated { strategy, stars, rules: None, memories: Vec::new() }
    }
}

impl<S: Strategy> Player for Seated<S> {
    fn begin(&mut self, rules: &Rules, keys: &[GameKey]) -> Result<(), PlayError> {
        if self.rules.as_ref() != Some(rules) {
            self.strategy.prepare(rules);
            self.rules = Some(rules.clone());
        }
        let made = Made { level: 0, attempt: 0, rng: Rng::new(1) };
        self.memories.clear();
        self.memories.resize(keys.len(), (S::Memory::default(), made));
        Ok(())
    }

    fn observes(&self) -> bool {
        S::OBSERVES
    }

    fn observe(&mut self, batch: &mut Batch<'_, ()>) -> Result<(), PlayError> {
        batch.each(|slot, _, view, _| self.strategy.observe(view, &mut self.memories[slot].0));
        Ok(())
    }

    fn uses_stars(&self) -> bool {
        self.stars.uses_stars()
    }

    fn listens(&self) -> bool {
        false
    }

    fn vote(&mut self, batch: &mut Batch<'_, bool>) -> Result<(), PlayError> {
        self.stars.vote(batch);
        Ok(())
    }

    fn discard(&mut self, batch: &mut Batch<'_, u8>) -> Result<(), PlayError> {
        self.stars.discard_each(batch);
        Ok(())
    }

    fn intend(&mut self, batch: &mut Batch<'_, Intent>) -> Result<(), PlayError> {
        let mut intending = Intending { seat: batch.seat(), seated: self };
        batch.each(|slot, key, view, intent| intending.ask(slot, key, view, intent));
        Ok(())
    }

    fn act(&mut self, clocks: &mut Clocks<'_>) -> Result<bool, PlayError> {
        clocks.visit(&mut Intending { seat: clocks.seat(), seated: self });
        Ok(true)
    }

    fn plan(&mut self, batch: &mut Batch<'_, Sight>) -> Result<(), PlayError> {
        batch.each(|slot, _, view, sight| {
            sight.plan = self.strategy.plan(view, &self.memories[slot].0, sight);
        });
        Ok(())
    }
}

/// Asks a strategy what it means to do, in each game.
struct Intending<'a, S: Strategy> {
    seat: usize,
    seated: &'a mut Seated<S>,
}

impl<S: Strategy> Visit<Intent> for Intending<'_, S> {
    #[inline(always)]
    fn ask(&mut self, slot: usize, key: &GameKey, view: &View<'_>, intent: &mut Intent) {
        let Seated { strategy, memories, .. } = &mut *self.seated;
        let (memory, made) = &mut memories[slot];
        *intent = strategy.intend(view, memory, &mut draws(key, view, self.seat, made));
    }
}

#[inline(always)]
fn draws<'a>(key: &'a GameKey, view: &View<'_>, seat: usize, made: &'a mut Made) -> Draws<'a> {
    Draws { key, level: view.level(), attempt: view.attempt(), seat, made }
}

/// A strategy that was built and takes no seat yet.
struct Ready<S> {
    strategy: S,
    stars: Stars,
}

impl<S: Strategy> Build<dyn Player> for Ready<S> {
    fn seat(&self) -> Result<Box<dyn Player>, PlayError> {
        Ok(Box::new(Seated::new(self.strategy.clone(), self.stars.clone())))
    }
}

/// The line of a strategy in the list of families.
pub(super) const fn family<S: Strategy>() -> Family<dyn Player> {
    let defaults = defaults_with_star::<S::Parameters>;
    Family { name: S::NAME, summary: S::SUMMARY, defaults, strategies: &[], build: build::<S> }
}

const STAR: &str = "star";

/// A family's parameters at their defaults, its star policy among them.
pub(super) fn defaults_with_star<P: Serialize + Default>() -> Map<String, Value> {
    let own = serde_json::to_value(P::default());
    let mut map = match own {
        Ok(Value::Object(map)) => map,
        _ => Map::new(),
    };
    map.insert(STAR.into(), Stars::default().to_json());
    map
}

fn build<S: Strategy>(parameters: &Map<String, Value>) -> Built<dyn Player> {
    let (stars, own) = with_stars(parameters)?;
    Ok(Arc::new(Ready { strategy: S::new(own)?, stars }))
}

/// A family's star policy, and its own parameters.
///
/// # Errors
/// The parameter that will not do, as the error's key.
pub(super) fn with_stars<P: Serialize + DeserializeOwned + Default>(
    parameters: &Map<String, Value>,
) -> Result<(Stars, P), InputError> {
    let mut own = parameters.clone();
    // `shift_remove` keeps the order of the rest in the message of an unknown parameter.
    let stars = match own.shift_remove(STAR) {
        Some(star) => Stars::from_json(&star).map_err(|error| error.under(STAR))?,
        None => Stars::default(),
    };
    let reader = Reader::default().keys_are("parameter").beside(&[STAR]);
    Ok((stars, reader.read(&Value::Object(own))?))
}
