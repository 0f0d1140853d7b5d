//! What a bot was asked, and what it failed at.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// What a bot does wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// It did not come in time.
    Late,
    /// It is not what the protocol asks for.
    Malformed,
    /// It is a move that the rules or the bounds of the protocol forbid.
    Illegal,
    /// The program has ended, or hears no more.
    Died,
    /// It was not asked any more, after it had ended too often.
    Abandoned,
    /// One more reply to an earlier request: no answer is missing for it.
    Stray,
}

impl Failure {
    /// All kinds, in the order of the tables.
    pub const ALL: [Failure; 6] = [
        Failure::Late,
        Failure::Malformed,
        Failure::Illegal,
        Failure::Died,
        Failure::Abandoned,
        Failure::Stray,
    ];

    /// The name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Failure::Late => "late",
            Failure::Malformed => "malformed",
            Failure::Illegal => "illegal",
            Failure::Died => "died",
            Failure::Abandoned => "abandoned",
            Failure::Stray => "stray",
        }
    }
}

const KINDS: usize = Failure::ALL.len();

/// A failure, and what there was to see of it: a line, or a reason.
#[derive(Debug, Clone)]
pub(super) struct Refused(pub Failure, pub String);

/// The counts of a bot, over all threads.
///
/// An answer is one decision in one game, so that its counts do not depend on how games are put
/// together into lines; a failure of a whole line counts for each game of it.
#[derive(Debug, Default)]
pub struct Counts {
    games: AtomicU64,
    answers: AtomicU64,
    failures: [AtomicU64; KINDS],
    forfeits: AtomicU64,
    lines: AtomicU64,
    micros: AtomicU64,
    longest: AtomicU64,
    first: Mutex<[Option<String>; KINDS]>,
}

/// The counts at a moment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seen {
    /// Games, each seat of the bot counted.
    pub games: u64,
    /// Answers that were asked for.
    pub answers: u64,
    /// Of these without a good answer, and stray lines, in the order of [`Failure::ALL`].
    pub failures: [u64; KINDS],
    /// Games that a seat of it lost by a failure.
    pub forfeits: u64,
    /// Lines that were answered, in time and by their number.
    pub lines: u64,
    /// The time from a request to such a line, all together.
    pub waited: Duration,
    /// The longest of these times.
    pub longest: Duration,
    /// What there was to see of the first failure of each kind.
    pub first: [Option<String>; KINDS],
}

const RELAXED: Ordering = Ordering::Relaxed;

impl Counts {
    pub(super) fn add_games(&self, games: usize) {
        self.games.fetch_add(games as u64, RELAXED);
    }

    pub(super) fn add_answers(&self, answers: usize) {
        self.answers.fetch_add(answers as u64, RELAXED);
    }

    pub(super) fn add_line(&self, took: Duration) {
        let micros = took.as_micros() as u64;
        self.lines.fetch_add(1, RELAXED);
        self.micros.fetch_add(micros, RELAXED);
        self.longest.fetch_max(micros, RELAXED);
    }

    pub(super) fn add_forfeit(&self) {
        self.forfeits.fetch_add(1, RELAXED);
    }

    pub(super) fn add_failure(&self, Refused(failure, seen): &Refused) {
        if self.failures[*failure as usize].fetch_add(1, RELAXED) == 0 {
            let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
            first[*failure as usize] = Some(seen.clone());
        }
    }

    /// The counts so far.
    pub fn seen(&self) -> Seen {
        Seen {
            games: self.games.load(RELAXED),
            answers: self.answers.load(RELAXED),
            failures: std::array::from_fn(|kind| self.failures[kind].load(RELAXED)),
            forfeits: self.forfeits.load(RELAXED),
            lines: self.lines.load(RELAXED),
            waited: Duration::from_micros(self.micros.load(RELAXED)),
            longest: Duration::from_micros(self.longest.load(RELAXED)),
            first: self.first.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        }
    }
}

impl Seen {
    /// Adds what the same strategy was asked and failed elsewhere.
    pub fn add(&mut self, other: &Seen) {
        self.games += other.games;
        self.answers += other.answers;
        self.forfeits += other.forfeits;
        self.lines += other.lines;
        self.waited += other.waited;
        self.longest = self.longest.max(other.longest);
        for (first, other) in self.first.iter_mut().zip(&other.first) {
            *first = first.take().or_else(|| other.clone());
        }
        for (count, more) in self.failures.iter_mut().zip(&other.failures) {
            *count += more;
        }
    }

    /// Whether it did anything wrong.
    pub fn failed(&self) -> bool {
        self.failures.iter().any(|&count| count > 0)
    }
}
