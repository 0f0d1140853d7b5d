//! `exponential`: waits by an exponential of the gap.

use serde::{Deserialize, Serialize};

use super::belief::Belief;
use super::{Draws, Strategy, seconds, soonest, within};
use crate::error::InputError;
use crate::games::the_mind::cards::DECK;
use crate::games::the_mind::player::{Intent, Sight};
use crate::games::the_mind::view::View;

/// Waits `pace * pivot * (e^(steepness * gap / pivot) - 1) / (e^steepness - 1)` seconds: as long as
/// `linear` at the pivot, less for smaller gaps and more for greater ones.
#[derive(Debug, Clone)]
pub struct Exponential {
    parameters: Parameters,
    /// The wait for each whole gap, which is all there is on open piles.
    waits: [f64; DECK + 1],
}

/// The parameters of [`Exponential`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Parameters {
    /// Seconds a number at the pivot, above 0 and at most 1,000.
    pub pace: f64,
    /// The exponent at the pivot, above 0 and at most 20; close to 0 is `linear`.
    pub steepness: f64,
    /// The gap at which the wait is that of `linear`, 1 to 100.
    pub pivot: f64,
}

impl Default for Parameters {
    fn default() -> Self {
        Parameters { pace: 1.0, steepness: 1.5, pivot: 25.0 }
    }
}

impl Parameters {
    fn wait(&self, gap: f64) -> f64 {
        let Parameters { pace, steepness, pivot } = *self;
        pace * pivot * libm::expm1(steepness * gap / pivot) / libm::expm1(steepness)
    }
}

impl Strategy for Exponential {
    type Parameters = Parameters;
    type Memory = ();
    const NAME: &'static str = "exponential";
    const SUMMARY: &'static str = "Waits by an exponential of the gap: far longer when far";

    fn new(parameters: Parameters) -> Result<Self, InputError> {
        seconds("pace", parameters.pace)?;
        let Parameters { steepness, pivot, .. } = parameters;
        if !(steepness > 0.0 && steepness <= 20.0) {
            return Err(InputError::new("steepness", steepness, "above 0 and at most 20"));
        }
        within("pivot", pivot, 1.0, 100.0)?;
        let waits = std::array::from_fn(|gap| parameters.wait(gap as f64));
        Ok(Exponential { parameters, waits })
    }

    #[inline(always)]
    fn intend(&self, view: &View<'_>, _: &mut (), _: &mut Draws<'_>) -> Intent {
        soonest(view, |pile, rank| self.wait(view, pile, rank))
    }

    fn plan(&self, view: &View<'_>, _: &(), seen: &Sight) -> Option<f64> {
        self.wait(view, seen.pile(), seen.rank())
    }
}

impl Exponential {
    /// The wait for a card at a gap, whole or not.
    pub(super) fn at(&self, gap: f64) -> f64 {
        self.parameters.wait(gap)
    }

    #[inline(always)]
    fn wait(&self, view: &View<'_>, pile: usize, rank: u8) -> Option<f64> {
        match view.top(pile) {
            Some(top) => self.waits.get(usize::from(rank.saturating_sub(top))).copied(),
            None => Some(self.at(Belief::of(view, pile).gap(rank))),
        }
    }
}
