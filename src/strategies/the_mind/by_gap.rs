//! Plans that look at the gap alone, along a curve; on blind piles, at the clock.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::clock::by_clock;
use super::{Draws, Strategy, soonest};
use crate::error::InputError;
use crate::games::the_mind::cards::DECK;
use crate::games::the_mind::player::{Intent, Sight};
use crate::games::the_mind::view::View;

/// The parameters of a curve, which make a family of it.
pub trait Curve:
    Debug + Clone + Default + Serialize + DeserializeOwned + Send + Sync + 'static
{
    /// The family's name.
    const NAME: &'static str;
    /// What it does, in one line.
    const SUMMARY: &'static str;

    /// Checks the parameters.
    ///
    /// # Errors
    /// The one that will not do, as the error's key.
    fn check(&self) -> Result<(), InputError>;

    /// The seconds to wait for a card at a gap, whole or not.
    fn wait(&self, gap: f64) -> f64;
}

/// Waits as long as a curve says for the gap.
#[derive(Debug, Clone)]
pub struct ByGap<C> {
    curve: C,
    /// The wait for each whole gap, as open piles have.
    waits: [f64; DECK + 1],
}

impl<C: Curve> Strategy for ByGap<C> {
    type Parameters = C;
    type Memory = ();
    const NAME: &'static str = C::NAME;
    const SUMMARY: &'static str = C::SUMMARY;

    fn new(curve: C) -> Result<Self, InputError> {
        curve.check()?;
        let waits = std::array::from_fn(|gap| curve.wait(gap as f64));
        Ok(ByGap { curve, waits })
    }

    #[inline(always)]
    fn intend(&self, view: &View<'_>, _: &mut (), _: &mut Draws<'_>) -> Intent {
        soonest(view, |pile, rank| self.wait(view, pile, rank))
    }

    fn plan(&self, view: &View<'_>, _: &(), seen: &Sight) -> Option<f64> {
        self.wait(view, seen.pile(), seen.rank())
    }
}

impl<C: Curve> ByGap<C> {
    /// The wait for a card at a gap, whole or not.
    pub(super) fn at(&self, gap: f64) -> f64 {
        self.curve.wait(gap)
    }

    /// The wait for a card of a pile, as the seat sees it.
    #[inline(always)]
    pub(super) fn wait(&self, view: &View<'_>, pile: usize, rank: u8) -> Option<f64> {
        match view.top(pile) {
            Some(top) => self.waits.get(usize::from(rank.saturating_sub(top))).copied(),
            None => Some(by_clock(view, rank, |gap| self.at(gap))),
        }
    }
}
