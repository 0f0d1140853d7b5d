//! `random`: waits that have nothing to do with its cards.

use serde::{Deserialize, Serialize};

use super::{Draws, Strategy, seconds};
use crate::error::InputError;
use crate::games::the_mind::player::Intent;
use crate::games::the_mind::view::View;
use crate::rng::{below, unit};

/// Waits for a time drawn uniformly, for the playable card of a pile drawn uniformly. Drawn anew
/// after each event.
#[derive(Debug, Clone)]
pub struct Random {
    longest: f64,
}

/// The parameters of [`Random`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Parameters {
    /// The longest wait in seconds, above 0 and at most 1,000.
    pub longest: f64,
}

impl Default for Parameters {
    fn default() -> Self {
        Parameters { longest: 10.0 }
    }
}

impl Strategy for Random {
    type Parameters = Parameters;
    type Memory = ();
    const NAME: &'static str = "random";
    const SUMMARY: &'static str = "Waits for times that have nothing to do with its cards";

    fn new(parameters: Parameters) -> Result<Self, InputError> {
        let longest = seconds("longest", parameters.longest)?;
        Ok(Random { longest })
    }

    #[inline(always)]
    fn intend(&self, view: &View<'_>, _: &mut (), draws: &mut Draws<'_>) -> Intent {
        let rng = draws.rng();
        let wait = self.longest * unit(rng);
        let both =
            view.layout().piles() == 2 && view.playable(0).is_some() && view.playable(1).is_some();
        let pile = match both {
            true => below(rng, 2) as u8,
            false => u8::from(view.playable(0).is_none()),
        };
        Intent::Play { pile, wait }
    }
}
