//! `monte-carlo`: plays what did best in playouts.

use serde::{Deserialize, Serialize};

use super::playout::{self, Playouts, Search};
use super::policy::Policy;
use super::{Decision, Desk, Level, Objectives, Strategy, View};
use crate::error::{InputError, read};
use crate::games::GameId;
use crate::games::mind_up::Rules;
use crate::games::mind_up::rules::MAX_HAND;
use crate::strategies::Library;

/// Plays the card that gave the most in playouts to the end of the round: own points minus the mean
/// of the others, objectives included. Equal cards: the lowest.
///
/// See [`Search::each_card`] for what a playout is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MonteCarlo {
    /// Playouts of each card, 1 to 100,000.
    pub playouts: u32,
    /// The share of a playout's choices that are uniform, 0 to 1.
    pub noise: f64,
    /// What the seats of a playout play by otherwise.
    pub policy: Policy,
    /// Turns that a playout goes on for, 0 to 60; 0: to the end of the round.
    pub horizon: u32,
    /// Points that a card counts by its distance from the middle of the deck, where the tableau
    /// will be the next hand; -1,000 to 1,000.
    pub carries: f64,
}

impl Default for MonteCarlo {
    fn default() -> Self {
        MonteCarlo { playouts: 25, noise: 0.25, policy: Policy::greedy(), horizon: 0, carries: 0.0 }
    }
}

impl MonteCarlo {
    /// The named strategy `monte-carlo`, prepared for these rules.
    pub fn shipped(library: &Library, rules: &Rules) -> Self {
        let specs = library.resolve(GameId::MindUp, &Self::NAME.into()).ok();
        let spec = specs.and_then(|specs| specs.into_iter().next());
        let own = spec.and_then(|spec| {
            let mut parameters = spec.at(rules.players());
            Objectives::take(&mut parameters).ok()?;
            read(&parameters.into()).ok()
        });
        let mut own: MonteCarlo = own.unwrap_or_default();
        own.policy.prepare(rules);
        own
    }

    /// How the playouts are made.
    #[inline(always)]
    pub fn playouts(&self) -> Playouts<'_> {
        Playouts::alike(&self.policy, self.noise, self.horizon, self.carries)
    }
}

impl Strategy for MonteCarlo {
    const NAME: &'static str = "monte-carlo";
    const SUMMARY: &'static str =
        "plays the card that did best in playouts with the hidden cards dealt anew";
    const STRATEGIES: &'static [&'static str] = &["policy"];
    type Memory = ();

    fn check(&self) -> Result<(), InputError> {
        playout::check(self.playouts, self.noise, self.horizon, self.carries)
    }

    fn prepare(&mut self, rules: &Rules) {
        self.policy.prepare(rules);
    }

    #[inline(always)]
    fn choose<L: Level>(&self, view: &View<'_, L>, desk: &mut Desk<'_, ()>) -> Decision {
        let mut sums = [0.0; MAX_HAND];
        Search::new(view, &self.playouts()).each_card(self.playouts, desk.rng, |place, value| {
            sums[place.min(MAX_HAND - 1)] += value;
        });
        Decision::Play(playout::highest(view.hand(), &sums))
    }
}
