//! A bot, tried before it is used: it plays games with built-in strategies, and everything that it
//! does wrong is counted.

use std::fmt;
use std::sync::{Arc, PoisonError};

use serde_json::{Map, Value, json};

use super::counts::{Counts, Failure, Seen};
use super::link::{Log, SharedLog};
use super::wire::{Greeting, PROTOCOL, shown};
use super::{Bot, Isolate, OnFailure, Settings};
use crate::error::{InputError, PlayError, read};
use crate::games::the_mind::groups;
use crate::games::{GameId, mind_up, the_mind};
use crate::rng::{GameKey, deal_key};
use crate::strategies::{Build, Built, Family};

/// The seed of all trials.
const SEED: u64 = 1;
/// Games that are asked for at once, in the first order and in the second.
const BLOCKS: [usize; 2] = [16, 5];
/// The most games of a trial.
const MOST_GAMES: u64 = 1_000_000;

/// What is tried.
#[derive(Debug, Clone)]
pub struct Trial {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The game.
    pub game: GameId,
    /// The number of players; none: 3 for Mind Up!, 2 for the Minds.
    pub players: Option<usize>,
    /// The games, 1 to 1,000,000.
    pub games: u64,
    /// Seconds that a reply may take.
    pub timeout: f64,
    /// Whether the games are played again in the reverse order, in other batches, and with equal
    /// answers.
    pub deterministic: bool,
}

/// What was seen.
#[derive(Debug, Clone)]
pub struct Report {
    trial: Trial,
    players: usize,
    /// What the bot said of itself, or why it did not.
    greeting: Result<Greeting, String>,
    seen: Seen,
    /// The games with equal answers in both orders, or where they differ.
    order: Result<u64, String>,
}

/// Where the bot sits in a game: on one seat, or on all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Seating {
    number: u64,
    bot: Option<usize>,
}

/// The rules that are tried, with those who sit on the other seats.
enum Table {
    MindUp(Box<mind_up::Rules>, Arc<dyn Build<dyn mind_up::player::Player>>),
    TheMind(Box<the_mind::rules::Rules>, Arc<dyn Build<dyn the_mind::player::Player>>),
}

impl Trial {
    /// Plays the games.
    ///
    /// # Errors
    /// A wrong request: a number of players or games, a timeout, a program that can't be started.
    pub fn run(self) -> Result<Report, InputError> {
        let default = if self.game == GameId::MindUp { 3 } else { 2 };
        let players = self.players.unwrap_or(default);
        if !(1..=MOST_GAMES).contains(&self.games) {
            return Err(InputError::new(
                "--games",
                self.games,
                "this must be from 1 to 1000000 games",
            ));
        }
        let settings = Settings {
            command: self.command.clone(),
            timeout: self.timeout,
            on_failure: OnFailure::Random,
            deterministic: false,
            // In the first order a process hears all seats; in the second each seat has its own.
            isolate: Isolate::None,
        };
        settings.check()?;
        let table = Table::new(self.game, players)?;
        let counts = Arc::new(Counts::default());
        let mut report = Report {
            trial: self,
            players,
            greeting: Err(String::new()),
            seen: Seen::default(),
            order: Ok(0),
        };
        let first = report.play(&table, &settings, &counts, 0)?;
        if report.trial.deterministic && report.greeting.is_ok() {
            let second = report.play(&table, &settings, &counts, 1)?;
            report.order = report.compare(&first, &second);
        }
        report.seen = counts.seen();
        Ok(report)
    }
}

impl Report {
    /// Whether the bot can be used.
    pub fn is_sound(&self) -> bool {
        self.greeting.is_ok() && !self.seen.failed() && self.order.is_ok()
    }

