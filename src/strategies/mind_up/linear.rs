//! `linear`: greedy, and what a card is good for beyond this turn, in learned weights.

use serde::{Deserialize, Serialize};

use super::odds::Odds;
use super::policy::Reflex;
use super::values::Values;
use super::{Card, Decision, Desk, Level, Mixture, Strategy, View};
use crate::error::InputError;
use crate::games::mind_up::Deck;
use crate::games::mind_up::deck::{DECK_SIZE, MAX_COLOURS};
use crate::games::mind_up::rules::{MAX_HAND, NextHand};

/// Plays the card with the highest sum of weighted features; equal cards: the lowest.
///
/// A prize counts, in the mean over the [`Odds`] of its rank: its worth (weight 1), and by the
/// weights below what it does to the columns, to the others, to the objectives and to the next hand.
/// The card itself counts by what it would be worth in hand, and as a prize of the next turn. `left`
/// is the number of turns of the round after this one. With a temperature it declares a mixture, each
/// card in proportion to `exp(sum / temperature)`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Linear {
    /// A prize of a new colour.
    pub opens: f64,
    /// The same, times `left`.
    pub opens_left: f64,
    /// The same, times `left` and the value of the column that it opens.
    pub opens_value: f64,
    /// The same, times `left` and the value of the column that it leaves to the next new colour.
    pub opens_next: f64,
    /// What the prize is worth to the others, in the mean.
    pub denies: f64,
    /// What the prize changes of the own objective points.
    pub objective: f64,
    /// The same, times `left`.
    pub objective_left: f64,
    /// How far from the middle of the deck the prize is (0 to 1), where it will be in the next hand.
    pub carries: f64,
    /// What the card would be worth as the last one in hand, by the chance of one card of those
    /// that stay: over `left` + 1.
    pub keeps: f64,
    /// What the card is worth to oneself, where there is a next turn to take it in.
    pub retakes: f64,
    /// What the card is worth to the others in the next turn, in the mean.
    pub gives: f64,
    /// How far from the middle of the deck the card is (0 to 1), where there is a next turn.
    pub extreme: f64,
    /// The same, times `left`.
    pub extreme_left: f64,
    /// Points of the sum by which a card must be better to be e times as likely, 0 to 1,000; 0: the
    /// best card is played always.
    pub temperature: f64,
}

