//! `linear`: waits in proportion to the gap.

use serde::{Deserialize, Serialize};

use super::clock::by_clock;
use super::{Draws, Strategy, soonest};
use crate::error::InputError;
use crate::games::the_mind::player::{Intent, Sight};
use crate::games::the_mind::view::View;

/// Waits `pace` seconds for each number between its card and the top of the pile; on a blind pile
/// as many for each rank since the level's start.
#[derive(Debug, Clone)]
pub struct Linear {
    pace: f64,
}

/// The parameters of [`Linear`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Parameters {
    /// Seconds a number, above 0 and at most 1,000.
    pub pace: f64,
}

impl Default for Parameters {
    fn default() -> Self {
        Parameters { pace: 1.0 }
    }
}

impl Linear {
    /// The wait for a card at a gap.
    #[inline(always)]
    pub(super) fn at(&self, gap: f64) -> f64 {
        self.pace * gap
    }

    #[inline(always)]
    fn wait(&self, view: &View<'_>, pile: usize, rank: u8) -> Option<f64> {
        Some(match view.top(pile) {
            Some(top) => self.at(f64::from(rank.saturating_sub(top))),
            None => by_clock(view, rank, |gap| self.at(gap)),
        })
    }
}

impl Strategy for Linear {
    type Parameters = Parameters;
    type Memory = ();
    const NAME: &'static str = "linear";
    const SUMMARY: &'static str = "Waits in proportion to the gap between its card and the pile";

    fn new(parameters: Parameters) -> Result<Self, InputError> {
        let pace = super::seconds("pace", parameters.pace)?;
        Ok(Linear { pace })
    }

    #[inline(always)]
    fn intend(&self, view: &View<'_>, _: &mut (), _: &mut Draws<'_>) -> Intent {
        soonest(view, |pile, rank| self.wait(view, pile, rank))
    }

    fn plan(&self, view: &View<'_>, _: &(), seen: &Sight) -> Option<f64> {
        self.wait(view, seen.pile(), seen.rank())
    }
}
