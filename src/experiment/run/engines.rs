//! The games behind the arenas.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::arena::Engine;
use super::{BotCounts, Tallies};
use crate::error::{InputError, PlayError};
use crate::experiment::plan::{GameRules, Plan};
use crate::experiment::results::{lineup_figures, team_figures};
use crate::experiment::tally::{Layout, ObjectiveWatch, ScoreTally, Tally, TeamTally};
use crate::games::{mind_up, the_mind};
use crate::output::real;
use crate::rng::GameKey;
use crate::strategies::{Build, Family, build};

/// By the strategy's number in the plan.
type Builders<P> = Vec<Arc<dyn Build<P>>>;

/// The builders for each number of players.
type ByPlayers<P> = BTreeMap<usize, Arc<Builders<P>>>;

fn builders<P: ?Sized>(plan: &Plan, families: &[Family<P>]) -> Result<ByPlayers<P>, InputError> {
    let mut all = BTreeMap::new();
    for players in plan.cells.iter().map(|cell| cell.players) {
        if all.contains_key(&players) {
            continue;
        }
        let known: Option<(usize, Arc<Builders<P>>)> =
            all.first_key_value().map(|(&count, builders)| (count, Arc::clone(builders)));
        let builds = plan.strategies.iter().enumerate().map(|(number, strategy)| match &known {
            // The same one, so that a bot's process serves all cells.
            Some((count, known)) if strategy.at(*count) == strategy.at(players) => {
                Ok(known[number].clone())
            }
            _ => build(families, strategy, players),
        });
        all.insert(players, Arc::new(builds.collect::<Result<_, _>>()?));
    }
    Ok(all)
}

fn bots<P: ?Sized>(builders: &Builders<P>) -> Vec<BotCounts> {
    let counts = builders.iter().enumerate();
    counts.filter_map(|(number, builder)| Some((number, builder.counts()?))).collect()
}

/// By seat, then by the strategy's place among those of the table.
type Players<P> = Vec<Vec<Box<P>>>;

fn players<P: ?Sized>(
    builders: &Builders<P>,
    players: usize,
    strategies: &[usize],
) -> Result<Players<P>, PlayError> {
    let row = || strategies.iter().map(|&number| builders[number].seat()).collect();
    (0..players).map(|_| row()).collect()
}

/// A game as the runner plays it.
pub(super) trait Game {
    type Tally: Tally;
    type Engine<'a>: Engine<Tally = Self::Tally>;

    /// The cells of a plan.
    fn engines(plan: &Plan) -> Result<Vec<Self::Engine<'_>>, InputError>;

    fn wrap(tallies: Vec<Self::Tally>) -> Tallies;

    /// What was wrapped; nothing where it is another game's.
    fn tallies(wrapped: &mut Tallies) -> &mut [Self::Tally];
}

/// A game that gives every seat a score: Mind Up!.
pub(super) struct Scored;

/// A game that a team wins or loses: the Minds.
pub(super) struct Teamed;

pub(super) struct MindUp<'a> {
    rules: &'a mind_up::Rules,
    builders: Arc<Builders<dyn mind_up::player::Player>>,
}

pub(super) struct MindUpTable {
    block: mind_up::Block,
    /// Where objectives are played.
    watch: Option<ObjectiveWatch>,
    players: Players<dyn mind_up::player::Player>,
}

impl Game for Scored {
    type Tally = ScoreTally;
    type Engine<'a> = MindUp<'a>;

    fn engines(plan: &Plan) -> Result<Vec<MindUp<'_>>, InputError> {
        let builders = builders(plan, crate::strategies::mind_up::FAMILIES)?;
        let cells = plan.cells.iter().filter_map(|cell| match &cell.rules {
            GameRules::MindUp(rules) => {
                Some(MindUp { rules, builders: builders[&cell.players].clone() })
            }
            GameRules::TheMind(_) => None,
        });
        Ok(cells.collect())
    }

    fn wrap(tallies: Vec<ScoreTally>) -> Tallies {
        Tallies::Scores(tallies)
    }

    fn tallies(wrapped: &mut Tallies) -> &mut [ScoreTally] {
        match wrapped {
            Tallies::Scores(tallies) => tallies,
            Tallies::Teams(_) => &mut [],
        }
    }
}

