//! One player asked at one table, for tests.

use super::block::Game;
use super::player::{Batch, Intent, Player, Sight};
use super::rules::Rules;
use super::state::Table;
use crate::rng::GameKey;

/// All that a player answers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answers {
    pub(crate) vote: bool,
    pub(crate) discard: u8,
    pub(crate) intent: Intent,
    pub(crate) plan: Option<f64>,
}

/// Shows a player the table's last event, in its first game, and asks it everything; of a plan,
/// that for `seen`: a seat, and the pile and rank that it is about to play.
pub(crate) fn ask(
    player: &mut dyn Player,
    rules: &Rules,
    table: &Table,
    seat: usize,
    key: GameKey,
    (other, pile, rank): (usize, usize, u8),
) -> Answers {
    let games = [Game::new(rules, *table)];
    fn batch<'a, A>(
        rules: &'a Rules,
        seat: usize,
        games: &'a [Game],
        keys: &'a [GameKey],
        answers: &'a mut [A],
    ) -> Batch<'a, A> {
        Batch { rules, seat, slots: &[0], games, keys, everyone: true, answers }
    }
    let keys = [key];
    let mut vote = [false];
    let mut discard = [0];
    let mut intent = [Intent::Wait];
    let mut sight = [Sight { seat: other as u8, pile: pile as u8, rank, seconds: 1.0, plan: None }];
    player.begin(rules, &keys).unwrap();
    if player.observes() {
        player.observe(&mut batch(rules, seat, &games, &keys, &mut [()])).unwrap();
    }
    player.vote(&mut batch(rules, seat, &games, &keys, &mut vote)).unwrap();
    player.discard(&mut batch(rules, seat, &games, &keys, &mut discard)).unwrap();
    player.intend(&mut batch(rules, seat, &games, &keys, &mut intent)).unwrap();
    player.plan(&mut batch(rules, seat, &games, &keys, &mut sight)).unwrap();
    Answers { vote: vote[0], discard: discard[0], intent: intent[0], plan: sight[0].plan }
}
