//! Playouts: a position played on by simple policies, the hidden cards dealt anew each time.

use super::linear::{distance, is_carried};
use super::policy::{Policy, uniform};
use super::values::Values;
use crate::cpu::{Kernel, Level};
use crate::error::InputError;
use crate::games::mind_up::{Card, Deck, MAX_PLAYERS, Public, Rules, View};
use crate::rng::{Rng, below};

/// How a seat of a playout chooses.
#[derive(Debug, Clone, Copy)]
pub struct Mover<'a> {
    /// By what it plays.
    pub policy: &'a Policy,
    /// The share of its choices that are uniform instead, 0 to 1.
    pub noise: f64,
}

/// How playouts are made.
#[derive(Debug, Clone, Copy)]
pub struct Playouts<'a> {
    /// The seat that searches.
    pub own: Mover<'a>,
    /// The others.
    pub others: Mover<'a>,
    /// Turns that a playout goes on for; 0: to the end of the round.
    pub horizon: u32,
    /// Points that a card counts by its distance from the middle of the deck, where the tableau
    /// will be the next hand.
    pub carries: f64,
}

/// The most playouts of a card.
pub const MOST_PLAYOUTS: u32 = 100_000;

/// Refuses the parameters that all searchers have where they are out of range.
pub(super) fn check(
    playouts: u32,
    noise: f64,
    horizon: u32,
    carries: f64,
) -> Result<(), InputError> {
    if !(-1_000.0..=1_000.0).contains(&carries) {
        return Err(InputError::new("carries", carries, "this must be from -1000 to 1000 points"));
    }
    if !(1..=MOST_PLAYOUTS).contains(&playouts) {
        return Err(InputError::new(
            "playouts",
            playouts,
            "this must be from 1 to 100000 playouts for each card",
        ));
    }
    if !(0.0..=1.0).contains(&noise) {
        return Err(InputError::new(
            "noise",
            noise,
            "this must be a share of choices, from 0 to 1",
        ));
    }
    if horizon > 60 {
        return Err(InputError::new(
            "horizon",
            horizon,
            "this must be from 0 to 60 turns; 0 means the whole round",
        ));
    }
    Ok(())
}

impl<'a> Playouts<'a> {
    /// All seats by one policy with the same noise.
    #[inline(always)]
    pub(super) fn alike(policy: &'a Policy, noise: f64, horizon: u32, carries: f64) -> Self {
        let mover = Mover { policy, noise };
        Playouts { own: mover, others: mover, horizon, carries }
    }
}

/// The card with the highest sum, `sums` being in the order of the hand; the lowest of equal ones.
#[inline(always)]
pub(super) fn highest(hand: u64, sums: &[f64]) -> Card {
    let mut best = (f64::NEG_INFINITY, 0);
    for (card, &sum) in Deck::cards(hand).zip(sums) {
        if sum > best.0 {
            best = (sum, card);
        }
    }
    best.1
}

/// What a playout moves: what is public, and a hand for each seat.
#[derive(Debug, Clone, Copy)]
pub struct Position {
    public: Public,
    hands: [u64; MAX_PLAYERS],
}

/// Playouts from a seat's view.
pub struct Search<'a, L> {
    view: View<'a, L>,
    policies: [&'a Policy; MAX_PLAYERS],
    /// A 32-bit number below this makes a seat's choice uniform.
    bounds: [u64; MAX_PLAYERS],
    turns: u32,
    whole: bool,
    carries: f64,
}

