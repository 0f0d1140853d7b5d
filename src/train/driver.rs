//! The training as a driver of the runner: each generation is a stage, and so are the selection among
//! the restarts' finalists and the confirmation of the chosen one.

use serde::{Deserialize, Serialize};

use super::confirm::{self, Learned};
use super::job::{Count, Job};
use super::judge::{Judge, Worth};
use super::search::Search;
use super::spec::Objective;
use super::stages::Field;
use crate::error::InputError;
use crate::experiment::plan::{GameRules, Plan};
use crate::experiment::run::{Driver, Stage, Tallies};
use crate::games::GameId;
use crate::rng::{Normal, SearchPart, search_rng};
use crate::strategies::{StrategySpec, library};

/// The search keeps to so much of the pace, so that what it finds at the edge keeps to the whole.
pub const SEARCH_PACE: f64 = 0.99;
/// The selection accepts so much of the pace.
pub const SELECTION_PACE: f64 = 0.995;
/// A candidate that the family refuses is drawn again, so often at most.
const DRAWS: usize = 1_000;

/// All that a training remembers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// The number of the next stage; stage 0 is that of plain runs.
    pub stage: u64,
    /// The games played so far.
    pub games: u64,
    /// The place of what is learned now among the numbers of players.
    count: usize,
    phase: Phase,
    /// The finalists so far for this number of players.
    finalists: Vec<Finalist>,
    /// A line for each generation.
    pub curve: Vec<Generation>,
    /// What was learned, by number of players.
    pub learned: Vec<Learned>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Phase {
    Search(Box<Course>),
    Selection,
    Confirmation { chosen: Finalist },
    Finished,
}

/// A restart under way; both numbers count from 0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Course {
    restart: u64,
    generation: u64,
    search: Search,
    best: Best,
}

/// The best of a restart so far.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Best {
    /// Of the middles.
    centre: Option<Point>,
    /// Of all candidates.
    any: Option<Point>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Point {
    fitness: f64,
    worth: Worth,
    keeps: bool,
    values: Vec<f64>,
}

/// What is compared with others in the end, its numbers rounded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finalist {
    /// Where it comes from, such as `restart 2, middle of the last generation`.
    pub origin: String,
    /// Its numbers.
    pub values: Vec<f64>,
}

/// A line of the learning curve.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Generation {
    /// The number of players.
    pub players: usize,
    /// The restart, from 1.
    pub restart: u64,
    /// The generation, from 1.
    pub generation: u64,
    /// The objective of the candidate that is best with the penalty for slowness.
    pub best: Option<f64>,
    /// The candidates' mean objective.
    pub mean: Option<f64>,
    /// The objective of the distribution's middle.
    pub middle: Option<f64>,
    /// Seconds a level of the middle (the Minds).
    pub level_seconds: Option<f64>,
    /// How wide the distribution was; 1 at the start.
    pub sigma: f64,
    /// The best objective of a middle in this restart so far that kept the pace.
    pub best_so_far: Option<f64>,
    /// The games of the generation.
    pub games: u64,
}

/// Plays a training.
#[derive(Debug, Clone, Copy)]
pub struct Trainer<'a>(pub &'a Job);

