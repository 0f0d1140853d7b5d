//! `duct`: decoupled upper confidence bounds over the simultaneous choice.

use serde::{Deserialize, Serialize};

use super::playout::{self, Playouts, Position, Search};
use super::policy::Policy;
use super::{Card, Decision, Desk, Level, Strategy, View};
use crate::error::InputError;
use crate::games::mind_up::deck::DECK_SIZE;
use crate::games::mind_up::{Deck, MAX_PLAYERS, Rules};
use crate::rng::Rng;

/// Every seat chooses its card of this turn by a bandit of its own, all at once; what follows is a
/// playout. A card's bound is its mean value plus `exploration * sqrt(ln available / tried)`, where
/// `available` counts the playouts in which the seat held it: hidden cards are dealt anew each time
/// (Cowling, Powley and Whitehouse 2012, information set UCT; decoupled for simultaneous choices,
/// Tak, Lanctot and Winands 2014). The card that was tried most is played.
///
/// Where the own hand is the same in all playouts the others learn to answer a hand that they can't
/// see. So a share of the playouts may come first in which the own hidden cards are dealt anew too,
/// as all but oneself must see it. The own bandit then begins again with the hand that it has.
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
    /// The share of the playouts that deal the own hidden cards anew too, 0 to below 1.
    pub public: f64,
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
            public: 0.0,
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

/// The bandits of all seats.
struct Bandits {
    arms: [Arms; MAX_PLAYERS],
    exploration: f64,
}

impl Bandits {
    /// A playout in which all choose by their bounds, and learn.
    #[inline(always)]
    fn play<L: Level>(&mut self, search: &Search<'_, L>, start: Position, rng: &mut Rng) {
        let players = search.players();
        let unit = 1.0 / (players - 1) as f64;
        let mut plays = [0; MAX_PLAYERS];
        for seat in 0..players {
            plays[seat] = self.best(seat, start.hand(seat));
        }
        let values = search.play(start, &plays, rng);
        for seat in 0..players {
            let arm = &mut self.arms[seat][usize::from(plays[seat])];
            arm.tried += 1;
            arm.sum += values[seat] * unit;
        }
    }

    /// The card of a hand with the highest bound; one that was not tried yet comes before all others.
    #[inline(always)]
    fn best(&mut self, seat: usize, hand: u64) -> Card {
        let mut best = (f64::NEG_INFINITY, 0);
        for card in Deck::cards(hand) {
            let arm = &mut self.arms[seat][usize::from(card)];
            arm.available += 1;
            let bound = match arm.tried {
                0 => f64::INFINITY,
                tried => {
                    let (tried, available) = (f64::from(tried), f64::from(arm.available));
                    arm.sum / tried + self.exploration * (libm::log(available) / tried).sqrt()
                }
            };
            if bound > best.0 {
                best = (bound, card);
            }
        }
        best.1
    }

    /// The card of a hand that was tried most; the lowest of equal ones.
    #[inline(always)]
    fn most_tried(&self, seat: usize, hand: u64) -> Card {
        let mut most = (0, hand.trailing_zeros() as Card);
        for card in Deck::cards(hand) {
            let tried = self.arms[seat][usize::from(card)].tried;
            if tried > most.0 {
                most = (tried, card);
            }
        }
        most.1
    }
}

impl Strategy for Duct {
    const NAME: &'static str = "duct";
    const SUMMARY: &'static str =
        "a bandit for each seat over the simultaneous choice, and playouts after it";
    const STRATEGIES: &'static [&'static str] = &["policy"];
    type Memory = ();

    fn check(&self) -> Result<(), InputError> {
        playout::check(self.playouts, self.noise, self.horizon, self.carries)?;
        if !(0.0..=1000.0).contains(&self.exploration) {
            return Err(InputError::new(
                "exploration",
                self.exploration,
                "this must be from 0 to 1000 points",
            ));
        }
        match (0.0..1.0).contains(&self.public) {
            true => Ok(()),
            false => {
                Err(InputError::new("public", self.public, "this must be at least 0 and below 1"))
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
        let whole = self.playouts.saturating_mul(view.hand_size());
        let public = (f64::from(whole) * self.public) as u32;
        let arms = [[Arm::default(); DECK_SIZE]; MAX_PLAYERS];
        let mut bandits = Bandits { arms, exploration: self.exploration };
        for _ in 0..public {
            let start = search.deal_all(desk.rng);
            bandits.play(&search, start, desk.rng);
        }
        bandits.arms[view.seat()] = [Arm::default(); DECK_SIZE];
        for _ in public..whole {
            let start = search.deal(desk.rng);
            bandits.play(&search, start, desk.rng);
        }
        Decision::Play(bandits.most_tried(view.seat(), view.hand()))
    }
}
