//! The state of a game and its transitions: the same code moves simulated games and judged ones.
//!
//! A [`Table`] is split by who may know what: [`Public`] is what all seats see, the rest is secret.
//! A seat gets a [`View`](super::view::View), which borrows the one and copies its own part of the
//! other.

use super::cards::{Card, Cards, Layout, MAX_PILES, MAX_SEATS};
use super::options::{BlindPenalty, BlindReward, LoseAt, Mistake};
use super::rules::Rules;

/// The last thing that all seats saw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// A level was dealt.
    Deal,
    /// A seat played: the card is known on an open pile only.
    Play {
        /// The seat that played.
        seat: u8,
        /// The pile's index.
        pile: u8,
        /// The card, unless the pile is blind.
        card: Option<Card>,
        /// How far the card was from the top of its open pile; 0 on a blind pile.
        gap: u8,
        /// Whether cards were set aside.
        mistake: bool,
    },
    /// A star was used.
    Star,
    /// All put their hands on the table, and start their stopwatches anew now that it is over.
    Refocus,
}

/// What all seats know.
#[derive(Debug, Clone, Copy)]
pub struct Public {
    pub(super) level: u8,
    pub(super) attempt: u8,
    pub(super) lives: u8,
    pub(super) stars: u8,
    /// Refocuses that the level still allows.
    pub(super) refocuses: u8,
    /// A bit for each blind pile of this level.
    pub(super) blind: u8,
    /// The rank on top of each pile, 0 for an empty or a blind one.
    pub(super) tops: [u8; MAX_PILES],
    /// Cards still in each hand.
    pub(super) sizes: [u8; MAX_SEATS],
    /// All of them.
    pub(super) left: u8,
    pub(super) last: Event,
    /// Seconds from the level's start to the last event.
    pub(super) clock: f64,
    /// Seconds between the last event and the one before it.
    pub(super) pause: f64,
    /// Every card of this level that all have seen.
    pub(super) seen: Cards,
    /// The same by owner.
    pub(super) shown: [Cards; MAX_SEATS],
    /// Cards played on each blind pile by each seat.
    pub(super) blind_plays: [[u8; MAX_PILES]; MAX_SEATS],
    /// Cards that others played on each blind pile since the seat's own last one there.
    pub(super) blind_since: [[u8; MAX_PILES]; MAX_SEATS],
}

/// A game's whole state.
#[derive(Debug, Clone, Copy)]
pub struct Table {
    pub(super) public: Public,
    pub(super) hands: [Cards; MAX_SEATS],
    /// The cards that each seat played blind in this level.
    pub(super) played_blind: [Cards; MAX_SEATS],
    /// The ends of the increasing subsequences of the blind piles: see [`Table::play_blind`].
    tails: Cards,
}

/// For each pile, how many cards are out of order; `None` for one that was not turned over.
pub type Turned = [Option<u8>; MAX_PILES];

/// How the game stands after an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Then {
    /// The level goes on.
    GoesOn,
    /// The level is done, its reward taken.
    Done(Turned),
    /// The level is to be dealt again.
    Restart,
    /// The game is lost.
    Lost(Turned),
}

/// What a play did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Played {
    /// The cards of others that were passed over: none, unless it was a mistake.
    pub set_aside: Cards,
    /// How the game stands.
    pub then: Then,
}

/// Why a seat may not play or discard a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Forbidden {
    /// The seat does not hold it.
    NotInHand,
    /// The seat holds this card, which comes first on the same pile.
    NotPlayable(Card),
}

impl Table {
    /// A game before its first level.
    pub fn new(rules: &Rules) -> Table {
        Table {
            public: Public {
                level: 0,
                attempt: 0,
                lives: rules.lives(),
                stars: rules.stars(),
                refocuses: 0,
                blind: 0,
                tops: [0; MAX_PILES],
                sizes: [0; MAX_SEATS],
                left: 0,
                last: Event::Deal,
                clock: 0.0,
                pause: 0.0,
                seen: Cards::NONE,
                shown: [Cards::NONE; MAX_SEATS],
                blind_plays: [[0; MAX_PILES]; MAX_SEATS],
                blind_since: [[0; MAX_PILES]; MAX_SEATS],
            },
            hands: [Cards::NONE; MAX_SEATS],
            played_blind: [Cards::NONE; MAX_SEATS],
            tails: Cards::NONE,
        }
    }

    /// What all seats know.
    #[inline(always)]
    pub const fn public(&self) -> &Public {
        &self.public
    }

    /// A seat's hand.
    #[inline(always)]
    pub const fn hand(&self, seat: usize) -> Cards {
        self.hands[seat]
    }