impl<'a, L: Level> Search<'a, L> {
    /// Prepares playouts from what a seat with a hand of two cards or more sees.
    #[inline(always)]
    pub fn new(view: &View<'a, L>, playouts: &Playouts<'a>) -> Self {
        let whole = view.hand_size().saturating_sub(1);
        let turns = match playouts.horizon {
            0 => whole,
            horizon => horizon.min(whole),
        };
        let bound = |mover: &Mover<'_>| match mover.policy.is_random() {
            true => 1 << 32,
            false => (mover.noise.clamp(0.0, 1.0) * 4_294_967_296.0) as u64,
        };
        let mut policies = [playouts.others.policy; MAX_PLAYERS];
        let mut bounds = [bound(&playouts.others); MAX_PLAYERS];
        policies[view.seat()] = playouts.own.policy;
        bounds[view.seat()] = bound(&playouts.own);
        let carries = if is_carried(view) { playouts.carries } else { 0.0 };
        Search { view: *view, policies, bounds, turns, whole: turns == whole, carries }
    }

    /// How many seats there are.
    #[inline(always)]
    pub fn players(&self) -> usize {
        self.view.players()
    }

    /// Deals the unseen cards at random to the hidden places of the other hands.
    #[inline(always)]
    pub fn deal(&self, rng: &mut Rng) -> Position {
        let mut hands = [0; MAX_PLAYERS];
        hands[self.view.seat()] = self.view.hand();
        self.deal_to(self.view.others(), self.view.unseen(), hands, rng)
    }

    /// The same as the others may see it: the own cards that they don't know are dealt anew too.
    #[inline(always)]
    pub fn deal_all(&self, rng: &mut Rng) -> Position {
        let view = &self.view;
        let unseen = view.unseen() | view.hand() & !view.known(view.seat());
        self.deal_to(0..view.players(), unseen, [0; MAX_PLAYERS], rng)
    }

    #[inline(always)]
    fn deal_to(
        &self,
        seats: impl Iterator<Item = usize>,
        mut unseen: u64,
        mut hands: [u64; MAX_PLAYERS],
        rng: &mut Rng,
    ) -> Position {
        let view = &self.view;
        for seat in seats {
            hands[seat] = view.known(seat);
            for _ in 0..view.hidden(seat) {
                let pick = below(rng, unseen.count_ones().max(1));
                let card = 1 << view.level().select(unseen, pick);
                hands[seat] |= card;
                unseen &= !card;
            }
        }
        Position { public: *view.public(), hands }
    }

    /// What all seats choose, as the playout's movers.
    #[inline(always)]
    pub fn choose(&self, position: &Position, rng: &mut Rng) -> [Card; MAX_PLAYERS] {
        self.view.level().call(Choose { search: self, position, rng })
    }

    #[inline(always)]
    fn choices(&self, position: &Position, rng: &mut Rng) -> [Card; MAX_PLAYERS] {
        let mut plays = [0; MAX_PLAYERS];
        let rules = self.view.rules();
        let values = Values::new(rules, &position.public);
        for seat in 0..rules.players() {
            plays[seat] = self.choice(position, &values, seat, rng);
        }
        plays
    }

    /// A seat's choice. Of the 64 bits that it draws, 32 say whether it is uniform, the others are
    /// for those who mix. So a choice draws as much whatever it comes to.
    #[inline(always)]
    fn choice(&self, position: &Position, values: &Values, seat: usize, rng: &mut Rng) -> Card {
        let Position { public, hands } = position;
        let view = View::new(self.view.rules(), public, hands[seat], seat, self.view.level());
        let draw = rand::Rng::next_u64(rng);
        let word = (draw >> 32) as u32;
        match draw & 0xffff_ffff < self.bounds[seat] {
            true => uniform(&view, word),
            false => self.policies[seat].pick(&view, values, word),
        }
    }

    /// Plays a turn with these choices and goes on from there. The value of a seat is its points of
    /// the round, objectives included, minus the mean of the others', times their number; a
    /// playout that stops at the horizon counts the tableaux as they lie.
    #[inline(always)]
    pub fn play(
        &self,
        position: Position,
        plays: &[Card; MAX_PLAYERS],
        rng: &mut Rng,
    ) -> [f64; MAX_PLAYERS] {
        self.view.level().call(Play { search: self, position, plays, rng })
    }

    /// Plays each card of the seat's hand in so many playouts, and gives `value` the card's place in
    /// the hand, from 0, and what it came to for the seat.
    ///
    /// In each playout the hidden cards and all random numbers are the same for every card (common
    /// random numbers), so that the values of two cards in the same playout are to be compared in
    /// pairs. All other seats choose their first card before the seat's own is known.
    #[inline(always)]
    pub fn each_card(&self, count: u32, rng: &mut Rng, mut value: impl FnMut(usize, f64)) {
        let seat = self.view.seat();
        for _ in 0..count {
            let start = self.deal(rng);
            let plays = self.choose(&start, rng);
            let mut place = 0;
            *rng = self.each_of(start, plays, (seat, self.view.hand()), rng, |_, worth| {
                value(place, worth);
                place += 1;
            });
        }
    }

    /// Plays each of some cards of a seat, ascending, against the same plays of the others and with
    /// the same random numbers, and gives `value` what it came to for that seat. Returns the
    /// generator after it: a playout draws as much whatever the card.
    #[inline(always)]
    pub fn each_of(
        &self,
        start: Position,
        mut plays: [Card; MAX_PLAYERS],
        (seat, cards): (usize, u64),
        rng: &Rng,
        mut value: impl FnMut(Card, f64),
    ) -> Rng {
        let mut after = rng.clone();
        for card in Deck::cards(cards) {
            after = rng.clone();
            plays[seat] = card;
            value(card, self.play(start, &plays, &mut after)[seat]);
        }
        after
    }
}

