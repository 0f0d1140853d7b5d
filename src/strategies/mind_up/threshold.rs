//! `threshold`: plays for a prize only from a learned value on.

use serde::{Deserialize, Serialize};

use super::odds::Odds;
use super::policy::Reflex;
use super::values::Values;
use super::{Card, Decision, Desk, Level, Strategy, View};
use crate::error::InputError;
use crate::games::mind_up::Deck;

/// Plays the card whose prize is expected to pass its threshold by the most; a prize below it counts
/// as nothing, so where none is worth it, the card goes that is the least loss. Equal cards: the
/// lowest.
///
/// A prize counts by what it adds to the score, objectives included as the tableaux lie. Its
/// threshold is the sum of one number for the round, one for the column that it would go on, and one
/// for each turn that is left after this one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Threshold {
    /// By round; the last one holds for all further rounds.
    pub rounds: [f64; 3],
    /// By column, from the left; the last one holds for all further columns.
    pub columns: [f64; 5],
    /// For each turn of the round after this one.
    pub left: f64,
    /// What a point counts that the card would be worth as the last one in hand, by the chance of
    /// one card of those that stay.
    pub keeps: f64,
}

impl Default for Threshold {
    fn default() -> Self {
        Threshold { rounds: [2.0; 3], columns: [0.0; 5], left: 0.0, keeps: 0.5 }
    }
}

impl Threshold {
    #[inline(always)]
    fn pick_of<L: Level, const PLAYERS: usize>(&self, view: &View<'_, L>, values: &Values) -> Card {
        let own = view.tableau(view.seat());
        let left = f64::from(view.hand_size().saturating_sub(2));
        let common = self.rounds[view.round().min(2)] + self.left * left;
        let mut worth = [0.0; PLAYERS];
        for (worth, prize) in worth.iter_mut().zip(view.prizes::<PLAYERS>()) {
            let column = own.column_for(view.deck().colour_of(prize)).min(4);
            let mut points = values.own(view, prize);
            if !view.objectives().is_empty() {
                points += f64::from(view.objective_gain(prize));
            }
            *worth = (points - common - self.columns[column]).max(0.0);
        }
        let means = Odds::new(view, values.unseen(view)).means(worth);
        let keeps = self.keeps / (left + 1.0);
        let mut best = (f64::NEG_INFINITY, 0);
        for card in Deck::cards(view.hand()) {
            let sum = means.of(card) - keeps * values.own(view, card);
            if sum > best.0 {
                best = (sum, card);
            }
        }
        best.1
    }
}

impl Reflex for Threshold {
    #[inline(always)]
    fn pick<L: Level>(&self, view: &View<'_, L>, values: &Values, _: u32) -> Card {
        match view.players() {
            2 => self.pick_of::<L, 2>(view, values),
            3 => self.pick_of::<L, 3>(view, values),
            4 => self.pick_of::<L, 4>(view, values),
            5 => self.pick_of::<L, 5>(view, values),
            _ => self.pick_of::<L, 6>(view, values),
        }
    }
}

impl Strategy for Threshold {
    const NAME: &'static str = "threshold";
    const SUMMARY: &'static str =
        "plays for a prize only from a value on that depends on round, turn and column";
    type Memory = ();

    fn check(&self) -> Result<(), InputError> {
        super::check_weights(&self.rounds.map(|weight| ("rounds", weight)))?;
        super::check_weights(&self.columns.map(|weight| ("columns", weight)))?;
        super::check_weights(&[("left", self.left), ("keeps", self.keeps)])
    }

    #[inline(always)]
    fn choose<L: Level>(&self, view: &View<'_, L>, _: &mut Desk<'_, ()>) -> Decision {
        Decision::Play(self.pick(view, &Values::new(view.rules(), view.public()), 0))
    }
}
