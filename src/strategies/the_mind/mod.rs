//! Strategies for The Mind and The Mind Extreme.
//!
//! A family is a file here that implements [`Strategy`], and a line in [`FAMILIES`]. Every family
//! has a `star` parameter besides its own: a [star policy](stars::Stars).

mod adaptive;
pub mod belief;
mod by_gap;
mod cheat_perfect;
pub mod clock;
mod exponential;
mod linear;
mod monte_carlo;
mod plan;
mod power;
mod random;
mod rank;
mod seated;
pub mod stars;
#[cfg(test)]
mod tests;
mod threshold;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Family;
use crate::error::InputError;
use crate::games::the_mind::cards::Layout;
use crate::games::the_mind::player::{Intent, Player, Sight};
use crate::games::the_mind::rules::Rules;
use crate::games::the_mind::view::View;

pub use adaptive::Adaptive;
pub use by_gap::{ByGap, Curve};
pub use cheat_perfect::CheatPerfect;
pub use exponential::Exponential;
pub use linear::Linear;
pub use monte_carlo::MonteCarlo;
pub use power::Power;
pub use random::Random;
pub use rank::Rank;
pub use seated::{Draws, Seated};
pub use threshold::Threshold;

/// All families.
pub static FAMILIES: &[Family<dyn Player>] = &[
    seated::family::<Random>(),
    seated::family::<Linear>(),
    seated::family::<Power>(),
    seated::family::<Exponential>(),
    seated::family::<Rank>(),
    seated::family::<Threshold>(),
    seated::family::<Adaptive>(),
    seated::family::<MonteCarlo>(),
    cheat_perfect::family(),
    crate::bots::family(),
];

/// Decides for one seat: what it means to play, and how long to wait for it.
pub trait Strategy: Clone + Send + Sync + Sized + 'static {
    /// Its parameters, each with a default; unknown ones are refused by serde.
    type Parameters: Serialize + DeserializeOwned + Default;
    /// What it remembers of a game.
    type Memory: Default + Clone + Send + 'static;
    /// The family's name.
    const NAME: &'static str;
    /// What it does, in one line.
    const SUMMARY: &'static str;
    /// Whether [`Strategy::observe`] is to be called; it costs a pass over the games.
    const OBSERVES: bool = false;

    /// The strategy with these parameters.
    ///
    /// # Errors
    /// The parameter that will not do, as the error's key.
    fn new(parameters: Self::Parameters) -> Result<Self, InputError>;

    /// Makes tables for these rules: once before the first block, and where the rules change.
    fn prepare(&mut self, _rules: &Rules) {}

    /// What the seat means to do, asked after each event while its hand is not empty.
    fn intend(&self, view: &View<'_>, memory: &mut Self::Memory, draws: &mut Draws<'_>) -> Intent;

    /// The seconds that it would have waited for a card that another is about to play on an open
    /// pile, in the place of that seat; `None` where its waits have no plan.
    ///
    /// Where bodies follow the tempo of others, the time seen over this is the pace seen: so among
    /// seats of one plan it must be the wait that the other one meant.
    fn plan(&self, _view: &View<'_>, _memory: &Self::Memory, _seen: &Sight) -> Option<f64> {
        None
    }

    /// Sees each event, [`View::last`], also with an empty hand.
    fn observe(&self, _view: &View<'_>, _memory: &mut Self::Memory) {}
}

/// The soonest of the playable cards of a hand, by the wait that each would have.
///
/// On two piles the families mean to play the card whose wait is the shorter, on equal waits the
/// first pile's (white), and the body's error is drawn once for it. `wait` gives `None` where it
/// would not play that pile's card now.
#[inline(always)]
pub fn soonest(view: &View<'_>, wait: impl Fn(usize, u8) -> Option<f64>) -> Intent {
    let layout = view.layout();
    let meant = |pile| {
        let card = view.playable(pile)?;
        wait(pile, layout.rank(card))
    };
    let play = |pile, wait| Intent::Play { pile, wait };
    let first = meant(0);
    let second = match layout {
        Layout::Number => None,
        Layout::WhiteRed => meant(1),
    };
    match (first, second) {
        (Some(first), Some(second)) if second < first => play(1, second),
        (Some(first), _) => play(0, first),
        (None, Some(second)) => play(1, second),
        (None, None) => Intent::Wait,
    }
}

/// Checks a parameter that is a time in seconds: above 0 and at most 1,000.
fn seconds(key: &str, value: f64) -> Result<f64, InputError> {
    if value > 0.0 && value <= 1_000.0 {
        return Ok(value);
    }
    Err(InputError::new(key, value, "this must be above 0 and at most 1000 seconds"))
}

/// Checks a parameter against a range, both ends included.
fn within(key: &str, value: f64, low: f64, high: f64) -> Result<f64, InputError> {
    if (low..=high).contains(&value) {
        return Ok(value);
    }
    Err(InputError::new(key, value, format!("this must be from {low} to {high}")))
}