impl Engine for MindUp<'_> {
    type Tally = ScoreTally;
    const PER_SEAT: bool = true;
    type Table = MindUpTable;

    fn table(&self, strategies: &[usize]) -> Result<MindUpTable, PlayError> {
        let players = players(&self.builders, self.rules.players(), strategies)?;
        let watch = (self.rules.objectives() > 0)
            .then(|| ObjectiveWatch::new(self.rules, strategies.len()));
        Ok(MindUpTable { block: mind_up::Block::default(), watch, players })
    }

    fn play(
        &self,
        table: &mut MindUpTable,
        seats: &[usize],
        keys: &[GameKey],
        outcomes: &mut Vec<mind_up::Outcome>,
    ) -> Result<(), PlayError> {
        let players = table.players.iter_mut().zip(seats);
        let mut players: Vec<_> = players.map(|(row, &place)| row[place].as_mut()).collect();
        let block = &mut table.block;
        match &mut table.watch {
            Some(watch) => {
                watch.seat(seats);
                block.play(self.rules, &mut players, keys, watch, outcomes)
            }
            None => block.play(self.rules, &mut players, keys, &mut (), outcomes),
        }
    }

    fn bots(&self) -> Vec<BotCounts> {
        bots(&self.builders)
    }

    fn row(&self, outcome: &mind_up::Outcome) -> Vec<String> {
        let players = self.rules.players();
        let totals = outcome.totals[..players].iter().map(|total| total.to_string());
        let winners =
            outcome.winners(players).iter().map(|seat| seat.to_string()).collect::<Vec<_>>();
        totals.chain([winners.join("+")]).collect()
    }

    fn standing(tally: &ScoreTally, layout: &Layout, lineup: usize, slot: usize) -> f64 {
        lineup_figures(layout, tally, lineup, slot).win_share.mean.unwrap_or(0.0)
    }

    fn begin(&self, table: &mut MindUpTable, deals: usize) {
        if let Some(watch) = &mut table.watch {
            watch.begin(deals);
        }
    }

    fn end(&self, table: &mut MindUpTable, tally: &mut ScoreTally, deals: Range<u64>) {
        if let Some(watch) = &table.watch {
            watch.end(tally, deals);
        }
    }
}

pub(super) struct TheMind<'a> {
    rules: &'a the_mind::rules::Rules,
    bodies: Vec<the_mind::body::Body>,
    builders: Arc<Builders<dyn the_mind::player::Player>>,
}

pub(super) struct TheMindTable {
    block: the_mind::block::Block,
    players: Players<dyn the_mind::player::Player>,
}

impl Game for Teamed {
    type Tally = TeamTally;
    type Engine<'a> = TheMind<'a>;

    fn engines(plan: &Plan) -> Result<Vec<TheMind<'_>>, InputError> {
        let builders = builders(plan, crate::strategies::the_mind::FAMILIES)?;
        let cells = plan.cells.iter().filter_map(|cell| match &cell.rules {
            GameRules::TheMind(rules) => Some(TheMind {
                rules,
                bodies: cell.bodies(),
                builders: builders[&cell.players].clone(),
            }),
            GameRules::MindUp(_) => None,
        });
        Ok(cells.collect())
    }

    fn wrap(tallies: Vec<TeamTally>) -> Tallies {
        Tallies::Teams(tallies)
    }

    fn tallies(wrapped: &mut Tallies) -> &mut [TeamTally] {
        match wrapped {
            Tallies::Teams(tallies) => tallies,
            Tallies::Scores(_) => &mut [],
        }
    }
}

impl Engine for TheMind<'_> {
    type Tally = TeamTally;
    const PER_SEAT: bool = false;
    type Table = TheMindTable;

    fn table(&self, strategies: &[usize]) -> Result<TheMindTable, PlayError> {
        let players = players(&self.builders, self.rules.players(), strategies)?;
        Ok(TheMindTable { block: the_mind::block::Block::new(), players })
    }

    fn play(
        &self,
        table: &mut TheMindTable,
        seats: &[usize],
        keys: &[GameKey],
        outcomes: &mut Vec<the_mind::outcome::Outcome>,
    ) -> Result<(), PlayError> {
        outcomes.clear();
        let players = table.players.iter_mut().zip(seats);
        let mut players: Vec<&mut dyn the_mind::player::Player> =
            players.map(|(row, &place)| row[place].as_mut() as _).collect();
        table.block.play(self.rules, &self.bodies, &mut players, keys, &mut (), outcomes)
    }

    fn bots(&self) -> Vec<BotCounts> {
        bots(&self.builders)
    }

    fn row(&self, outcome: &the_mind::outcome::Outcome) -> Vec<String> {
        let counts = [outcome.levels_done, outcome.lives, outcome.stars].map(|n| n.to_string());
        let mut row = vec![u8::from(outcome.won).to_string()];
        row.extend(counts);
        row.push(outcome.mistakes.to_string());
        row.push(real(Some(outcome.micros as f64 / 1e6)));
        row
    }

    fn standing(tally: &TeamTally, layout: &Layout, lineup: usize, _: usize) -> f64 {
        team_figures(layout, tally, lineup).win_rate.mean.unwrap_or(0.0)
    }
}
