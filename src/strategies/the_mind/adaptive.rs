//! `adaptive`: waits by a power of the gap, at the tempo of the others.

use serde::{Deserialize, Serialize};

use super::power::{self, Power};
use super::{Draws, Strategy, soonest, within};
use crate::error::InputError;
use crate::games::the_mind::player::{Intent, Sight};
use crate::games::the_mind::state::Event;
use crate::games::the_mind::view::View;

/// Plays that follow an event sooner than this, in seconds, were meant before it: nobody reacts so
/// fast (simple visual reaction takes 0.231 s in the mean, Woods et al. 2015).
const REACTION: f64 = 0.25;
/// The furthest, as a factor, that it leaves its plan.
const FURTHEST: f64 = 4.0;

/// Waits as [`Power`] does, times a tempo that it learns from the pauses before open plays.
///
/// Of the others it keeps the seconds that passed and those that its plan would have waited for
/// the same cards; of itself the seconds that passed and those that it meant. With `prior` seconds
/// added to all four, the tempo is (others' quotient / own quotient)^follow, within a factor of 4.
/// Both quotients are of cards that fell before all others, so that what this does to them cancels.
///
/// A body that adapts as well is shown the wait at this tempo, so that it corrects what is left.
#[derive(Debug, Clone)]
pub struct Adaptive {
    plan: Power,
    follow: f64,
    prior: f64,
}

/// The parameters of [`Adaptive`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Parameters {
    /// Seconds a number at the pivot, above 0 and at most 1,000.
    pub pace: f64,
    /// The exponent, above 0 and at most 10.
    pub exponent: f64,
    /// The gap at which the wait is `pace` times the gap, 1 to 100.
    pub pivot: f64,
    /// How far it follows, from 0 (as `power`) to 1.
    pub follow: f64,
    /// Seconds at the plan's own tempo that are believed before anything is seen, 1 to 10,000.
    pub prior: f64,
}

impl Default for Parameters {
    fn default() -> Self {
        Parameters { pace: 1.0, exponent: 2.0, pivot: 25.0, follow: 0.8, prior: 50.0 }
    }
}

/// Seconds that passed before open plays, and those that were planned for them.
#[derive(Debug, Clone, Copy, Default)]
struct Pace {
    passed: f64,
    planned: f64,
}

/// What a seat has seen of a game's pace.
#[derive(Debug, Clone, Copy, Default)]
pub struct Memory {
    others: Pace,
    own: Pace,
}

impl Strategy for Adaptive {
    type Parameters = Parameters;
    type Memory = Memory;
    const NAME: &'static str = "adaptive";
    const SUMMARY: &'static str = "Waits by a power of the gap, at the tempo of the others";
    const OBSERVES: bool = true;

    fn new(parameters: Parameters) -> Result<Self, InputError> {
        let Parameters { pace, exponent, pivot, follow, prior } = parameters;
        let plan = Power::new(power::Parameters { pace, exponent, pivot })?;
        within("follow", follow, 0.0, 1.0)?;
        within("prior", prior, 1.0, 10_000.0)?;
        Ok(Adaptive { plan, follow, prior })
    }

    #[inline(always)]
    fn intend(&self, view: &View<'_>, memory: &mut Memory, _: &mut Draws<'_>) -> Intent {
        let tempo = self.tempo(memory);
        soonest(view, |pile, rank| self.plan.wait(view, pile, rank).map(|wait| tempo * wait))
    }

    fn plan(&self, view: &View<'_>, memory: &Memory, seen: &Sight) -> Option<f64> {
        let wait = self.plan.wait(view, seen.pile(), seen.rank())?;
        Some(self.tempo(memory) * wait)
    }

    fn observe(&self, view: &View<'_>, memory: &mut Memory) {
        let Event::Play { seat, card: Some(_), gap, .. } = view.last() else {
            return;
        };
        if view.pause() < REACTION {
            return;
        }
        let planned = self.plan.at(f64::from(gap));
        let tempo = self.tempo(memory);
        let own = usize::from(seat) == view.seat();
        let (pace, planned) =
            if own { (&mut memory.own, tempo * planned) } else { (&mut memory.others, planned) };
        pace.passed += view.pause();
        pace.planned += planned;
    }
}

impl Adaptive {
    #[inline(always)]
    fn tempo(&self, memory: &Memory) -> f64 {
        let log = |pace: Pace| libm::log((self.prior + pace.passed) / (self.prior + pace.planned));
        let tempo = libm::exp(self.follow * (log(memory.others) - log(memory.own)));
        tempo.clamp(1.0 / FURTHEST, FURTHEST)
    }
}
