//! The event simulation: a block of games in lockstep.
//!
//! There are no ticks. In each step every running game has one event: a star, where all seats would
//! have one; else all seats say what they mean to do, their bodies say when, and the earliest card
//! falls.

use super::body::{Body, Stopwatch};
use super::cards::{Card, Cards, Layout, MAX_SEATS};
use super::levels::{forced, tie};
use super::outcome::Outcome;
use super::player::{Batch, Intent, Player, Sight};
use super::rules::Rules;
use super::state::{Table, Then};
use super::timing::{Clocks, Given};
use crate::error::PlayError;
use crate::rng::{GameKey, Normal};

/// Seconds after which a card falls where nobody would play.
pub const FORCED_AFTER: f64 = 600.0;

/// Hears what happens in a block; `slot` is the game's index among those given.
pub trait Observer {
    /// A level was dealt.
    #[inline(always)]
    fn deal(&mut self, _slot: usize, _table: &Table) {}
    /// A card fell, so many seconds after the level's start.
    #[inline(always)]
    fn play(&mut self, _slot: usize, _seat: usize, _card: Card, _clock: f64) {}
    /// A star was used: what each seat discarded.
    #[inline(always)]
    fn star(&mut self, _slot: usize, _choices: &[Option<Card>], _clock: f64) {}
    /// A refocus is over.
    fn refocus(&mut self, _slot: usize, _clock: f64) {}
    /// A seat failed, and the game is lost by it.
    fn forfeit(&mut self, _slot: usize, _seat: usize) {}
}

/// Hears nothing.
impl Observer for () {}

/// A game of a block.
pub(super) struct Game {
    pub(super) table: Table,
    /// A bit for each seat whose card is falling: it can't be held back any more.
    pub(super) held: u16,
    /// A bit for each seat that is not asked: its hand is empty or its card is falling.
    pub(super) silent: u16,
    /// Whether it has ended.
    pub(super) over: bool,
    /// What each seat is about to do: a pile's index, or [`REFOCUS`].
    pub(super) plans: [u8; MAX_SEATS],
    /// Seconds from the level's start to when it does; infinite where it would not.
    pub(super) moments: [f64; MAX_SEATS],
    /// The card that falls then, where the seat is held to it.
    falling: [Card; MAX_SEATS],
}

/// The plan of a seat that asks for a refocus.
pub(super) const REFOCUS: u8 = u8::MAX;

/// One seat of all games of a block, by slot.
#[derive(Default)]
pub(super) struct Seat {
    pub(super) watches: Vec<Stopwatch>,
    pub(super) intents: Vec<Intent>,
    /// The pile that a star's discard is taken from.
    pub(super) piles: Vec<u8>,
}

/// Room for a block of games, kept by a worker from block to block.
#[derive(Default)]
pub struct Block {
    pub(super) games: Vec<Game>,
    pub(super) outcomes: Vec<Outcome>,
    pub(super) seats: Vec<Seat>,
    /// The slots of games that go on, of those that are asked for intents, and of those that may
    /// still use a star in this step.
    pub(super) active: Vec<u16>,
    pub(super) asked: Vec<u16>,
    pub(super) ballot: Vec<u16>,
    /// What is seen of the plays of this step, by slot, and the slots where a seat sees one.
    pub(super) sights: Vec<Sight>,
    pub(super) watched: Vec<u16>,
    pub(super) votes: Vec<bool>,
    pub(super) units: Vec<()>,
    /// Whether a game ended in this step.
    pub(super) ended: bool,
}

/// What all games of a block share.
pub(super) struct Hall<'a, O> {
    pub(super) rules: &'a Rules,
    pub(super) bodies: &'a [Body],
    pub(super) keys: &'a [GameKey],
    stars: bool,
    /// A bit for each seat that listens to what it is asked, and for each that never uses a star.
    pub(super) listeners: u16,
    pub(super) never: u16,
    observed: bool,
    reactions: bool,
    adaptation: bool,
    pub(super) forfeits: bool,
    pub(super) normal: Normal,
    pub(super) observer: &'a mut O,
}