/// See [`Search::choose`].
struct Choose<'a, 'b, L> {
    search: &'a Search<'b, L>,
    position: &'a Position,
    rng: &'a mut Rng,
}

impl<S: Level> Kernel for Choose<'_, '_, S> {
    type Output = [Card; MAX_PLAYERS];

    #[inline(always)]
    fn run<L: Level>(self, _: L) -> [Card; MAX_PLAYERS] {
        self.search.choices(self.position, self.rng)
    }
}

/// See [`Search::play`].
struct Play<'a, 'b, L> {
    search: &'a Search<'b, L>,
    position: Position,
    plays: &'a [Card; MAX_PLAYERS],
    rng: &'a mut Rng,
}

impl<S: Level> Kernel for Play<'_, '_, S> {
    type Output = [f64; MAX_PLAYERS];

    #[inline(always)]
    fn run<L: Level>(self, level: L) -> [f64; MAX_PLAYERS] {
        let Play { search, mut position, plays, rng } = self;
        let rules = search.view.rules();
        position.turn(level, rules, plays);
        for _ in 1..search.turns {
            let plays = search.choices(&position, rng);
            position.turn(level, rules, &plays);
        }
        position.values(rules, search.whole, search.carries)
    }
}

impl Position {
    /// A seat's hand.
    #[inline(always)]
    pub fn hand(&self, seat: usize) -> u64 {
        self.hands[seat]
    }

    #[inline(always)]
    fn turn<L: Level>(&mut self, level: L, rules: &Rules, plays: &[Card; MAX_PLAYERS]) {
        for seat in 0..rules.players() {
            self.hands[seat] &= !(1 << plays[seat]);
        }
        self.public.turn(level, rules, plays);
    }

    #[inline(always)]
    fn values(&mut self, rules: &Rules, ended: bool, carries: f64) -> [f64; MAX_PLAYERS] {
        let mut points = [0.0; MAX_PLAYERS];
        if ended {
            let last = self.hands.map(|hand| hand.trailing_zeros() as Card);
            let scores = self.public.end_round(rules, &last);
            for (points, score) in points.iter_mut().zip(&scores) {
                *points = f64::from(score.sum());
            }
        } else {
            for seat in 0..rules.players() {
                let tableau = &self.public.tableaux[seat];
                let columns = tableau.column_points(rules.deck(), &self.public.scoring);
                let bubbles = rules.deck().bonus_points(tableau.cards);
                let objectives = self.public.objective_points(rules, seat);
                points[seat] = f64::from(columns + bubbles + objectives);
            }
        }
        let players = rules.players();
        if carries != 0.0 {
            for seat in 0..players {
                let cards = Deck::cards(self.public.tableaux[seat].cards);
                points[seat] += carries * cards.map(distance).sum::<f64>();
            }
        }
        let all: f64 = points[..players].iter().sum();
        points.map(|own| players as f64 * own - all)
    }
}
