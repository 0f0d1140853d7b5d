//! The odds of each prize: how many of the others play below a card.

use super::{Card, Level, View};

/// The others as a one-ply strategy takes them: each plays any card of its hand alike, the hidden
/// ones being any of the unseen cards. So the number of them that play below a card is a Poisson
/// binomial.
pub struct Odds<const PLAYERS: usize> {
    known: [u64; PLAYERS],
    hidden: [u32; PLAYERS],
    unseen: u64,
    count: u32,
    whole: u32,
}

impl<const PLAYERS: usize> Odds<PLAYERS> {
    /// The odds that the seat of this view, one of `PLAYERS`, sees; `unseen` is the view's.
    #[inline(always)]
    pub fn new<L: Level>(view: &View<'_, L>, unseen: u64) -> Self {
        let count = unseen.count_ones().max(1);
        let (mut known, mut hidden) = ([0; PLAYERS], [0; PLAYERS]);
        for other in 0..PLAYERS - 1 {
            let seat = other + usize::from(other >= view.seat());
            known[other] = view.known(seat);
            hidden[other] = view.hidden(seat);
        }
        Odds { known, hidden, unseen, count, whole: count * view.hand_size() }
    }

    /// What [`below`](Self::below) is a share of: the unseen cards times the cards of a hand.
    #[inline(always)]
    pub fn whole(&self) -> u32 {
        self.whole
    }

    /// The chance, in parts of [`whole`](Self::whole), that each of the others plays below a card.
    #[inline(always)]
    pub fn below(&self, card: Card) -> [u32; PLAYERS] {
        let mask = (1u64 << card) - 1;
        let unseen_below = (self.unseen & mask).count_ones();
        let mut below = [0; PLAYERS];
        for other in 0..PLAYERS - 1 {
            let known_below = (self.known[other] & mask).count_ones();
            below[other] = known_below * self.count + self.hidden[other] * unseen_below;
        }
        below
    }

    /// Means of a worth that depends on the rank of a card.
    #[inline(always)]
    pub fn means(self, worth: [f64; PLAYERS]) -> Means<PLAYERS> {
        let alike = self.known == [0; PLAYERS];
        let unit = 1.0 / f64::from(self.whole);
        let worth = if alike { powers(worth) } else { worth };
        Means { odds: self, alike, unit, worth }
    }
}

/// The mean over `n` draws with the same chance `p`, as coefficients of the powers of `p`:
/// `C(n, k)` times the `k`-th forward difference.
#[inline(always)]
fn powers<const PLAYERS: usize>(mut worth: [f64; PLAYERS]) -> [f64; PLAYERS] {
    for k in 1..PLAYERS {
        for rank in (k..PLAYERS).rev() {
            worth[rank] -= worth[rank - 1];
        }
    }
    let mut factor = 1.0;
    for k in 1..PLAYERS {
        factor *= (PLAYERS - k) as f64 / k as f64;
        worth[k] *= factor;
    }
    worth
}

/// See [`Odds::means`].
pub struct Means<const PLAYERS: usize> {
    odds: Odds<PLAYERS>,
    /// Whether nothing is known of the others' hands: then all have the same odds.
    alike: bool,
    unit: f64,
    worth: [f64; PLAYERS],
}

impl<const PLAYERS: usize> Means<PLAYERS> {
    /// The mean over a card's odds.
    #[inline(always)]
    pub fn of(&self, card: Card) -> f64 {
        if self.alike {
            let below = self.odds.unseen & ((1u64 << card) - 1);
            let p = f64::from(below.count_ones() * self.odds.hidden[0]) * self.unit;
            return self.worth.iter().rev().fold(0.0, |sum, worth| sum * p + worth);
        }
        let below = self.odds.below(card);
        // `mean[r]`: the mean where r of the seats looked at so far play below, the rest open. A
        // seat more mixes neighbours by its odds.
        let mut mean = self.worth;
        for other in 0..PLAYERS - 1 {
            let p = f64::from(below[other]) * self.unit;
            for rank in 0..PLAYERS - 1 - other {
                mean[rank] += (mean[rank + 1] - mean[rank]) * p;
            }
        }
        mean[0]
    }
}
