//! Bots from outside: a program on a seat, which is asked by lines of JSON. docs/bots.md has the
//! protocol.
//!
//! Each seat of the table has a process of its own in each worker thread, and that process never meets
//! a deal twice: where it would, in another rotation or line-up, a fresh one takes its place. So a bot
//! hears its own seat and nothing else. What it does wrong harms its own games alone.

pub mod check;
mod counts;
mod link;
mod mind_up;
#[cfg(unix)]
mod process;
#[cfg(not(unix))]
#[path = "no_process.rs"]
mod process;
pub mod schema;
mod seat;
mod the_mind;
mod wire;

pub use counts::{Counts, Failure, Seen};
pub use wire::PROTOCOL;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, ThreadId};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::{InputError, PlayError, read};
use crate::games;
use crate::strategies::{Build, Built, Family, StrategySpec};
use link::{Link, SharedLog};

/// The family's name.
pub const NAME: &str = "bot";

/// The longest time that a reply may be given, in seconds.
const LONGEST_TIMEOUT: f64 = 3_600.0;

/// What follows where a bot has no good answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnFailure {
    /// The seat loses that game: see [`Outcome::forfeit`](games::mind_up::Outcome::forfeit); in
    /// the Minds the team does.
    #[default]
    Forfeit,
    /// A random legal move from the seat's own generator stands in, and the game goes on.
    Random,
    /// The run ends with an error.
    Stop,
}

/// What a process may hear.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Isolate {
    /// Its own seat alone, and no deal twice.
    #[default]
    Seat,
    /// All seats of its strategy in a worker thread, in all rotations and line-ups of a deal: quicker to
    /// start, and no fair game for a bot that remembers.
    None,
}

/// The parameters of the family.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// The program and its arguments; empty where an experiment has yet to say it.
    pub command: Vec<String>,
    /// Seconds that a reply may take, above 0 and at most 3,600; ten times as many for the
    /// greeting.
    pub timeout: f64,
    /// What follows where it has no good answer.
    pub on_failure: OnFailure,
    /// Whether the user states that equal games get equal replies, as
    /// `mindlab check-bot --deterministic` finds out.
    pub deterministic: bool,
    /// What a process may hear.
    pub isolate: Isolate,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            command: Vec::new(),
            timeout: 10.0,
            on_failure: OnFailure::Forfeit,
            deterministic: false,
            isolate: Isolate::Seat,
        }
    }
}

impl Settings {
    fn check(&self) -> Result<(), InputError> {
        if !(self.timeout > 0.0 && self.timeout <= LONGEST_TIMEOUT) {
            let what = "this must be above 0 and at most 3600 seconds";
            return Err(InputError::new("timeout", self.timeout, what));
        }
        if self.command.first().is_some_and(String::is_empty) {
            return Err(InputError::new(
                "command[0]",
                "\"\"",
                "this must be the name of a program",
            ));
        }
        Ok(())
    }

    /// The command in one line, for messages.
    fn shown(&self) -> String {
        self.command.join(" ")
    }

    fn failed(&self, message: impl Into<String>) -> PlayError {
        PlayError { strategy: self.shown(), at: None, message: message.into() }
    }
}

/// Refuses a bot without a command where it is to play.
///
/// # Errors
/// At the key `command`.
pub fn check_command(spec: &StrategySpec) -> Result<(), InputError> {
    let has_command = |all: &Map<String, Value>| {
        all.get("command").and_then(Value::as_array).is_some_and(|command| !command.is_empty())
    };
    let mut by_players = spec.players.values().filter(|own| own.contains_key("command"));
    if spec.family == NAME && !has_command(&spec.parameters) && !by_players.any(has_command) {
        let what = "name the program and its arguments: \
                    { base = \"bot\", command = [\"python3\", \"my-bot.py\"] }";
        return Err(InputError::new("command", "[]", what));
    }
    Ok(())
}

/// Whether a strategy's games are not the same again by themselves: it is a bot, and nobody states
/// that it is deterministic.
pub fn is_uncertain(spec: &StrategySpec) -> bool {
    let says = |all: &Map<String, Value>, what: bool| {
        all.get("deterministic").and_then(Value::as_bool) == Some(what)
    };
    let unsure = || spec.players.values().any(|own| says(own, false));
    spec.family == NAME && (!says(&spec.parameters, true) || unsure())
}

