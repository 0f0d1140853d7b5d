//! The seed tree: the one place that makes generators.
//!
//! Randomness is an argument. Every generator is named by a path of integers below the
//! experiment's seed, and a path is folded into a 128-bit [`Key`] by a documented mixing function;
//! neighbouring PCG streams are correlated, so a stream is never chosen by adding to another.
//!
//! ```text
//! seed / stage / players / deal / round or level / attempt / 0 / PART          the deal
//! seed / stage / players / deal / round or level / attempt / 1 + part / cell / seating / seat
//!                                                                             a seat's own draws
//! seed / stage / players / 2^64 - 1 / PART                                    what a search draws
//! ```
//!
//! A deal's key has no cell in it, so all cells play the same cards; a strategy that draws more
//! than another changes neither the deal nor any other seat; and any game can be played alone.

mod normal;

pub use normal::Normal;

use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// The generator behind every draw.
pub type Rng = Pcg64Mcg;

/// A node of the seed tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key(u128);

/// What a deal's generator is for. Each has a generator of its own, so that, for example, games
/// with and without objectives are played with the same cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
pub enum DealPart {
    /// The cards of hands, row and deck.
    Cards = 0,
    /// The order of the scoring cards.
    Scoring = 1,
    /// The objectives on the table.
    Objectives = 2,
    /// Which of two cards that fall at the same moment comes first.
    Ties = 3,
}

/// What a seat's generator is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
pub enum SeatPart {
    /// The strategy's own choices.
    Strategy = 1,
    /// The body's timing errors.
    Body = 2,
}

/// What a search's generator is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
pub enum SearchPart {
    /// The candidates of a generation.
    Candidates = 0,
    /// Where a restart begins.
    Start = 1,
}

/// Which game of an experiment is played: a deal, seen from one seating of one cell.
///
/// `Games` of equal seed, stage and players share their deals whatever the cell and the seating.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameKey {
    deal: Key,
    cell: u64,
    seating: u64,
}

impl Key {
    /// The root of the tree that belongs to an experiment's seed.
    pub const fn root(seed: u64) -> Self {
        Key(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c834).child(seed)
    }

    /// The child of this node with the given number.
    ///
    /// The word is put into the low half, then mixed by two rounds of xor-fold and multiplication
    /// with odd 128-bit constants (a bijection of the node for each word, and of the word for each
    /// node, in the manner of the 64-bit finalisers of Stafford and of MurmurHash3).
    #[inline]
    pub const fn child(self, word: u64) -> Self {
        const FIRST: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;
        const SECOND: u128 = 0xda94_2042_e4dd_58b5_94d0_49bb_1331_11eb;
        let mut x = self.0 ^ word as u128;
        x ^= x >> 67;
        x = x.wrapping_mul(FIRST);
        x ^= x >> 61;
        x = x.wrapping_mul(SECOND);
        Key(x ^ (x >> 64))
    }

    /// The generator of this node.
    #[inline]
    pub fn rng(self) -> Rng {
        Rng::new(self.0)
    }

    /// The node's 128 bits, for fingerprints.
    pub const fn bits(self) -> u128 {
        self.0
    }
}

/// The key of a deal: the same for all cells, line-ups and seatings with as many players.
#[inline]
pub const fn deal_key(seed: u64, stage: u64, players: usize, deal: u64) -> Key {
    Key::root(seed).child(stage).child(players as u64).child(deal)
}

/// The generator of what a search draws in a stage; it stands beside the deals, since no deal has the
/// number 2^64 - 1.
pub fn search_rng(seed: u64, stage: u64, players: usize, part: SearchPart) -> Rng {
    deal_key(seed, stage, players, u64::MAX).child(part as u64).rng()
}

/// The generator for a part of a deal, in a round (or level) and attempt; both count from 0.
#[inline]
pub fn deal_rng(deal: Key, round: usize, attempt: usize, part: DealPart) -> Rng {
    deal.child(round as u64).child(attempt as u64).child(0).child(part as u64).rng()
}