impl Block {
    /// Room for a block.
    pub fn new() -> Self {
        Block::default()
    }

    /// Plays the games to their ends and adds an outcome for each, in order.
    ///
    /// `bodies` and `players` are by seat, one for each player of the rules. Blocks of about 64
    /// games are fastest; at most 65,535 are possible.
    ///
    /// # Errors
    /// Where a player fails; there are no outcomes then.
    ///
    /// # Panics
    /// Where `bodies` or `players` are not as many as the rules' players, or there are too many
    /// games: mistakes of the caller, not of an input.
    pub fn play<O: Observer>(
        &mut self,
        rules: &Rules,
        bodies: &[Body],
        players: &mut [&mut dyn Player],
        games: &[GameKey],
        observer: &mut O,
        outcomes: &mut Vec<Outcome>,
    ) -> Result<(), PlayError> {
        assert_eq!((bodies.len(), players.len()), (rules.players(), rules.players()));
        assert!(games.len() <= usize::from(u16::MAX));
        // First of all: only then a bot from outside can say whether it uses stars.
        for player in players.iter_mut() {
            player.begin(rules, games)?;
        }
        let bits = |is: &dyn Fn(&dyn Player) -> bool| {
            let seats = players.iter().enumerate();
            seats.fold(0, |bits, (seat, player)| bits | u16::from(is(*player)) << seat)
        };
        let mut hall = Hall {
            rules,
            bodies,
            keys: games,
            stars: players.iter().any(|player| player.uses_stars()),
            listeners: bits(&|player| player.listens()),
            never: bits(&|player| !player.uses_stars()),
            observed: players.iter().any(|player| player.observes()),
            reactions: bodies.iter().any(|body| body.reaction > 0.0),
            adaptation: bodies.iter().any(|body| body.adaptation > 0.0),
            forfeits: players.iter().any(|player| player.may_forfeit()),
            normal: Normal::new(),
            observer,
        };
        self.begin(&mut hall);
        while !self.active.is_empty() {
            // The usual numbers of seats have loops of their own, unrolled.
            match players.len() {
                2 => self.step::<O, 2>(&mut hall, players)?,
                3 => self.step::<O, 3>(&mut hall, players)?,
                4 => self.step::<O, 4>(&mut hall, players)?,
                _ => self.step::<O, 0>(&mut hall, players)?,
            }
        }
        outcomes.append(&mut self.outcomes);
        Ok(())
    }

    fn begin<O: Observer>(&mut self, hall: &mut Hall<'_, O>) {
        let slots = hall.keys.len();
        self.games.clear();
        self.games.resize_with(slots, || Game::new(hall.rules, Table::new(hall.rules)));
        refill(&mut self.outcomes, slots, Outcome::default());
        refill(&mut self.votes, slots, false);
        refill(&mut self.units, slots, ());
        refill(&mut self.sights, slots, Sight::default());
        self.seats.resize_with(hall.rules.players(), Seat::default);
        for seat in &mut self.seats {
            refill(&mut seat.watches, slots, Stopwatch::new());
            refill(&mut seat.intents, slots, Intent::Wait);
            refill(&mut seat.piles, slots, 0);
        }
        self.active.clear();
        self.active.extend(0..slots as u16);
        for slot in 0..slots {
            self.deal(hall, slot, hall.rules.first_level(), 0);
        }
    }

