//! The referee: judges a record with the same transitions that simulated games are played by.
//!
//! A record is read once from front to back, each thing checked when it is read, so that the error
//! found is the first in reading order: game, players, rules, then each entry's level, hands and
//! events.

use serde_json::{Map, Value};

use super::cards::{Card, Cards, Layout, MAX_SEATS};
use super::options::Options;
use super::record::{Entry, Move, Record, micros};
use super::rules::Rules;
use super::state::{Forbidden, Table, Then, Turned};
use super::verdict::{Blind, Level, Mistake, Outcome, Verdict};
use crate::error::{read_ranged, short};
use crate::games::GameId;
use crate::games::record::{
    Code, Illegal, forfeits, integer, list, list_of, object, players, required, seat, text,
};

/// Judges a record of The Mind or The Mind Extreme.
///
/// # Errors
/// The first thing in reading order that a record can't be, with its place.
pub fn judge(record: &Value) -> Result<Verdict, Illegal> {
    read_record(record).map(|(_, verdict)| verdict)
}

/// Reads a record and judges it, where the game itself is wanted too.
///
/// # Errors
/// See [`judge`].
pub fn read_record(record: &Value) -> Result<(Record, Verdict), Illegal> {
    let known = ["game", "players", "rules", "levels", "forfeits"];
    let record = object(record, "a record", &known)?;
    let rules = rules_of(record)?;
    let mut referee = Referee::new(&rules);
    let entries = list(required(record, "levels")?, "levels")?;
    for (index, entry) in entries.iter().enumerate() {
        let last = index + 1 == entries.len();
        referee.entry(entry, last).map_err(|error| error.entry(index))?;
    }
    referee.forfeit(forfeits(record, rules.players())?)?;
    Ok(referee.finish())
}

/// The rules that a record names.
///
/// # Errors
/// See [`judge`].
pub fn rules_of(record: &Map<String, Value>) -> Result<Rules, Illegal> {
    let name = text(required(record, "game")?, "game")?;
    let game = GameId::from_name(name).filter(|&game| Layout::of(game).is_some());
    let game = game.ok_or_else(|| {
        let message = format!("game `{name}` is not the-mind or the-mind-extreme");
        Illegal::new(Code::UnknownGame, message)
    })?;
    let players = players(required(record, "players")?, 2..=MAX_SEATS)?;
    let options = match record.get("rules") {
        None => Options::default(),
        Some(rules) => options(rules)?,
    };
    Rules::new(game, players, &options).map_err(bad_rules)
}

fn options(rules: &Value) -> Result<Options, Illegal> {
    let Some(map) = rules.as_object() else {
        let message = format!("rules: {} is not an object", short(rules));
        return Err(Illegal::new(Code::BadRules, message));
    };
    // A record stands for itself: what it leaves out is official, so it can't build on a setup.
    // And an option that is left out is not there; it has no null.
    let odd = map.iter().find(|(key, value)| *key == "setup" || value.is_null());
    if let Some((key, value)) = odd {
        let message = format!("`rules.{key} = {}`: a record can't have this option", short(value));
        return Err(Illegal::new(Code::BadRules, message));
    }
    read_ranged(rules).map_err(bad_rules)
}

fn bad_rules(error: crate::error::InputError) -> Illegal {
    Illegal::new(Code::BadRules, error.under("rules").to_string())
}

/// What may come next.
#[derive(Clone, Copy)]
enum Next {
    /// A level.
    Level(u8),
    /// Nothing: the game is over.
    Nothing(Outcome),
}

struct Referee<'a> {
    rules: &'a Rules,
    table: Table,
    next: Next,
    attempt: u8,
    levels_done: u8,
    levels: Vec<Level>,
    record: Record,
}

/// An entry as it is judged.
struct Judged {
    moves: Vec<Move>,
    mistakes: Vec<Mistake>,
    /// Seconds of the last event that has a time.
    at: f64,
    then: Then,
}

impl<'a> Referee<'a> {
    fn new(rules: &'a Rules) -> Self {
        Referee {
            rules,
            table: Table::new(rules),
            next: Next::Level(rules.first_level()),
            attempt: 0,
            levels_done: 0,
            levels: Vec::new(),
            record: Record::new(rules),
        }
    }

