//! The simulation's rarer events: a level is dealt or ends, a star is used, a draw settles.

use super::block::{Block, Hall, Observer, usable};
use super::cards::{Card, Cards, DECK, Layout, MAX_PILES, MAX_SEATS};
use super::player::{Batch, Player};
use super::record::micros;
use super::rules::Rules;
use super::state::{Table, Then, blind_penalty};
use crate::error::PlayError;
use crate::rng::{DealPart, GameKey, Key, Rng, SeatPart, below, deal_rng};

/// The hands of a level (from 1) and attempt (from 0): the same for whoever plays the deal.
pub fn deal_hands(rules: &Rules, deal: Key, level: u8, attempt: u8) -> [Cards; MAX_SEATS] {
    let mut rng = deal_rng(deal, usize::from(level) - 1, usize::from(attempt), DealPart::Cards);
    let mut deck = match rules.layout() {
        Layout::Number => DECKS[0],
        Layout::WhiteRed => DECKS[1],
    };
    // A shuffle of the cards that are dealt and no others (Fisher and Yates).
    let mut hands = [Cards::NONE; MAX_SEATS];
    let mut dealt = 0;
    for hand in &mut hands[..rules.players()] {
        for _ in 0..level {
            let left = (DECK - dealt) as u32;
            let pick = dealt + if left > 1 { below(&mut rng, left) as usize } else { 0 };
            *hand = hand.with(deck[pick]);
            deck[pick] = deck[dealt];
            dealt += 1;
        }
    }
    hands
}

const DECKS: [[Card; DECK]; 2] = [sorted(Layout::Number), sorted(Layout::WhiteRed)];

const fn sorted(layout: Layout) -> [Card; DECK] {
    let mut deck = [layout.card(0, 1); DECK];
    let size = layout.size() as usize;
    let mut index = 0;
    while index < DECK {
        deck[index] = layout.card(index / size, (index % size) as u8 + 1);
        index += 1;
    }
    deck
}

impl Block {
    /// Deals a level and readies the bodies.
    pub(super) fn deal<O: Observer>(
        &mut self,
        hall: &mut Hall<'_, O>,
        slot: usize,
        level: u8,
        attempt: u8,
    ) {
        let (rules, key) = (hall.rules, hall.keys[slot]);
        let hands = deal_hands(rules, key.deal(), level, attempt);
        let game = &mut self.games[slot];
        game.table.deal(rules, level, attempt, &hands);
        game.held = 0;
        game.silent = 0;
        let first = level == rules.first_level() && attempt == 0;
        let (round, attempt) = (usize::from(level) - 1, usize::from(attempt));
        let seats = key.seats(round, attempt, SeatPart::Body);
        for (seat, (body, own)) in hall.bodies.iter().zip(&mut self.seats).enumerate() {
            if body.is_noisy() || first && body.tempo_spread != 0.0 {
                let mut rng = seats.child(seat as u64).rng();
                let watch = &mut own.watches[slot];
                if first {
                    watch.begin_game(hall.normal, body, &mut rng);
                }
                watch.begin_level(hall.normal, body, rng);
            }
        }
        let outcome = self.outcomes[slot].level_mut(level);
        outcome.attempts = outcome.attempts.saturating_add(1);
        hall.observer.deal(slot, &self.games[slot].table);
    }

    /// A level ends: books it, and deals what comes next.
    #[cold]
    pub(super) fn level_ends<O: Observer>(
        &mut self,
        hall: &mut Hall<'_, O>,
        slot: usize,
        then: Then,
    ) {
        let rules = hall.rules;
        let game = &mut self.games[slot];
        let public = &game.table.public;
        let (number, attempt) = (public.level, public.attempt);
        let outcome = &mut self.outcomes[slot];
        let level = outcome.level_mut(number);
        level.micros += micros(public.clock);
        if public.blind != 0
            && let Then::Done(turned) | Then::Lost(turned) = &then
        {
            level.blind_penalty += u16::from(blind_penalty(rules, turned));
        }
        let next = match then {
            Then::GoesOn => return,
            Then::Restart => Some((number, attempt.saturating_add(1))),
            Then::Lost(_) => None,
            Then::Done(_) => {
                level.done = true;
                outcome.levels_done = number;
                outcome.won = number == rules.levels();
                (!outcome.won).then_some((number + 1, 0))
            }
        };
        if let Some((level, attempt)) = next {
            self.deal(hall, slot, level, attempt);
            return;
        }
        game.over = true;
        self.ended = true;
        outcome.lives = public.lives;
        outcome.stars = public.stars;
        for level in rules.first_level()..=number {
            let level = outcome.level(level);
            outcome.mistakes += level.mistakes;
            outcome.stars_used += u16::from(level.stars_used);
            outcome.micros += level.micros;
        }
    }

