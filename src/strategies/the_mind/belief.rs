//! What a seat may believe about piles and hands that it does not see.

use std::sync::LazyLock;

use crate::games::the_mind::cards::{Cards, DECK};
use crate::games::the_mind::view::View;

/// Where the top of a pile is believed to be, as a rank, by one who knows no plan of the others:
/// star policies ask so. Plans go by the [clock](super::clock) on blind piles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Belief {
    top: f64,
}

impl Belief {
    /// The top of a pile: what lies there on an open one, an expectation on a blind one.
    ///
    /// Blind piles: let b be the rank of the own highest card there (0 for none), and m the number
    /// of cards that others played after it. Those, and the cards of the pile that are still in
    /// other hands, are taken as N uniform ranks between b and the highest one, H, of which the m
    /// lowest were played. The m-th of N order statistics has the expectation
    /// b + (H + 1 - b) m / (N + 1). How many cards in other hands belong to this pile is not
    /// known: a share of them as large as the pile's share of all values not seen.
    #[inline(always)]
    pub fn of(view: &View<'_>, pile: usize) -> Belief {
        match view.top(pile) {
            Some(top) => Belief { top: f64::from(top) },
            None => view.rarely(|view| Belief::blind(view, pile)),
        }
    }

    fn blind(view: &View<'_>, pile: usize) -> Belief {
        let layout = view.layout();
        let own = view.played_blind().and(layout.mask(pile)).last();
        let base = own.map_or(0, |card| layout.rank(card));
        let after = f64::from(view.blind_since_own(pile));
        if after == 0.0 {
            return Belief { top: f64::from(base) };
        }
        let unseen = view.unseen();
        let above = unseen.and(layout.mask(pile)).minus(layout.up_to(pile, base)).len();
        let share = f64::from(above) / f64::from(unseen.len().max(1));
        let count = after + share * f64::from(view.hidden());
        let room = f64::from(layout.size()) + 1.0 - f64::from(base);
        Belief { top: f64::from(base) + room * after / (count + 1.0) }
    }

    /// The rank on top: whole on an open pile, an expectation on a blind one.
    pub const fn top(&self) -> f64 {
        self.top
    }

    /// How far a rank is from the top; 0 where the pile is believed to be past it.
    #[inline(always)]
    pub fn gap(&self, rank: u8) -> f64 {
        let gap = f64::from(rank) - self.top;
        if gap > 0.0 { gap } else { 0.0 }
    }

    /// How many values that may be in a hand come before a card of this rank on an open pile.
    #[inline(always)]
    pub fn between(view: &View<'_>, pile: usize, rank: u8) -> f64 {
        let layout = view.layout();
        let before = layout.before(layout.card(pile, rank));
        f64::from(Belief::may_be_held(view).and(before).len())
    }

    /// The cards that may be in other hands: not seen, and not below the top of an open pile,
    /// since whoever had held such a card would have had to set it aside.
    #[inline]
    pub fn may_be_out(view: &View<'_>) -> Cards {
        Belief::above_tops(view, view.unseen())
    }

    /// The cards that may be in any hand, for one who sees none.
    pub fn may_be_held(view: &View<'_>) -> Cards {
        Belief::above_tops(view, view.layout().deck().minus(view.seen()))
    }

    #[inline(always)]
    fn above_tops(view: &View<'_>, mut out: Cards) -> Cards {
        let layout = view.layout();
        for pile in 0..layout.piles() {
            if let Some(top) = view.top(pile) {
                out = out.minus(layout.up_to(pile, top));
            }
        }
        out
    }
}

/// Natural logarithms of n!, for n up to the deck's size.
static LOG_FACTORIAL: LazyLock<[f64; DECK + 1]> = LazyLock::new(|| {
    let mut logs = [0.0; DECK + 1];
    for n in 1..=DECK {
        logs[n] = logs[n - 1] + libm::log(n as f64);
    }
    logs
});

/// Minus the natural logarithm of C(r-l, c) / C(r, c): the probability that none of c cards, drawn
/// from r values, is one of l given values among them. `None` where that can't be.
///
/// Arguments beyond the deck, or l above r, are taken as impossible too.
#[inline]
pub fn log_none_within(r: u32, l: u32, c: u32) -> Option<f64> {
    let logs = &*LOG_FACTORIAL;
    let (r, l, c) = (r as usize, l as usize, c as usize);
    if r > DECK || l + c > r {
        return None;
    }
    if l == 0 || c == 0 {
        return Some(0.0);
    }
    Some(logs[r] + logs[r - l - c] - logs[r - l] - logs[r - c])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn none_within_is_the_quotient_of_binomials() {
        // C(7, 2) / C(10, 2) = 21 / 45.
        let p = libm::exp(-log_none_within(10, 3, 2).unwrap());
        assert!((p - 21.0 / 45.0).abs() < 1e-12);
        assert_eq!(log_none_within(10, 0, 2), Some(0.0));
        assert_eq!(log_none_within(10, 3, 0), Some(0.0));
        assert_eq!(log_none_within(10, 9, 2), None);
        assert_eq!(log_none_within(101, 0, 0), None);
    }
}
