//! A worker's link to a bot: its process, started anew where it has ended, and its requests.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
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

/// One log for all links of a bot.
pub(super) type SharedLog = Arc<Mutex<Log>>;

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
    /// The latest request that was replied to.
    last_reply: u64,
    next_game: u64,
    /// Lines that need no reply and go out with the next request.
    notes: Vec<u8>,
    /// All answers, where somebody wants them.
    pub log: Option<SharedLog>,
    /// How often it was started anew so that it knows nothing of a deal.
    renewed: u32,
}

impl Link {
    pub fn new(settings: Arc<Settings>, counts: Arc<Counts>, log: Option<SharedLog>) -> Link {
        Link {
            settings,
            counts,
            process: None,
            greeting: Greeting::default(),
            spawned: false,
            starts: 0,
            next_id: 0,
            last_reply: 0,
            next_game: 0,
            notes: Vec::new(),
            log,
            renewed: 0,
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

    /// Ends the process, where it runs, so that a fresh one takes its place when it is asked next.
    pub fn renew(&mut self) {
        if self.process.is_some() {
            self.end();
            self.renewed += 1;
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
        if self.starts - self.renewed >= MOST_STARTS {
            let what = format!("it was started {MOST_STARTS} times and is not started again");
            return Err(Refused(Failure::Abandoned, what));
        }
        self.start(game)
    }

    fn start(&mut self, game: GameId) -> Result<(), Refused> {
        self.starts += 1;
        let process = Process::start(&self.settings.command)
            .map_err(|error| Refused(Failure::Died, format!("it can't be started: {error}")))?;
        self.process = Some(process);
        self.spawned = true;
        let line = format!("{}\n", wire::hello(game));
        let greeting = self.exchange(line.as_bytes(), Instant::now(), self.timeout() * GREETING)?;
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
            let line = self.exchange(&lines, clock, self.timeout())?;
            lines.clear();
            let reply: Reply = wire::parsed(&line)?;
            let other =
                || format!("it replied to request {}, but was asked request {id}", reply.id);
            let refused = |failure, what| Refused(failure, format!("{what}: {}", shown(&line)));
            if reply.id < id {
                // The first one to a request that failed was counted with that.
                if reply.id <= self.last_reply {
                    self.counts.add_failure(&refused(Failure::Stray, other()));
                }
                self.last_reply = self.last_reply.max(reply.id);
                continue;
            }
            self.counts.add_line(clock.elapsed());
            let wrong = |what| Err(refused(Failure::Malformed, what));
            if reply.id > id {
                return wrong(other());
            }
            self.last_reply = id;
            if reply.answers.len() != count {
                let given = reply.answers.len();
                return wrong(format!("it gave {given} answers for {count} games"));
            }
            return Ok(reply.answers);
        }
    }

    /// Says something and waits for a line, no longer than the limit since a moment.
    fn exchange(
        &mut self,
        lines: &[u8],
        since: Instant,
        limit: Duration,
    ) -> Result<Vec<u8>, Refused> {
        let Some(process) = &mut self.process else {
            return Err(Refused(Failure::Died, "it is not running".to_owned()));
        };
        let broken = match process.exchange(lines, since + limit) {
            Ok(line) => return Ok(line),
            Err(broken) => broken,
        };
        // Whatever it says from here on is an answer to nothing.
        let end = self.end();
        Err(match broken {
            Broken::Late => {
                Refused(Failure::Late, format!("it did not reply within {} s", limit.as_secs_f64()))
            }
            Broken::Endless(start) => {
                Refused(Failure::Malformed, format!("this line has no end: {start}"))
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