    /// Shows the last event to those who observe.
    pub(super) fn show<O>(
        &mut self,
        hall: &Hall<'_, O>,
        players: &mut [&mut dyn Player],
    ) -> Result<(), PlayError> {
        for (seat, player) in players.iter_mut().enumerate().filter(|(_, p)| p.observes()) {
            player.observe(&mut Batch {
                rules: hall.rules,
                seat,
                slots: &self.active,
                games: &self.games,
                keys: hall.keys,
                everyone: true,
                answers: &mut self.units,
            })?;
        }
        Ok(())
    }

    /// Asks for stars and leaves the games that use one on the ballot. Returns whether any does.
    ///
    /// There is no vote while a card is falling: agreeing takes longer than holding back.
    pub(super) fn vote<O>(
        &mut self,
        hall: &Hall<'_, O>,
        players: &mut [&mut dyn Player],
    ) -> Result<bool, PlayError> {
        if hall.listeners != 0 {
            self.hear(hall, players)?;
        } else {
            let games = &self.games;
            self.ballot.clear();
            self.ballot.extend(self.active.iter().filter(|&&slot| {
                let game = &games[usize::from(slot)];
                game.table.public.stars > 0 && game.held == 0
            }));
        }
        for (seat, player) in players.iter_mut().enumerate() {
            if self.ballot.is_empty() {
                return Ok(false);
            }
            if hall.listeners >> seat & 1 == 0 {
                self.poll(hall, seat, *player)?;
                let votes = &self.votes;
                self.ballot.retain(|&slot| votes[usize::from(slot)]);
            }
        }
        Ok(!self.ballot.is_empty())
    }

    /// Asks those who listen, in every game that could have a star by what all see, and leaves the
    /// games in which they agree on the ballot.
    ///
    /// Were one asked only where those before it agree, or where no card is falling, being asked
    /// would tell it so: a signal that costs nothing, at every event.
    #[cold]
    fn hear<O>(
        &mut self,
        hall: &Hall<'_, O>,
        players: &mut [&mut dyn Player],
    ) -> Result<(), PlayError> {
        let games = &self.games;
        let may_have = |&&slot: &&u16| {
            let public = &games[usize::from(slot)].table.public;
            let mut sizes = public.sizes[..hall.rules.players()].iter().enumerate();
            public.stars > 0 && sizes.all(|(seat, &size)| size == 0 || hall.never >> seat & 1 == 0)
        };
        self.ballot.clear();
        self.ballot.extend(self.active.iter().filter(may_have));
        let mut agreed = self.ballot.clone();
        for (seat, player) in players.iter_mut().enumerate() {
            if hall.listeners >> seat & 1 == 1 && !self.ballot.is_empty() {
                self.poll(hall, seat, *player)?;
                agreed.retain(|&slot| self.votes[usize::from(slot)]);
            }
        }
        agreed.retain(|&slot| self.games[usize::from(slot)].held == 0);
        self.ballot = agreed;
        Ok(())
    }

    /// Asks a seat for its vote in the games on the ballot.
    fn poll<O>(
        &mut self,
        hall: &Hall<'_, O>,
        seat: usize,
        player: &mut dyn Player,
    ) -> Result<(), PlayError> {
        player.vote(&mut Batch {
            rules: hall.rules,
            seat,
            slots: &self.ballot,
            games: &self.games,
            keys: hall.keys,
            everyone: true,
            answers: &mut self.votes,
        })
    }

