//! The event simulation: a block of games in lockstep.
//!
//! There are no ticks. In each step every running game has one event: a star, where all seats would
//! have one; else all seats say what they mean to do, their bodies say when, and the earliest card
//! falls.

use super::body::{Body, Pace, Stopwatch};
use super::cards::{Card, Cards, MAX_SEATS};
use super::levels::{forced, tie};
use super::outcome::Outcome;
use super::player::{Batch, Intent, Player, bounded};
use super::rules::Rules;
use super::state::{Event, Table, Then};
use crate::error::PlayError;
use crate::rng::GameKey;

/// Seconds after which a card falls where nobody would play.
pub const FORCED_AFTER: f64 = 600.0;
/// Refocuses that a level allows; afterwards asking for one is waiting.
pub const MOST_REFOCUSES: u16 = 1_000;

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
}

/// Hears nothing.
impl Observer for () {}

/// Room for a block of games, kept by a worker from block to block.
#[derive(Default)]
pub struct Block {
    pub(super) tables: Vec<Table>,
    pub(super) outcomes: Vec<Outcome>,
    /// By slot and seat.
    pub(super) watches: Vec<Stopwatch>,
    /// By slot and seat: the moment of a card that can't be held back, and the card.
    pub(super) falling: Vec<(f64, Card)>,
    /// By slot, a bit for each seat whose card is falling.
    pub(super) held: Vec<u16>,
    /// By slot, a bit for each seat that is not asked: its hand is empty or its card is falling.
    pub(super) silent: Vec<u16>,
    pub(super) refocuses: Vec<u16>,
    /// By seat and slot.
    intents: Vec<Vec<Intent>>,
    pub(super) active: Vec<u16>,
    asked: Vec<u16>,
    pub(super) ballot: Vec<u16>,
    pub(super) votes: Vec<bool>,
    pub(super) piles: Vec<Vec<u8>>,
    pub(super) nobody: Vec<u16>,
    pub(super) units: Vec<()>,
}

