//! `power`: waits by a power of the gap, so that errors that grow with the interval matter less.

use serde::{Deserialize, Serialize};

use super::belief::Belief;
use super::{Draws, Strategy, seconds, soonest, within};
use crate::error::InputError;
use crate::games::the_mind::cards::DECK;
use crate::games::the_mind::player::{Intent, Sight};
use crate::games::the_mind::view::View;

/// Waits `pace * pivot * (gap / pivot)^exponent` seconds: as long as `linear` at the pivot, less
/// for smaller gaps and more for greater ones where the exponent is above 1.
#[derive(Debug, Clone)]
pub struct Power {
    parameters: Parameters,
    /// The wait for each whole gap, which is all there is on open piles.
    waits: [f64; DECK + 1],
}

/// The parameters of [`Power`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Parameters {
    /// Seconds a number at the pivot, above 0 and at most 1,000.
    pub pace: f64,
    /// The exponent, above 0 and at most 10; 1 is `linear`.
    pub exponent: f64,
    /// The gap at which the wait is that of `linear`, 1 to 100.
    pub pivot: f64,
}

impl Default for Parameters {
    fn default() -> Self {
        Parameters { pace: 1.0, exponent: 2.0, pivot: 25.0 }
    }
}

impl Parameters {
    fn wait(&self, gap: f64) -> f64 {
        self.pace * self.pivot * libm::pow(gap / self.pivot, self.exponent)
    }
}

impl Strategy for Power {
    type Parameters = Parameters;
    type Memory = ();
    const NAME: &'static str = "power";
    const SUMMARY: &'static str = "Waits by a power of the gap: quick when close, slow when far";

    fn new(parameters: Parameters) -> Result<Self, InputError> {
        seconds("pace", parameters.pace)?;
        let Parameters { exponent, pivot, .. } = parameters;
        if !(exponent > 0.0 && exponent <= 10.0) {
            return Err(InputError::new("exponent", exponent, "above 0 and at most 10"));
        }
        within("pivot", pivot, 1.0, 100.0)?;
        let waits = std::array::from_fn(|gap| parameters.wait(gap as f64));
        Ok(Power { parameters, waits })
    }

    #[inline(always)]
    fn intend(&self, view: &View<'_>, _: &mut (), _: &mut Draws<'_>) -> Intent {
        soonest(view, |pile, rank| self.wait(view, pile, rank))
    }

    fn plan(&self, view: &View<'_>, _: &(), seen: &Sight) -> Option<f64> {
        self.wait(view, seen.pile(), seen.rank())
    }
}

impl Power {
    /// The wait for a card at a gap, whole or not.
    pub(super) fn at(&self, gap: f64) -> f64 {
        self.parameters.wait(gap)
    }

    /// The wait for a card with a whole gap, up to the deck's size.
    pub(super) fn after(&self, gap: u8) -> f64 {
        self.waits.get(usize::from(gap)).copied().unwrap_or(f64::INFINITY)
    }

    #[inline(always)]
    pub(super) fn wait(&self, view: &View<'_>, pile: usize, rank: u8) -> Option<f64> {
        match view.top(pile) {
            Some(top) => self.waits.get(usize::from(rank.saturating_sub(top))).copied(),
            None => Some(self.at(Belief::of(view, pile).gap(rank))),
        }
    }
}
