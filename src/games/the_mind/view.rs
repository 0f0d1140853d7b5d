//! What one seat may know.

use super::cards::{Card, Cards, Layout};
use super::rules::Rules;
use super::state::{Event, Public, Table};

/// What a seat may know: what is public, its own hand, and the cards that it played blind itself.
///
/// Other hands are not in it, so that no strategy can look into them.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    rules: &'a Rules,
    /// That of the rules: where a loop is compiled for one layout, the compiler knows it here.
    layout: Layout,
    public: &'a Public,
    hand: Cards,
    played_blind: Cards,
    seat: u8,
}

impl<'a> View<'a> {
    /// A seat's view of a table.
    #[inline(always)]
    pub fn new(rules: &'a Rules, table: &'a Table, seat: usize) -> Self {
        View::in_layout(rules.layout(), rules, table, seat)
    }

    #[inline(always)]
    pub(super) fn in_layout(
        layout: Layout,
        rules: &'a Rules,
        table: &'a Table,
        seat: usize,
    ) -> Self {
        View {
            rules,
            layout,
            public: &table.public,
            hand: table.hands[seat],
            played_blind: table.played_blind[seat],
            seat: seat as u8,
        }
    }

    /// Asks a rare question of a copy, whose fields go by value: so the view itself need not lie
    /// in memory where the usual questions are answered from registers.
    #[inline(always)]
    pub(crate) fn rarely<T>(&self, ask: impl FnOnce(&View<'_>) -> T) -> T {
        let View { rules, layout, public, hand, played_blind, seat } = *self;
        copied(rules, layout, public, hand, played_blind, seat, ask)
    }

    /// The rules.
    #[inline(always)]
    pub const fn rules(&self) -> &'a Rules {
        self.rules
    }

    /// Which cards and piles there are.
    #[inline(always)]
    pub const fn layout(&self) -> Layout {
        self.layout
    }

    /// The own seat, from 0.
    #[inline(always)]
    pub const fn seat(&self) -> usize {
        self.seat as usize
    }

    /// The own hand.
    #[inline(always)]
    pub const fn hand(&self) -> Cards {
        self.hand
    }

    /// The own card of a pile that may be played: the lowest rank.
    #[inline(always)]
    pub const fn playable(&self, pile: usize) -> Option<Card> {
        self.layout().playable(self.hand, pile)
    }

    /// The cards that this seat played blind in this level.
    #[inline(always)]
    pub const fn played_blind(&self) -> Cards {
        self.played_blind
    }

    /// The rank on top of an open pile (0: empty); `None` for a blind one.
    #[inline(always)]
    pub const fn top(&self, pile: usize) -> Option<u8> {
        if self.is_blind(pile) { None } else { Some(self.public.tops[pile]) }
    }

    /// Whether a pile is blind in this level.
    #[inline(always)]
    pub const fn is_blind(&self, pile: usize) -> bool {
        self.public.blind >> pile & 1 == 1
    }

    /// Whether any pile is blind in this level.
    #[inline(always)]
    pub const fn any_blind(&self) -> bool {
        self.public.blind != 0
    }

    /// The level, from 1.
    #[inline(always)]
    pub const fn level(&self) -> u8 {
        self.public.level
    }

    /// How often the level was dealt before.
    pub const fn attempt(&self) -> u8 {
        self.public.attempt
    }

    /// The lives held.
    #[inline(always)]
    pub const fn lives(&self) -> u8 {
        self.public.lives
    }

    /// The stars held.
    #[inline(always)]
    pub const fn stars(&self) -> u8 {
        self.public.stars
    }

    /// The refocuses that the level still allows.
    #[inline(always)]
    pub const fn refocuses(&self) -> u8 {
        self.public.refocuses
    }

    /// The cards in a seat's hand.
    #[inline(always)]
    pub const fn size(&self, seat: usize) -> u8 {
        self.public.sizes[seat]
    }

    /// The cards in all other hands together.
    #[inline(always)]
    pub const fn hidden(&self) -> u8 {
        self.public.left - self.public.sizes[self.seat as usize]
    }

    /// The cards of this level that all have seen: played open, set aside, discarded by a star.
    #[inline(always)]
    pub const fn seen(&self) -> Cards {
        self.public.seen
    }

    /// The same, of one seat.
    pub const fn shown(&self, seat: usize) -> Cards {
        self.public.shown[seat]
    }

    /// The cards that this seat has not seen: neither in its hand, nor seen by all, nor played
    /// blind by itself.
    #[inline(always)]
    pub const fn unseen(&self) -> Cards {
        self.layout().deck().minus(self.hand.or(self.public.seen).or(self.played_blind))
    }

    /// How many cards a seat played on a blind pile in this level.
    pub const fn blind_plays(&self, seat: usize, pile: usize) -> u8 {
        self.public.blind_plays[seat][pile]
    }

    /// How many cards others played on a blind pile since this seat's own last one there (since
    /// the level's start where it played none).
    #[inline(always)]
    pub const fn blind_since_own(&self, pile: usize) -> u8 {
        self.public.blind_since[self.seat as usize][pile]
    }

    /// Seconds from the level's start to the last event, which is when a seat is asked.
    #[inline(always)]
    pub const fn clock(&self) -> f64 {
        self.public.clock
    }

    /// Seconds between the last event and the one before it; 0 at a level's start.
    pub const fn pause(&self) -> f64 {
        self.public.pause
    }

    /// The last event.
    #[inline(always)]
    pub const fn last(&self) -> Event {
        self.public.last
    }
}

#[cold]
#[inline(never)]
fn copied<T>(
    rules: &Rules,
    layout: Layout,
    public: &Public,
    hand: Cards,
    played_blind: Cards,
    seat: u8,
    ask: impl FnOnce(&View<'_>) -> T,
) -> T {
    ask(&View { rules, layout, public, hand, played_blind, seat })
}