/// A bot, ready to take seats.
pub struct Bot {
    settings: Arc<Settings>,
    counts: Arc<Counts>,
    /// Without isolation one process for each worker. They end with the bot.
    links: Mutex<HashMap<ThreadId, Arc<Mutex<Link>>>>,
    /// All answers, where somebody wants them.
    log: Option<SharedLog>,
    /// With isolation the processes of seats, where they serve several tables one after another.
    kept: Option<Mutex<Kept>>,
}

/// Processes by seat, in the order in which seats are taken.
#[derive(Default)]
struct Kept {
    links: Vec<Arc<Mutex<Link>>>,
    next: usize,
}

impl Bot {
    fn new(settings: Settings) -> Self {
        let settings = Arc::new(settings);
        Bot { settings, counts: Arc::default(), links: Mutex::default(), log: None, kept: None }
    }

    /// A process, started when it is first asked: one for a seat alone, or that of the calling thread.
    fn link(&self) -> Arc<Mutex<Link>> {
        let link = || {
            let link = Link::new(self.settings.clone(), self.counts.clone(), self.log.clone());
            Arc::new(Mutex::new(link))
        };
        if let Some(kept) = &self.kept {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            let place = kept.next;
            kept.next += 1;
            if place == kept.links.len() {
                kept.links.push(link());
            }
            return kept.links[place].clone();
        }
        if self.settings.isolate == Isolate::Seat {
            return link();
        }
        let mut links = self.links.lock().unwrap_or_else(PoisonError::into_inner);
        links.entry(thread::current().id()).or_insert_with(link).clone()
    }

    /// A table follows at which the same seats are taken again, or with `others` other ones.
    fn next_table(&self, others: bool) {
        if let Some(kept) = &self.kept {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.next = 0;
            if others {
                kept.links.clear();
            }
        }
    }

    fn place(&self) -> seat::Seat {
        seat::Seat::new(self.link(), self.settings.clone(), self.counts.clone())
    }
}

impl Build<dyn games::mind_up::player::Player> for Bot {
    fn seat(&self) -> Result<Box<dyn games::mind_up::player::Player>, PlayError> {
        Ok(Box::new(mind_up::Player::new(self.place())))
    }

    fn counts(&self) -> Option<Arc<Counts>> {
        Some(self.counts.clone())
    }
}

impl Build<dyn games::the_mind::player::Player> for Bot {
    fn seat(&self) -> Result<Box<dyn games::the_mind::player::Player>, PlayError> {
        Ok(Box::new(the_mind::Player::new(self.place())))
    }

    fn counts(&self) -> Option<Arc<Counts>> {
        Some(self.counts.clone())
    }
}

/// The line of the bots in a game's list of families.
pub const fn family<P: ?Sized>() -> Family<P>
where
    Bot: Build<P>,
{
    Family {
        name: NAME,
        summary: "asks a program of your own, see docs/bots.md",
        defaults,
        strategies: &[],
        build: build::<P>,
    }
}

fn defaults() -> Map<String, Value> {
    match serde_json::to_value(Settings::default()) {
        Ok(Value::Object(parameters)) => parameters,
        _ => Map::new(),
    }
}

fn build<P: ?Sized>(parameters: &Map<String, Value>) -> Built<P>
where
    Bot: Build<P> + 'static,
{
    let settings: Settings = read(&Value::Object(parameters.clone()))?;
    settings.check()?;
    Ok(Arc::new(Bot::new(settings)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn refused(change: Value) -> String {
        let mut parameters = defaults();
        parameters.extend(change.as_object().unwrap().clone());
        let built = build::<dyn games::mind_up::player::Player>(&parameters);
        built.err().unwrap().to_string()
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        assert!(refused(json!({"timeout": 0})).starts_with("`timeout = 0`: this must be above 0"));
        assert!(refused(json!({"timeout": 3601})).contains("at most 3600"));
        assert!(refused(json!({"command": [""]})).starts_with("`command[0]"));
        assert!(refused(json!({"command": "x y"})).starts_with("`command"));
        assert!(refused(json!({"on_failure": "forfiet"})).contains("did you mean `forfeit`"));
    }
}
