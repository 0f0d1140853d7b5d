//! Cards as bits: a hand is one 128-bit mask, whichever of the two games is played.
//!
//! A **pile** counts upward inside the engine, so that the same code serves a rising and a falling
//! one. A card's **rank** is its distance from the empty pile: the number itself, but 51 less the
//! number for red. So a gap is always the rank less the rank on top (0 for an empty pile).

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::games::GameId;

/// The most piles that a game has.
pub const MAX_PILES: usize = 2;
/// The most seats at a table.
pub const MAX_SEATS: usize = 10;
/// The cards of either deck.
pub const DECK: usize = 100;

/// The name of a pile, as records and rules write it.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum PileName {
    /// The only pile of The Mind, 1 to 100.
    Number,
    /// The rising pile of The Mind Extreme, 1 to 50.
    White,
    /// The falling pile of The Mind Extreme, 50 to 1.
    Red,
}

impl PileName {
    /// The name in files.
    pub const fn name(self) -> &'static str {
        match self {
            PileName::Number => "number",
            PileName::White => "white",
            PileName::Red => "red",
        }
    }
}

impl fmt::Display for PileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A card, as the number of its bit: read it through the game's [`Layout`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

/// A set of cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Cards(u128);

impl Cards {
    /// No cards.
    pub const NONE: Cards = Cards(0);

    /// Whether there is none.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many there are.
    #[inline(always)]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether a card is among them.
    #[inline(always)]
    pub const fn has(self, card: Card) -> bool {
        self.0 >> card.0 & 1 == 1
    }

    /// With a card more.
    #[inline(always)]
    pub const fn with(self, card: Card) -> Cards {
        Cards(self.0 | 1 << card.0)
    }

    /// Without a card.
    #[inline(always)]
    pub const fn without(self, card: Card) -> Cards {
        Cards(self.0 & !(1 << card.0))
    }

    /// The cards in both.
    #[inline(always)]
    pub const fn and(self, other: Cards) -> Cards {
        Cards(self.0 & other.0)
    }

    /// The cards in either.
    #[inline(always)]
    pub const fn or(self, other: Cards) -> Cards {
        Cards(self.0 | other.0)
    }

    /// The cards that are not in the other.
    #[inline(always)]
    pub const fn minus(self, other: Cards) -> Cards {
        Cards(self.0 & !other.0)
    }

    /// The lowest bit alone, as a set; none of none.
    #[inline(always)]
    pub const fn lowest(self) -> Cards {
        Cards(self.0 & self.0.wrapping_neg())
    }

    /// All bits below that of a single card.
    #[inline(always)]
    pub const fn below(self) -> Cards {
        Cards(self.0.wrapping_sub(1))
    }

    /// The card of the lowest bit: the lowest rank of the first pile that has cards.
    #[inline(always)]
    pub const fn first(self) -> Option<Card> {
        if self.0 == 0 { None } else { Some(Card(self.0.trailing_zeros() as u8)) }
    }

    /// The card of the highest bit: the highest rank of the last pile that has cards.
    #[inline(always)]
    pub const fn last(self) -> Option<Card> {
        if self.0 == 0 { None } else { Some(Card(127 - self.0.leading_zeros() as u8)) }
    }

    /// The cards one by one, each pile in the order in which it is played.
    pub fn iter(mut self) -> impl Iterator<Item = Card> {
        std::iter::from_fn(move || {
            let card = self.first()?;
            self = self.without(card);
            Some(card)
        })
    }
}

impl FromIterator<Card> for Cards {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        cards.into_iter().fold(Cards::NONE, Cards::with)
    }
}

/// Which cards and piles a game has, and which bit each card is.
///
/// The Mind's number n is bit n; in The Mind Extreme white n is bit n and red n bit 64 + 51 - n.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Layout {
    /// One pile, 1 to 100.
    Number,
    /// A rising white and a falling red pile of 50.
    WhiteRed,
}

impl Layout {
    /// The layout of one of the two games (Mind Up! has none).
    pub const fn of(game: GameId) -> Option<Layout> {
        match game {
            GameId::MindUp => None,
            GameId::TheMind => Some(Layout::Number),
            GameId::TheMindExtreme => Some(Layout::WhiteRed),
        }
    }

    /// How many piles there are: 1 or 2.
    #[inline(always)]
    pub const fn piles(self) -> usize {
        match self {
            Layout::Number => 1,
            Layout::WhiteRed => 2,
        }
    }

    /// The highest rank of a pile: 100 or 50.
    #[inline(always)]
    pub const fn size(self) -> u8 {
        (DECK / self.piles()) as u8
    }

