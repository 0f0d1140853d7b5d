//! What a simulated game came to, small enough to stream through tallies.

use super::options::MAX_LEVELS;

/// One level of a game, all its attempts together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LevelOutcome {
    /// How often it was dealt; 0: not reached.
    pub attempts: u8,
    /// Whether it was done.
    pub done: bool,
    /// Stars used in it.
    pub stars_used: u8,
    /// Mistakes on open piles, each of which cost a life.
    pub mistakes: u16,
    /// Lives paid for blind piles at its end, as the rules asked for them.
    pub blind_penalty: u16,
    /// Time at the table, in microseconds.
    pub micros: i64,
}

/// One game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// Whether all levels were done.
    pub won: bool,
    /// Levels done.
    pub levels_done: u8,
    /// Lives left.
    pub lives: u8,
    /// Stars left.
    pub stars: u8,
    /// Stars used.
    pub stars_used: u16,
    /// Mistakes on open piles.
    pub mistakes: u16,
    /// Plays forced because nobody would play.
    pub forced: u16,
    /// Time at the table, in microseconds.
    pub micros: i64,
    levels: [LevelOutcome; MAX_LEVELS as usize],
}

impl Default for Outcome {
    fn default() -> Self {
        Outcome {
            won: false,
            levels_done: 0,
            lives: 0,
            stars: 0,
            stars_used: 0,
            mistakes: 0,
            forced: 0,
            micros: 0,
            levels: [LevelOutcome::default(); MAX_LEVELS as usize],
        }
    }
}

impl Outcome {
    /// A level (1 to 50); one that was not reached has no attempts.
    pub fn level(&self, level: u8) -> LevelOutcome {
        let index = usize::from(level).wrapping_sub(1);
        self.levels.get(index).copied().unwrap_or_default()
    }

    #[inline(always)]
    pub(super) fn level_mut(&mut self, level: u8) -> &mut LevelOutcome {
        &mut self.levels[usize::from(level) - 1]
    }
}
