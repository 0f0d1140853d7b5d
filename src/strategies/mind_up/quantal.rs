//! `quantal`: the best answer to seats that answer one another, better cards being likelier.

use serde::{Deserialize, Serialize};

use super::playout::{self, Mover, Playouts, Search};
use super::policy::Policy;
use super::{Card, Decision, Desk, Level, Strategy, View};
use crate::error::InputError;
use crate::games::mind_up::deck::DECK_SIZE;
use crate::games::mind_up::{Deck, MAX_PLAYERS, Rules};
use crate::rng::{Rng, unit};

/// Plays the best answer to a logit quantal response of all seats (McKelvey and Palfrey 1995).
///
/// In each deal of the hidden cards every seat draws its card of this turn with a probability in
/// proportion to `exp(value / temperature)`; `value` is the mean of what the card came to so far.
/// For the first `share` of the playouts all seats learn their values, each card by a playout with
/// the same random numbers; then the others stay as they are, and the own cards are valued against
/// them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Quantal {
    /// Playouts, for each card of the own hand: 1 to 100,000.
    pub playouts: u32,
    /// The share of the playouts that go into what the others will do, 0 to 1.
    pub share: f64,
    /// Points by which a card must be better to be e times as likely; above 0, at most 1,000.
    pub temperature: f64,
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

impl Default for Quantal {
    fn default() -> Self {
        Quantal {
            playouts: 400,
            share: 0.3,
            temperature: 1.0,
            noise: 0.25,
            policy: Policy::greedy(),
            horizon: 0,
            carries: 0.0,
        }
    }
}

/// What a card came to.
#[derive(Debug, Clone, Copy, Default)]
struct Worth {
    sum: f64,
    count: f64,
}

impl Worth {
    #[inline(always)]
    fn mean(&self, unknown: f64) -> f64 {
        if self.count > 0.0 { self.sum / self.count } else { unknown }
    }
}

/// By card what it came to for a seat.
type Worths = [Worth; DECK_SIZE];

/// Draws a card of a hand by its values. A card that was not seen yet counts as the mean of those
/// that were.
#[inline(always)]
fn draw(worths: &Worths, hand: u64, temperature: f64, rng: &mut Rng) -> Card {
    let (mut sum, mut count) = (0.0, 0.0);
    for card in Deck::cards(hand) {
        let worth = worths[usize::from(card)];
        if worth.count > 0.0 {
            sum += worth.mean(0.0);
            count += 1.0;
        }
    }
    let middle: f64 = if count > 0.0 { sum / count } else { 0.0 };
    let mut weights = [0.0; DECK_SIZE];
    let mut all = 0.0;
    for card in Deck::cards(hand) {
        let above = worths[usize::from(card)].mean(middle) - middle;
        let weight = libm::exp((above / temperature).clamp(-30.0, 30.0));
        weights[usize::from(card)] = weight;
        all += weight;
    }
    let mut left = unit(rng) * all;
    let mut last = 0;
    for card in Deck::cards(hand) {
        left -= weights[usize::from(card)];
        last = card;
        if left < 0.0 {
            break;
        }
    }
    last
}

impl Strategy for Quantal {
    const NAME: &'static str = "quantal";
    const SUMMARY: &'static str =
        "the best answer to seats that answer one another, better cards being likelier";
    const STRATEGIES: &'static [&'static str] = &["policy"];
    type Memory = ();

    fn check(&self) -> Result<(), InputError> {
        playout::check(self.playouts, self.noise, self.horizon, self.carries)?;
        if !(0.0..=1.0).contains(&self.share) {
            return Err(InputError::new("share", self.share, "0 to 1"));
        }
        if self.temperature > 0.0 && self.temperature <= 1_000.0 {
            return Ok(());
        }
        let what = "above 0 and at most 1000 points";
        Err(InputError::new("temperature", self.temperature, what))
    }

    fn prepare(&mut self, rules: &Rules) {
        self.policy.prepare(rules);
    }

    #[inline(always)]
    fn choose<L: Level>(&self, view: &View<'_, L>, desk: &mut Desk<'_, ()>) -> Decision {
        let mover = Mover { policy: &self.policy, noise: self.noise };
        let playouts =
            Playouts { own: mover, others: mover, horizon: self.horizon, carries: self.carries };
        let search = Search::new(view, &playouts);
        let (seat, players) = (view.seat(), view.players());
        let per_point = 1.0 / (players - 1) as f64;
        let mut worths = [[Worth::default(); DECK_SIZE]; MAX_PLAYERS];
        let whole = f64::from(self.playouts);
        let learning = (whole * self.share / players as f64).ceil() as u32;
        let answering = (whole * (1.0 - self.share)).ceil() as u32;
        for deal in 0..learning + answering {
            let start = search.deal(desk.rng);
            let mut plays = [0; MAX_PLAYERS];
            if deal == 0 {
                plays = search.choose(&start, desk.rng);
            } else {
                for other in 0..players {
                    plays[other] =
                        draw(&worths[other], start.hand(other), self.temperature, desk.rng);
                }
            }
            if deal == learning {
                worths[seat] = [Worth::default(); DECK_SIZE];
            }
            let mut after = desk.rng.clone();
            for other in 0..players {
                if deal >= learning && other != seat {
                    continue;
                }
                let mut own = plays;
                for card in Deck::cards(start.hand(other)) {
                    after = desk.rng.clone();
                    own[other] = card;
                    let value = search.play(start, &own, &mut after)[other];
                    let worth = &mut worths[other][usize::from(card)];
                    worth.sum += value * per_point;
                    worth.count += 1.0;
                }
            }
            *desk.rng = after;
        }
        let mut best = (f64::NEG_INFINITY, view.hand().trailing_zeros() as Card);
        for card in Deck::cards(view.hand()) {
            let mean = worths[seat][usize::from(card)].mean(f64::NEG_INFINITY);
            if mean > best.0 {
                best = (mean, card);
            }
        }
        Decision::Play(best.1)
    }
}