impl GameKey {
    /// The game that a cell plays with this deal in this seating (numbered within the cell).
    pub const fn new(deal: Key, cell: u64, seating: u64) -> Self {
        GameKey { deal, cell, seating }
    }

    /// The key of the deal.
    pub const fn deal(self) -> Key {
        self.deal
    }

    /// The cell, and the seating of it: games that differ in their deals alone have the same ones.
    pub const fn table(self) -> (u64, u64) {
        (self.cell, self.seating)
    }

    /// The generator of a seat's strategy or body in a round (or level) and attempt.
    #[inline]
    pub fn seat_rng(self, round: usize, attempt: usize, part: SeatPart, seat: usize) -> Rng {
        self.seats(round, attempt, part).child(seat as u64).rng()
    }

    /// The seed that a bot from outside is given for its seat of this game, below 2^53, which is
    /// what all languages read from JSON: the 53 highest bits of child 0 of the seat's strategy in
    /// the first round (or level) and attempt.
    pub const fn bot_seed(self, seat: usize) -> u64 {
        (self.seats(0, 0, SeatPart::Strategy).child(seat as u64).child(0).0 >> 75) as u64
    }

    /// The node whose children are the seats, where all of them are wanted.
    #[inline]
    pub const fn seats(self, round: usize, attempt: usize, part: SeatPart) -> Key {
        self.deal
            .child(round as u64)
            .child(attempt as u64)
            .child(part as u64)
            .child(self.cell)
            .child(self.seating)
    }
}

/// A uniform integer below `n`, which must be positive.
#[inline(always)]
pub fn below(rng: &mut Rng, n: u32) -> u32 {
    debug_assert!(n > 0);
    rng.random_range(0..n)
}

/// A uniform real in [0, 1) with 53 bits.
#[inline]
pub fn unit(rng: &mut Rng) -> f64 {
    rng.random()
}

/// Puts a uniformly random choice of `count` items, in random order, at the front of `items`.
#[inline]
pub fn shuffle_front<T>(rng: &mut Rng, items: &mut [T], count: usize) {
    let n = items.len();
    for i in 0..count.min(n.saturating_sub(1)) {
        items.swap(i, i + below(rng, (n - i) as u32) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_words_flip_half_of_the_bits() {
        // 256 pairs of 128 bits: 32,768 fair coins, standard deviation 90.5; the bound is 5 of them.
        let mut flips = 0;
        for word in 0..256 {
            let node = Key::root(word / 16);
            flips += (node.child(word).0 ^ node.child(word + 1).0).count_ones();
        }
        assert!((flips as i64 - 16_384).abs() < 453, "{flips}");
    }

    #[test]
    fn paths_do_not_meet() {
        let mut seen = std::collections::HashSet::new();
        for seed in 0..4 {
            for players in 2..6 {
                for deal in 0..50 {
                    let deal = deal_key(seed, 0, players, deal);
                    for round in 0..3 {
                        for seat in 0..players as u64 {
                            let game = GameKey::new(deal, 1, 2);
                            let key = game.seats(round, 0, SeatPart::Strategy).child(seat);
                            assert!(seen.insert(key));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_shuffled_front_is_uniform() {
        // Ordered pairs of 4 items: 12 kinds, 24,000 draws: 2,000 each, sd 42.8; 5 of them.
        let mut rng = Key::root(3).rng();
        let mut counts = [[0i64; 4]; 4];
        for _ in 0..24_000 {
            let mut items = [0usize, 1, 2, 3];
            shuffle_front(&mut rng, &mut items, 2);
            counts[items[0]][items[1]] += 1;
        }
        for (first, row) in counts.iter().enumerate() {
            for (second, &count) in row.iter().enumerate() {
                let expected = if first == second { 0 } else { 2_000 };
                assert!((count - expected).abs() < 214, "{first} {second} {count}");
            }
        }
    }
}