    /// The names of the piles, in the order of their indices.
    pub const fn names(self) -> &'static [PileName] {
        match self {
            Layout::Number => &[PileName::Number],
            Layout::WhiteRed => &[PileName::White, PileName::Red],
        }
    }

    /// The index of a pile by name, where this game has it.
    pub fn pile_of_name(self, name: PileName) -> Option<usize> {
        self.names().iter().position(|&known| known == name)
    }

    /// The card of a rank (1 to [`Layout::size`]) on a pile.
    #[inline(always)]
    pub const fn card(self, pile: usize, rank: u8) -> Card {
        debug_assert!(pile < self.piles() && rank >= 1 && rank <= self.size());
        Card((pile as u8) << 6 | rank)
    }

    /// The pile that a card belongs to.
    #[inline(always)]
    pub const fn pile(self, card: Card) -> usize {
        match self {
            Layout::Number => 0,
            Layout::WhiteRed => (card.0 >> 6) as usize,
        }
    }

    /// A card's rank on its pile, from 1.
    #[inline(always)]
    pub const fn rank(self, card: Card) -> u8 {
        match self {
            Layout::Number => card.0,
            Layout::WhiteRed => card.0 & 63,
        }
    }

    /// All bits of a pile.
    #[inline(always)]
    pub const fn mask(self, pile: usize) -> Cards {
        match self {
            Layout::Number => Cards(!0),
            // A choice, not a shift: shifting 128 bits by a variable is slow.
            Layout::WhiteRed if pile == 0 => Cards(u64::MAX as u128),
            Layout::WhiteRed => Cards(!(u64::MAX as u128)),
        }
    }

    /// All cards of the deck.
    pub const fn deck(self) -> Cards {
        match self {
            Layout::Number => Cards(((1 << DECK) - 1) << 1),
            Layout::WhiteRed => {
                let pile = ((1u128 << (DECK / 2)) - 1) << 1;
                Cards(pile | pile << 64)
            }
        }
    }

    /// The cards of the same pile that are to be played before this one.
    #[inline(always)]
    pub const fn before(self, card: Card) -> Cards {
        Cards((1 << card.0) - 1).and(self.mask(self.pile(card)))
    }

    /// The cards of the same pile that are to be played after this one.
    #[inline(always)]
    pub const fn after(self, card: Card) -> Cards {
        Cards(!1 << card.0).and(self.mask(self.pile(card)))
    }

    /// The ranks of a pile up to and including one (0: none), as cards.
    #[inline(always)]
    pub const fn up_to(self, pile: usize, rank: u8) -> Cards {
        Cards(((2u128 << rank) - 1) << (64 * pile))
    }

    /// The card of a pile that may be played from a hand: the lowest rank.
    #[inline(always)]
    pub const fn playable(self, hand: Cards, pile: usize) -> Option<Card> {
        hand.and(self.mask(pile)).first()
    }

    /// The number that is printed on a card.
    pub const fn number(self, card: Card) -> u8 {
        match (self, self.pile(card)) {
            (Layout::WhiteRed, 1) => 51 - self.rank(card),
            _ => self.rank(card),
        }
    }

    /// A card as records write it: `12`, `"w12"`, `"r33"`.
    pub fn to_json(self, card: Card) -> Value {
        match self {
            Layout::Number => self.number(card).into(),
            Layout::WhiteRed => self.label(card).into(),
        }
    }

    /// A card as text: `12`, `w12`, `r33`.
    pub fn label(self, card: Card) -> String {
        match (self, self.pile(card)) {
            (Layout::Number, _) => self.number(card).to_string(),
            (Layout::WhiteRed, 0) => format!("w{}", self.number(card)),
            (Layout::WhiteRed, _) => format!("r{}", self.number(card)),
        }
    }

    /// The card with a printed number on a pile, where the deck has it.
    pub fn from_number(self, pile: usize, number: u64) -> Option<Card> {
        let size = u64::from(self.size());
        if pile >= self.piles() || number == 0 || number > size {
            return None;
        }
        let rank = if pile == 1 { size + 1 - number } else { number };
        Some(self.card(pile, rank as u8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_ranks_fit() {
        let extreme = Layout::WhiteRed;
        let red = extreme.from_number(1, 33).unwrap();
        assert_eq!((extreme.pile(red), extreme.rank(red)), (1, 18));
        assert_eq!(extreme.label(red), "r33");
        assert_eq!(extreme.from_number(1, 51), None);
        assert_eq!(extreme.from_number(0, 0), None);
        let hundred = Layout::Number.from_number(0, 100).unwrap();
        assert_eq!(Layout::Number.rank(hundred), 100);
        assert_eq!(Layout::Number.pile(hundred), 0);
    }

    #[test]
    fn decks_hold_each_card_once() {
        for layout in [Layout::Number, Layout::WhiteRed] {
            let cards: Cards = (0..layout.piles())
                .flat_map(|pile| (1..=layout.size()).map(move |rank| layout.card(pile, rank)))
                .collect();
            assert_eq!(cards, layout.deck());
            assert_eq!(cards.len(), 100);
        }
    }

    #[test]
    fn before_and_after_stay_on_the_pile() {
        for layout in [Layout::Number, Layout::WhiteRed] {
            for card in layout.deck().iter() {
                let (pile, rank) = (layout.pile(card), layout.rank(card));
                let before = layout.before(card).and(layout.deck());
                let after = layout.after(card).and(layout.deck());
                assert_eq!(before.len(), u32::from(rank - 1));
                assert_eq!(after.len(), u32::from(layout.size() - rank));
                assert_eq!(before.with(card).or(after), layout.mask(pile).and(layout.deck()));
                assert_eq!(layout.up_to(pile, rank).and(layout.deck()), before.with(card));
            }
        }
    }
}