    fn finish(self) -> (Record, Verdict) {
        let verdict = Verdict {
            game: self.rules.game(),
            levels: self.levels,
            result: match self.next {
                Next::Level(_) => Outcome::Unfinished,
                Next::Nothing(result) => result,
            },
            levels_done: self.levels_done,
        };
        (self.record, verdict)
    }

    /// Ends the game where seats forfeit it: lost, with no life left.
    fn forfeit(&mut self, seats: Vec<usize>) -> Result<(), Illegal> {
        match (&seats[..], self.next) {
            ([], _) => return Ok(()),
            ([..], Next::Nothing(_)) => {
                let message =
                    "forfeits: the cards have ended this game, so that nobody can forfeit it";
                return Err(Illegal::new(Code::BadForfeits, message));
            }
            ([..], Next::Level(_)) => self.next = Next::Nothing(Outcome::Lost),
        }
        let last = self.levels.last_mut().filter(|level| level.outcome == Outcome::Unfinished);
        if let Some(level) = last {
            (level.outcome, level.lives) = (Outcome::Lost, 0);
        }
        self.record.forfeits = seats;
        Ok(())
    }

    fn entry(&mut self, value: &Value, last: bool) -> Result<(), Illegal> {
        let entry = object(value, "an entry of levels", &["level", "hands", "events"])?;
        let stated = integer(required(entry, "level")?, "level")?;
        let number = match self.next {
            Next::Level(number) if u64::from(number) == stated => number,
            Next::Level(number) => {
                let message = format!("this is level {stated}, but level {number} comes next");
                return Err(Illegal::new(Code::WrongLevel, message).level(small(stated)));
            }
            Next::Nothing(_) => {
                let message = format!("level {stated} comes after the end of the game");
                return Err(Illegal::new(Code::LevelAfterGame, message).level(small(stated)));
            }
        };
        let mut judged =
            self.play_entry(entry, number).map_err(|error| error.level(usize::from(number)))?;
        if judged.then == Then::GoesOn && !last {
            let message = format!("level {number} stops before its end, but another level follows");
            let error = Illegal::new(Code::LevelUnfinished, message);
            return Err(error.level(usize::from(number)));
        }
        let mistakes = std::mem::take(&mut judged.mistakes);
        self.book(number, mistakes, judged.then);
        Ok(())
    }

    fn play_entry(&mut self, entry: &Map<String, Value>, number: u8) -> Result<Judged, Illegal> {
        let hands = self.hands(required(entry, "hands")?, number)?;
        self.table.deal(self.rules, number, self.attempt, &hands);
        let mut judged =
            Judged { moves: Vec::new(), mistakes: Vec::new(), at: 0.0, then: Then::GoesOn };
        let layout = self.rules.layout();
        let events = list(required(entry, "events")?, "events")?;
        for (index, event) in events.iter().enumerate() {
            self.event(event, index, &mut judged).map_err(|error| error.event(index))?;
        }
        self.record.levels.push(Entry {
            level: number,
            hands: hands[..self.rules.players()].to_vec(),
            events: std::mem::take(&mut judged.moves),
            layout,
        });
        Ok(judged)
    }

    /// The verdict on an entry, and what may come next.
    fn book(&mut self, number: u8, mistakes: Vec<Mistake>, then: Then) {
        let (outcome, turned) = match then {
            Then::GoesOn => (Outcome::Unfinished, Turned::default()),
            Then::Restart => (Outcome::Restarted, Turned::default()),
            Then::Done(turned) => (Outcome::Done, turned),
            Then::Lost(turned) => (Outcome::Lost, turned),
        };
        let names = self.rules.layout().names().iter().zip(turned);
        let blind = names.filter_map(|(&pile, out)| Some(Blind { pile, out_of_order: out? }));
        let public = self.table.public();
        self.levels.push(Level {
            level: number,
            outcome,
            mistakes,
            blind: blind.collect(),
            lives: public.lives,
            stars: public.stars,
        });
        self.attempt = 0;
        match outcome {
            Outcome::Restarted => self.attempt = public.attempt.saturating_add(1),
            Outcome::Lost => self.next = Next::Nothing(Outcome::Lost),
            Outcome::Done => {
                self.levels_done = number;
                self.next = if number == self.rules.levels() {
                    Next::Nothing(Outcome::Won)
                } else {
                    Next::Level(number + 1)
                };
            }
            Outcome::Unfinished | Outcome::Won => {}
        }
    }