impl Trainer<'_> {
    /// Where the training begins.
    pub fn first(&self) -> State {
        let mut state = State {
            stage: 1,
            games: 0,
            count: 0,
            phase: Phase::Finished,
            finalists: Vec::new(),
            curve: Vec::new(),
            learned: Vec::new(),
        };
        self.begin(&mut state, 0);
        state
    }

    /// About all games of the training: what is compared in the selection is known when it comes to it.
    pub fn games(&self) -> u64 {
        let training = &self.0.training;
        let finalists = 3 * training.restarts + 1;
        let of = |count: &Count| {
            let cells = count.cells.len() as u64;
            let generation = (training.population + 1) * training.games;
            let search = training.restarts * training.generations * generation;
            let selection = finalists * training.selection_games();
            cells * (search + selection + 2 * training.confirmation_games())
        };
        self.0.counts.iter().map(of).sum()
    }

    /// Begins with what is learned in that place, if there is any.
    fn begin(&self, state: &mut State, count: usize) {
        state.count = count;
        state.finalists.clear();
        state.phase = Phase::Finished;
        if let Some(count) = self.0.counts.get(count) {
            state.finalists.push(self.finalist(count, "the start", &vec![0.0; count.space.len()]));
            state.phase = self.restart(count, state.stage, 0);
        }
    }

    fn finalist(&self, count: &Count, origin: &str, point: &[f64]) -> Finalist {
        let values = count.space.rounded(&count.space.values(point));
        Finalist { origin: origin.to_owned(), values }
    }

    /// A search: the first one around the start, the others around points as far from it as the first
    /// one's candidates are.
    fn restart(&self, count: &Count, stage: u64, restart: u64) -> Phase {
        let mut rng = search_rng(self.0.training.seed, stage, count.players, SearchPart::Start);
        let mut draw = |_| if restart == 0 { 0.0 } else { Normal::new().draw(&mut rng) };
        let centre: Vec<f64> = (0..count.space.len()).map(&mut draw).collect();
        let search = Search::new(self.0.training.method, centre);
        Phase::Search(Box::new(Course { restart, generation: 0, search, best: Best::default() }))
    }

    /// The candidates of a generation, and the distribution's middle behind them.
    fn points(
        &self,
        count: &Count,
        stage: u64,
        search: &Search,
    ) -> Result<Vec<Vec<f64>>, InputError> {
        let training = &self.0.training;
        let accepted = |point: &[f64]| {
            let spec = count.with(&count.space.values(point), "");
            library::check_at(training.game, &spec, count.players).map_err(|error| {
                let what = format!(
                    "the strategy refuses a value that the search has reached ({error}); set \
                     `low` and `high` to keep the search within the range"
                );
                InputError::new("learn", "", what)
            })
        };
        let mut rng = search_rng(training.seed, stage, count.players, SearchPart::Candidates);
        let sampler = search.sampler();
        let mut points = Vec::new();
        for _ in 0..training.population {
            let mut draws = (0..DRAWS).map(|_| sampler.draw(&mut rng));
            let found = draws.find(|point| accepted(point).is_ok());
            match found {
                Some(point) => points.push(point),
                None => {
                    let last = sampler.draw(&mut rng);
                    accepted(&last)?;
                    points.push(last);
                }
            }
        }
        accepted(search.centre())?;
        points.push(search.centre().to_vec());
        Ok(points)
    }

    /// Who plays in a stage.
    fn field(&self, count: &Count, state: &State) -> Result<Field, InputError> {
        Ok(match &state.phase {
            Phase::Search(course) => {
                let points = self.points(count, state.stage, &course.search)?;
                let spec = |(index, point): (usize, &Vec<f64>)| {
                    count.with(&count.space.values(point), &format!("candidate {index}"))
                };
                let middle = points.len() - 1;
                let specs = points.iter().enumerate().map(spec).collect();
                Field::new(count, specs, |_| vec![middle])
            }
            Phase::Selection => {
                let finalists = &state.finalists;
                let spec = |finalist: &Finalist| count.with(&finalist.values, &finalist.origin);
                let specs: Vec<StrategySpec> = finalists.iter().map(spec).collect();
                Field::new(count, specs, |_| (0..finalists.len()).collect())
            }
            Phase::Confirmation { chosen } => confirm::field(self.0, count, chosen),
            Phase::Finished => Field::default(),
        })
    }

    fn stage_games(&self, state: &State) -> u64 {
        match state.phase {
            Phase::Selection => self.0.training.selection_games(),
            Phase::Confirmation { .. } => self.0.training.confirmation_games(),
            _ => self.0.training.games,
        }
    }

    fn note(&self, count: &Count, state: &State) -> String {
        let training = &self.0.training;
        let players = match self.0.counts.as_slice() {
            [_] => String::new(),
            _ => format!("{} players, ", count.players),
        };
        match &state.phase {
            Phase::Search(course) => {
                let Course { restart, generation, best, .. } = course.as_ref();
                let restarts = match training.restarts {
                    1 => String::new(),
                    all => format!("restart {}/{all}, ", restart + 1),
                };
                let best = best.centre.as_ref().filter(|best| best.keeps);
                let best = match best.and_then(|best| best.worth.value) {
                    Some(value) => format!(", best so far {value:.4}"),
                    None => String::new(),
                };
                let of = training.generations;
                format!("{players}{restarts}generation {}/{of}{best}", generation + 1)
            }
            Phase::Selection => format!("{players}selection of {}", state.finalists.len()),
            Phase::Confirmation { .. } => format!("{players}confirmation"),
            Phase::Finished => String::new(),
        }
    }

    fn limit(&self, share: f64) -> Option<f64> {
        self.0.training.pace.map(|pace| share * pace)
    }

    /// The most that the objective can be.
    fn scale(&self, count: &Count) -> f64 {
        let levels = count.cells.iter().filter_map(|cell| match &cell.rules {
            GameRules::TheMind(rules) => Some(f64::from(rules.levels())),
            GameRules::MindUp(_) => None,
        });
        match self.0.training.objective {
            Objective::Levels => levels.fold(1.0, f64::max),
            _ => 1.0,
        }
    }

    /// Learns from a generation.
    fn learn(&self, count: &Count, state: &mut State, judge: Judge<'_>, games: u64) {
        let Phase::Search(course) = &mut state.phase else { return };
        let Course { restart, generation, search, best } = course.as_mut();
        // The points are those that were played: the same state gives the same ones.
        let Ok(points) = self.points(count, state.stage, search) else { return };
        let (limit, scale) = (self.limit(SEARCH_PACE), self.scale(count));
        let point = |(one, point): (usize, &Vec<f64>)| {
            let worth = judge.worth(one);
            let fitness = worth.fitness(limit, scale).max(f64::MIN);
            Point { fitness, worth, keeps: worth.keeps(limit), values: point.clone() }
        };
        let mut judged: Vec<Point> = points.iter().enumerate().map(point).collect();
        let Some(middle) = judged.pop() else { return };
        // A stable sort: equal ones stay in the order in which they were drawn.
        judged.sort_by(|a, b| b.fitness.total_cmp(&a.fitness));
        keep_best(&mut best.centre, &middle);
        if let Some(first) = judged.first() {
            keep_best(&mut best.any, first);
        }
        let values: Option<Vec<f64>> = judged.iter().map(|point| point.worth.value).collect();
        let mean = values.map(|all| all.iter().sum::<f64>() / all.len().max(1) as f64);
        let kept = best.centre.as_ref().filter(|best| best.keeps);
        state.curve.push(Generation {
            players: count.players,
            restart: *restart + 1,
            generation: *generation + 1,
            best: judged.first().and_then(|point| point.worth.value),
            mean,
            middle: middle.worth.value,
            level_seconds: middle.worth.seconds,
            sigma: search.width(),
            best_so_far: kept.and_then(|best| best.worth.value),
            games,
        });
        let training = &self.0.training;
        let elite: Vec<&[f64]> =
            judged.iter().take(training.elite()).map(|point| point.values.as_slice()).collect();
        search.tell(&elite, judged.len());
        *generation += 1;
    }

    /// After a restart's last generation its finalists are known, and the next restart or the selection
    /// begins.
    fn after_generation(&self, count: &Count, state: &mut State) {
        let training = &self.0.training;
        let Phase::Search(course) = &state.phase else { return };
        let Course { restart, generation, search, best } = course.as_ref();
        if *generation < training.generations {
            return;
        }
        let restart = *restart;
        let mut points = vec![("middle of the last generation", search.centre().to_vec())];
        // Against oneself a generation's figures say nothing of another's.
        if !count.self_play {
            let best = [("best middle", &best.centre), ("best candidate", &best.any)];
            let found = best.into_iter().filter_map(|(name, point)| Some((name, point.as_ref()?)));
            points.extend(found.map(|(name, point)| (name, point.values.clone())));
        }
        for (name, point) in points {
            let finalist =
                self.finalist(count, &format!("restart {}, {name}", restart + 1), &point);
            let spec = count.with(&finalist.values, "");
            let good = library::check_at(training.game, &spec, count.players).is_ok();
            if good && state.finalists.iter().all(|known| known.values != finalist.values) {
                state.finalists.push(finalist);
            }
        }
        state.phase = match (restart + 1 < training.restarts, state.finalists.as_slice()) {
            (true, _) => self.restart(count, state.stage, restart + 1),
            // Nothing but the start: there is nothing to select from.
            (false, [only]) => Phase::Confirmation { chosen: only.clone() },
            (false, _) => Phase::Selection,
        };
    }

    /// The best finalist among those that keep the pace; where none does, the one that comes nearest.
    fn select(&self, count: &Count, state: &State, judge: Judge<'_>) -> Option<Finalist> {
        let (limit, scale) = (self.limit(SELECTION_PACE), self.scale(count));
        let fitness = |one: usize| judge.worth(one).fitness(limit, scale);
        let keeps = |one: usize| judge.worth(one).keeps(limit);
        let mut all: Vec<usize> = (0..state.finalists.len()).collect();
        if all.iter().any(|&one| keeps(one)) {
            all.retain(|&one| keeps(one));
        }
        // Of equal ones the first: the start before all others.
        let best = all.into_iter().rev().max_by(|&a, &b| fitness(a).total_cmp(&fitness(b)))?;
        state.finalists.get(best).cloned()
    }
}

