//! One game of a plan, played alone: the same game that the run counted.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::plan::{GameRules, Place, Plan};
use super::run::RunError;
use crate::bots::{Counts, Seen};
use crate::error::InputError;
use crate::games::mind_up::{Public, RoundScore};
use crate::games::record::{Illegal, parse};
use crate::games::the_mind::body::Body;
use crate::games::{mind_up, the_mind};
use crate::rng::GameKey;
use crate::strategies::{Family, StrategySpec, build};

/// A game that was played.
#[derive(Debug, Clone, PartialEq)]
pub struct Played {
    /// The label of the strategy on each seat.
    pub names: Vec<String>,
    /// What happened, and what a run counts of it.
    pub game: PlayedGame,
    /// What bots from outside failed at, by their strategies' numbers in the plan.
    pub bots: Vec<(usize, Seen)>,
}

/// The record of a game, and its outcome.
#[derive(Debug, Clone, PartialEq)]
pub enum PlayedGame {
    /// Mind Up!.
    MindUp(mind_up::Record, mind_up::Outcome),
    /// The Mind or The Mind Extreme.
    TheMind(the_mind::record::Record, Box<the_mind::outcome::Outcome>),
}

/// Those who take seats of a game in place of its strategies, and look on.
pub trait Guests {
    /// What a guest's seat is called; none for the seat of a strategy.
    fn name(&self, seat: usize) -> Option<&str>;
    /// Whether a guest has left the game.
    fn left(&self) -> bool;
    /// A guest at Mind Up!; `names` are those of all seats.
    fn mind_up(&self, names: &[String]) -> Box<dyn mind_up::player::Player>;
    /// Looks on at Mind Up!.
    fn watch_mind_up<'a>(
        &self,
        rules: &'a mind_up::Rules,
        names: &[String],
    ) -> Box<dyn mind_up::Observer + 'a>;
    /// A guest at one of the Minds.
    fn the_mind(&self, names: &[String]) -> Box<dyn the_mind::player::Player>;
    /// Looks on at one of the Minds.
    fn watch_the_mind<'a>(
        &self,
        rules: &'a the_mind::rules::Rules,
        names: &[String],
    ) -> Box<dyn the_mind::block::Observer + 'a>;
}

/// Plays a game of a plan's stage 0 by its place.
///
/// # Errors
/// A place that the plan does not have; a strategy that fails.
pub fn play(plan: &Plan, place: Place) -> Result<Played, RunError> {
    play_with(plan, place, None)
}