    /// One event in each running game. `N` is the number of seats, 0 for any.
    fn step<O: Observer, const N: usize>(
        &mut self,
        hall: &mut Hall<'_, O>,
        players: &mut [&mut dyn Player],
    ) -> Result<(), PlayError> {
        if hall.observed {
            self.show(hall, players)?;
        }
        let starred = hall.stars && self.vote(hall, players)?;
        self.asked.clear();
        if starred {
            // The ballot holds the games that use a star now; both lists are in slot order.
            let mut ballot = self.ballot.iter().peekable();
            self.asked.extend(self.active.iter().filter(|slot| ballot.next_if_eq(slot).is_none()));
        } else {
            self.asked.extend_from_slice(&self.active);
        }
        for (seat, player) in players.iter_mut().enumerate() {
            self.ask(hall, seat, *player)?;
        }
        self.ended = false;
        if hall.forfeits {
            self.forfeit(hall, players);
        }
        if hall.adaptation {
            self.adapt(hall, players)?;
        }
        // Compiled for each layout, so that the inner loop need not ask.
        match hall.rules.layout() {
            Layout::Number => self.events::<O, N>(Layout::Number, hall),
            Layout::WhiteRed => self.events::<O, N>(Layout::WhiteRed, hall),
        }
        if starred {
            self.stars(hall, players)?;
        }
        if self.ended {
            let games = &self.games;
            self.active.retain(|&slot| !games[usize::from(slot)].over);
        }
        Ok(())
    }

    /// A seat says what it means to do, and its body when it does.
    fn ask<O>(
        &mut self,
        hall: &Hall<'_, O>,
        seat: usize,
        player: &mut dyn Player,
    ) -> Result<(), PlayError> {
        let own = &mut self.seats[seat];
        let mut clocks = Clocks {
            rules: hall.rules,
            seat,
            slots: &self.asked,
            games: &mut self.games,
            keys: hall.keys,
            normal: hall.normal,
            body: &hall.bodies[seat],
            watches: &mut own.watches,
        };
        if player.act(&mut clocks)? {
            return Ok(());
        }
        player.intend(&mut Batch {
            rules: hall.rules,
            seat,
            slots: &self.asked,
            games: clocks.games,
            keys: hall.keys,
            everyone: false,
            answers: &mut own.intents,
        })?;
        clocks.visit(&mut Given(&own.intents));
        Ok(())
    }

    /// One event in each game that was asked.
    #[inline(always)]
    fn events<O: Observer, const N: usize>(&mut self, layout: Layout, hall: &mut Hall<'_, O>) {
        let asked = std::mem::take(&mut self.asked);
        for &slot in &asked {
            self.event::<O, N>(layout, hall, usize::from(slot));
        }
        self.asked = asked;
    }

    /// The next card of a game falls.
    #[inline(always)]
    fn event<O: Observer, const N: usize>(
        &mut self,
        layout: Layout,
        hall: &mut Hall<'_, O>,
        slot: usize,
    ) {
        let seats = if N == 0 { hall.rules.players() } else { N };
        let game = &mut self.games[slot];
        let (seat, card, moment) = match game.first::<N>(hall.keys, slot, seats) {
            None => {
                self.outcomes[slot].forced += 1;
                let (seat, card) = forced(hall.rules, &hall.keys[slot], &game.table);
                (seat, card, game.table.public.clock + FORCED_AFTER)
            }
            Some((seat, moment)) if hall.reactions && game.held >> seat & 1 == 1 => {
                (seat, game.falling[seat], moment)
            }
            Some((seat, moment)) if game.plans[seat] == REFOCUS => {
                let clock = game.refocus(hall.rules, moment);
                return hall.observer.refocus(slot, clock);
            }
            Some((seat, moment)) => {
                let hand = game.table.hands[seat];
                (seat, usable(layout, hand, game.plans[seat]), moment)
            }
        };
        let public = &mut game.table.public;
        public.pause = moment - public.clock;
        public.clock = moment;
        if hall.reactions {
            game.commit(hall, seat);
        }
        hall.observer.play(slot, seat, card, moment);
        let played = game.table.play_in::<N>(layout, hall.rules, seat, card);
        let mistake = !played.set_aside.is_empty();
        if mistake {
            let level = game.table.public.level;
            self.outcomes[slot].level_mut(level).mistakes += 1;
        }
        if played.then != Then::GoesOn {
            return self.level_ends(hall, slot, played.then);
        }
        if mistake || hall.reactions {
            game.release(seats);
            game.silence(seats);
        } else {
            game.silent |= u16::from(game.table.public.sizes[seat] == 0) << seat;
        }
    }
}

