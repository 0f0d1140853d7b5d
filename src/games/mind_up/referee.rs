//! The referee: whether a record is a game by the rules, and what it came to.
//!
//! Errors are looked for in reading order: a record's keys in the order in which they are
//! documented, whatever their order in the text. What a list or an object is like as a whole (its
//! type, its length, a key that it may not have) is read before what is in it.

use serde::Serialize;
use serde_json::{Map, Value};

use super::block::Observer;
use super::deck::{Card, Deck, MAX_COLOURS};
use super::rules::{Letters, MAX_PLAYERS, MIN_PLAYERS, NextHand, Options, Rules};
use super::state::{Outcome, Public, RoundScore, Tableau};
use crate::cpu::Portable;
use crate::error::{InputError, read_ranged, short};
use crate::games::GameId;
use crate::games::record::{
    Code, Illegal, forfeits, integer, list, list_of, object, players, required, text,
};

/// What a legal record came to. Serialises as the referee prints it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// Which game it is.
    pub game: GameId,
    /// What each round gave each seat.
    pub rounds: Vec<Vec<SeatRound>>,
    /// The seats' totals.
    pub totals: Vec<i32>,
    /// The seats that win; more than one where a tie stands.
    pub winners: Vec<usize>,
}

/// What a round gave a seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SeatRound {
    /// The numbers of the cards in each column from the left, ascending; empty columns included.
    pub columns: Vec<Vec<u16>>,
    /// For each card the value of its column.
    pub column_points: i16,
    /// The bubbles.
    pub bonus_points: i16,
    /// The objectives.
    pub objective_points: i16,
    /// The sum of the three.
    pub round_score: i16,
}

/// Judges a record.
///
/// # Errors
/// The first error in reading order.
pub fn judge(value: &Value) -> Result<Verdict, Illegal> {
    Reading::open(value)?.judge(&mut ())
}

/// A record whose head (game, players, rules) is in order, and whose rounds are still unread.
#[derive(Debug, Clone)]
pub struct Reading<'a> {
    rules: Rules,
    record: &'a Map<String, Value>,
    rounds: &'a [Value],
}

impl<'a> Reading<'a> {
    /// Reads the head of a record.
    ///
    /// # Errors
    /// The first error in reading order.
    pub fn open(value: &'a Value) -> Result<Self, Illegal> {
        let known = ["game", "players", "rules", "rounds", "forfeits"];
        let record = object(value, "the record", &known)?;
        let game = text(required(record, "game")?, "game")?;
        if GameId::from_name(game) != Some(GameId::MindUp) {
            let what = format!("`{game}` is not {}", GameId::MindUp);
            return Err(Illegal::new(Code::UnknownGame, what));
        }
        let players = players(required(record, "players")?, MIN_PLAYERS..=MAX_PLAYERS)?;
        let options = options(record.get("rules"))?;
        let rules = Rules::new(players, &options).map_err(bad_rules)?;
        let rounds = list_of(required(record, "rounds")?, "rounds", rules.rounds())?;
        Ok(Reading { rules, record, rounds })
    }

    /// The rules that the game was played by.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Judges the rounds, and shows them to an observer (as game 0) as far as they are legal.
    ///
    /// # Errors
    /// The first error in reading order.
    pub fn judge<O: Observer>(&self, observer: &mut O) -> Result<Verdict, Illegal> {
        let rules = &self.rules;
        let mut table =
            Table { rules, public: Public::EMPTY, hands: [0; MAX_PLAYERS], shown: Vec::new() };
        let mut rounds = Vec::with_capacity(rules.rounds());
        for (round, value) in self.rounds.iter().enumerate() {
            let scored = table.round(round, value, observer);
            rounds.push(scored.map_err(|error| error.round(round))?);
        }
        let players = rules.players();
        let forfeits = forfeits(self.record, players)?;
        let mut outcome = Outcome::of(&table.public);
        outcome.forfeit(players, forfeits.iter().fold(0, |seats, seat| seats | 1 << seat));
        observer.ended(0, &outcome);
        Ok(Verdict {
            game: GameId::MindUp,
            rounds,
            totals: outcome.totals[..players].to_vec(),
            winners: outcome.winners(players),
        })
    }
}

fn options(value: Option<&Value>) -> Result<Options, Illegal> {
    let Some(value) = value else {
        return Ok(Options::default());
    };
    // Serde would take a list for a struct, and null for an option that was left out.
    let Some(map) = value.as_object() else {
        let error = InputError::new("", short(value), "the rules must be an object of options");
        return Err(bad_rules(error));
    };
    if let Some((key, value)) = map.iter().find(|(_, value)| value.is_null()) {
        let what = "this option has no value; leave it out to get its default";
        return Err(bad_rules(InputError::new(key, value, what)));
    }
    read_ranged(value).map_err(bad_rules)
}

