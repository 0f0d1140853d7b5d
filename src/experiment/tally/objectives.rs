//! What bonus objectives did: how often they held, and whether they changed who won.

use super::ScoreTally;
use crate::games::mind_up::rules::MAX_OBJECTIVES;
use crate::games::mind_up::{MAX_PLAYERS, Observer, Outcome, Public, RoundScore, Rules};
use crate::stats::Moments;

/// For each round and card: games of a deal in which the card was on the table, seats for which it
/// held, games that others would have won without its points. A deal is one observation.
pub type ObjectiveSums = Vec<Vec<Moments<3>>>;

/// The sums of no games; empty where there are no objectives.
pub fn none(rounds: usize, cards: usize) -> ObjectiveSums {
    vec![vec![Moments::new(); cards]; rounds]
}

/// Watches a block of deals through all its line-ups and rotations. All games of a deal have the
/// same objectives, since they are a part of the deal.
#[derive(Debug)]
pub struct ObjectiveWatch {
    players: usize,
    rounds: usize,
    objectives: usize,
    /// By card.
    points: Vec<i16>,
    /// By deal and round.
    rounds_of: Vec<RoundOf>,
    /// By deal: the games seen.
    games: Vec<i64>,
}

/// A round of a deal.
#[derive(Debug, Clone, Copy, Default)]
struct RoundOf {
    shown: [u8; MAX_OBJECTIVES],
    /// Of the game that is being played: by seat, a bit for each objective.
    held: [u8; MAX_PLAYERS],
    /// Over all games: seats for which each objective held, and games whose winners it changed.
    sums: [[i64; 2]; MAX_OBJECTIVES],
}

impl ObjectiveWatch {
    /// A watch for games under these rules.
    pub fn new(rules: &Rules) -> Self {
        ObjectiveWatch {
            players: rules.players(),
            rounds: rules.rounds(),
            objectives: rules.objectives(),
            points: rules.cards().iter().map(|card| card.points()).collect(),
            rounds_of: Vec::new(),
            games: Vec::new(),
        }
    }

    /// A block of so many deals begins.
    pub fn begin(&mut self, deals: usize) {
        self.rounds_of.clear();
        self.rounds_of.resize(deals * self.rounds, RoundOf::default());
        self.games.clear();
        self.games.resize(deals, 0);
    }

    /// A block ends: each deal becomes an observation of its objectives.
    pub fn end(&self, tally: &mut ScoreTally) {
        for (rounds, &games) in self.rounds_of.chunks_exact(self.rounds).zip(&self.games) {
            for (round, entries) in rounds.iter().zip(&mut tally.objectives) {
                for (place, &card) in round.shown[..self.objectives].iter().enumerate() {
                    let [held, changed] = round.sums[place];
                    if games > 0 {
                        entries[usize::from(card)].push(&[games, held, changed]);
                    }
                }
            }
        }
    }

    /// A game has ended: what each objective did in it.
    fn count(&mut self, game: usize, outcome: Outcome) {
        let (players, last) = (self.players, self.rounds - 1);
        let winners = outcome.win_mask(players);
        self.games[game] += 1;
        for (index, round) in
            self.rounds_of[game * self.rounds..][..self.rounds].iter_mut().enumerate()
        {
            for place in 0..self.objectives {
                let points = self.points[usize::from(round.shown[place])];
                let mut without = outcome;
                for seat in 0..players {
                    if round.held[seat] >> place & 1 == 1 {
                        round.sums[place][0] += 1;
                        without.totals[seat] -= i32::from(points);
                        without.last_round[seat] -= if index == last { points } else { 0 };
                    }
                }
                round.sums[place][1] += i64::from(without.win_mask(players) != winners);
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
