//! The 60 number cards: as published, or a designer's own from a CSV.

use serde::Deserialize;

use crate::error::{ErrorKind, InputError, unknown};

/// The number of cards in a deck.
pub const DECK_SIZE: usize = 60;
/// The most colours that a deck may have, and the most columns that a tableau may have.
pub const MAX_COLOURS: usize = 8;

/// The published deck: number, colour, points.
pub const OFFICIAL: &str = include_str!("data/deck.csv");

/// A card as its place in the deck's ascending order, 0 to 59: bit `card` of a mask of cards.
pub type Card = u8;

/// A deck of [`DECK_SIZE`] cards with different numbers, each with a colour and points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deck {
    numbers: [u16; DECK_SIZE],
    colour_of: [u8; DECK_SIZE],
    points: [i8; DECK_SIZE],
    colours: Vec<String>,
    masks: [u64; MAX_COLOURS],
    /// The cards that have points, by their points.
    by_points: Vec<(i16, u64)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    number: u16,
    colour: String,
    points: i8,
}

impl Deck {
    /// All cards of a deck, as a mask.
    pub const ALL: u64 = (1 << DECK_SIZE) - 1;

    /// Reads a deck from a CSV with the columns `number`, `colour` and `points`, rows in any order.
    ///
    /// # Errors
    /// Unless there are 60 rows with different numbers of 1 to 999, points of -50 to 50, and at
    /// most [`MAX_COLOURS`] colours.
    pub fn from_csv(text: &str) -> Result<Self, InputError> {
        let refuse = |value: String, message: String| Err(InputError::new("deck", value, message));
        if !text.trim_end().contains('\n') {
            let what = "this must be the name of a file that ends in .csv, or the text of a CSV \
                        with the columns number, colour and points";
            return refuse(text.chars().take(60).collect(), what.to_owned());
        }
        let mut reader =
            csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
        let mut rows = Vec::new();
        for (index, row) in reader.deserialize::<Row>().enumerate() {
            match row {
                Ok(row) => rows.push(row),
                Err(error) => {
                    let what = format!("{error}; a row must be number,colour,points");
                    return refuse(format!("row {}", index + 1), what);
                }
            }
        }
        if rows.len() != DECK_SIZE {
            let what =
                format!("a deck must have {DECK_SIZE} cards, but this one has {}", rows.len());
            return refuse(String::new(), what);
        }
        rows.sort_by_key(|row| row.number);
        if let Some(pair) = rows.windows(2).find(|pair| pair[0].number == pair[1].number) {
            let what = "this card is there twice; numbers must differ".to_owned();
            return refuse(pair[0].number.to_string(), what);
        }
        Self::from_sorted(&rows)
    }

    fn from_sorted(rows: &[Row]) -> Result<Self, InputError> {
        let mut deck = Deck {
            numbers: [0; DECK_SIZE],
            colour_of: [0; DECK_SIZE],
            points: [0; DECK_SIZE],
            colours: Vec::new(),
            masks: [0; MAX_COLOURS],
            by_points: Vec::new(),
        };
        for (card, row) in rows.iter().enumerate() {
            if !(1..=999).contains(&row.number) {
                return Err(InputError::new(
                    "deck",
                    row.number,
                    "a card's number must be from 1 to 999",
                ));
            }
            if !(-50..=50).contains(&row.points) {
                return Err(InputError::new(
                    "deck",
                    row.points,
                    "a card's points must be from -50 to 50",
                ));
            }
            let colour = match deck.colours.iter().position(|known| *known == row.colour) {
                Some(colour) => colour,
                None if deck.colours.len() == MAX_COLOURS || row.colour.is_empty() => {
                    let what =
                        format!("a deck must have 1 to {MAX_COLOURS} colours, each with a name");
                    return Err(InputError::new("deck", &row.colour, what));
                }
                None => {
                    deck.colours.push(row.colour.clone());
                    deck.colours.len() - 1
                }
            };
            deck.numbers[card] = row.number;
            deck.colour_of[card] = colour as u8;
            deck.points[card] = row.points;
            deck.masks[colour] |= 1 << card;
            let points = i16::from(row.points);
            match deck.by_points.iter_mut().find(|(known, _)| *known == points) {
                Some((_, mask)) => *mask |= 1 << card,
                None if points != 0 => deck.by_points.push((points, 1 << card)),
                None => {}
            }
        }
        Ok(deck)
    }

    /// The number on a card.
    pub fn number(&self, card: Card) -> u16 {
        self.numbers[usize::from(card)]
    }

