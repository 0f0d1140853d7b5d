//! `soft-greedy`: greedy with a temperature.

use serde::{Deserialize, Serialize};

use super::policy::Reflex;
use super::values::Values;
use super::{Card, Decision, Desk, Level, Mixture, Strategy, View, greedy};
use crate::error::InputError;
use crate::games::mind_up::rules::MAX_HAND;

/// Plays each card with a probability in proportion to `exp(mean / temperature)`, the mean being the
/// worth by which `greedy` chooses; it declares this mixture.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SoftGreedy {
    /// Points by which a card must be better to be e times as likely; above 0, at most 1,000.
    pub temperature: f64,
}

impl Default for SoftGreedy {
    fn default() -> Self {
        SoftGreedy { temperature: 0.5 }
    }
}

impl SoftGreedy {
    #[inline(always)]
    fn mix<L: Level>(&self, view: &View<'_, L>, mixture: &mut Mixture) {
        let mut means = [0i64; MAX_HAND];
        let mut count = 0;
        greedy::means(view, |_, mean| {
            means[count] = mean;
            count = (count + 1).min(MAX_HAND - 1);
        });
        let hand = &means[..view.hand_size().min(MAX_HAND as u32) as usize];
        let best = hand.iter().copied().max().unwrap_or(0);
        let scale = 1.0 / (greedy::unit(view) as f64 * self.temperature);
        mixture.soften(hand.iter().map(|&mean| (mean - best) as f64 * scale));
    }
}

impl Reflex for SoftGreedy {
    #[inline(always)]
    fn pick<L: Level>(&self, view: &View<'_, L>, _: &Values, word: u32) -> Card {
        let mut mixture = Mixture { weights: [0; MAX_HAND] };
        self.mix(view, &mut mixture);
        view.nth_card(mixture.place(view.hand_size() as usize, word))
    }
}

impl Strategy for SoftGreedy {
    const NAME: &'static str = "soft-greedy";
    const SUMMARY: &'static str =
        "as greedy, but a card that is worse by the temperature is 1/e times as likely";
    type Memory = ();

    fn check(&self) -> Result<(), InputError> {
        if self.temperature > 0.0 && self.temperature <= 1_000.0 {
            return Ok(());
        }
        let what = "this must be above 0 and at most 1000 points";
        Err(InputError::new("temperature", self.temperature, what))
    }

    #[inline(always)]
    fn choose<L: Level>(&self, view: &View<'_, L>, desk: &mut Desk<'_, ()>) -> Decision {
        self.mix(view, desk.mixture);
        Decision::Mixture
    }
}
