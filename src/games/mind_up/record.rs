//! The record of a game: all that was dealt and played, as one line of JSON.

use std::fmt;

use serde::Serialize;

use super::block::{Block, Observer};
use super::deck::{Card, Deck};
use super::rules::{MAX_PLAYERS, NextHand, Options, Rules};
use super::state::{Outcome, Public};
use crate::error::PlayError;
use crate::games::GameId;
use crate::games::mind_up::player::Player;
use crate::rng::GameKey;

/// A game. Displays as one line of JSON, without the line's end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Record {
    /// Which game it is.
    pub game: GameId,
    /// The number of players.
    pub players: usize,
    /// The options that differ from the rulebook's, where there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<Options>,
    /// The rounds.
    pub rounds: Vec<Round>,
    /// The seats that forfeit the game, ascending.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub forfeits: Vec<usize>,
}

/// A round. Cards are the numbers on them, lists of cards ascend.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Round {
    /// The values of the columns from the left.
    pub scoring: Vec<i8>,
    /// The ids of the objectives on the table.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub objectives: Vec<String>,
    /// The hands, where they were dealt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hands: Option<Vec<Vec<u16>>>,
    /// The card that each seat drew, where hands are tableaux.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drawn: Option<Vec<u16>>,
    /// The row, in the first round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<Vec<u16>>,
    /// For each turn the card that each seat played.
    pub turns: Vec<Vec<u16>>,
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| fmt::Error)?)
    }
}

/// Records one game of a block as it is played.
#[derive(Debug, Clone)]
pub struct Recorder<'a> {
    rules: &'a Rules,
    game: usize,
    rounds: Vec<Round>,
    forfeits: Vec<usize>,
}

impl<'a> Recorder<'a> {
    /// A recorder of the block's game of that index.
    pub fn new(rules: &'a Rules, game: usize) -> Self {
        Recorder { rules, game, rounds: Vec::with_capacity(rules.rounds()), forfeits: Vec::new() }
    }

    /// The record of what was seen.
    pub fn finish(self) -> Record {
        let options = self.rules.options();
        Record {
            game: GameId::MindUp,
            players: self.rules.players(),
            rules: (*options != Options::default()).then(|| options.clone()),
            rounds: self.rounds,
            forfeits: self.forfeits,
        }
    }
}

impl Observer for Recorder<'_> {
    fn dealt(&mut self, game: usize, public: &Public, hands: &[u64; MAX_PLAYERS]) {
        if game != self.game {
            return;
        }
        let (rules, deck) = (self.rules, self.rules.deck());
        let hands = &hands[..rules.players()];
        let first = public.round == 0;
        let dealt = first || rules.next_hand() == NextHand::Deal;
        let drawn = || {
            let hidden = hands.iter().zip(&public.known);
            hidden.flat_map(|(hand, known)| deck.numbers(hand & !known)).collect()
        };
        self.rounds.push(Round {
            scoring: public.scoring[..rules.scoring_values().len()].to_vec(),
            objectives: public.objectives[..rules.objectives()]
                .iter()
                .map(|&card| rules.card(card).id().to_owned())
                .collect(),
            hands: dealt.then(|| hands.iter().map(|&hand| deck.numbers(hand)).collect()),
            drawn: (!dealt).then(drawn),
            row: first.then(|| deck.numbers(public.row)),
            turns: Vec::with_capacity(rules.turns(usize::from(public.round))),
        });
    }

    fn turn(&mut self, game: usize, _: &Public, plays: &[Card; MAX_PLAYERS]) {
        if game != self.game {
            return;
        }
        if let Some(round) = self.rounds.last_mut() {
            let deck: &Deck = self.rules.deck();
            let plays = &plays[..self.rules.players()];
            let numbers = plays.iter().map(|&card| deck.number(card));
            round.turns.push(numbers.collect());
        }
    }

    fn ended(&mut self, game: usize, outcome: &Outcome) {
        if game == self.game {
            let forfeits = |seat: &usize| outcome.forfeits >> seat & 1 == 1;
            self.forfeits = (0..self.rules.players()).filter(forfeits).collect();
        }
    }
}

/// Plays one game and records it. `players` has one for each seat.
///
/// # Errors
/// Where a player fails.
pub fn record_game(
    rules: &Rules,
    players: &mut [Box<dyn Player>],
    key: GameKey,
) -> Result<(Record, Outcome), PlayError> {
    let mut recorder = Recorder::new(rules, 0);
    let mut outcomes = Vec::with_capacity(1);
    Block::default().play(rules, players, &[key], &mut recorder, &mut outcomes)?;
    Ok((recorder.finish(), outcomes.first().copied().unwrap_or_default()))
}
