//! A block of games, played in lockstep.
//!
//! Each turn asks each seat's player once for the whole block, so a call through a pointer is paid
//! once a block, what lies below is monomorphised, and a bot from outside can answer for many games
//! at once. All memory is the block's own and is used again.

use std::ops::DerefMut;

use super::card_set::CardSet;
use super::deal;
use super::deck::Card;
use super::player::{Player, Request};
use super::rules::{MAX_PLAYERS, Rules};
use super::state::{Outcome, Public, RoundScore};
use crate::cpu::{self, Kernel, Level};
use crate::error::PlayError;
use crate::rng::{GameKey, Rng, SeatPart};

/// Sees games as they are played, apart from play. `()` sees nothing and costs nothing.
pub trait Observer {
    /// A round was dealt.
    fn dealt(&mut self, _game: usize, _public: &Public, _hands: &[u64; MAX_PLAYERS]) {}
    /// A turn was chosen; `public` is still as it was before it.
    fn turn(&mut self, _game: usize, _public: &Public, _plays: &[Card; MAX_PLAYERS]) {}
    /// A round ended; `public` has its tableaux.
    fn scored(&mut self, _game: usize, _public: &Public, _scores: &[RoundScore; MAX_PLAYERS]) {}
    /// The game ended so, by its cards and by who forfeits it.
    fn ended(&mut self, _game: usize, _outcome: &Outcome) {}
}

impl Observer for () {}

/// The memory of a block of games.
#[derive(Debug, Default)]
pub struct Block {
    public: Vec<Public>,
    /// By seat, then by game: a player is handed its own hands and nobody else's.
    hands: [Vec<u64>; MAX_PLAYERS],
    rngs: [Vec<Rng>; MAX_PLAYERS],
    plays: [Vec<Card>; MAX_PLAYERS],
    /// The objective cards that can't come any more in each game.
    spent: Vec<CardSet>,
}

impl Block {
    /// Plays a game for each key and puts the outcomes, in the order of the keys, in place of what
    /// `outcomes` held. `players` has one for each seat.
    ///
    /// # Errors
    /// Where a player fails; then the outcomes are empty.
    pub fn play<P: DerefMut<Target: Player>, O: Observer>(
        &mut self,
        rules: &Rules,
        players: &mut [P],
        keys: &[GameKey],
        observer: &mut O,
        outcomes: &mut Vec<Outcome>,
    ) -> Result<(), PlayError> {
        outcomes.clear();
        self.resize(rules.players(), keys);
        for player in players.iter_mut() {
            player.begin(keys);
        }
        for round in 0..rules.rounds() {
            cpu::run(StartRound { block: self, rules, keys, round, observer });
            for _ in 0..rules.turns(round) {
                for (seat, player) in players.iter_mut().enumerate().take(rules.players()) {
                    player.choose(Request {
                        rules,
                        seat,
                        public: &self.public,
                        hands: &self.hands[seat],
                        rngs: &mut self.rngs[seat],
                        plays: &mut self.plays[seat],
                    })?;
                }
                cpu::run(Turn { block: self, rules, observer });
            }
            cpu::run(EndRound { block: self, rules, observer });
        }
        outcomes.extend(self.public.iter().map(Outcome::of));
        forfeit(rules.players(), players, outcomes);
        outcomes.iter().enumerate().for_each(|(game, outcome)| observer.ended(game, outcome));
        Ok(())
    }

    fn resize(&mut self, players: usize, keys: &[GameKey]) {
        let games = keys.len();
        self.public.clear();
        self.public.resize(games, Public::EMPTY);
        self.spent.clear();
        self.spent.resize(games, CardSet::default());
        for seat in 0..players {
            self.hands[seat].resize(games, 0);
            self.plays[seat].resize(games, 0);
            self.rngs[seat].resize(games, Rng::new(0));
        }
    }
}

/// Seats that failed lose their games.
fn forfeit<P: DerefMut<Target: Player>>(seats: usize, players: &[P], outcomes: &mut [Outcome]) {
    let failed = |game: usize| {
        let players = players.iter().take(seats).enumerate();
        players.fold(0u8, |mask, (seat, player)| {
            mask | u8::from(player.forfeits().get(game) == Some(&true)) << seat
        })
    };
    if players.iter().all(|player| player.forfeits().is_empty()) {
        return;
    }
    for (game, outcome) in outcomes.iter_mut().enumerate() {
        outcome.forfeit(seats, failed(game));
    }
}

struct StartRound<'a, O> {
    block: &'a mut Block,
    rules: &'a Rules,
    keys: &'a [GameKey],
    round: usize,
    observer: &'a mut O,
}

impl<O: Observer> Kernel for StartRound<'_, O> {
    type Output = ();

    #[inline(always)]
    fn run<L: Level>(self, level: L) {
        let StartRound { block, rules, keys, round, observer } = self;
        for (game, &key) in keys.iter().enumerate() {
            let public = &mut block.public[game];
            let mut hands = [0; MAX_PLAYERS];
            deal::round(level, rules, key.deal(), round, public, &mut hands);
            deal::objectives(rules, key.deal(), public, &mut block.spent[game]);
            let seats = key.seats(round, 0, SeatPart::Strategy);
            for seat in 0..rules.players() {
                block.hands[seat][game] = hands[seat];
                block.rngs[seat][game] = seats.child(seat as u64).rng();
            }
            observer.dealt(game, public, &hands);
        }
    }
}

struct Turn<'a, O> {
    block: &'a mut Block,
    rules: &'a Rules,
    observer: &'a mut O,
}

impl<O: Observer> Kernel for Turn<'_, O> {
    type Output = ();

    #[inline(always)]
    fn run<L: Level>(self, level: L) {
        let Turn { block, rules, observer } = self;
        for (game, public) in block.public.iter_mut().enumerate() {
            let mut plays = [0; MAX_PLAYERS];
            for seat in 0..rules.players() {
                plays[seat] = block.plays[seat][game];
                let hand = &mut block.hands[seat][game];
                debug_assert!(*hand >> plays[seat] & 1 == 1, "a card that is not in the hand");
                *hand &= !(1 << plays[seat]);
            }
            observer.turn(game, public, &plays);
            public.turn(level, rules, &plays);
        }
    }
}

struct EndRound<'a, O> {
    block: &'a mut Block,
    rules: &'a Rules,
    observer: &'a mut O,
}

impl<O: Observer> Kernel for EndRound<'_, O> {
    type Output = ();

    #[inline(always)]
    fn run<L: Level>(self, _: L) {
        let EndRound { block, rules, observer } = self;
        for (game, public) in block.public.iter_mut().enumerate() {
            let mut last = [0; MAX_PLAYERS];
            for seat in 0..rules.players() {
                last[seat] = block.hands[seat][game].trailing_zeros() as Card;
            }
            let scores = public.end_round(rules, &last);
            observer.scored(game, public, &scores);
        }
    }
}