impl Linear {
    fn weights(&self) -> [(&'static str, f64); 13] {
        [
            ("opens", self.opens),
            ("opens_left", self.opens_left),
            ("opens_value", self.opens_value),
            ("opens_next", self.opens_next),
            ("denies", self.denies),
            ("objective", self.objective),
            ("objective_left", self.objective_left),
            ("carries", self.carries),
            ("keeps", self.keeps),
            ("retakes", self.retakes),
            ("gives", self.gives),
            ("extreme", self.extreme),
            ("extreme_left", self.extreme_left),
        ]
    }

    /// Gives `each` the cards of the hand, ascending, with their sums of weighted features.
    #[inline(always)]
    pub(super) fn means<L: Level>(
        &self,
        view: &View<'_, L>,
        values: &Values,
        each: impl FnMut(Card, f64),
    ) {
        // Loops over a known number of seats are unrolled.
        match view.players() {
            2 => self.means_of::<L, 2>(view, values, each),
            3 => self.means_of::<L, 3>(view, values, each),
            4 => self.means_of::<L, 4>(view, values, each),
            5 => self.means_of::<L, 5>(view, values, each),
            _ => self.means_of::<L, 6>(view, values, each),
        }
    }

    #[inline(always)]
    fn means_of<L: Level, const PLAYERS: usize>(
        &self,
        view: &View<'_, L>,
        values: &Values,
        mut each: impl FnMut(Card, f64),
    ) {
        let left = f64::from(view.hand_size().saturating_sub(2));
        let worth = self.prizes::<L, PLAYERS>(view, values, left);
        let means = Odds::new(view, values.unseen(view)).means(worth);
        let last = left == 0.0;
        let keeps = self.keeps / (left + 1.0);
        let extreme = self.extreme + self.extreme_left * left;
        for card in Deck::cards(view.hand()) {
            let own = values.own(view, card);
            let mut sum = means.of(card) - keeps * own;
            if !last {
                sum += self.retakes * own;
                sum += self.gives * values.others(view, card) + extreme * distance(card);
            }
            each(card, sum);
        }
    }

    #[inline(always)]
    fn mix<L: Level>(&self, view: &View<'_, L>, values: &Values, mixture: &mut Mixture) {
        let mut means = [0.0; MAX_HAND];
        let mut count = 0;
        let mut best = f64::NEG_INFINITY;
        self.means(view, values, |_, mean| {
            means[count] = mean;
            best = best.max(mean);
            count = (count + 1).min(MAX_HAND - 1);
        });
        let hand = &means[..view.hand_size().min(MAX_HAND as u32) as usize];
        let scale = 1.0 / self.temperature;
        mixture.soften(hand.iter().map(|mean| (mean - best) * scale));
    }

    /// What the prize of each rank counts.
    #[inline(always)]
    fn prizes<L: Level, const PLAYERS: usize>(
        &self,
        view: &View<'_, L>,
        values: &Values,
        left: f64,
    ) -> [f64; PLAYERS] {
        let own = view.tableau(view.seat());
        let scoring = |column: usize| f64::from(view.scoring()[column & (MAX_COLOURS - 1)]);
        let (here, next) = (scoring(own.columns()), scoring(own.columns() + 1));
        let by_left = self.opens_left + self.opens_value * here + self.opens_next * next;
        let opens = self.opens + left * by_left;
        let carries = if is_carried(view) { self.carries } else { 0.0 };
        let objective = self.objective + self.objective_left * left;
        let mut worth = [0.0; PLAYERS];
        for (worth, prize) in worth.iter_mut().zip(view.prizes::<PLAYERS>()) {
            *worth = values.own(view, prize)
                + self.denies * values.others(view, prize)
                + carries * distance(prize);
            if own.column_of(view.deck().colour_of(prize)).is_none() {
                *worth += opens;
            }
            if !view.objectives().is_empty() {
                *worth += objective * f64::from(view.objective_gain(prize));
            }
        }
        worth
    }
}

/// Whether the tableaux will be the next hands.
#[inline(always)]
pub(super) fn is_carried<L: Level>(view: &View<'_, L>) -> bool {
    let rules = view.rules();
    rules.next_hand() == NextHand::Tableau && view.round() + 1 < rules.rounds()
}

/// How far from the middle of the deck a card is: 0 to 1.
#[inline(always)]
pub(super) fn distance(card: Card) -> f64 {
    const MIDDLE: f64 = (DECK_SIZE - 1) as f64 / 2.0;
    (f64::from(card) - MIDDLE).abs() * (1.0 / MIDDLE)
}

impl Reflex for Linear {
    #[inline(always)]
    fn pick<L: Level>(&self, view: &View<'_, L>, values: &Values, word: u32) -> Card {
        if self.temperature > 0.0 {
            let mut mixture = Mixture { weights: [0; MAX_HAND] };
            self.mix(view, values, &mut mixture);
            return view.nth_card(mixture.place(view.hand_size() as usize, word));
        }
        let mut best = (f64::NEG_INFINITY, 0);
        self.means(view, values, |card, mean| {
            if mean > best.0 {
                best = (mean, card);
            }
        });
        best.1
    }
}

impl Strategy for Linear {
    const NAME: &'static str = "linear";
    const SUMMARY: &'static str =
        "as greedy, and by learned weights what a card is good for beyond this turn";
    type Memory = ();

    fn check(&self) -> Result<(), InputError> {
        super::check_weights(&self.weights())?;
        match (0.0..=1_000.0).contains(&self.temperature) {
            true => Ok(()),
            false => Err(InputError::new(
                "temperature",
                self.temperature,
                "this must be from 0 to 1000 points",
            )),
        }
    }

    #[inline(always)]
    fn choose<L: Level>(&self, view: &View<'_, L>, desk: &mut Desk<'_, ()>) -> Decision {
        let values = Values::new(view.rules(), view.public());
        if self.temperature > 0.0 {
            self.mix(view, &values, desk.mixture);
            return Decision::Mixture;
        }
        Decision::Play(self.pick(view, &values, 0))
    }
}