    /// The card with a number.
    pub fn card(&self, number: u64) -> Option<Card> {
        let number = u16::try_from(number).ok()?;
        self.numbers.binary_search(&number).ok().map(|card| card as Card)
    }

    /// A card's colour, as an index of [`Deck::colours`].
    #[inline(always)]
    pub fn colour_of(&self, card: Card) -> usize {
        usize::from(self.colour_of[usize::from(card)])
    }

    /// A card's own points: the bubble.
    #[inline(always)]
    pub fn points(&self, card: Card) -> i16 {
        i16::from(self.points[usize::from(card)])
    }

    /// The points of the cards of a mask: their bubbles.
    #[inline]
    pub fn bonus_points(&self, cards: u64) -> i16 {
        let points = |&(points, mask): &(i16, u64)| points * (cards & mask).count_ones() as i16;
        self.by_points.iter().map(points).sum()
    }

    /// The names of the colours, in the order of their lowest cards.
    pub fn colours(&self) -> &[String] {
        &self.colours
    }

    /// The cards of a colour, as a mask.
    #[inline(always)]
    pub fn colour_mask(&self, colour: usize) -> u64 {
        self.masks[colour]
    }

    /// The index of a colour's name.
    ///
    /// # Errors
    /// Where the deck has no such colour.
    pub fn colour(&self, name: &str) -> Result<usize, InputError> {
        self.colours.iter().position(|colour| colour == name).ok_or_else(|| {
            let known = self.colours.iter().map(String::as_str);
            InputError::new("colour", name, unknown("colour of this deck", name, known))
                .of(ErrorKind::NoSuchColour)
        })
    }

    /// The cards of a mask, ascending.
    pub fn cards(mask: u64) -> impl Iterator<Item = Card> {
        std::iter::successors(Some(mask), |mask| Some(mask & mask.wrapping_sub(1)))
            .take_while(|&mask| mask != 0)
            .map(|mask| mask.trailing_zeros() as Card)
    }

    /// The lowest `COUNT` cards of a mask that has so many, ascending.
    #[inline(always)]
    pub fn lowest<const COUNT: usize>(mut mask: u64) -> [Card; COUNT] {
        let mut cards = [0; COUNT];
        for card in &mut cards {
            *card = mask.trailing_zeros() as Card;
            mask &= mask.wrapping_sub(1);
        }
        cards
    }

    /// The numbers on the cards of a mask, ascending.
    pub fn numbers(&self, mask: u64) -> Vec<u16> {
        Self::cards(mask).map(|card| self.number(card)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn official() -> Deck {
        Deck::from_csv(OFFICIAL).unwrap()
    }

    #[test]
    fn the_published_deck_passes_its_checks() {
        let deck = official();
        assert_eq!(deck.colours().len(), 5);
        for colour in 0..5 {
            assert_eq!(deck.colour_mask(colour).count_ones(), 12);
        }
        let count = |points| (0..60).filter(|&card| deck.points(card) == points).count();
        assert_eq!([count(-1), count(0), count(1), count(2)], [10, 20, 20, 10]);
        for card in 0..60 {
            assert_eq!(deck.number(card), u16::from(card) + 1);
            assert_eq!(deck.points(card), deck.points(59 - card), "mirrored at {card}");
        }
    }

    #[test]
    fn cards_are_found_by_number() {
        let deck = official();
        assert_eq!(deck.card(1), Some(0));
        assert_eq!(deck.card(60), Some(59));
        assert_eq!([deck.card(0), deck.card(61), deck.card(u64::MAX)], [None; 3]);
        assert_eq!(deck.numbers(0b1011), [1, 2, 4]);
        assert_eq!(Deck::lowest::<3>(1 << 59 | 0b1010), [1, 3, 59]);
    }

    #[test]
    fn bad_decks_are_refused() {
        let message = |text: &str| Deck::from_csv(text).unwrap_err().to_string();
        let without_last = OFFICIAL.trim_end().rsplit_once('\n').unwrap().0;
        assert_eq!(message(without_last), "`deck`: a deck must have 60 cards, but this one has 59");
        let twice = OFFICIAL.replace("\n60,", "\n59,");
        assert!(message(&twice).starts_with("`deck = 59`: this card is there twice"));
        assert!(message("number,colour\n1,red\n").contains("row 1"));
        assert!(message(&OFFICIAL.replace("-1\n", "x\n")).contains("row 1"));
        assert!(message(&OFFICIAL.replace("60,", "6000,")).contains("1 to 999"));
        assert!(message("").contains("the name of a file that ends in .csv"));
    }
}