fn keep_best(best: &mut Option<Point>, point: &Point) {
    let order = |point: &Point| (point.keeps, point.fitness);
    let better = best.as_ref().is_none_or(|best| order(point) > order(best));
    if better {
        *best = Some(point.clone());
    }
}

impl Driver for Trainer<'_> {
    type State = State;

    fn stage(&self, _: &Plan, state: &State) -> Result<Option<Stage>, InputError> {
        let Some(count) = self.0.counts.get(state.count) else { return Ok(None) };
        if state.phase == Phase::Finished {
            return Ok(None);
        }
        let field = self.field(count, state)?;
        let game: GameId = self.0.training.game;
        let note = self.note(count, state);
        let seed = self.0.training.seed;
        Ok(Some(field.stage(game, seed, count, state.stage, self.stage_games(state), note)))
    }

    fn next(&self, plan: &Plan, mut state: State, tallies: &Tallies) -> State {
        let Some(count) = self.0.counts.get(state.count) else { return state };
        let Ok(field) = self.field(count, &state) else { return state };
        let objective = self.0.training.objective;
        let judge = Judge { plan, tallies, field: &field, objective };
        let games = plan.games();
        state.games += games;
        match state.phase.clone() {
            Phase::Search(_) => {
                self.learn(count, &mut state, judge, games);
                state.stage += 1;
                self.after_generation(count, &mut state);
            }
            Phase::Selection => {
                state.stage += 1;
                if let Some(chosen) = self.select(count, &state, judge) {
                    state.phase = Phase::Confirmation { chosen };
                }
            }
            Phase::Confirmation { chosen } => {
                state.stage += 1;
                state.learned.push(confirm::learned(self.0, count, &chosen, judge));
                let next = state.count + 1;
                self.begin(&mut state, next);
            }
            Phase::Finished => {}
        }
        state
    }
}
