//! `cognitive-hierarchy`: the best answer to seats that think as far as oneself or less.

use serde::{Deserialize, Serialize};

use super::playout::{self, Playouts, Position, Search};
use super::policy::Policy;
use super::{Card, Decision, Desk, Level, Strategy, View};
use crate::error::InputError;
use crate::games::mind_up::deck::DECK_SIZE;
use crate::games::mind_up::{Deck, MAX_PLAYERS, Rules};
use crate::rng::{Rng, unit};

/// Plays the best answer to a cognitive hierarchy (Camerer, Ho and Chong 2004) over the choice of
/// this turn, with logit responses (McKelvey and Palfrey 1995).
///
/// A seat of level 0 plays by `policy`. One of a higher level takes the others to be of the levels
/// below, level k being `depth^k / k!` times as likely as level 0; it values its cards by playouts,
/// all cards with the same random numbers, and draws one with a probability in proportion to
/// `exp(value / temperature)`. What these seats know is what the others know of them: in their
/// playouts all hidden cards are dealt anew, the own ones too. The own cards are then valued against
/// seats of all levels, the better half of them again and again (sequential halving, Karnin, Koren
/// and Somekh 2013).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CognitiveHierarchy {
    /// Playouts, for each card of the own hand: 1 to 100,000.
    pub playouts: u32,
    /// The share of the playouts that go into what the others will do, 0 to 1.
    pub share: f64,
    /// The highest level that others may have, 1 to 4.
    pub levels: u32,
    /// How far others think, in the mean of a Poisson law that ends with `levels`; 0 to 100.
    pub depth: f64,
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

impl Default for CognitiveHierarchy {
    fn default() -> Self {
        CognitiveHierarchy {
            playouts: 400,
            share: 0.5,
            levels: 2,
            depth: 1.5,
            temperature: 1.0,
            noise: 0.25,
            policy: Policy::greedy(),
            horizon: 0,
            carries: 0.0,
        }
    }
}

/// The most levels above 0.
const MOST_LEVELS: usize = 4;

/// What a card came to.
#[derive(Debug, Clone, Copy, Default)]
struct Worth {
    sum: f64,
    count: f64,
}

impl Worth {
    #[inline(always)]
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1.0;
    }
}

/// By card what it came to for a seat.
type Worths = [Worth; DECK_SIZE];

/// Draws a card of a hand by its values. A card that was not valued yet counts as the mean of those
/// that were.
#[inline(always)]
fn draw(worths: &Worths, hand: u64, temperature: f64, rng: &mut Rng) -> Card {
    let mean = |card: Card| {
        let worth = worths[usize::from(card)];
        (worth.count > 0.0).then(|| worth.sum / worth.count)
    };
    let (mut sum, mut count) = (0.0, 0.0);
    for value in Deck::cards(hand).filter_map(mean) {
        sum += value;
        count += 1.0;
    }
    let middle = if count > 0.0 { sum / count } else { 0.0 };
    let weight = |card: Card| {
        let above = mean(card).unwrap_or(middle) - middle;
        libm::exp((above / temperature).clamp(-30.0, 30.0))
    };
    let mut up_to = [0.0; DECK_SIZE];
    let mut all = 0.0;
    for card in Deck::cards(hand) {
        all += weight(card);
        up_to[usize::from(card)] = all;
    }
    let drawn = unit(rng) * all;
    let passed = Deck::cards(hand).find(|&card| drawn < up_to[usize::from(card)]);
    passed.unwrap_or(hand.trailing_zeros() as Card)
}

/// The levels learned so far.
struct Levels<'a> {
    strategy: &'a CognitiveHierarchy,
    /// How many of them, level 0 not counted.
    known: usize,
    worths: [[Worths; MAX_PLAYERS]; MOST_LEVELS],
}

impl Levels<'_> {
    /// What all seats choose where each is of one of the known levels.
    #[inline(always)]
    fn choose<L: Level>(
        &self,
        search: &Search<'_, L>,
        start: &Position,
        players: usize,
        rng: &mut Rng,
    ) -> [Card; MAX_PLAYERS] {
        let mut plays = search.choose(start, rng);
        let mut weights = [1.0; MOST_LEVELS + 1];
        let mut all = 1.0;
        for level in 1..=self.known {
            weights[level] = weights[level - 1] * self.strategy.depth / level as f64;
            all += weights[level];
        }
        for seat in 0..players {
            let mut left = unit(rng) * all;
            let mut level = 0;
            while level < self.known && left >= weights[level] {
                left -= weights[level];
                level += 1;
            }
            if level > 0 {
                let worths = &self.worths[level - 1][seat];
                plays[seat] = draw(worths, start.hand(seat), self.strategy.temperature, rng);
            }
        }
        plays
    }
}

