//! `regret-matching`: a mixture over the simultaneous choice that leaves little to regret.

use serde::{Deserialize, Serialize};

use super::playout::{self, Playouts, Search};
use super::policy::Policy;
use super::{Card, Decision, Desk, Level, Strategy, View};
use crate::error::InputError;
use crate::games::mind_up::deck::DECK_SIZE;
use crate::games::mind_up::{Deck, MAX_PLAYERS, Rules};
use crate::rng::{Rng, unit};

/// Plays by a mixture that was found by regret matching (Hart and Mas-Colell 2000) over the choice
/// of this turn: in each deal of the hidden cards all seats draw a card, each card that a seat could
/// have played instead is valued by a playout with the same random numbers, and each seat plays on in
/// proportion to what it regrets. The mixture is the mean over all deals; it declares it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RegretMatching {
    /// Playouts, for each card of the own hand: 1 to 100,000. A deal takes one for each card of
    /// each seat.
    pub playouts: u32,
    /// The share of draws that are uniform, 0 to 1.
    pub exploration: f64,
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

impl Default for RegretMatching {
    fn default() -> Self {
        RegretMatching {
            playouts: 400,
            exploration: 0.2,
            noise: 0.25,
            policy: Policy::greedy(),
            horizon: 0,
            carries: 0.0,
        }
    }
}

/// By card what a seat regrets.
type Regrets = [f64; DECK_SIZE];

/// The mixture of a hand, in parts of its sum, in the order of its cards.
#[inline(always)]
fn mixture(regrets: &Regrets, hand: u64, each: impl FnMut(Card, f64)) {
    let mut each = each;
    let positive = |card: Card| regrets[usize::from(card)].max(0.0);
    let sum: f64 = Deck::cards(hand).map(positive).sum();
    let alike = 1.0 / f64::from(hand.count_ones());
    for card in Deck::cards(hand) {
        each(card, if sum > 0.0 { positive(card) / sum } else { alike });
    }
}

/// Draws a card of a hand.
#[inline(always)]
fn draw(regrets: &Regrets, hand: u64, exploration: f64, rng: &mut Rng) -> Card {
    let mut left = unit(rng);
    let mut drawn = None;
    let mut last = 0;
    let alike = exploration / f64::from(hand.count_ones());
    mixture(regrets, hand, |card, share| {
        left -= share * (1.0 - exploration) + alike;
        if left < 0.0 && drawn.is_none() {
            drawn = Some(card);
        }
        last = card;
    });
    drawn.unwrap_or(last)
}

/// What a mixture's weights add up to, nearly.
const WHOLE: f64 = (1 << 30) as f64;

impl Strategy for RegretMatching {
    const NAME: &'static str = "regret-matching";
    const SUMMARY: &'static str =
        "a mixture over the simultaneous choice, from the regrets of playouts";
    const STRATEGIES: &'static [&'static str] = &["policy"];
    type Memory = ();

    fn check(&self) -> Result<(), InputError> {
        playout::check(self.playouts, self.noise, self.horizon, self.carries)?;
        match (0.0..=1.0).contains(&self.exploration) {
            true => Ok(()),
            false => {
                Err(InputError::new("exploration", self.exploration, "this must be from 0 to 1"))
            }
        }
    }

    fn prepare(&mut self, rules: &Rules) {
        self.policy.prepare(rules);
    }

    #[inline(always)]
    fn choose<L: Level>(&self, view: &View<'_, L>, desk: &mut Desk<'_, ()>) -> Decision {
        let playouts = Playouts::alike(&self.policy, self.noise, self.horizon, self.carries);
        let search = Search::new(view, &playouts);
        let (seat, players) = (view.seat(), view.players());
        let mut regrets = [[0.0; DECK_SIZE]; MAX_PLAYERS];
        let mut mean = [0.0; DECK_SIZE];
        let deals = self.playouts.div_ceil(players as u32);
        for _ in 0..deals {
            let start = search.deal(desk.rng);
            let mut plays = [0; MAX_PLAYERS];
            for other in 0..players {
                plays[other] = draw(&regrets[other], start.hand(other), self.exploration, desk.rng);
            }
            mixture(&regrets[seat], view.hand(), |card, share| mean[usize::from(card)] += share);
            let mut after = desk.rng.clone();
            for other in 0..players {
                let mut values = [0.0; DECK_SIZE];
                let cards = (other, start.hand(other));
                after = search.each_of(start, plays, cards, desk.rng, |card, worth| {
                    values[usize::from(card)] = worth;
                });
                let mut expected = 0.0;
                mixture(&regrets[other], start.hand(other), |card, share| {
                    expected += share * values[usize::from(card)];
                });
                for card in Deck::cards(start.hand(other)) {
                    regrets[other][usize::from(card)] += values[usize::from(card)] - expected;
                }
            }
            *desk.rng = after;
        }
        let unit = WHOLE / f64::from(deals);
        for (card, weight) in Deck::cards(view.hand()).zip(&mut desk.mixture.weights) {
            *weight = (mean[usize::from(card)] * unit) as u32;
        }
        Decision::Mixture
    }
}