    /// Plays all games in one of the orders: in the first with one process for all seats, in the second
    /// with a process for each, so that answers which hang on what other seats hear are found.
    fn play(
        &mut self,
        table: &Table,
        settings: &Settings,
        counts: &Arc<Counts>,
        order: usize,
    ) -> Result<Log, InputError> {
        let isolate = if order == 0 { Isolate::None } else { Isolate::Seat };
        let settings = Settings { isolate, ..settings.clone() };
        let log = SharedLog::default();
        let mut bot =
            Bot { counts: counts.clone(), log: Some(log.clone()), ..Bot::new(settings.clone()) };
        // That of all seats in the first order; in the second it serves none.
        let link = bot.link();
        bot.kept = (order == 1).then(Default::default);
        let mut played = Ok(());
        for (seating, mut games) in self.seatings(order) {
            if order == 1 {
                games.reverse();
            }
            bot.next_table(true);
            for block in games.chunks(BLOCKS[order]) {
                bot.next_table(false);
                let keys: Vec<GameKey> =
                    block.iter().map(|&game| self.key(game, seating)).collect();
                played = played.and_then(|()| table.play(&bot, seating, &keys));
            }
        }
        let link = link.lock().unwrap_or_else(PoisonError::into_inner);
        if let (Err(error), false, 0) = (&played, link.spawned, order) {
            return Err(InputError::new("CMD", settings.shown(), &error.message));
        }
        match played {
            Ok(()) if order == 0 => self.greeting = Ok(link.greeting.clone()),
            Ok(()) => {}
            Err(error) => self.greeting = Err(error.message),
        }
        let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(std::mem::take(&mut *log))
    }

    /// The games by seating; the second order is the reverse of the first.
    fn seatings(&self, order: usize) -> Vec<(Seating, Vec<u64>)> {
        let count = self.players as u64 + 1;
        let seating = |number: u64| Seating {
            number,
            bot: Some(number as usize).filter(|&seat| seat < self.players),
        };
        let games = |number| (number..self.trial.games).step_by(count as usize).collect();
        let mut all: Vec<_> = (0..count).map(|number| (seating(number), games(number))).collect();
        if order == 1 {
            all.reverse();
        }
        all
    }

    fn key(&self, game: u64, seating: Seating) -> GameKey {
        GameKey::new(deal_key(SEED, 0, self.players, game), 0, seating.number)
    }

    /// How many games without a failure had equal answers in both orders.
    ///
    /// # Errors
    /// The first answer that is another in the second order.
    fn compare(&self, first: &Log, second: &Log) -> Result<u64, String> {
        let mut equal = 0;
        for (seating, games) in self.seatings(0) {
            for game in games {
                let key = self.key(game, seating);
                let answers = |log: &Log, seat| log.get(&key.bot_seed(seat)).cloned();
                let answers = |log| -> Vec<Vec<Value>> {
                    (0..self.players).map(|seat| answers(log, seat).unwrap_or_default()).collect()
                };
                let (one, two) = (answers(first), answers(second));
                // What follows a failure is another game.
                if one.iter().chain(&two).flatten().any(Value::is_null) {
                    continue;
                }
                if let Some(seat) = (0..self.players).find(|&seat| one[seat] != two[seat]) {
                    return Err(difference(game, seat, &one[seat], &two[seat]));
                }
                equal += 1;
            }
        }
        Ok(equal)
    }
}

/// The first difference of a seat's answers, in words.
fn difference(game: u64, seat: usize, one: &[Value], two: &[Value]) -> String {
    let at = one.iter().zip(two).take_while(|(a, b)| a == b).count();
    let text = |all: &[Value]| {
        let answer = all.get(at).map(Value::to_string);
        shown(answer.unwrap_or_else(|| "nothing".to_owned()).as_bytes())
    };
    let (one, two) = (text(one), text(two));
    format!("game {game}, seat {seat}, answer {at}: {one} at first, {two} in the other order")
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { trial, players, greeting, seen, order } = self;
        writeln!(f, "{}", trial.command.join(" "))?;
        let greeting = match greeting {
            Ok(greeting) => greeting,
            Err(what) => return writeln!(f, "greeting  {what}\nfound wanting"),
        };
        let name = if greeting.name.is_empty() { "no name" } else { &greeting.name };
        let batch = if greeting.batch { "many games at once" } else { "one game at a time" };
        write!(f, "greeting  {}, protocol {PROTOCOL}, {batch}", shown(name.as_bytes()))?;
        if trial.game != GameId::MindUp {
            write!(f, ", {}", if greeting.stars { "asked for stars" } else { "no stars" })?;
        }
        let orders = if trial.deterministic { " in two orders" } else { "" };
        writeln!(f, "\ngames     {} of {}, {players} players{orders}", trial.games, trial.game)?;
        writeln!(f, "answers   {} asked for, {} reply lines", seen.answers, seen.lines)?;
        if seen.lines > 0 {
            let mean = seen.waited.as_secs_f64() / seen.lines as f64;
            let longest = seen.longest.as_secs_f64();
            writeln!(f, "time      {mean:.4} s a reply line, {longest:.4} s at most")?;
        }
        if !seen.failed() {
            writeln!(f, "failures  none")?;
        }
        for ((kind, count), first) in Failure::ALL.iter().zip(seen.failures).zip(&seen.first) {
            if count > 0 {
                let first = first.as_deref().unwrap_or_default();
                writeln!(f, "{:9} {count}, first: {first}", kind.name())?;
            }
        }
        match order {
            _ if !trial.deterministic => {}
            Err(difference) => writeln!(f, "order     {difference}")?,
            Ok(0) => writeln!(f, "order     no game without a failure to compare")?,
            Ok(equal) if *equal == trial.games => {
                writeln!(f, "order     equal answers in both orders")?;
            }
            Ok(equal) => writeln!(f, "order     equal answers in {equal} games without a failure")?,
        }
        writeln!(f, "{}", if self.is_sound() { "sound" } else { "found wanting" })
    }
}

