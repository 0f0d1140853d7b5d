//! What a seat may see.

use super::deck::{Card, Deck, MAX_COLOURS};
use super::rules::Rules;
use super::state::{Public, Tableau};
use crate::cpu::Level;

/// A seat's view: all that is public, and its own hand. Other hands and the deck are not in it.
///
/// Strategies can't reach further:
///
/// ```compile_fail
/// fn peek(view: &mindlab::games::mind_up::View<'_, mindlab::cpu::Portable>) -> u64 {
///     view.public.known[0]
/// }
/// ```
#[derive(Debug, Clone, Copy)]
pub struct View<'a, L> {
    rules: &'a Rules,
    public: &'a Public,
    hand: u64,
    seat: usize,
    level: L,
}

impl<'a, L: Level> View<'a, L> {
    /// The view of a seat with this hand.
    #[inline(always)]
    pub fn new(rules: &'a Rules, public: &'a Public, hand: u64, seat: usize, level: L) -> Self {
        View { rules, public, hand, seat, level }
    }

    /// The instruction level that the strategy is compiled for.
    #[inline(always)]
    pub fn level(&self) -> L {
        self.level
    }

    /// The same view under other rules, with the same deck and as many players.
    #[inline(always)]
    pub(crate) fn under<'b>(&self, rules: &'b Rules) -> View<'b, L>
    where
        'a: 'b,
    {
        View { rules, ..*self }
    }

    /// All that is public, to be played on from.
    #[inline(always)]
    pub(crate) fn public(&self) -> &'a Public {
        self.public
    }

    /// The rules of the game.
    #[inline(always)]
    pub fn rules(&self) -> &'a Rules {
        self.rules
    }

    /// The deck that the game is played with.
    #[inline(always)]
    pub fn deck(&self) -> &'a Deck {
        self.rules.deck()
    }

    /// The number of players.
    #[inline(always)]
    pub fn players(&self) -> usize {
        self.rules.players()
    }

    /// The seat that looks.
    #[inline(always)]
    pub fn seat(&self) -> usize {
        self.seat
    }

    /// The other seats.
    #[inline(always)]
    pub fn others(&self) -> impl Iterator<Item = usize> + use<L> {
        let seat = self.seat;
        (0..self.players()).filter(move |&other| other != seat)
    }

    /// The round, from 0.
    pub fn round(&self) -> usize {
        usize::from(self.public.round)
    }

    /// The seat's own hand.
    #[inline(always)]
    pub fn hand(&self) -> u64 {
        self.hand
    }

    /// The number of cards in each hand.
    #[inline(always)]
    pub fn hand_size(&self) -> u32 {
        u32::from(self.public.hand_size)
    }

    /// The `k`-th lowest card of the own hand.
    #[inline(always)]
    pub fn nth_card(&self, k: u32) -> Card {
        self.level.select(self.hand, k) as Card
    }

    /// The row of prizes.
    #[inline(always)]
    pub fn row(&self) -> u64 {
        self.public.row
    }

    /// The `k`-th lowest card of the row: the prize of the `k`-th lowest card played.
    #[inline(always)]
    pub fn prize(&self, k: u32) -> Card {
        self.level.select(self.public.row, k) as Card
    }

    /// What the lowest card played will take, the second lowest, and so on, with `PLAYERS` players.
    #[inline(always)]
    pub fn prizes<const PLAYERS: usize>(&self) -> [Card; PLAYERS] {
        Deck::lowest(self.public.row)
    }

    /// The values of the columns from the left.
    #[inline(always)]
    pub fn scoring(&self) -> &'a [i8; MAX_COLOURS] {
        &self.public.scoring
    }

    /// A seat's tableau.
    #[inline(always)]
    pub fn tableau(&self, seat: usize) -> &'a Tableau {
        &self.public.tableaux[seat]
    }

    /// A seat's points of the rounds before this one.
    pub fn total(&self, seat: usize) -> i32 {
        self.public.totals[seat]
    }

    /// A seat's points in the round before this one.
    pub fn last_round(&self, seat: usize) -> i16 {
        self.public.last_round[seat]
    }

    /// The card that a seat played in the turn before this one, where the round had one.
    pub fn last_play(&self, seat: usize) -> Option<Card> {
        let first = usize::from(self.public.hand_size) == self.rules.hand_size(self.round());
        (!first).then_some(self.public.last_plays[seat])
    }

    /// The indices of the objectives on the table.
    pub fn objectives(&self) -> &'a [u8] {
        &self.public.objectives[..self.rules.objectives()]
    }

    /// What the objectives would give a seat, were the round to end with the tableaux as they lie.
    pub fn objective_points(&self, seat: usize) -> i16 {
        self.public.objective_points(self.rules, seat)
    }

    /// What a prize would change of the own objective points, were the round to end with it and the
    /// tableaux as they lie.
    #[inline]
    pub fn objective_gain(&self, prize: Card) -> i16 {
        let mut own = self.public.tableaux[self.seat];
        own.place(self.deck(), prize);
        self.public.objective_points_with(self.rules, self.seat, &own)
            - self.objective_points(self.seat)
    }

    /// The cards known to be in a seat's hand: from the second round on, where hands are tableaux,
    /// all but the drawn one. Of the own hand, what the others know of it.
    #[inline(always)]
    pub fn known(&self, seat: usize) -> u64 {
        self.public.known[seat]
    }

    /// The number of cards in another seat's hand that are not known.
    #[inline(always)]
    pub fn hidden(&self, seat: usize) -> u32 {
        self.hand_size() - self.public.known[seat].count_ones()
    }

    /// The cards whose place this seat does not know: in the deck or hidden in another hand.
    #[inline(always)]
    pub fn unseen(&self) -> u64 {
        let mut seen = self.hand | self.public.row;
        for seat in 0..self.players() {
            // What the others know of the own hand is part of it.
            seen |= self.public.tableaux[seat].cards | self.public.known[seat];
        }
        Deck::ALL & !seen
    }
}
