//! The door to those who play: a player sits in one seat of a whole block of games in lockstep.
//!
//! So a call through a pointer is paid once an event step and seat for all games of the block, and
//! a bot from outside can answer for many games at once.

use super::block::Game;
use super::cards::Layout;
use super::rules::Rules;
use super::view::View;
use crate::error::PlayError;
use crate::rng::GameKey;

/// What a seat means to do, counted from the last event.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Intent {
    /// Nothing, until something happens.
    Wait,
    /// Play the playable card of a pile after `wait` seconds.
    ///
    /// A wait below 0 (or NaN) is 0, one above [`LONGEST`] is that; a pile without a card of the
    /// hand stands for the other one.
    Play {
        /// The pile's index.
        pile: u8,
        /// Seconds from the last event.
        wait: f64,
    },
    /// Ask all for a refocus after `wait` seconds: every stopwatch starts anew.
    Refocus {
        /// Seconds from the last event.
        wait: f64,
    },
}

/// The longest wait, in seconds.
pub const LONGEST: f64 = 1e6;

/// Seconds between 0 and [`LONGEST`]; NaN becomes 0.
///
/// Written as comparisons, which are one instruction each where `max` and `min` are several.
#[inline(always)]
pub(super) fn bounded(seconds: f64) -> f64 {
    let seconds = if seconds > 0.0 { seconds } else { 0.0 };
    if seconds < LONGEST { seconds } else { LONGEST }
}

/// The same question to one seat of many games; `A` is the answer.
pub struct Batch<'a, A> {
    pub(super) rules: &'a Rules,
    pub(super) seat: usize,
    pub(super) slots: &'a [u16],
    pub(super) games: &'a [Game],
    pub(super) keys: &'a [GameKey],
    /// Whether also those are asked whose hand is empty or whose card is falling.
    pub(super) everyone: bool,
    pub(super) answers: &'a mut [A],
}

impl<A> Batch<'_, A> {
    /// The rules, the same in all games.
    pub const fn rules(&self) -> &Rules {
        self.rules
    }

    /// The seat that is asked.
    pub const fn seat(&self) -> usize {
        self.seat
    }

    /// Goes through the games in which the seat is asked: the game's slot in the block (below the
    /// number given to [`Player::begin`]), its key, what the seat sees, and its answer to set.
    #[inline(always)]
    pub fn each(&mut self, mut ask: impl FnMut(usize, &GameKey, &View<'_>, &mut A)) {
        self.each_in(self.rules.layout(), &mut Asking(&mut ask));
    }

    /// [`Batch::each`], compiled for each layout, so that the inner loop need not ask which it is.
    #[inline(always)]
    pub fn visit(&mut self, visitor: &mut impl Visit<A>) {
        match self.rules.layout() {
            Layout::Number => self.each_in(Layout::Number, visitor),
            Layout::WhiteRed => self.each_in(Layout::WhiteRed, visitor),
        }
    }

    #[inline(always)]
    fn each_in(&mut self, layout: Layout, visitor: &mut impl Visit<A>) {
        for &slot in self.slots {
            let slot = usize::from(slot);
            let game = &self.games[slot];
            if !self.everyone && game.silent >> self.seat & 1 == 1 {
                continue;
            }
            let view = View::in_layout(layout, self.rules, &game.table, self.seat);
            visitor.ask(slot, &self.keys[slot], &view, &mut self.answers[slot]);
        }
    }
}

/// What is done in each game of a batch; a closure that can be told to be inlined.
pub trait Visit<A> {
    /// Asks in one game; see [`Batch::each`].
    fn ask(&mut self, slot: usize, key: &GameKey, view: &View<'_>, answer: &mut A);
}

struct Asking<'a, F>(&'a mut F);

impl<A, F: FnMut(usize, &GameKey, &View<'_>, &mut A)> Visit<A> for Asking<'_, F> {
    #[inline(always)]
    fn ask(&mut self, slot: usize, key: &GameKey, view: &View<'_>, answer: &mut A) {
        (self.0)(slot, key, view, answer);
    }
}

/// Plays one seat of all games of a block.
pub trait Player {
    /// A block begins: `slots` new games under the same rules. Memories of former games go.
    ///
    /// # Errors
    /// Where the player fails.
    fn begin(&mut self, rules: &Rules, slots: usize) -> Result<(), PlayError>;

    /// Whether [`Player::observe`] is to be called.
    fn observes(&self) -> bool {
        false
    }

    /// Shows each event ([`View::last`]) to the seat, asked or not. The event that ends a level is
    /// not shown; the next deal is.
    ///
    /// # Errors
    /// Where the player fails.
    fn observe(&mut self, _batch: &mut Batch<'_, ()>) -> Result<(), PlayError> {
        Ok(())
    }

    /// Whether the seat may ever agree to a star while it holds cards.
    fn uses_stars(&self) -> bool;

    /// Whether the seat would have a star now. Asked in seat order until one refuses.
    ///
    /// # Errors
    /// Where the player fails.
    fn vote(&mut self, batch: &mut Batch<'_, bool>) -> Result<(), PlayError>;

    /// A star is used: the pile whose playable card the seat discards. A pile without a card of the
    /// hand stands for the other one.
    ///
    /// # Errors
    /// Where the player fails.
    fn discard(&mut self, batch: &mut Batch<'_, u8>) -> Result<(), PlayError>;

    /// What the seat means to do. Not asked of an empty hand, nor while a card is falling.
    ///
    /// # Errors
    /// Where the player fails.
    fn intend(&mut self, batch: &mut Batch<'_, Intent>) -> Result<(), PlayError>;
}