/// The half of the cards, rounded up, that came to most.
#[inline(always)]
fn better_half(worths: &Worths, cards: u64) -> u64 {
    let mean = |card: Card| {
        let worth = worths[usize::from(card)];
        worth.sum / worth.count
    };
    let mut left = cards;
    for _ in 0..cards.count_ones() / 2 {
        let mut worst = (f64::INFINITY, 0);
        for card in Deck::cards(left) {
            // Of equal cards the highest goes.
            if mean(card) <= worst.0 {
                worst = (mean(card), card);
            }
        }
        left &= !(1 << worst.1);
    }
    left
}

impl Strategy for CognitiveHierarchy {
    const NAME: &'static str = "cognitive-hierarchy";
    const SUMMARY: &'static str =
        "the best answer to seats that think as far as itself or less, by playouts";
    const STRATEGIES: &'static [&'static str] = &["policy"];
    type Memory = ();

    fn check(&self) -> Result<(), InputError> {
        playout::check(self.playouts, self.noise, self.horizon, self.carries)?;
        if !(0.0..=1.0).contains(&self.share) {
            return Err(InputError::new("share", self.share, "0 to 1"));
        }
        if !(1..=MOST_LEVELS as u32).contains(&self.levels) {
            return Err(InputError::new("levels", self.levels, "1 to 4"));
        }
        if !(0.0..=100.0).contains(&self.depth) {
            return Err(InputError::new("depth", self.depth, "0 to 100"));
        }
        if self.temperature > 0.0 && self.temperature <= 1_000.0 {
            return Ok(());
        }
        let what = "above 0 and at most 1000 points";
        Err(InputError::new("temperature", self.temperature, what))
    }

    fn prepare(&mut self, rules: &Rules) {
        self.policy.prepare(rules);
        // Values are summed in units of a point over the number of others.
        self.temperature *= (rules.players() - 1) as f64;
    }

    #[inline(always)]
    fn choose<L: Level>(&self, view: &View<'_, L>, desk: &mut Desk<'_, ()>) -> Decision {
        let playouts = Playouts::alike(&self.policy, self.noise, self.horizon, self.carries);
        let search = Search::new(view, &playouts);
        let (seat, players) = (view.seat(), view.players());
        let whole = f64::from(self.playouts);
        let each = whole * self.share / (players as f64 * f64::from(self.levels));
        let mut levels = Levels {
            strategy: self,
            known: 0,
            worths: [[[Worth::default(); DECK_SIZE]; MAX_PLAYERS]; MOST_LEVELS],
        };
        for level in 0..self.levels as usize {
            levels.known = level;
            for _ in 0..each.ceil() as u32 {
                let start = search.deal_all(desk.rng);
                let plays = levels.choose(&search, &start, players, desk.rng);
                let mut after = desk.rng.clone();
                for other in 0..players {
                    let cards = (other, start.hand(other));
                    let worths = &mut levels.worths[level][other];
                    after = search.each_of(start, plays, cards, desk.rng, |card, worth| {
                        worths[usize::from(card)].add(worth);
                    });
                }
                *desk.rng = after;
            }
        }
        levels.known = self.levels as usize;
        let mut own = [Worth::default(); DECK_SIZE];
        let mut left = view.hand();
        let rounds = f64::from(left.count_ones().next_power_of_two().trailing_zeros());
        let each = whole * (1.0 - self.share) * f64::from(left.count_ones()) / rounds;
        while left.count_ones() > 1 {
            for _ in 0..(each / f64::from(left.count_ones())).ceil().max(1.0) as u32 {
                let start = search.deal(desk.rng);
                let plays = levels.choose(&search, &start, players, desk.rng);
                *desk.rng = search.each_of(start, plays, (seat, left), desk.rng, |card, worth| {
                    own[usize::from(card)].add(worth);
                });
            }
            left = better_half(&own, left);
        }
        Decision::Play(left.trailing_zeros() as Card)
    }
}
