//! A seat's dealings with its bot, the same for all games: which games the bot knows, what follows
//! where it fails.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value, json};

use super::counts::{Counts, Refused};
use super::link::Link;
use super::{Isolate, OnFailure, Settings, wire};
use crate::error::PlayError;
use crate::games::GameId;
use crate::rng::GameKey;

/// What is asked in one game.
pub(super) struct Asked {
    /// The game's place in the block.
    pub slot: usize,
    /// The seed that the bot is given for the game.
    pub seed: u64,
    /// What the seat sees.
    pub view: Value,
}

/// Where the games of a block are played.
pub(super) struct Table<'a> {
    pub game: GameId,
    pub seat: usize,
    /// What does not change during a game: players, rules, cards.
    pub describe: &'a dyn Fn() -> Map<String, Value>,
}

/// A game as the bot knows it.
#[derive(Clone, Copy, Default)]
struct Known {
    /// The start of the process that knows it, 0 for none.
    start: u32,
    number: u64,
}

pub(super) struct Seat {
    link: Arc<Mutex<Link>>,
    settings: Arc<Settings>,
    counts: Arc<Counts>,
    known: Vec<Known>,
    lost: Vec<bool>,
    /// The games that were lost since somebody asked.
    news: Vec<u16>,
    /// The deals that its process has met of late.
    met: HashSet<u128>,
}

/// Deals that are remembered: many times a block.
const MOST_MET: usize = 1 << 14;

impl Seat {
    pub fn new(link: Arc<Mutex<Link>>, settings: Arc<Settings>, counts: Arc<Counts>) -> Seat {
        let (known, lost, news) = (Vec::new(), Vec::new(), Vec::new());
        Seat { link, settings, counts, known, lost, news, met: HashSet::new() }
    }

    /// A block of so many games begins; those before it are over.
    pub fn begin(&mut self, keys: &[GameKey]) {
        let games = keys.len();
        let mut link = self.link.lock().unwrap_or_else(PoisonError::into_inner);
        if self.settings.isolate == Isolate::Seat {
            let deals = keys.iter().map(|key| key.deal().bits());
            if deals.clone().any(|deal| self.met.contains(&deal)) {
                link.renew();
                self.met.clear();
            }
            if self.met.len() > MOST_MET {
                // A worker plays a deal in one block and never later.
                self.met.clear();
            }
            self.met.extend(deals);
        }
        let here = self.known.iter().filter(|known| known.start > 0 && known.start == link.starts);
        let over: Vec<Value> = here.map(|known| known.number.into()).collect();
        if !over.is_empty() {
            link.note(&wire::message("end_games", Map::new(), over));
        }
        self.counts.add_games(games);
        self.known = vec![Known::default(); games];
        self.lost = vec![false; games];
        self.news.clear();
    }

    /// Whether the bot runs and wants to be asked for stars.
    ///
    /// # Errors
    /// Where it can't be started.
    pub fn wants_stars(&mut self, game: GameId) -> Result<bool, PlayError> {
        let mut link = self.link.lock().unwrap_or_else(PoisonError::into_inner);
        link.open(game)?;
        Ok(link.greeting.stars)
    }

    /// The games that the seat has lost by a failure, by slot.
    pub fn lost(&self) -> &[bool] {
        &self.lost
    }

    /// Those that were lost since the last call.
    pub fn news(&mut self) -> Vec<u16> {
        std::mem::take(&mut self.news)
    }

    /// Asks a question in some games. `read` makes an answer of what came for the one of that
    /// place; where there is no good answer, there is none.
    ///
    /// # Errors
    /// A bot that can't be started; any failure where that is to stop the run.
    pub fn ask<A>(
        &mut self,
        table: &Table<'_>,
        question: &str,
        asked: &[Asked],
        mut read: impl FnMut(usize, &Value) -> Result<A, Refused>,
    ) -> Result<Vec<Option<A>>, PlayError> {
        let mut answers = Vec::with_capacity(asked.len());
        if asked.is_empty() {
            return Ok(answers);
        }
        self.counts.add_answers(asked.len());
        let link = self.link.clone();
        let mut link = link.lock().unwrap_or_else(PoisonError::into_inner);
        link.open(table.game)?;
        let size = if link.greeting.batch { asked.len() } else { 1 };
        for chunk in asked.chunks(size) {
            let replies = self.exchange(&mut link, table, question, chunk);
            for (place, one) in chunk.iter().enumerate() {
                let reply = replies.as_ref().map(|replies| &replies[place]);
                if let Some(log) = &link.log {
                    let reply = reply.map_or(Value::Null, Value::clone);
                    let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
                    log.entry(one.seed).or_default().push(reply);
                }
                let answer = reply.map_err(Clone::clone).and_then(|r| read(answers.len(), r));
                answers.push(match answer {
                    Ok(answer) => Some(answer),
                    Err(refused) => {
                        self.fail(table.seat, one.slot, &refused)?;
                        None
                    }
                });
            }
        }
        Ok(answers)
    }

    /// One line to the bot, one line back.
    fn exchange(
        &mut self,
        link: &mut Link,
        table: &Table<'_>,
        question: &str,
        asked: &[Asked],
    ) -> Result<Vec<Value>, Refused> {
        link.revive(table.game)?;
        let mut new = Vec::new();
        for one in asked {
            let known = &mut self.known[one.slot];
            if known.start != link.starts {
                *known = Known { start: link.starts, number: link.new_game() };
                new.push(json!({"game": known.number, "seed": one.seed}));
            }
        }
        if !new.is_empty() {
            let mut common = Map::new();
            common.insert("seat".to_owned(), table.seat.into());
            common.extend((table.describe)());
            link.note(&wire::message("new_games", common, new));
        }
        let game = |one: &Asked| json!({"game": self.known[one.slot].number, "view": one.view});
        link.ask(question, asked.iter().map(game).collect())
    }

    fn fail(&mut self, seat: usize, slot: usize, refused: &Refused) -> Result<(), PlayError> {
        self.counts.add_failure(refused);
        match self.settings.on_failure {
            OnFailure::Random => {}
            OnFailure::Stop => {
                let Refused(failure, what) = refused;
                let would = "use `mindlab check-bot` to test it; an experiment goes on without \
                             the answer if the bot has `on_failure = \"forfeit\"` or `\"random\"`";
                let error = self.settings.failed(format!("{}: {what}; {would}", failure.name()));
                return Err(PlayError { at: Some((seat, slot as u64)), ..error });
            }
            OnFailure::Forfeit => {
                self.lost[slot] = true;
                self.news.push(slot as u16);
                self.counts.add_forfeit();
            }
        }
        Ok(())
    }
}