/// The same with guests: their seats' strategies do not play, and the bodies of their seats are
/// perfect clocks. A game of the Minds that a guest leaves ends there.
///
/// # Errors
/// A place that the plan does not have; a strategy that fails; a guest that leaves Mind Up!, whose
/// records are of whole games.
pub fn play_with(
    plan: &Plan,
    place: Place,
    guests: Option<&dyn Guests>,
) -> Result<Played, RunError> {
    let cell = plan.cells.get(place.cell);
    let found = cell.and_then(|cell| Some((cell, cell.lineups.get(place.lineup)?)));
    let Some((cell, lineup)) =
        found.filter(|(_, lineup)| place.deal < lineup.deals && place.rotation < lineup.rotations)
    else {
        return Err(InputError::new("--game", "", "the experiment has no such game").into());
    };
    let key = plan.key(cell, lineup, 0, place.deal, place.rotation);
    let strategies: Vec<_> = (0..cell.players)
        .map(|seat| &plan.strategies[lineup.strategy(place.rotation, seat)])
        .collect();
    let guest = |seat: usize| guests.and_then(|guests| Some((guests, guests.name(seat)?)));
    let name = |(seat, strategy): (usize, &&StrategySpec)| match guest(seat) {
        Some((_, name)) => name.to_owned(),
        None => strategy.label.clone(),
    };
    let mut bots = Vec::new();
    let names: Vec<String> = strategies.iter().enumerate().map(name).collect();
    let game = match &cell.rules {
        GameRules::MindUp(rules) => {
            let mut seats = seats(crate::strategies::mind_up::FAMILIES, &strategies, &mut bots)?;
            for (seat, player) in seats.iter_mut().enumerate() {
                if let Some((guests, _)) = guest(seat) {
                    *player = guests.mind_up(&names);
                }
            }
            let watcher = guests.map(|guests| guests.watch_mind_up(rules, &names));
            mind_up_game(rules, &mut seats, key, watcher)
        }
        GameRules::TheMind(rules) => {
            let mut seats = seats(crate::strategies::the_mind::FAMILIES, &strategies, &mut bots)?;
            let mut bodies = cell.bodies();
            for (seat, player) in seats.iter_mut().enumerate() {
                if let Some((guests, _)) = guest(seat) {
                    *player = guests.the_mind(&names);
                    bodies[seat] = Body::default();
                }
            }
            let watcher = guests.map(|guests| guests.watch_the_mind(rules, &names));
            let left = || guests.is_some_and(Guests::left);
            the_mind_game(rules, &bodies, &mut seats, key, watcher, left)
        }
    };
    let number = |_| lineup.game(place.deal, place.rotation);
    let game = game.map_err(|error| match error {
        RunError::Play(error) => error.in_plan(|seat| names[seat].clone(), number).into(),
        other => other,
    })?;
    // Each seat has counts of its own here.
    let mut all: BTreeMap<usize, Seen> = BTreeMap::new();
    for (seat, counts) in bots {
        all.entry(lineup.strategy(place.rotation, seat)).or_default().add(&counts.seen());
    }
    Ok(Played { names, game, bots: all.into_iter().collect() })
}

/// A game of Mind Up!, recorded.
fn mind_up_game(
    rules: &mind_up::Rules,
    seats: &mut [Box<dyn mind_up::player::Player>],
    key: GameKey,
    watcher: Option<Box<dyn mind_up::Observer + '_>>,
) -> Result<PlayedGame, RunError> {
    let mut observer = Both(mind_up::Recorder::new(rules, 0), watcher);
    let mut outcomes = Vec::new();
    let mut block = mind_up::Block::default();
    block.play(rules, seats, &[key], &mut observer, &mut outcomes)?;
    let outcome = outcomes.first().copied().unwrap_or_default();
    Ok(PlayedGame::MindUp(observer.0.finish(), outcome))
}

/// A game of the Minds, recorded; one that was left with what was played.
fn the_mind_game(
    rules: &the_mind::rules::Rules,
    bodies: &[Body],
    seats: &mut [Box<dyn the_mind::player::Player>],
    key: GameKey,
    watcher: Option<Box<dyn the_mind::block::Observer + '_>>,
    left: impl Fn() -> bool,
) -> Result<PlayedGame, RunError> {
    let mut players: Vec<&mut dyn the_mind::player::Player> =
        seats.iter_mut().map(|seat| seat.as_mut() as _).collect();
    let mut observer = Both(the_mind::record::Recorder::new(rules, 1), watcher);
    let mut outcomes = Vec::new();
    let mut block = the_mind::block::Block::new();
    let played = block.play(rules, bodies, &mut players, &[key], &mut observer, &mut outcomes);
    if !left() {
        played?;
    }
    let outcome = outcomes.first().copied().unwrap_or_default();
    match observer.0.into_records().into_iter().next() {
        Some(record) => Ok(PlayedGame::TheMind(record, Box::new(outcome))),
        None => Err(InputError::new("--game", "", "no game was played").into()),
    }
}

/// A recorder, and one who looks on.
struct Both<R, W>(R, Option<W>);

