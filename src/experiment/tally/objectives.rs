//! What bonus objectives did: how often they held, and whether they changed who won.

use std::ops::Range;

use super::{Batches, Layout, ScoreTally};
use crate::games::mind_up::rules::MAX_OBJECTIVES;
use crate::games::mind_up::{MAX_PLAYERS, Observer, Outcome, Public, RoundScore, Rules};
use crate::stats::Moments;

/// The numbers of an objective in a round: games in which it was on the table, seats in these games,
/// seats for which it held, games that others would have won without its points.
pub const OBJECTIVE_SUMS: usize = 4;

/// What objectives did, by round and card: for all seats, and where several strategies sit for the
/// seats of each. For a strategy the games are those in which it sat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectiveTally {
    rounds: usize,
    cards: usize,
    /// By who (all, then the strategies), round and card. A deal is one observation.
    moments: Vec<Moments<OBJECTIVE_SUMS>>,
    /// In the same order.
    batches: Batches,
}

/// The numbers that objectives have by batch.
pub(super) fn width(layout: &Layout) -> usize {
    let (rounds, cards) = layout.objectives;
    rounds * cards * groups_of(layout.strategies.len()) * OBJECTIVE_SUMS
}

/// All seats, and those of each strategy where there are several.
fn groups_of(strategies: usize) -> usize {
    if strategies > 1 { 1 + strategies } else { 1 }
}

impl ObjectiveTally {
    /// The tally of no games; empty where there are no objectives.
    pub fn new(layout: &Layout) -> Self {
        let (rounds, cards) = layout.objectives;
        let places = width(layout) / OBJECTIVE_SUMS;
        ObjectiveTally {
            rounds,
            cards,
            moments: vec![Moments::new(); places],
            batches: match places {
                0 => Batches::default(),
                _ => Batches::new(layout.batches, width(layout)),
            },
        }
    }

    /// Whether objectives are not played.
    pub fn is_empty(&self) -> bool {
        self.moments.is_empty()
    }

    /// The rounds.
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// How many times it is told: once for all seats, and once for each strategy where there are several.
    pub fn groups(&self) -> usize {
        self.moments.len() / (self.rounds * self.cards).max(1)
    }

    fn place(&self, group: usize, round: usize, card: usize) -> usize {
        (group * self.rounds + round) * self.cards + card
    }

    /// What a card did in a round for all seats (group 0), or for the seats of a strategy (1 and its
    /// place in the layout): the numbers of [`OBJECTIVE_SUMS`].
    pub fn sums(&self, group: usize, round: usize, card: usize) -> &Moments<OBJECTIVE_SUMS> {
        &self.moments[self.place(group, round, card)]
    }

    /// The same by batch of deals.
    pub fn batches(&self, group: usize, round: usize, card: usize) -> Batches {
        self.batches.columns(self.place(group, round, card) * OBJECTIVE_SUMS, OBJECTIVE_SUMS)
    }

    /// Adds another tally of the same layout.
    pub fn merge(&mut self, other: &Self) {
        for (moments, other) in self.moments.iter_mut().zip(&other.moments) {
            moments.merge(other);
        }
        self.batches.merge(&other.batches);
    }

    /// The bytes that one of this layout takes beside itself.
    pub(super) fn bytes(layout: &Layout) -> usize {
        match width(layout) {
            0 => 0,
            width => {
                let moments = width / OBJECTIVE_SUMS * size_of::<Moments<OBJECTIVE_SUMS>>();
                moments + Batches::bytes(layout.batches, width)
            }
        }
    }
}

/// Watches a block of deals through all its line-ups and rotations. All games of a deal have the
/// same objectives, since they are a part of the deal.
#[derive(Debug)]
pub struct ObjectiveWatch {
    players: usize,
    rounds: usize,
    objectives: usize,
    groups: usize,
    /// By card.
    points: Vec<i16>,
    /// The strategy's group on each seat of the games that are being played.
    seated: [usize; MAX_PLAYERS],
    /// By deal and round.
    rounds_of: Vec<RoundOf>,
    /// By deal, round, place on the table and group: seats for which it held, games whose winners it
    /// changed.
    sums: Vec<[i64; 2]>,
    /// By deal and group: games and seats.
    chances: Vec<[i64; 2]>,
}

/// A round of a game that is being played.
#[derive(Debug, Clone, Copy, Default)]
struct RoundOf {
    shown: [u8; MAX_OBJECTIVES],
    /// By seat, a bit for each objective.
    held: [u8; MAX_PLAYERS],
}