    /// Puts other cards into the hands and onto the blind piles, as many of each seat as before.
    #[cfg(test)]
    pub(crate) fn set_secrets(&mut self, hands: [Cards; MAX_SEATS], played: [Cards; MAX_SEATS]) {
        for seat in 0..MAX_SEATS {
            assert_eq!(hands[seat].len(), self.hands[seat].len());
            assert_eq!(played[seat].len(), self.played_blind[seat].len());
        }
        self.hands = hands;
        self.played_blind = played;
        self.tails = Cards::NONE;
    }

    /// Says how many seconds passed before the last event, the first of its level.
    #[cfg(test)]
    pub(crate) const fn set_pause(&mut self, seconds: f64) {
        (self.public.pause, self.public.clock) = (seconds, seconds);
    }

    /// The cards that a seat played blind in this level.
    #[cfg(test)]
    pub(crate) const fn played_blind(&self, seat: usize) -> Cards {
        self.played_blind[seat]
    }

    /// Deals a level: `level` from 1, `attempt` from 0, a hand of as many cards for each seat.
    pub fn deal(&mut self, rules: &Rules, level: u8, attempt: u8, hands: &[Cards]) {
        let public = &mut self.public;
        public.level = level;
        public.attempt = attempt;
        public.refocuses = rules.refocuses();
        public.blind = rules.blind_at(level);
        public.tops = [0; MAX_PILES];
        public.left = 0;
        public.last = Event::Deal;
        public.clock = 0.0;
        public.pause = 0.0;
        public.seen = Cards::NONE;
        self.tails = Cards::NONE;
        // Seats beyond the players' stay empty.
        for (seat, &hand) in hands.iter().enumerate().take(rules.players()) {
            debug_assert!(hand.len() == u32::from(level));
            public.sizes[seat] = level;
            public.left += level;
            public.shown[seat] = Cards::NONE;
            public.blind_plays[seat] = [0; MAX_PILES];
            public.blind_since[seat] = [0; MAX_PILES];
            self.hands[seat] = hand;
            self.played_blind[seat] = Cards::NONE;
        }
    }

    /// Whether a seat may play or discard a card: it holds it and none that comes before it.
    ///
    /// # Errors
    /// Why not.
    pub fn may_use(&self, rules: &Rules, seat: usize, card: Card) -> Result<(), Forbidden> {
        let hand = self.hands[seat];
        if !hand.has(card) {
            return Err(Forbidden::NotInHand);
        }
        match hand.and(rules.layout().before(card)).first() {
            None => Ok(()),
            Some(before) => Err(Forbidden::NotPlayable(before)),
        }
    }

    /// Plays a card that the seat may play.
    pub fn play(&mut self, rules: &Rules, seat: usize, card: Card) -> Played {
        self.play_in::<0>(rules.layout(), rules, seat, card)
    }

    /// The same where the compiler knows the rules' layout and the number of seats, `N` (0: any),
    /// so that it unrolls loops and leaves choices out.
    #[inline(always)]
    pub(super) fn play_in<const N: usize>(
        &mut self,
        layout: Layout,
        rules: &Rules,
        seat: usize,
        card: Card,
    ) -> Played {
        let pile = layout.pile(card);
        debug_assert!(self.may_use(rules, seat, card).is_ok());
        // The card is the lowest of its pile in the hand: cheaper found there than by its number.
        let own = self.hands[seat].and(layout.mask(pile)).lowest();
        self.hands[seat] = self.hands[seat].minus(own);
        self.public.sizes[seat] -= 1;
        self.public.left -= 1;
        if self.public.blind >> pile & 1 == 1 {
            self.play_blind(rules, seat, card, pile);
            return Played { set_aside: Cards::NONE, then: self.then(rules) };
        }
        let rank = layout.rank(card);
        // Cards that are not above the top were set aside.
        let gap = rank - self.public.tops[pile];
        self.public.tops[pile] = rank;
        self.public.seen = self.public.seen.or(own);
        self.public.shown[seat] = self.public.shown[seat].or(own);
        let before = own.below().and(layout.mask(pile));
        let mut passed = Cards::NONE;
        let seats = if N == 0 { rules.players() } else { N };
        for hand in &self.hands[..seats] {
            passed = passed.or(hand.and(before));
        }
        let mistake = !passed.is_empty();
        self.public.last =
            Event::Play { seat: seat as u8, pile: pile as u8, card: Some(card), gap, mistake };
        let then = if mistake { self.mistake(rules, passed) } else { self.then(rules) };
        Played { set_aside: passed, then }
    }

