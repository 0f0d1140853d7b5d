//! `duct`: decoupled upper confidence bounds over the simultaneous choice.

use serde::{Deserialize, Serialize};

use super::playout::{self, Playouts, Search};
use super::policy::Policy;
use super::{Card, Decision, Desk, Level, Strategy, View};
use crate::error::InputError;
use crate::games::mind_up::deck::DECK_SIZE;
use crate::games::mind_up::{Deck, MAX_PLAYERS, Rules};

/// Every seat chooses its card of this turn by a bandit of its own, all at once; what follows is a
/// playout. A card's bound is its mean value plus `exploration * sqrt(ln available / tried)`, where
/// `available` counts the playouts in which the seat held it: hidden cards are dealt anew each time
/// (Cowling, Powley and Whitehouse 2012, information set UCT; decoupled for simultaneous choices,
/// Tak, Lanctot and Winands 2014). The card that was tried most is played.
///
/// The tree ends with this turn: a joint choice of four hands of seven comes back once in 2,401
/// playouts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Duct {
    /// Playouts, for each card of the own hand: 1 to 100,000.
    pub playouts: u32,
    /// Points that a bound stands above the mean where `ln available` is `tried`; 0 to 1,000.
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

impl Default for Duct {
    fn default() -> Self {
        Duct {
            playouts: 400,
            exploration: 5.0,
            noise: 0.25,
            policy: Policy::greedy(),
            horizon: 0,
            carries: 0.0,
        }
    }
}

/// What a seat has seen of a card.
#[derive(Debug, Clone, Copy, Default)]
struct Arm {
    sum: f64,
    tried: u32,
    available: u32,
}

/// The cards of one seat.
type Arms = [Arm; DECK_SIZE];

/// The card of a hand with the highest bound; one that was not tried yet comes before all others.
#[inline(always)]
fn best(arms: &mut Arms, hand: u64, exploration: f64) -> Card {
    let mut best = (f64::NEG_INFINITY, 0);
    for card in Deck::cards(hand) {
        let arm = &mut arms[usize::from(card)];
        arm.available += 1;
        let bound = match arm.tried {
            0 => f64::INFINITY,
            tried => {
                let tried = f64::from(tried);
                arm.sum / tried + exploration * (libm::log(f64::from(arm.available)) / tried).sqrt()
            }
        };
        if bound > best.0 {
            best = (bound, card);
        }
    }
    best.1
}

impl Strategy for Duct {
    const NAME: &'static str = "duct";
    const SUMMARY: &'static str =
        "a bandit for each seat over the simultaneous choice, and playouts after it";
    const STRATEGIES: &'static [&'static str] = &["policy"];
    type Memory = ();

    fn check(&self) -> Result<(), InputError> {
        playout::check(self.playouts, self.noise, self.horizon, self.carries)?;
        match (0.0..=1000.0).contains(&self.exploration) {
            true => Ok(()),
            false => Err(InputError::new("exploration", self.exploration, "0 to 1000 points")),
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
        let unit = 1.0 / (players - 1) as f64;
        let mut arms = [[Arm::default(); DECK_SIZE]; MAX_PLAYERS];
        for _ in 0..self.playouts.saturating_mul(view.hand_size()) {
            let start = search.deal(desk.rng);
            let mut plays = [0; MAX_PLAYERS];
            for other in 0..players {
                plays[other] = best(&mut arms[other], start.hand(other), self.exploration);
            }
            let values = search.play(start, &plays, desk.rng);
            for other in 0..players {
                let arm = &mut arms[other][usize::from(plays[other])];
                arm.tried += 1;
                arm.sum += values[other] * unit;
            }
        }
        let mut most = (0, view.hand().trailing_zeros() as Card);
        for card in Deck::cards(view.hand()) {
            let tried = arms[seat][usize::from(card)].tried;
            if tried > most.0 {
                most = (tried, card);
            }
        }
        Decision::Play(most.1)
    }
}
