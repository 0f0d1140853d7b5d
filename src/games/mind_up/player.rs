//! The door to those who play: a player sits in one seat of a whole block of games.

use super::deck::Card;
use super::rules::Rules;
use super::state::Public;
use crate::error::PlayError;
use crate::rng::{GameKey, Rng};

/// A block of games in which one seat is asked for its choice.
#[derive(Debug)]
pub struct Request<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// The seat.
    pub seat: usize,
    /// What is public, for each game.
    pub public: &'a [Public],
    /// The seat's hand, for each game.
    pub hands: &'a [u64],
    /// The seat's generator, for each game.
    pub rngs: &'a mut [Rng],
    /// The answer, for each game: a card of the hand.
    pub plays: &'a mut [Card],
}

/// Plays one seat in a block of games.
pub trait Player: Send {
    /// A block of games begins.
    fn begin(&mut self, keys: &[GameKey]);

    /// Chooses in each game of the block.
    ///
    /// # Errors
    /// Where the player can't go on.
    fn choose(&mut self, request: Request<'_>) -> Result<(), PlayError>;

    /// For each game of the block whether the seat has lost it by failing, however it went; may be
    /// shorter than the block. See [`Outcome::forfeit`](super::Outcome::forfeit).
    fn forfeits(&self) -> &[bool] {
        &[]
    }
}