impl Table {
    /// The published rules, with two objectives in Mind Up!.
    fn new(game: GameId, players: usize) -> Result<Table, InputError> {
        let under = |error: InputError| InputError { key: format!("--{}", error.key), ..error };
        Ok(match game {
            GameId::MindUp => {
                let options = read(&json!({"objectives": 2}))?;
                let rules = mind_up::Rules::new(players, &options).map_err(under)?;
                let others = built(crate::strategies::mind_up::FAMILIES, "greedy", Map::new())?;
                Table::MindUp(Box::new(rules), others)
            }
            GameId::TheMind | GameId::TheMindExtreme => {
                let rules = the_mind::rules::Rules::new(game, players, &read(&json!({}))?);
                let mut stars = Map::new();
                stars.insert("star".to_owned(), "when-risk-above".into());
                let others = built(crate::strategies::the_mind::FAMILIES, "linear", stars)?;
                Table::TheMind(Box::new(rules.map_err(under)?), others)
            }
        })
    }

    fn play(&self, bot: &Bot, seating: Seating, keys: &[GameKey]) -> Result<(), PlayError> {
        match self {
            Table::MindUp(rules, others) => {
                let mut seats = seats(bot, others.as_ref(), seating, rules.players())?;
                let mut block = mind_up::Block::default();
                block.play(rules, &mut seats, keys, &mut (), &mut Vec::new())
            }
            Table::TheMind(rules, others) => {
                let mut seats = seats(bot, others.as_ref(), seating, rules.players())?;
                let mut seats: Vec<&mut dyn the_mind::player::Player> =
                    seats.iter_mut().map(|seat| seat.as_mut() as _).collect();
                // Mistakes, levels dealt again and stars come up with people as they are.
                let group = groups::named("intuitive").map_err(|error| PlayError {
                    strategy: super::NAME.to_owned(),
                    at: None,
                    message: error.to_string(),
                })?;
                let bodies = group.bodies(rules.players());
                let mut block = the_mind::block::Block::new();
                block.play(rules, &bodies, &mut seats, keys, &mut (), &mut Vec::new())
            }
        }
    }
}

fn built<P: ?Sized>(families: &[Family<P>], name: &str, changes: Map<String, Value>) -> Built<P> {
    let family = families.iter().find(|family| family.name == name);
    let family = family.ok_or_else(|| InputError::new("family", name, "unknown family"))?;
    let mut parameters = (family.defaults)();
    parameters.extend(changes);
    (family.build)(&parameters)
}

fn seats<P: ?Sized>(
    bot: &Bot,
    others: &dyn Build<P>,
    seating: Seating,
    players: usize,
) -> Result<Vec<Box<P>>, PlayError>
where
    Bot: Build<P>,
{
    let is_bot = |seat| seating.bot.is_none_or(|bot| bot == seat);
    (0..players).map(|seat| if is_bot(seat) { bot.seat() } else { others.seat() }).collect()
}
