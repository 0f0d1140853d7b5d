//! A worker's link to a bot: its process, started anew where it has ended, and its requests.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use super::Settings;
use super::counts::{Counts, Failure, Refused};
use super::process::{Broken, Process};
use super::wire::{self, Greeting, Reply, shown};
use crate::error::PlayError;
use crate::games::GameId;

/// A process that ended this often is not started again.
const MOST_STARTS: u32 = 20;
/// The greeting may take so many times as long as a reply: a program may have much to load.
const GREETING: u32 = 10;

/// A bot's answers by the seed of the game's seat, which is another for each.
pub(super) type Log = HashMap<u64, Vec<Value>>;

pub(super) struct Link {
    settings: Arc<Settings>,
    counts: Arc<Counts>,
    process: Option<Process>,
    /// What the bot said of itself.
    pub greeting: Greeting,
    /// Whether the program could ever be started.
    pub spawned: bool,
    /// How often it was started: a new process knows of no games.
    pub starts: u32,
    next_id: u64,
    next_game: u64,
    /// Lines that need no reply and go out with the next request.
    notes: Vec<u8>,
    /// All answers, where somebody wants them.
    pub log: Option<Log>,
}

impl Link {
    pub fn new(settings: Arc<Settings>, counts: Arc<Counts>) -> Link {
        Link {
            settings,
            counts,
            process: None,
            greeting: Greeting::default(),
            spawned: false,
            starts: 0,
            next_id: 0,
            next_game: 0,
            notes: Vec::new(),
            log: None,
        }
    }

    /// Starts the bot for the first time; does nothing later.
    ///
    /// # Errors
    /// Where it can't be started or does not greet: that is no failure in a game.
    pub fn open(&mut self, game: GameId) -> Result<(), PlayError> {
        match self.starts {
            0 => self.start(game).map_err(|Refused(_, what)| self.settings.failed(what)),
            _ => Ok(()),
        }
    }

    /// Sees to it that it runs.
    ///
    /// # Errors
    /// Where it does not start any more.
    pub fn revive(&mut self, game: GameId) -> Result<(), Refused> {
        if self.process.is_some() {
            return Ok(());
        }
        if self.starts >= MOST_STARTS {
            let what = format!("it is given up after {MOST_STARTS} starts");
            return Err(Refused(Failure::Died, what));
        }
        self.start(game).map_err(|Refused(_, what)| Refused(Failure::Died, what))
    }

    fn start(&mut self, game: GameId) -> Result<(), Refused> {
        self.starts += 1;
        let process = Process::start(&self.settings.command)
            .map_err(|error| Refused(Failure::Died, format!("it can't be started: {error}")))?;
        self.process = Some(process);
        self.spawned = true;
        let line = format!("{}\n", wire::hello(game));
        let greeting = self.exchange(line.as_bytes(), self.timeout() * GREETING)?;
        match Greeting::read(&greeting) {
            Ok(greeting) => self.greeting = greeting,
            Err(what) => {
                self.end();
                return Err(Refused(Failure::Malformed, what));
            }
        }
        Ok(())
    }

    fn timeout(&self) -> Duration {
        Duration::from_secs_f64(self.settings.timeout)
    }

    /// A number for a game that no game of this link had before.
    pub fn new_game(&mut self) -> u64 {
        self.next_game += 1;
        self.next_game - 1
    }

    /// Says something with the next request; nothing where nobody hears it.
    pub fn note(&mut self, line: &Value) {
        if self.process.is_some() {
            self.notes.extend_from_slice(format!("{line}\n").as_bytes());
        }
    }

    /// Asks in some games; as many answers come back.
    ///
    /// # Errors
    /// What is wrong with all of them.
    pub fn ask(&mut self, question: &str, games: Vec<Value>) -> Result<Vec<Value>, Refused> {
        self.next_id += 1;
        let (id, count, clock) = (self.next_id, games.len(), Instant::now());
        let mut common = Map::new();
        common.insert("id".to_owned(), id.into());
        let line = format!("{}\n", wire::message(question, common, games));
        let mut lines = std::mem::take(&mut self.notes);
        lines.extend_from_slice(line.as_bytes());
        loop {
            let left = self.timeout().saturating_sub(clock.elapsed());
            let line = self.exchange(&lines, left)?;
            lines.clear();
            let reply: Reply = wire::parsed(&line)?;
            if reply.id < id {
                // It belongs to a request that was given up.
                continue;
            }
            self.counts.add_line(clock.elapsed());
            let wrong = |what: String| {
                Err(Refused(Failure::Malformed, format!("{what}: {}", shown(&line))))
            };
            if reply.id > id {
                return wrong(format!("a reply to request {}, asked was {id}", reply.id));
            }
            if reply.answers.len() != count {
                let given = reply.answers.len();
                return wrong(format!("{given} answers for {count} games"));
            }
            return Ok(reply.answers);
        }
    }

    fn exchange(&mut self, lines: &[u8], time: Duration) -> Result<Vec<u8>, Refused> {
        let Some(process) = &mut self.process else {
            return Err(Refused(Failure::Died, "it does not run".to_owned()));
        };
        let broken = match process.exchange(lines, Instant::now() + time) {
            Ok(line) => return Ok(line),
            Err(broken) => broken,
        };
        // Whatever it says from here on is an answer to nothing.
        let end = self.end();
        Err(match broken {
            Broken::Late => {
                let seconds = (time.as_secs_f64() * 1e3).round() / 1e3;
                Refused(Failure::Late, format!("no reply within {seconds} s"))
            }
            Broken::Endless(start) => {
                Refused(Failure::Malformed, format!("a line without an end: {start}"))
            }
            Broken::Gone(what) if end.is_empty() => Refused(Failure::Died, what.to_owned()),
            Broken::Gone(what) => Refused(Failure::Died, format!("{what}: {end}")),
        })
    }

    /// Ends the process, and says how it ended.
    fn end(&mut self) -> String {
        self.notes.clear();
        self.process.take().map_or_else(String::new, |mut process| process.end())
    }
}
