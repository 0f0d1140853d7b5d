//! Playouts: a position played on by a simple policy, the hidden cards dealt anew each time.

use serde::{Deserialize, Serialize};

use super::greedy;
use crate::cpu::Level;
use crate::games::mind_up::{Card, Deck, MAX_PLAYERS, Public, Rules, View};
use crate::rng::{Rng, below};

/// By what the seats play in a playout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Policy {
    /// As the family `greedy`.
    #[default]
    Greedy,
    /// Any card of the hand with equal probability.
    Random,
}

/// How playouts are made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Playouts {
    /// Playouts of each card of the hand.
    pub count: u32,
    /// By what all seats play.
    pub policy: Policy,
    /// The share of choices that are uniform instead, 0 to 1.
    pub noise: f64,
    /// Turns that a playout goes on for; 0: to the end of the round.
    pub horizon: u32,
}

/// What a playout moves: what is public, and a hand for each seat.
#[derive(Clone, Copy)]
struct Position {
    public: Public,
    hands: [u64; MAX_PLAYERS],
}

impl Playouts {
    /// Plays each card of the seat's hand (of two cards or more) in every playout, and gives
    /// `value` the card's place in the hand, from 0, and what it came to: the seat's points of this
    /// round minus the mean of the others', times their number, objectives included. A playout that
    /// stops at the horizon counts the tableaux as they lie.
    ///
    /// Each playout deals the unseen cards at random to the hidden places of the other hands; these
    /// and all random numbers are the same for every card (common random numbers), so that the
    /// values of two cards in the same playout are to be compared in pairs. All other seats choose
    /// their first card before the seat's own is known.
    #[inline(always)]
    pub fn run<L: Level>(
        &self,
        view: &View<'_, L>,
        rng: &mut Rng,
        mut value: impl FnMut(usize, i32),
    ) {
        let (level, rules) = (view.level(), view.rules());
        let (seat, players) = (view.seat(), rules.players());
        let whole = view.hand_size().saturating_sub(1);
        let turns = match self.horizon {
            0 => whole,
            horizon => horizon.min(whole),
        };
        let bound = self.bound();
        for _ in 0..self.count {
            let start = Position { public: *view.public(), hands: deal(level, view, rng) };
            let mut plays = [0; MAX_PLAYERS];
            for other in view.others() {
                plays[other] = choose(level, rules, &start, other, bound, rng);
            }
            let mut after = rng.clone();
            for (place, card) in Deck::cards(view.hand()).enumerate() {
                let (mut position, mut plays) = (start, plays);
                // A choice draws one number whatever it comes to, so all cards draw as many.
                after = rng.clone();
                plays[seat] = card;
                position.turn(level, rules, &plays);
                for _ in 1..turns {
                    for seat in 0..players {
                        plays[seat] = choose(level, rules, &position, seat, bound, &mut after);
                    }
                    position.turn(level, rules, &plays);
                }
                value(place, position.value(rules, seat, turns == whole));
            }
            *rng = after;
        }
    }

    /// A 32-bit number below this makes a choice uniform.
    fn bound(&self) -> u64 {
        match self.policy {
            Policy::Greedy => (self.noise.clamp(0.0, 1.0) * 4_294_967_296.0) as u64,
            Policy::Random => 1 << 32,
        }
    }
}

/// A seat's choice. Of the 64 bits that it draws, 32 say whether it is uniform, and the others then
/// pick the card: that is uniform to within 2^-27 for the largest hands.
#[inline(always)]
fn choose<L: Level>(
    level: L,
    rules: &Rules,
    position: &Position,
    seat: usize,
    bound: u64,
    rng: &mut Rng,
) -> Card {
    let word = rand::Rng::next_u64(rng);
    let hand = position.hands[seat];
    if word & 0xffff_ffff < bound {
        let place = ((word >> 32) * u64::from(position.public.hand_size)) >> 32;
        return level.select(hand, place as u32) as Card;
    }
    greedy::choice(&View::new(rules, &position.public, hand, seat, level))
}

/// A hand for each seat: the own one and what is known of the others', the hidden rest dealt from
/// the unseen cards.
#[inline(always)]
fn deal<L: Level>(level: L, view: &View<'_, L>, rng: &mut Rng) -> [u64; MAX_PLAYERS] {
    let mut hands = [0; MAX_PLAYERS];
    hands[view.seat()] = view.hand();
    let mut unseen = view.unseen();
    for other in view.others() {
        hands[other] = view.known(other);
        for _ in 0..view.hidden(other) {
            let card = 1 << level.select(unseen, below(rng, unseen.count_ones().max(1)));
            hands[other] |= card;
            unseen &= !card;
        }
    }
    hands
}

impl Position {
    #[inline(always)]
    fn turn<L: Level>(&mut self, level: L, rules: &Rules, plays: &[Card; MAX_PLAYERS]) {
        for seat in 0..rules.players() {
            self.hands[seat] &= !(1 << plays[seat]);
        }
        self.public.turn(level, rules, plays);
    }

    /// The points of the round, own minus mean of the others, times the number of others.
    #[inline(always)]
    fn value(&mut self, rules: &Rules, seat: usize, ended: bool) -> i32 {
        let mut points = [0; MAX_PLAYERS];
        if ended {
            let last = self.hands.map(|hand| hand.trailing_zeros() as Card);
            let scores = self.public.end_round(rules, &last);
            for (points, score) in points.iter_mut().zip(&scores) {
                *points = i32::from(score.sum());
            }
        } else {
            for seat in 0..rules.players() {
                let tableau = &self.public.tableaux[seat];
                let columns = tableau.column_points(rules.deck(), &self.public.scoring);
                let bubbles = rules.deck().bonus_points(tableau.cards);
                let objectives = self.public.objective_points(rules, seat);
                points[seat] = i32::from(columns + bubbles + objectives);
            }
        }
        let all: i32 = points[..rules.players()].iter().sum();
        rules.players() as i32 * points[seat] - all
    }
}