    /// Uses a star in each game on the ballot.
    pub(super) fn stars<O: Observer>(
        &mut self,
        hall: &mut Hall<'_, O>,
        players: &mut [&mut dyn Player],
    ) -> Result<(), PlayError> {
        for (seat, (player, own)) in players.iter_mut().zip(&mut self.seats).enumerate() {
            player.discard(&mut Batch {
                rules: hall.rules,
                seat,
                slots: &self.ballot,
                games: &self.games,
                keys: hall.keys,
                everyone: false,
                answers: &mut own.piles,
            })?;
        }
        if hall.forfeits {
            self.forfeit(hall, players);
        }
        for index in 0..self.ballot.len() {
            self.star(hall, usize::from(self.ballot[index]));
        }
        Ok(())
    }

    /// Ends the games that a seat has lost by failing: no life is left, and nothing else happens
    /// in them.
    pub(super) fn forfeit<O: Observer>(
        &mut self,
        hall: &mut Hall<'_, O>,
        players: &mut [&mut dyn Player],
    ) {
        for (seat, player) in players.iter_mut().enumerate() {
            for slot in player.forfeits() {
                hall.observer.forfeit(usize::from(slot), seat);
                let game = &mut self.games[usize::from(slot)];
                if !game.over {
                    game.table.public.lives = 0;
                    self.level_ends(hall, usize::from(slot), Then::Lost([None; MAX_PILES]));
                    self.asked.retain(|&asked| asked != slot);
                    self.ballot.retain(|&starred| starred != slot);
                }
            }
        }
    }

    fn star<O: Observer>(&mut self, hall: &mut Hall<'_, O>, slot: usize) {
        let seats = hall.rules.players();
        let game = &mut self.games[slot];
        let table = &mut game.table;
        let mut choices = [None; MAX_SEATS];
        for (seat, choice) in choices.iter_mut().enumerate().take(seats) {
            let hand = table.hands[seat];
            if !hand.is_empty() {
                *choice = Some(usable(hall.rules.layout(), hand, self.seats[seat].piles[slot]));
            }
        }
        let level = self.outcomes[slot].level_mut(table.public.level);
        level.stars_used = level.stars_used.saturating_add(1);
        hall.observer.star(slot, &choices[..seats], table.public.clock);
        table.public.pause = 0.0;
        let then = table.star(hall.rules, &choices);
        if then != Then::GoesOn {
            return self.level_ends(hall, slot, then);
        }
        game.silence(seats);
    }
}

/// A generator for what must be settled by a draw: the node of the deal's ties, and below it the
/// number of cards left, so that each event of a level has a draw of its own.
fn settling(key: &GameKey, table: &Table) -> Rng {
    let (level, attempt) = (usize::from(table.public.level), usize::from(table.public.attempt));
    let mut rng = deal_rng(key.deal(), level - 1, attempt, DealPart::Ties);
    let bits = rand::Rng::next_u64(&mut rng);
    Key::root(bits).child(u64::from(table.public.left)).rng()
}

/// One of several seats (bits) whose cards fall at the same moment.
#[cold]
pub(super) fn tie(key: &GameKey, table: &Table, seats: u16) -> usize {
    let k = below(&mut settling(key, table), seats.count_ones()) as usize;
    (0..MAX_SEATS).filter(|seat| seats >> seat & 1 == 1).nth(k).unwrap_or(0)
}

/// The play that is forced where nobody would play: uniform over seats and their playable cards.
#[cold]
pub(super) fn forced(rules: &Rules, key: &GameKey, table: &Table) -> (usize, Card) {
    let layout = rules.layout();
    let mut options = [(0, layout.card(0, 1)); 2 * MAX_SEATS];
    let mut count = 0;
    for seat in 0..rules.players() {
        for pile in 0..layout.piles() {
            if let Some(card) = layout.playable(table.hands[seat], pile) {
                options[count] = (seat, card);
                count += 1;
            }
        }
    }
    debug_assert!(count > 0, "a level with no card in hand has ended");
    options[below(&mut settling(key, table), count.max(1) as u32) as usize]
}