    fn hands(&self, value: &Value, number: u8) -> Result<[Cards; MAX_SEATS], Illegal> {
        let layout = self.rules.layout();
        let mut hands = [Cards::NONE; MAX_SEATS];
        let mut dealt = Cards::NONE;
        let rows = list_of(value, "hands", self.rules.players())?;
        for (seat, (row, hand)) in rows.iter().zip(&mut hands).enumerate() {
            let cards = list_of(row, "a hand", usize::from(number));
            for value in cards.map_err(|error| error.seat(seat))? {
                let card = card(layout, value).map_err(|error| error.seat(seat))?;
                if dealt.has(card) {
                    let message = format!("card {} is dealt twice", layout.label(card));
                    return Err(Illegal::new(Code::CardTwice, message).seat(seat));
                }
                dealt = dealt.with(card);
                *hand = hand.with(card);
            }
        }
        Ok(hands)
    }

    fn event(&mut self, value: &Value, index: usize, judged: &mut Judged) -> Result<(), Illegal> {
        if judged.then != Then::GoesOn {
            let message = "the level has ended with the event before";
            return Err(Illegal::new(Code::EventAfterLevel, message));
        }
        let event = object(value, "an event", &["seat", "play", "star", "refocus", "at"])?;
        let has = |key| event.contains_key(key);
        match (has("play"), has("star"), has("refocus")) {
            (true, false, false) => self.play(event, index, judged)?,
            (false, true, false) if !has("seat") => self.star(&event["star"], judged)?,
            (false, false, true) if !has("seat") => self.refocus(&event["refocus"], judged)?,
            _ => {
                let message = format!("{} is not a play, a star or a refocus", short(value));
                return Err(Illegal::new(Code::BadEvent, message));
            }
        }
        match event.get("at") {
            None => Ok(()),
            Some(at) => time(at, judged),
        }
    }

    fn play(
        &mut self,
        event: &Map<String, Value>,
        index: usize,
        judged: &mut Judged,
    ) -> Result<(), Illegal> {
        let layout = self.rules.layout();
        let seat = seat(required(event, "seat")?, self.rules.players())?;
        let card = card(layout, &event["play"]).map_err(|error| error.seat(seat))?;
        self.may_use(seat, card)?;
        let played = self.table.play(self.rules, seat, card);
        judged.moves.push(Move::Play { seat, card, at: None });
        judged.then = played.then;
        if !played.set_aside.is_empty() {
            let set_aside = played.set_aside;
            judged.mistakes.push(Mistake { event: index, card, set_aside, layout });
        }
        Ok(())
    }

    fn may_use(&self, seat: usize, card: Card) -> Result<(), Illegal> {
        let layout = self.rules.layout();
        let label = layout.label(card);
        self.table.may_use(self.rules, seat, card).map_err(|forbidden| {
            let (code, message) = match forbidden {
                Forbidden::NotInHand => {
                    (Code::CardNotInHand, format!("seat {seat} does not hold {label}"))
                }
                Forbidden::NotPlayable(before) => (
                    Code::CardNotPlayable,
                    format!(
                        "seat {seat} holds {}, which comes before {label}",
                        layout.label(before)
                    ),
                ),
            };
            Illegal::new(code, message).seat(seat)
        })
    }

    fn refocus(&mut self, value: &Value, judged: &mut Judged) -> Result<(), Illegal> {
        is_true("refocus", value)?;
        if self.table.public().refocuses == 0 {
            let message = match self.rules.refocuses() {
                0 => "the rules have no refocus: `refocuses` is 0".to_owned(),
                most => format!("level {} has had {most} already", self.table.public().level),
            };
            return Err(Illegal::new(Code::NoRefocus, message));
        }
        self.table.refocus();
        judged.moves.push(Move::Refocus { at: None });
        Ok(())
    }