impl Game {
    /// A game at a table.
    pub(super) fn new(rules: &Rules, table: Table) -> Game {
        Game {
            table,
            held: 0,
            silent: 0,
            over: false,
            plans: [0; MAX_SEATS],
            moments: [f64::INFINITY; MAX_SEATS],
            falling: [rules.layout().card(0, 1); MAX_SEATS],
        }
    }

    /// The seat that acts next, and when; `None` where nobody would.
    #[inline(always)]
    pub(super) fn first<const N: usize>(
        &self,
        keys: &[GameKey],
        slot: usize,
        seats: usize,
    ) -> Option<(usize, f64)> {
        let (first, earliest) = self.earliest(seats);
        if earliest == f64::INFINITY {
            return None;
        }
        let seat = if first & first.wrapping_sub(1) != 0 {
            tie(&keys[slot], &self.table, first)
        } else {
            first.trailing_zeros() as usize
        };
        // So that the compiler knows it is a seat.
        let seat = if N == 0 { seat } else { seat.min(N - 1) };
        Some((seat, earliest))
    }

    /// The seats (bits) that act next, and when.
    #[inline(always)]
    fn earliest(&self, seats: usize) -> (u16, f64) {
        // Which seat is first is a coin's toss to a branch predictor: so there is no branch on it.
        let mut earliest = self.moments[0];
        let mut first = 1u16;
        for (seat, &moment) in self.moments[..seats].iter().enumerate().skip(1) {
            let bit = 1 << seat;
            let or_tied = first | (u16::from(moment == earliest) * bit);
            first = if moment < earliest { bit } else { or_tied };
            earliest = if moment < earliest { moment } else { earliest };
        }
        (first, earliest)
    }

    /// A seat is about to play: cards that others meant to play too soon after it can't be held
    /// back any more.
    fn commit<O>(&mut self, hall: &Hall<'_, O>, by: usize) {
        let now = self.table.public.clock;
        self.held &= !(1 << by);
        for (seat, body) in hall.bodies.iter().enumerate() {
            let asked = (self.silent | 1 << by) >> seat & 1 == 0;
            let plan = self.plans[seat];
            if asked && plan != REFOCUS && self.moments[seat] < now + body.reaction {
                let hand = self.table.hands[seat];
                self.falling[seat] = usable(hall.rules.layout(), hand, plan);
                self.held |= 1 << seat;
            }
        }
    }

    /// Cards that were set aside fall no longer.
    fn release(&mut self, seats: usize) {
        for seat in 0..seats {
            if !self.table.hands[seat].has(self.falling[seat]) {
                self.held &= !(1 << seat);
            }
        }
    }

    /// Notes which seats are not asked next.
    #[inline(always)]
    pub(super) fn silence(&mut self, seats: usize) {
        let mut silent = self.held;
        for (seat, &size) in self.table.public.sizes[..seats].iter().enumerate() {
            silent |= u16::from(size == 0) << seat;
        }
        self.silent = silent;
    }

    /// All put their hands on the table; when that is over all stopwatches start anew. Returns that
    /// moment.
    #[cold]
    fn refocus(&mut self, rules: &Rules, moment: f64) -> f64 {
        let public = &mut self.table.public;
        let over = moment + f64::from(rules.refocus_seconds());
        public.pause = over - public.clock;
        public.clock = over;
        self.table.refocus();
        over
    }
}

/// The card that an intent for a pile is about: of that pile, else of the other one.
#[inline(always)]
pub(super) fn usable(layout: Layout, hand: Cards, pile: u8) -> Card {
    let meant = match layout {
        Layout::Number => hand,
        Layout::WhiteRed => hand.and(layout.mask(usize::from(pile))),
    };
    let card = meant.first().or(hand.first());
    debug_assert!(card.is_some(), "an empty hand is not asked");
    card.unwrap_or(layout.card(0, 1))
}

fn refill<T: Clone>(items: &mut Vec<T>, count: usize, item: T) {
    items.clear();
    items.resize(count, item);
}
