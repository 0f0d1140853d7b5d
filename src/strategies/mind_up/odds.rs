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

    /// The mean of a worth that depends on the rank of a card, over its odds.
    #[inline(always)]
    pub fn mean(&self, card: Card, worth: &[f64; PLAYERS]) -> f64 {
        let unit = 1.0 / f64::from(self.whole);
        let below = self.below(card);
        // `mean[r]`: the mean where r of the seats looked at so far play below, the rest open. A
        // seat more mixes neighbours by its odds.
        let mut mean = *worth;
        for other in 0..PLAYERS - 1 {
            let p = f64::from(below[other]) * unit;
            for rank in 0..PLAYERS - 1 - other {
                mean[rank] += (mean[rank + 1] - mean[rank]) * p;
            }
        }
        mean[0]
    }
}
