//! The plan of a stage: strategies against each other, all on the same deals.

use super::job::Count;
use crate::experiment::lineups::Lineup;
use crate::experiment::plan::{Cell, Plan};
use crate::experiment::run::Stage;
use crate::games::GameId;
use crate::strategies::StrategySpec;

/// A line-up of a stage: one strategy, and who sits in all the rest; by their numbers in the stage. In
/// the Minds the strategy has all seats.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    /// The strategy that it is about.
    pub one: usize,
    /// Those in the other seats.
    pub rest: usize,
    /// Which opponent these are. Line-ups with equal ones have equal draws of bodies and opponents, so
    /// that what differs between them is the strategy.
    pub opponent: usize,
    /// What the line-up weighs in the strategy's worth; nothing for one that is only looked at.
    pub weight: f64,
}

/// The strategies of a stage and their line-ups.
#[derive(Debug, Clone, Default)]
pub struct Field {
    /// The strategies.
    pub strategies: Vec<StrategySpec>,
    /// The line-ups, in the order of the plan.
    pub pairs: Vec<Pair>,
    /// How many opponents the training names; the search itself comes after them.
    pub named: usize,
}

/// The batches of deals in a stage, by which gains are jackknifed.
const BATCHES: usize = 64;

impl Field {
    /// Candidates against the training's opponents; the Minds' play by themselves. With self-play,
    /// `rivals` says who plays in the search's name against each candidate.
    pub fn new(
        count: &Count,
        candidates: Vec<StrategySpec>,
        rivals: impl Fn(usize) -> Vec<usize>,
    ) -> Self {
        let number = candidates.len();
        let mut strategies = candidates;
        strategies.extend(count.opponents.iter().cloned());
        let known = count.opponents.len();
        let kinds = (known + usize::from(count.self_play)).max(1) as f64;
        let mut pairs = Vec::new();
        for one in 0..number {
            if known == 0 && !count.self_play {
                pairs.push(Pair { one, rest: one, opponent: 0, weight: 1.0 });
            }
            pairs.extend((0..known).map(|opponent| {
                let rest = number + opponent;
                Pair { one, rest, opponent, weight: 1.0 / kinds }
            }));
            if count.self_play {
                let rivals: Vec<usize> = rivals(one).into_iter().filter(|&r| r != one).collect();
                let weight = 1.0 / kinds / rivals.len().max(1) as f64;
                let pair = |rest| Pair { one, rest, opponent: known, weight };
                pairs.extend(rivals.into_iter().map(pair));
            }
        }
        Field { strategies, pairs, named: known }
    }

    /// The stage in which every strategy that is looked at has about `games` games in each cell.
    pub fn stage(
        &self,
        game: GameId,
        seed: u64,
        count: &Count,
        number: u64,
        games: u64,
        note: String,
    ) -> Stage {
        let most = self.pairs.iter().map(|pair| self.pairs_of(pair.one).count()).max();
        let deals = self.deals(game, count.players, games, most.unwrap_or(1));
        let cell = |(index, cell): (usize, &Cell)| Cell {
            index,
            lineups: self.lineups(game, count.players, deals),
            batches: BATCHES,
            ..cell.clone()
        };
        let cells: Vec<Cell> = count.cells.iter().enumerate().map(cell).collect();
        let ranges = cells.iter().map(|_| 0..deals).collect();
        let plan = Plan { game, seed, design: None, strategies: self.strategies.clone(), cells };
        Stage { number, plan: Some(plan), deals: ranges, note: Some(note) }
    }

    fn deals(&self, game: GameId, players: usize, games: u64, lineups: usize) -> u64 {
        let rotations = if game == GameId::MindUp { players as u64 } else { 1 };
        games.div_ceil(lineups as u64 * rotations).max(1)
    }

    fn lineups(&self, game: GameId, players: usize, deals: u64) -> Vec<Lineup> {
        let mut first_game = 0;
        let lineup = |(index, pair): (usize, &Pair)| {
            let mut seats = vec![pair.rest; players];
            if game == GameId::MindUp
                && let Some(first) = seats.first_mut()
            {
                *first = pair.one;
            }
            let seating = (pair.opponent * players) as u64;
            let lineup = Lineup { deals, ..Lineup::new(seats, deals, index, seating, first_game) };
            first_game += lineup.games();
            lineup
        };
        self.pairs.iter().enumerate().map(lineup).collect()
    }

    /// Whether a line-up counts in what is told in the end: see [`Judge::told`](super::judge::Judge::told).
    pub fn is_told(&self, pair: &Pair) -> bool {
        pair.weight > 0.0 && (self.named == 0 || pair.opponent < self.named)
    }

    /// Whether the search itself sits in the other seats. A team of one strategy has no opponent.
    pub fn is_own(&self, pair: &Pair) -> bool {
        pair.weight > 0.0 && pair.opponent >= self.named && pair.one != pair.rest
    }

    /// A strategy's line-ups that count in what is told in the end.
    pub fn told(&self, one: usize) -> impl Iterator<Item = (usize, &Pair)> + '_ {
        self.pairs_of(one).filter(|(_, pair)| self.is_told(pair))
    }

    /// A strategy's line-ups, by their numbers.
    pub fn pairs_of(&self, one: usize) -> impl Iterator<Item = (usize, &Pair)> + '_ {
        self.pairs.iter().enumerate().filter(move |(_, pair)| pair.one == one)
    }
}