fn bad_rules(error: InputError) -> Illegal {
    Illegal::new(Code::BadRules, error.under("rules").to_string())
}

/// The table that a record is laid out on.
struct Table<'a> {
    rules: &'a Rules,
    public: Public,
    hands: [u64; MAX_PLAYERS],
    /// The objectives of the rounds so far.
    shown: Vec<u8>,
}

impl Table<'_> {
    fn round<O: Observer>(
        &mut self,
        round: usize,
        value: &Value,
        observer: &mut O,
    ) -> Result<Vec<SeatRound>, Illegal> {
        let rules = self.rules;
        let dealt = round == 0 || rules.next_hand() == NextHand::Deal;
        let known: &[&str] = match (round, dealt) {
            (0, _) => &["scoring", "objectives", "hands", "row", "turns"],
            (_, true) => &["scoring", "objectives", "hands", "turns"],
            (_, false) => &["scoring", "objectives", "drawn", "turns"],
        };
        let record = object(value, "this round", known)?;
        self.scoring(required(record, "scoring")?)?;
        self.public.round = round as u8;
        self.public.hand_size = rules.hand_size(round) as u8;
        self.objectives(record.get("objectives"))?;
        if dealt {
            self.deal(required(record, "hands")?)?;
        } else {
            self.draw(required(record, "drawn")?)?;
        }
        if round == 0 {
            self.row(required(record, "row")?)?;
        }
        self.public.tableaux = [Tableau::EMPTY; MAX_PLAYERS];
        observer.dealt(0, &self.public, &self.hands);
        let turns = list_of(required(record, "turns")?, "turns", rules.turns(round))?;
        for (turn, value) in turns.iter().enumerate() {
            let plays = self.plays(value).map_err(|error| error.turn(turn))?;
            observer.turn(0, &self.public, &plays);
            self.public.turn(Portable, rules, &plays);
        }
        let last = self.hands.map(|hand| hand.trailing_zeros() as Card);
        let scores = self.public.end_round(rules, &last);
        observer.scored(0, &self.public, &scores);
        Ok(self.seat_rounds(&scores))
    }

    fn scoring(&mut self, value: &Value) -> Result<(), Illegal> {
        let values = self.rules.scoring_values();
        let refuse = || {
            let what = format!("scoring: {} is not an order of {values:?}", short(value));
            Illegal::new(Code::BadScoring, what)
        };
        let items = list(value, "scoring")?;
        if items.len() != values.len() {
            return Err(refuse());
        }
        let mut left = values.to_vec();
        for (place, item) in items.iter().enumerate().take(MAX_COLOURS) {
            // What is no whole number at all has the wrong type, the others are no values.
            let number = match item.as_i64() {
                Some(number) => number,
                None => integer(item, "scoring").and(Err(refuse()))?,
            };
            let found = left.iter().position(|&value| i64::from(value) == number);
            self.public.scoring[place] = left.swap_remove(found.ok_or_else(refuse)?);
        }
        Ok(())
    }

    fn objectives(&mut self, value: Option<&Value>) -> Result<(), Illegal> {
        let rules = self.rules;
        let count = rules.objectives();
        let items = match value {
            None if count == 0 => return Ok(()),
            None => {
                let what = format!("`objectives` is missing; there are {count} a round");
                return Err(Illegal::new(Code::MissingKey, what));
            }
            Some(value) => list(value, "objectives")?,
        };
        if items.len() != count {
            return Err(bad_objectives(format!("objectives: {} items, not {count}", items.len())));
        }
        let kept = rules.objectives_kept() && self.public.round > 0;
        let mut table: Vec<u8> = Vec::with_capacity(count);
        for item in items {
            let id = text(item, "an objective")?;
            let card = self.objective(id)?;
            if kept && !self.shown.contains(&card) {
                return Err(bad_objectives(format!(
                    "`{id}` is not in the set that serves the whole game"
                )));
            }
            self.check_drawn(card, &table, kept)?;
            table.push(card);
        }
        if !kept {
            self.public.objectives[..count].copy_from_slice(&table);
            self.shown.extend(table);
        }
        Ok(())
    }

    fn objective(&self, id: &str) -> Result<u8, Illegal> {
        let rules = self.rules;
        let mut pool = rules.pool().iter().copied();
        pool.find(|&card| rules.card(card).id() == id).ok_or_else(|| {
            let known = rules.pool().iter().map(|&card| rules.card(card).id());
            let what = crate::error::unknown("objective", id, known);
            Illegal::new(Code::UnknownObjective, format!("`{id}`: {what}"))
        })
    }

    /// Whether a card can have been drawn to those already on the table.
    fn check_drawn(&self, card: u8, table: &[u8], kept: bool) -> Result<(), Illegal> {
        let rules = self.rules;
        let (id, letter) = (rules.card(card).id(), rules.card(card).letter());
        let same_letter = |other: &&u8| rules.card(**other).letter() == letter;
        if table.contains(&card) {
            return Err(bad_objectives(format!("`{id}` is there twice")));
        }
        if let Some(&other) = table.iter().find(same_letter) {
            let other = rules.card(other).id();
            let what = format!("`{other}` and `{id}` share a letter in a round");
            return Err(bad_objectives(what));
        }
        if kept {
            return Ok(());
        }
        if self.shown.contains(&card) {
            return Err(bad_objectives(format!("`{id}` was there in a round before")));
        }
        match self.shown.iter().find(same_letter) {
            Some(&other) if rules.letters() == Letters::DistinctInGame => {
                let other = rules.card(other).id();
                let what = format!("`{other}` and `{id}` share a letter in a game");
                Err(bad_objectives(what))
            }
            _ => Ok(()),
        }
    }

    /// Hands that were dealt: from all cards, or from all but those of the row.
    fn deal(&mut self, value: &Value) -> Result<(), Illegal> {
        let rules = self.rules;
        let size = usize::from(self.public.hand_size);
        let mut out = self.public.row;
        let hands = list_of(value, "hands", rules.players())?;
        for (seat, value) in hands.iter().enumerate() {
            self.hands[seat] = list_of(value, "the hand", size)
                .and_then(|cards| take(rules.deck(), cards, &mut out))
                .map_err(|error| error.seat(seat))?;
        }
        self.public.known = [0; MAX_PLAYERS];
        Ok(())
    }

    /// Hands that are the tableaux and one drawn card each.
    fn draw(&mut self, value: &Value) -> Result<(), Illegal> {
        let rules = self.rules;
        let drawn = list_of(value, "drawn", rules.players())?;
        let known = self.public.tableaux.map(|tableau| tableau.cards);
        let mut out = known.iter().fold(self.public.row, |out, cards| out | cards);
        for (seat, value) in drawn.iter().enumerate() {
            let card = take(rules.deck(), std::slice::from_ref(value), &mut out)
                .map_err(|error| error.seat(seat))?;
            self.hands[seat] = known[seat] | card;
        }
        self.public.known = known;
        Ok(())
    }

    fn row(&mut self, value: &Value) -> Result<(), Illegal> {
        let mut out = self.hands.iter().fold(0, |out, hand| out | hand);
        let cards = list_of(value, "the row", self.rules.players())?;
        self.public.row = take(self.rules.deck(), cards, &mut out)?;
        Ok(())
    }

    fn plays(&mut self, value: &Value) -> Result<[Card; MAX_PLAYERS], Illegal> {
        let deck = self.rules.deck();
        let mut plays = [0; MAX_PLAYERS];
        let cards = list_of(value, "the turn", self.rules.players())?;
        for (seat, value) in cards.iter().enumerate() {
            let card = card(deck, value).map_err(|error| error.seat(seat))?;
            let hand = &mut self.hands[seat];
            if *hand >> card & 1 == 0 {
                let what = format!("{value} is not in the hand {:?}", deck.numbers(*hand));
                return Err(Illegal::new(Code::CardNotInHand, what).seat(seat));
            }
            *hand &= !(1 << card);
            plays[seat] = card;
        }
        Ok(plays)
    }

    fn seat_rounds(&self, scores: &[RoundScore; MAX_PLAYERS]) -> Vec<SeatRound> {
        let deck = self.rules.deck();
        let count = self.rules.scoring_values().len();
        let tableaux = &self.public.tableaux[..self.rules.players()];
        let seats = tableaux.iter().zip(scores);
        seats
            .map(|(tableau, score)| SeatRound {
                columns: tableau
                    .column_cards(deck, count)
                    .into_iter()
                    .map(|column| deck.numbers(column))
                    .collect(),
                column_points: score.column_points,
                bonus_points: score.bonus_points,
                objective_points: score.objective_points,
                round_score: score.sum(),
            })
            .collect()
    }
}

/// A card by the number that is written for it.
fn card(deck: &Deck, value: &Value) -> Result<Card, Illegal> {
    let number = integer(value, "a card")?;
    deck.card(number).ok_or_else(|| {
        let what = format!("the deck has no card {number}");
        Illegal::new(Code::CardOutOfRange, what)
    })
}

/// Takes cards that must not be `out` yet, and puts them there.
fn take(deck: &Deck, values: &[Value], out: &mut u64) -> Result<u64, Illegal> {
    values.iter().try_fold(0, |cards, value| {
        let card = card(deck, value)?;
        if *out >> card & 1 == 1 {
            let what = format!("{value} is already in another place");
            return Err(Illegal::new(Code::CardTwice, what));
        }
        *out |= 1 << card;
        Ok(cards | 1 << card)
    })
}

fn bad_objectives(what: String) -> Illegal {
    Illegal::new(Code::BadObjectives, what)
}