/// What all games of a block share.
pub(super) struct Hall<'a, O> {
    pub(super) rules: &'a Rules,
    pub(super) bodies: &'a [Body],
    pub(super) keys: &'a [GameKey],
    stars: bool,
    observed: bool,
    reactions: bool,
    adaptation: bool,
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
        assert_eq!(
            (bodies.len(), players.len()),
            (rules.players(), rules.players())
        );
        assert!(games.len() <= usize::from(u16::MAX));
        let mut hall = Hall {
            rules,
            bodies,
            keys: games,
            stars: players.iter().any(|player| player.uses_stars()),
            observed: players.iter().any(|player| player.observes()),
            reactions: bodies.iter().any(|body| body.reaction > 0.0),
            adaptation: bodies.iter().any(|body| body.adaptation > 0.0),
            observer,
        };
        self.begin(&mut hall);
        for player in players.iter_mut() {
            player.begin(rules, games.len())?;
        }
        while !self.active.is_empty() {
            self.step(&mut hall, players)?;
        }
        outcomes.extend_from_slice(&self.outcomes);
        Ok(())
    }

    fn begin<O: Observer>(&mut self, hall: &mut Hall<'_, O>) {
        let (slots, seats) = (hall.keys.len(), hall.rules.players());
        refill(&mut self.tables, slots, Table::new(hall.rules));
        refill(&mut self.outcomes, slots, Outcome::default());
        refill(&mut self.watches, slots * seats, Stopwatch::new());
        refill(
            &mut self.falling,
            slots * seats,
            (0.0, hall.rules.layout().card(0, 1)),
        );
        refill(&mut self.held, slots, 0);
        refill(&mut self.silent, slots, 0);
        refill(&mut self.refocuses, slots, 0);
        refill(&mut self.votes, slots, false);
        refill(&mut self.nobody, slots, 0);
        refill(&mut self.units, slots, ());
        self.intents.resize_with(seats, Vec::new);
        self.piles.resize_with(seats, Vec::new);
        for (intents, piles) in self.intents.iter_mut().zip(&mut self.piles) {
            refill(intents, slots, Intent::Wait);
            refill(piles, slots, 0);
        }
        self.active.clear();
        self.active.extend(0..slots as u16);
        for slot in 0..slots {
            self.deal(hall, slot, hall.rules.first_level(), 0);
        }
    }

    /// One event in each running game.
    fn step<O: Observer>(
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
            self.asked.extend(
                self.active
                    .iter()
                    .filter(|slot| ballot.next_if_eq(slot).is_none()),
            );
        } else {
            self.asked.extend_from_slice(&self.active);
        }
        for (seat, (player, answers)) in players.iter_mut().zip(&mut self.intents).enumerate() {
            player.intend(&mut Batch {
                rules: hall.rules,
                seat,
                slots: &self.asked,
                tables: &self.tables,
                keys: hall.keys,
                silent: &self.silent,
                answers,
            })?;
        }
        let mut ended = false;
        for index in 0..self.asked.len() {
            ended |= self.event(hall, usize::from(self.asked[index]));
        }
        if starred {
            ended |= self.stars(hall, players)?;
        }
        if ended {
            let tables = &self.tables;
            self.active
                .retain(|&slot| !tables[usize::from(slot)].public.over);
        }
        Ok(())
    }

    /// The next card of a game falls. Returns whether the game ended.
    #[inline(always)]
    fn event<O: Observer>(&mut self, hall: &mut Hall<'_, O>, slot: usize) -> bool {
        let seats = hall.rules.players();
        let table = &mut self.tables[slot];
        let now = table.public.clock;
        let held = self.held[slot];
        let watches = &mut self.watches[slot * seats..][..seats];
        let mut moments = [f64::INFINITY; MAX_SEATS];
        let mut earliest = f64::INFINITY;
        let mut first = 0u16;
        for seat in 0..seats {
            if table.public.sizes[seat] == 0 {
                continue;
            }
            let moment = if held >> seat & 1 == 1 {
                self.falling[slot * seats + seat].0
            } else {
                match self.intents[seat][slot] {
                    Intent::Play { wait, .. } => {
                        now + watches[seat].moment(&hall.bodies[seat], wait)
                    }
                    Intent::Refocus { wait } if self.refocuses[slot] < MOST_REFOCUSES => {
                        now + bounded(wait)
                    }
                    Intent::Refocus { .. } | Intent::Wait => continue,
                }
            };
            moments[seat] = moment;
            if moment < earliest {
                earliest = moment;
                first = 1 << seat;
            } else if moment == earliest {
                first |= 1 << seat;
            }
        }
        if first & first.wrapping_sub(1) != 0 {
            first = 1 << tie(&hall.keys[slot], table, first);
        }
        let (seat, card) = if first == 0 {
            earliest = now + FORCED_AFTER;
            self.outcomes[slot].forced += 1;
            forced(hall.rules, &hall.keys[slot], table)
        } else {
            let seat = first.trailing_zeros() as usize;
            let hand = table.hands[seat];
            if held >> seat & 1 == 1 {
                (seat, self.falling[slot * seats + seat].1)
            } else {
                match self.intents[seat][slot] {
                    Intent::Play { pile, .. } => (seat, usable(hall.rules, hand, pile)),
                    _ => return self.refocus(slot, earliest),
                }
            }
        };
        table.public.pause = earliest - now;
        table.public.clock = earliest;
        if hall.adaptation {
            self.adapt(hall, slot, seat, card);
        }
        if hall.reactions {
            self.commit(hall, slot, seat, &moments);
        }
        hall.observer.play(slot, seat, card, earliest);
        let played = self.tables[slot].play(hall.rules, seat, card);
        if !played.set_aside.is_empty() {
            self.outcomes[slot]
                .level_mut(self.tables[slot].public.level)
                .mistakes += 1;
        }
        if played.then != Then::GoesOn {
            return self.level_ends(hall, slot, played.then);
        }
        if self.held[slot] != 0 {
            self.release(slot, seats);
        }
        self.silence(slot, seats);
        false
    }

    /// Which seats are not asked next.
    #[inline(always)]
    pub(super) fn silence(&mut self, slot: usize, seats: usize) {
        let mut silent = self.held[slot];
        for (seat, &size) in self.tables[slot].public.sizes[..seats].iter().enumerate() {
            silent |= u16::from(size == 0) << seat;
        }
        self.silent[slot] = silent;
    }

    #[cold]
    fn refocus(&mut self, slot: usize, moment: f64) -> bool {
        let public = &mut self.tables[slot].public;
        public.pause = moment - public.clock;
        public.clock = moment;
        public.last = Event::Refocus;
        self.refocuses[slot] += 1;
        false
    }

    /// A seat is about to play: cards that others meant to play too soon after it can't be held
    /// back any more.
    fn commit<O>(&mut self, hall: &Hall<'_, O>, slot: usize, by: usize, moments: &[f64]) {
        let seats = hall.rules.players();
        let table = &self.tables[slot];
        let now = table.public.clock;
        self.held[slot] &= !(1 << by);
        for seat in (0..seats).filter(|&seat| seat != by) {
            if self.held[slot] >> seat & 1 == 0
                && moments[seat] < now + hall.bodies[seat].reaction
                && let Intent::Play { pile, .. } = self.intents[seat][slot]
            {
                let card = usable(hall.rules, table.hands[seat], pile);
                self.falling[slot * seats + seat] = (moments[seat], card);
                self.held[slot] |= 1 << seat;
            }
        }
    }

    /// Cards that were set aside fall no longer.
    fn release(&mut self, slot: usize, seats: usize) {
        for seat in 0..seats {
            let card = self.falling[slot * seats + seat].1;
            if !self.tables[slot].hands[seat].has(card) {
                self.held[slot] &= !(1 << seat);
            }
        }
    }

    /// Tempos move towards the pace of an open play of another.
    fn adapt<O>(&mut self, hall: &Hall<'_, O>, slot: usize, by: usize, card: Card) {
        let (rules, seats) = (hall.rules, hall.rules.players());
        let layout = rules.layout();
        let table = &self.tables[slot];
        let gap = |card: Card| {
            let pile = layout.pile(card);
            let open = table.public.blind >> pile & 1 == 0;
            let gap = f64::from(layout.rank(card)) - f64::from(table.public.tops[pile]);
            if open { gap } else { 0.0 }
        };
        let seen = Pace {
            seconds: table.public.pause,
            gap: gap(card),
        };
        for seat in (0..seats).filter(|&seat| seat != by && self.silent[slot] >> seat & 1 == 0) {
            if let Intent::Play { pile, wait } = self.intents[seat][slot] {
                let own = gap(usable(rules, table.hands[seat], pile));
                let own = Pace {
                    seconds: wait,
                    gap: own,
                };
                self.watches[slot * seats + seat].adapt(&hall.bodies[seat], seen, own);
            }
        }
    }
}

/// The card that an intent for a pile is about: of that pile, else of the other one.
#[inline(always)]
pub(super) fn usable(rules: &Rules, hand: Cards, pile: u8) -> Card {
    let layout = rules.layout();
    let pile = usize::from(pile).min(layout.piles() - 1);
    let card = layout.playable(hand, pile).or(hand.first());
    debug_assert!(card.is_some(), "an empty hand is not asked");
    card.unwrap_or(layout.card(0, 1))
}

fn refill<T: Clone>(items: &mut Vec<T>, count: usize, item: T) {
    items.clear();
    items.resize(count, item);
}