    /// A card on a blind pile.
    ///
    /// Of what lies there only the length of the longest increasing subsequence will matter.
    /// Patience sorting (Mallows, 1963; Fredman, 1975) keeps the lowest end of the increasing
    /// subsequences of each length; a card takes the place of the next higher end, or is a new
    /// end. The ends rise with the length, so that a mask holds them, and their number is the
    /// length of the longest.
    fn play_blind(&mut self, rules: &Rules, seat: usize, card: Card, pile: usize) {
        let next = self.tails.and(rules.layout().after(card)).first();
        if let Some(next) = next {
            self.tails = self.tails.without(next);
        }
        self.tails = self.tails.with(card);
        self.played_blind[seat] = self.played_blind[seat].with(card);
        let public = &mut self.public;
        public.blind_plays[seat][pile] += 1;
        for (other, since) in public.blind_since[..rules.players()].iter_mut().enumerate() {
            since[pile] = if other == seat { 0 } else { since[pile] + 1 };
        }
        public.last =
            Event::Play { seat: seat as u8, pile: pile as u8, card: None, gap: 0, mistake: false };
    }

    /// Cards were passed over on an open pile: they go, a life is paid.
    #[cold]
    fn mistake(&mut self, rules: &Rules, passed: Cards) -> Then {
        for seat in 0..rules.players() {
            for card in self.hands[seat].and(passed).iter() {
                self.take(seat, card);
                self.show(seat, card);
            }
        }
        if self.pay(rules, 1) {
            return Then::Lost([None; MAX_PILES]);
        }
        match rules.mistake() {
            Mistake::RestartLevel => Then::Restart,
            Mistake::Continue => self.then(rules),
        }
    }

    /// A star: each seat that holds cards discards one that it may, named by the seat.
    pub fn star(&mut self, rules: &Rules, choices: &[Option<Card>]) -> Then {
        debug_assert!(self.public.stars > 0 && self.public.left > 0);
        self.public.stars -= 1;
        for (seat, choice) in choices.iter().enumerate().take(rules.players()) {
            if let &Some(card) = choice {
                self.take(seat, card);
                self.show(seat, card);
            }
        }
        self.public.last = Event::Star;
        self.then(rules)
    }

    /// A refocus, which the level must still allow. It moves no card.
    pub fn refocus(&mut self) {
        debug_assert!(self.public.refocuses > 0);
        self.public.refocuses = self.public.refocuses.saturating_sub(1);
        self.public.last = Event::Refocus;
    }

    #[inline(always)]
    fn take(&mut self, seat: usize, card: Card) {
        self.hands[seat] = self.hands[seat].without(card);
        self.public.sizes[seat] -= 1;
        self.public.left -= 1;
    }

    #[inline(always)]
    fn show(&mut self, seat: usize, card: Card) {
        self.public.seen = self.public.seen.with(card);
        self.public.shown[seat] = self.public.shown[seat].with(card);
    }

    /// Pays lives; true where that loses the game.
    fn pay(&mut self, rules: &Rules, penalty: u8) -> bool {
        let held = self.public.lives;
        self.public.lives = held.saturating_sub(penalty);
        match rules.lose_at() {
            LoseAt::LastLife => penalty > 0 && penalty >= held,
            LoseAt::LifeOwed => penalty > held,
        }
    }

    #[inline(always)]
    fn then(&mut self, rules: &Rules) -> Then {
        if self.public.left > 0 { Then::GoesOn } else { self.end_level(rules) }
    }

    /// All hands are empty: blind piles are turned over and paid for, then the level is done.
    fn end_level(&mut self, rules: &Rules) -> Then {
        let layout = rules.layout();
        let mut turned = [None; MAX_PILES];
        if self.public.blind == 0 {
            self.reward(rules);
            return Then::Done(turned);
        }
        for (pile, out) in turned.iter_mut().enumerate().take(layout.piles()) {
            if self.public.blind >> pile & 1 == 1 {
                let plays: u8 = self.public.blind_plays.iter().map(|by_seat| by_seat[pile]).sum();
                *out = Some(plays - self.tails.and(layout.mask(pile)).len() as u8);
            }
        }
        let penalty = blind_penalty(rules, &turned);
        if self.pay(rules, penalty) {
            return Then::Lost(turned);
        }
        if penalty == 0 || rules.blind_reward() == BlindReward::Taken {
            self.reward(rules);
        }
        Then::Done(turned)
    }

    fn reward(&mut self, rules: &Rules) {
        let public = &mut self.public;
        if rules.star_after(public.level) && public.stars < rules.max_stars() {
            public.stars += 1;
        }
        if rules.life_after(public.level) && public.lives < rules.max_lives() {
            public.lives += 1;
        }
    }
}

/// The lives that blind piles cost at the end of a level.
pub fn blind_penalty(rules: &Rules, turned: &Turned) -> u8 {
    let out = turned.iter().flatten();
    match rules.blind_penalty() {
        BlindPenalty::PerLevel => u8::from(out.clone().any(|&out| out > 0)),
        BlindPenalty::PerPile => out.map(|&out| u8::from(out > 0)).sum(),
        BlindPenalty::PerCard => out.sum(),
    }
}
