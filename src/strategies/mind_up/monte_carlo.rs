//! `monte-carlo`: plays what did best in playouts.

use serde::{Deserialize, Serialize};

use super::playout::{Playouts, Policy};
use super::{Card, Decision, Desk, Level, Strategy, View};
use crate::error::InputError;
use crate::games::mind_up::Deck;
use crate::games::mind_up::rules::MAX_HAND;

/// Plays the card that gave the most in playouts to the end of the round: own points minus the mean
/// of the others, objectives included. Equal cards: the lowest.
///
/// See [`Playouts::run`] for what a playout is.
#[derive(Debug, Clone, Serialize, Deserialize)]
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
}

impl Default for MonteCarlo {
    fn default() -> Self {
        MonteCarlo { playouts: 25, noise: 0.25, policy: Policy::Greedy, horizon: 0 }
    }
}

/// The most playouts of a card.
pub const MOST_PLAYOUTS: u32 = 100_000;

impl MonteCarlo {
    /// How the playouts are made.
    pub fn playouts(&self) -> Playouts {
        Playouts {
            count: self.playouts,
            policy: self.policy,
            noise: self.noise,
            horizon: self.horizon,
        }
    }
}

impl Strategy for MonteCarlo {
    const NAME: &'static str = "monte-carlo";
    const SUMMARY: &'static str =
        "plays the card that did best in playouts with the hidden cards dealt anew";
    type Memory = ();

    fn check(&self) -> Result<(), InputError> {
        let refuse = |key, value: String, what| Err(InputError::new(key, value, what));
        if !(1..=MOST_PLAYOUTS).contains(&self.playouts) {
            return refuse("playouts", self.playouts.to_string(), "1 to 100000 playouts a card");
        }
        if !(0.0..=1.0).contains(&self.noise) {
            return refuse("noise", self.noise.to_string(), "a share of choices, 0 to 1");
        }
        if self.horizon > 60 {
            return refuse(
                "horizon",
                self.horizon.to_string(),
                "0 to 60 turns (0: the whole round)",
            );
        }
        Ok(())
    }

    #[inline(always)]
    fn choose<L: Level>(&self, view: &View<'_, L>, desk: &mut Desk<'_, ()>) -> Decision {
        let mut sums = [0i64; MAX_HAND];
        self.playouts().run(view, desk.rng, |place, value| {
            sums[place.min(MAX_HAND - 1)] += i64::from(value);
        });
        let mut best = (i64::MIN, 0);
        for (card, &sum) in Deck::cards(view.hand()).zip(&sums) {
            if sum > best.0 {
                best = (sum, card);
            }
        }
        Decision::Play(best.1 as Card)
    }
}