impl ObjectiveWatch {
    /// A watch for games of so many strategies under these rules.
    pub fn new(rules: &Rules, strategies: usize) -> Self {
        ObjectiveWatch {
            players: rules.players(),
            rounds: rules.rounds(),
            objectives: rules.objectives(),
            groups: groups_of(strategies),
            points: rules.cards().iter().map(|card| card.points()).collect(),
            seated: [0; MAX_PLAYERS],
            rounds_of: Vec::new(),
            sums: Vec::new(),
            chances: Vec::new(),
        }
    }

    /// A block of so many deals begins.
    pub fn begin(&mut self, deals: usize) {
        self.rounds_of.clear();
        self.rounds_of.resize(deals * self.rounds, RoundOf::default());
        self.sums.clear();
        self.sums.resize(deals * self.rounds * self.objectives * self.groups, [0; 2]);
        self.chances.clear();
        self.chances.resize(deals * self.groups, [0; 2]);
    }

    /// Who sits where in the games that follow: for each seat the strategy's place in the layout.
    pub fn seat(&mut self, seats: &[usize]) {
        for (group, &strategy) in self.seated.iter_mut().zip(seats) {
            *group = if self.groups > 1 { 1 + strategy } else { 0 };
        }
    }

    /// A block ends: each deal becomes an observation of its objectives.
    pub fn end(&self, tally: &mut ScoreTally, deals: Range<u64>) {
        let ObjectiveTally { moments, batches, cards, .. } = &mut tally.objectives;
        let by_deal = self.rounds_of.chunks_exact(self.rounds.max(1));
        let sums = self.sums.chunks_exact(self.rounds * self.objectives * self.groups);
        let chances = self.chances.chunks_exact(self.groups);
        for (((deal, rounds), sums), chances) in deals.zip(by_deal).zip(sums).zip(chances) {
            batches.count_deal(deal);
            let row = batches.row_of(deal);
            for (round, of) in rounds.iter().enumerate() {
                for (place, &card) in of.shown[..self.objectives].iter().enumerate() {
                    for (group, &[games, seats]) in chances.iter().enumerate() {
                        if games == 0 {
                            continue;
                        }
                        let [held, changed] = sums[self.sum(0, round, place, group)];
                        let observed = [games, seats, held, changed];
                        let place = (group * self.rounds + round) * *cards + usize::from(card);
                        moments[place].push(&observed);
                        let kept = &mut row[place * OBJECTIVE_SUMS..][..OBJECTIVE_SUMS];
                        kept.iter_mut().zip(observed).for_each(|(sum, more)| *sum += more);
                    }
                }
            }
        }
    }

    /// The place in `sums`.
    fn sum(&self, deal: usize, round: usize, place: usize, group: usize) -> usize {
        ((deal * self.rounds + round) * self.objectives + place) * self.groups + group
    }

    /// A game has ended: what each objective did in it.
    fn count(&mut self, game: usize, outcome: Outcome) {
        let (players, last) = (self.players, self.rounds - 1);
        let winners = outcome.win_mask(players);
        // All, and a bit for each strategy that sits.
        let mut present = 1u128;
        let chances = &mut self.chances[game * self.groups..][..self.groups];
        for &group in &self.seated[..players] {
            chances[0][1] += 1;
            if group > 0 {
                chances[group][1] += 1;
                present |= 1 << group.min(127);
            }
        }
        let sits = |group: usize| present >> group.min(127) & 1 == 1;
        for (group, chances) in chances.iter_mut().enumerate() {
            chances[0] += i64::from(sits(group));
        }
        for index in 0..self.rounds {
            let round = self.rounds_of[game * self.rounds + index];
            for place in 0..self.objectives {
                let points = self.points[usize::from(round.shown[place])];
                let first = self.sum(game, index, place, 0);
                let sums = &mut self.sums[first..][..self.groups];
                let mut without = outcome;
                for seat in 0..players {
                    if round.held[seat] >> place & 1 == 1 {
                        let group = self.seated[seat];
                        sums[0][0] += 1;
                        sums[group][0] += i64::from(group > 0);
                        without.totals[seat] -= i32::from(points);
                        without.last_round[seat] -= if index == last { points } else { 0 };
                    }
                }
                if without.win_mask(players) != winners {
                    for (group, sums) in sums.iter_mut().enumerate() {
                        sums[1] += i64::from(sits(group));
                    }
                }
            }
        }
    }
}

impl Observer for ObjectiveWatch {
    fn scored(&mut self, game: usize, public: &Public, scores: &[RoundScore; MAX_PLAYERS]) {
        let index = usize::from(public.round);
        let round = &mut self.rounds_of[game * self.rounds + index];
        round.shown = public.objectives;
        round.held = scores.map(|score| score.held);
        if index + 1 == self.rounds {
            self.count(game, Outcome::of(public));
        }
    }
}
