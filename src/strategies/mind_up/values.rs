//! What all seats of a turn see alike.

use super::{Card, Level, View};
use crate::games::mind_up::deck::MAX_COLOURS;
use crate::games::mind_up::{Deck, MAX_PLAYERS, Public, Rules};

/// What playouts make once a turn for all seats: what a card of each colour is worth to each of
/// them, its bubble aside, and which cards everybody knows.
#[derive(Debug, Clone, Copy)]
pub struct Values {
    seen: u64,
    /// By seat and colour the value of the column that a card would go on.
    of: [[i8; MAX_COLOURS]; MAX_PLAYERS],
    sum: [i16; MAX_COLOURS],
}

impl Values {
    /// The values on these tableaux.
    #[inline(always)]
    pub fn new(rules: &Rules, public: &Public) -> Self {
        let mut values =
            Values { seen: public.row, of: [[0; MAX_COLOURS]; MAX_PLAYERS], sum: [0; MAX_COLOURS] };
        for seat in 0..rules.players() {
            values.seen |= public.tableaux[seat].cards | public.known[seat];
            for colour in 0..rules.deck().colours().len().min(MAX_COLOURS) {
                let column = public.tableaux[seat].column_for(colour);
                let value = public.scoring[column & (MAX_COLOURS - 1)];
                values.of[seat][colour] = value;
                values.sum[colour] += i16::from(value);
            }
        }
        values
    }

    /// The same as [`View::unseen`].
    #[inline(always)]
    pub fn unseen<L: Level>(&self, view: &View<'_, L>) -> u64 {
        Deck::ALL & !(self.seen | view.hand())
    }

    /// What a card would add to the own score, bubble included, objectives not.
    #[inline(always)]
    pub fn own<L: Level>(&self, view: &View<'_, L>, card: Card) -> f64 {
        let colour = view.deck().colour_of(card) & (MAX_COLOURS - 1);
        f64::from(i16::from(self.of[view.seat()][colour]) + view.deck().points(card))
    }

    /// What it would add to the score of another seat, in the mean over the others.
    #[inline(always)]
    pub fn others<L: Level>(&self, view: &View<'_, L>, card: Card) -> f64 {
        let colour = view.deck().colour_of(card) & (MAX_COLOURS - 1);
        let sum = self.sum[colour] - i16::from(self.of[view.seat()][colour]);
        f64::from(sum) / (view.players() - 1) as f64 + f64::from(view.deck().points(card))
    }
}
