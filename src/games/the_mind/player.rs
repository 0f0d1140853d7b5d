//! The door to those who play: a player sits in one seat of a whole block of games in lockstep.
//!
//! So a call through a pointer is paid once an event step and seat for all games of the block, and
//! a bot from outside can answer for many games at once.

use super::block::Game;
use super::cards::Cards;
use super::rules::Rules;
use super::timing::Clocks;
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
    /// Ask all for a refocus after `wait` seconds: it takes the seconds that the rules say, then
    /// every stopwatch starts anew.
    ///
    /// Where the level allows no more, or a card is falling, it is [`Intent::Wait`], and nobody
    /// hears of it. The body makes the moment of it, as of a play.
    Refocus {
        /// Seconds from the last event.
        wait: f64,
    },
}

/// An open play of another, at the moment at which the card is about to hit the table, and what
/// the seat says of it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sight {
    pub(super) seat: u8,
    pub(super) pile: u8,
    pub(super) rank: u8,
    pub(super) seconds: f64,
    /// The answer: the seconds from the last event that the own plan would have waited for this
    /// card; `None` (which it is before) where it can't say.
    pub plan: Option<f64>,
}

impl Sight {
    /// The seat that plays.
    #[inline(always)]
    pub const fn seat(&self) -> usize {
        self.seat as usize
    }

    /// The index of the pile, which is open.
    #[inline(always)]
    pub const fn pile(&self) -> usize {
        self.pile as usize
    }

    /// The card's rank on it.
    #[inline(always)]
    pub const fn rank(&self) -> u8 {
        self.rank
    }
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

    /// Goes through the games in which the seat is asked: the game's slot in the block (its place
    /// among the keys given to [`Player::begin`]), its key, what the seat sees, and its answer to set.
    #[inline(always)]
    pub fn each(&mut self, mut ask: impl FnMut(usize, &GameKey, &View<'_>, &mut A)) {
        // As long as each other: so one check of the bounds serves for all.
        let games = self.games;
        let keys = &self.keys[..games.len()];
        let answers = &mut self.answers[..games.len()];
        for &slot in self.slots {
            let slot = usize::from(slot);
            let game = &games[slot];
            if !self.everyone && game.silent >> self.seat & 1 == 1 {
                continue;
            }
            let view = View::new(self.rules, &game.table, self.seat);
            ask(slot, &keys[slot], &view, &mut answers[slot]);
        }
    }
}

/// The licence to see all hands, for players whose name says that they do.
///
/// A [`View`] has no other hands in it, and no strategy can get at them through one: this is a door
/// of its own, for bounds that honest players are measured against.
#[derive(Debug, Clone, Copy)]
pub struct Cheat(());

impl Cheat {
    /// The licence of a player of that name: none unless it begins with `cheat-`.
    pub const fn named(name: &str) -> Option<Cheat> {
        match name.as_bytes() {
            [b'c', b'h', b'e', b'a', b't', b'-', ..] => Some(Cheat(())),
            _ => None,
        }
    }
}

impl<A> Batch<'_, A> {
    /// As [`Batch::each`], with the hands of all seats besides.
    pub fn each_open(&mut self, _: Cheat, mut ask: impl FnMut(&View<'_>, &[Cards], &mut A)) {
        let (games, players) = (self.games, self.rules.players());
        self.each(|slot, _, view, answer| ask(view, &games[slot].table.hands[..players], answer));
    }
}

/// What is done in each game; a closure that can be told to be inlined.
pub trait Visit<A> {
    /// Asks in one game; see [`Batch::each`].
    fn ask(&mut self, slot: usize, key: &GameKey, view: &View<'_>, answer: &mut A);
}

/// Plays one seat of all games of a block.
pub trait Player {
    /// A block begins: a new game for each key, all under the same rules, in one seating of one
    /// cell. Memories of former games go.
    ///
    /// # Errors
    /// Where the player fails.
    fn begin(&mut self, rules: &Rules, keys: &[GameKey]) -> Result<(), PlayError>;

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

    /// Whether the seat may make something of being asked for a star, or of not being asked. It is
    /// then asked by what all see alone, whatever others answer: after each event while the team has
    /// a star and no seat that never uses one holds cards. A player whose answers follow from its
    /// view says no, which saves questions.
    fn listens(&self) -> bool {
        true
    }

    /// Whether the seat would have a star now. Those that do not [listen](Player::listens) are
    /// asked in seat order until one refuses.
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

    /// The same as [`Player::intend`] where each answer is given as soon as it is asked for, and
    /// timed with it, which is faster. Returns whether it did: if not, the other is called.
    ///
    /// # Errors
    /// Where the player fails.
    fn act(&mut self, _clocks: &mut Clocks<'_>) -> Result<bool, PlayError> {
        Ok(false)
    }

    /// Another is about to play a card on an open pile: how long would the own plan have waited
    /// for it, in the place of the seat that plays? The view is that before the play.
    ///
    /// Bodies follow the tempo of others by it. Asked only of seats whose body does, and that
    /// could have played themselves: not of an empty hand, nor while a card is falling.
    ///
    /// # Errors
    /// Where the player fails.
    fn plan(&mut self, _batch: &mut Batch<'_, Sight>) -> Result<(), PlayError> {
        Ok(())
    }

    /// Whether [`Player::forfeits`] is to be called.
    fn may_forfeit(&self) -> bool {
        false
    }

    /// The slots of the games that the seat has lost for its team by failing, since the last call.
    /// They end at once, without a life.
    fn forfeits(&mut self) -> Vec<u16> {
        Vec::new()
    }
}