impl<'a> mind_up::Observer for Both<mind_up::Recorder<'_>, Box<dyn mind_up::Observer + 'a>> {
    fn dealt(&mut self, game: usize, public: &Public, hands: &[u64; mind_up::MAX_PLAYERS]) {
        self.0.dealt(game, public, hands);
        if let Some(watcher) = &mut self.1 {
            watcher.dealt(game, public, hands);
        }
    }

    fn turn(
        &mut self,
        game: usize,
        public: &Public,
        plays: &[mind_up::Card; mind_up::MAX_PLAYERS],
    ) {
        self.0.turn(game, public, plays);
        if let Some(watcher) = &mut self.1 {
            watcher.turn(game, public, plays);
        }
    }

    fn scored(
        &mut self,
        game: usize,
        public: &Public,
        scores: &[RoundScore; mind_up::MAX_PLAYERS],
    ) {
        self.0.scored(game, public, scores);
        if let Some(watcher) = &mut self.1 {
            watcher.scored(game, public, scores);
        }
    }

    fn ended(&mut self, game: usize, outcome: &mind_up::Outcome) {
        self.0.ended(game, outcome);
        if let Some(watcher) = &mut self.1 {
            watcher.ended(game, outcome);
        }
    }
}

impl<'a> the_mind::block::Observer
    for Both<the_mind::record::Recorder, Box<dyn the_mind::block::Observer + 'a>>
{
    fn deal(&mut self, slot: usize, table: &the_mind::state::Table) {
        self.0.deal(slot, table);
        if let Some(watcher) = &mut self.1 {
            watcher.deal(slot, table);
        }
    }

    fn play(&mut self, slot: usize, seat: usize, card: the_mind::cards::Card, clock: f64) {
        self.0.play(slot, seat, card, clock);
        if let Some(watcher) = &mut self.1 {
            watcher.play(slot, seat, card, clock);
        }
    }

    fn star(&mut self, slot: usize, choices: &[Option<the_mind::cards::Card>], clock: f64) {
        self.0.star(slot, choices, clock);
        if let Some(watcher) = &mut self.1 {
            watcher.star(slot, choices, clock);
        }
    }

    fn refocus(&mut self, slot: usize, clock: f64) {
        self.0.refocus(slot, clock);
        if let Some(watcher) = &mut self.1 {
            watcher.refocus(slot, clock);
        }
    }

    fn forfeit(&mut self, slot: usize, seat: usize) {
        self.0.forfeit(slot, seat);
        if let Some(watcher) = &mut self.1 {
            watcher.forfeit(slot, seat);
        }
    }
}

fn seats<P: ?Sized>(
    families: &[Family<P>],
    strategies: &[&StrategySpec],
    bots: &mut Vec<(usize, Arc<Counts>)>,
) -> Result<Vec<Box<P>>, RunError> {
    let players = strategies.len();
    let seat = |(seat, strategy): (usize, &&StrategySpec)| {
        let built = build(families, strategy, players)?;
        bots.extend(built.counts().map(|counts| (seat, counts)));
        Ok(built.seat()?)
    };
    strategies.iter().enumerate().map(seat).collect()
}

impl Played {
    /// The game's record, on one line without its end.
    pub fn line(&self) -> String {
        match &self.game {
            PlayedGame::MindUp(record, _) => record.to_string(),
            PlayedGame::TheMind(record, _) => serde_json::to_string(record).unwrap_or_default(),
        }
    }

    /// The game told for a person.
    ///
    /// # Errors
    /// Never for a game that mindlab played: the referee finds its own records legal.
    pub fn tell(&self) -> Result<String, Illegal> {
        let value = parse(&self.line())?;
        match &self.game {
            PlayedGame::MindUp(..) => mind_up::tell::tell(&value, &self.names),
            PlayedGame::TheMind(record, _) => {
                let seats = self.names.iter().enumerate();
                let seats = seats.map(|(seat, name)| format!("seat {seat}: {name}\n"));
                let verdict = the_mind::referee::judge(&value)?;
                let told = the_mind::tell::tell(record, &verdict);
                Ok(format!("{}{told}", seats.collect::<String>()))
            }
        }
    }
}