    fn star(&mut self, value: &Value, judged: &mut Judged) -> Result<(), Illegal> {
        let layout = self.rules.layout();
        let written = match layout {
            Layout::Number => {
                is_true("star", value)?;
                None
            }
            Layout::WhiteRed => Some(list(value, "star")?),
        };
        if self.table.public().stars == 0 {
            return Err(Illegal::new(Code::NoStar, "no star is left"));
        }
        let mut choices = [None; MAX_SEATS];
        let players = self.rules.players();
        if written.is_some() {
            list_of(value, "star", players)?;
        }
        for (seat, choice) in choices.iter_mut().enumerate().take(players) {
            *choice = match written {
                None => self.table.hand(seat).first(),
                Some(written) => {
                    self.choice(seat, &written[seat]).map_err(|error| error.seat(seat))?
                }
            };
        }
        judged.then = self.table.star(self.rules, &choices);
        let choices = choices[..players].to_vec();
        judged.moves.push(Move::Star { choices, at: None });
        Ok(())
    }

    /// A seat's choice for a star of The Mind Extreme.
    fn choice(&self, seat: usize, value: &Value) -> Result<Option<Card>, Illegal> {
        let empty = self.table.hand(seat).is_empty();
        let message = match (value.is_null(), empty) {
            (true, true) => return Ok(None),
            (true, false) => format!("seat {seat} holds cards, but discards none"),
            (false, true) => format!("seat {seat} holds no cards, but discards {}", short(value)),
            (false, false) => {
                let card = card(self.rules.layout(), value)?;
                self.may_use(seat, card)?;
                return Ok(Some(card));
            }
        };
        Err(Illegal::new(Code::StarChoice, message))
    }
}

/// Wants `true`: what did not happen is left out.
fn is_true(what: &str, value: &Value) -> Result<(), Illegal> {
    match value {
        Value::Bool(true) => Ok(()),
        Value::Bool(false) => {
            let message = format!("a {what} must be `true`; leave it out if it was not used");
            Err(Illegal::new(Code::BadEvent, message))
        }
        _ => {
            let message = format!("{what}: {} is not `true`", short(value));
            Err(Illegal::new(Code::WrongType, message))
        }
    }
}

fn small(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn time(value: &Value, judged: &mut Judged) -> Result<(), Illegal> {
    let Some(at) = value.as_f64() else {
        let message = format!("at: {} is not a number of seconds", short(value));
        return Err(Illegal::new(Code::WrongType, message));
    };
    if !(at >= 0.0 && at.is_finite()) {
        return Err(Illegal::new(
            Code::BadTime,
            format!("at: {at} s is negative; a time must be 0 or more"),
        ));
    }
    if at < judged.at {
        let message = format!("at: {at} s is before the last event, which was at {} s", judged.at);
        return Err(Illegal::new(Code::TimeRunsBackwards, message));
    }
    judged.at = at;
    if let Some(last) = judged.moves.last_mut() {
        *last.at_mut() = Some(micros(at));
    }
    Ok(())
}

/// A card as records write it.
fn card(layout: Layout, value: &Value) -> Result<Card, Illegal> {
    let found = match layout {
        Layout::Number => layout.from_number(0, integer(value, "a card")?),
        Layout::WhiteRed => from_label(text(value, "a card")?),
    };
    found.ok_or_else(|| {
        let known = match layout {
            Layout::Number => "cards must be from 1 to 100",
            Layout::WhiteRed => "cards must be from w1 to w50 or from r1 to r50",
        };
        Illegal::new(Code::CardOutOfRange, format!("card {}: {known}", short(value)))
    })
}

fn from_label(label: &str) -> Option<Card> {
    let pile = match label.chars().next()? {
        'w' => 0,
        'r' => 1,
        _ => return None,
    };
    let card = Layout::WhiteRed.from_number(pile, label.get(1..)?.parse().ok()?)?;
    // A card has one spelling only: no sign, no leading zero.
    (Layout::WhiteRed.label(card) == label).then_some(card)
}
