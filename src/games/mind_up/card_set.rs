//! Sets of objective cards, of which there are at most 255.

/// A set of objective cards by their indices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CardSet([u64; 4]);

impl CardSet {
    /// Adds a card.
    #[inline]
    pub fn insert(&mut self, card: u8) {
        self.0[usize::from(card >> 6)] |= 1 << (card & 63);
    }

    /// Adds all cards of another set.
    #[inline]
    pub fn insert_all(&mut self, other: &CardSet) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word |= other;
        }
    }

    /// The cards that are not in another set.
    #[inline]
    pub fn without(&self, other: &CardSet) -> CardSet {
        CardSet(std::array::from_fn(|word| self.0[word] & !other.0[word]))
    }

    /// The number of cards.
    #[inline]
    pub fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether there is no card.
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 4]
    }

    /// The cards, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u8> + '_ {
        self.0.iter().zip(0u8..).flat_map(|(&word, place)| {
            super::deck::Deck::cards(word).map(move |bit| place << 6 | bit)
        })
    }
}

impl FromIterator<u8> for CardSet {
    fn from_iter<I: IntoIterator<Item = u8>>(cards: I) -> Self {
        let mut set = CardSet::default();
        cards.into_iter().for_each(|card| set.insert(card));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_what_was_put_in() {
        let set: CardSet = [0, 63, 64, 200, 254].into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 63, 64, 200, 254]);
        assert_eq!(set.len(), 5);
        let rest = set.without(&[63, 254, 1].into_iter().collect());
        assert_eq!(rest.iter().collect::<Vec<_>>(), [0, 64, 200]);
        assert!(CardSet::default().is_empty());
    }
}
