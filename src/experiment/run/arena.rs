//! A cell, ready to be played by many threads; and the games behind it.

use std::ops::Range;
use std::sync::Arc;

use super::super::lineups::Lineup;
use super::super::plan::{Cell, GameRules, Plan};
use super::super::results::{lineup_figures, team_figures};
use super::super::tally::{GROUPS, Layout, ObjectiveWatch, ScoreTally, Tally, TeamTally};
use crate::error::{InputError, PlayError};
use crate::games::{GameId, mind_up, the_mind};
use crate::output::real;
use crate::rng::{GameKey, deal_key};
use crate::strategies::{Build, Family, build};

/// A game under the rules of a cell.
pub(super) trait Engine: Sync {
    type Tally: Tally;
    /// Whether a row of `games.csv` begins with a figure for each seat.
    const PER_SEAT: bool;
    /// What a thread plays at: the engine's memory and the players.
    type Table;

    /// A table with a player for each seat and strategy, `strategies` by their numbers in the plan.
    fn table(&self, strategies: &[usize]) -> Result<Self::Table, PlayError>;

    /// Plays a game for each key in place of what `outcomes` held. `seats` has, for each seat, the
    /// place of its strategy among those of the table.
    fn play(
        &self,
        table: &mut Self::Table,
        seats: &[usize],
        keys: &[GameKey],
        outcomes: &mut Vec<<Self::Tally as Tally>::Outcome>,
    ) -> Result<(), PlayError>;

    /// What `games.csv` says of a game's end, in the order of [`columns`].
    fn row(&self, outcome: &<Self::Tally as Tally>::Outcome) -> Vec<String>;

    /// A strategy's figure that tells who leads.
    fn standing(tally: &Self::Tally, layout: &Layout, lineup: usize, slot: usize) -> f64;

    /// A block of so many deals begins.
    fn begin(&self, _table: &mut Self::Table, _deals: usize) {}

    /// A block ends.
    fn end(&self, _table: &mut Self::Table, _tally: &mut Self::Tally) {}
}

pub(super) struct Arena<'a, E> {
    plan: &'a Plan,
    cell: &'a Cell,
    seed: u64,
    layout: Layout,
    engine: E,
}

/// What a thread needs to play a cell.
pub(super) struct Worker<E: Engine> {
    table: E::Table,
    seats: Vec<usize>,
    keys: Vec<GameKey>,
    groups: Vec<usize>,
    outcomes: Vec<<E::Tally as Tally>::Outcome>,
    scratch: <E::Tally as Tally>::Scratch,
    /// The rows of single games of the block, where they are asked for.
    rows: Option<csv::Writer<Vec<u8>>>,
}

impl<E: Engine> Worker<E> {
    /// The rows of the block that was played.
    pub(super) fn take_rows(&mut self) -> Option<Vec<u8>> {
        let rows = self.rows.replace(row_writer())?;
        // Writing into memory can't fail.
        rows.into_inner().ok()
    }
}

fn row_writer() -> csv::Writer<Vec<u8>> {
    csv::WriterBuilder::new()
        .has_headers(false)
        .from_writer(Vec::new())
}

/// The columns of `games.csv`.
pub fn columns(plan: &Plan) -> Vec<String> {
    let most = plan
        .cells
        .iter()
        .map(|cell| cell.players)
        .max()
        .unwrap_or(0);
    let fixed = [
        "game_number",
        "cell",
        "lineup",
        "deal",
        "rotation",
        "players",
    ];
    let mut columns: Vec<String> = fixed.map(str::to_owned).to_vec();
    columns.extend((0..most).map(|seat| format!("strategy_{seat}")));
    match plan.game {
        GameId::MindUp => {
            columns.extend((0..most).map(|seat| format!("score_{seat}")));
            columns.push("winners".to_owned());
        }
        GameId::TheMind | GameId::TheMindExtreme => {
            let ends = [
                "won",
                "levels_done",
                "lives",
                "stars",
                "mistakes",
                "seconds",
            ];
            columns.extend(ends.map(str::to_owned));
        }
    }
    columns
}

impl<'a, E: Engine> Arena<'a, E> {
    pub(super) fn new(plan: &'a Plan, cell: &'a Cell, engine: E) -> Self {
        Arena {
            plan,
            cell,
            seed: plan.seed,
            layout: cell.layout(),
            engine,
        }
    }

    pub(super) fn tally(&self) -> E::Tally {
        E::Tally::new(&self.layout)
    }

    pub(super) fn worker(&self, rows: bool) -> Result<Worker<E>, PlayError> {
        Ok(Worker {
            table: self.engine.table(&self.layout.strategies)?,
            seats: Vec::new(),
            keys: Vec::new(),
            groups: Vec::new(),
            outcomes: Vec::new(),
            scratch: Default::default(),
            rows: rows.then(row_writer),
        })
    }

    /// Plays a block of deals in all line-ups and rotations; returns the games played.
    pub(super) fn play(
        &self,
        worker: &mut Worker<E>,
        stage: u64,
        deals: Range<u64>,
        tally: &mut E::Tally,
    ) -> Result<u64, PlayError> {
        let before = tally.games();
        let count = (deals.end - deals.start) as usize;
        tally.begin(&self.layout, count, &mut worker.scratch);
        self.engine.begin(&mut worker.table, count);
        for (index, lineup) in self.cell.lineups.iter().enumerate() {
            let deals = deals.start..deals.end.min(lineup.deals);
            if !deals.is_empty() {
                self.play_lineup(worker, stage, deals, index, tally)?;
            }
        }
        tally.end(&self.layout, deals, &mut worker.scratch);
        self.engine.end(&mut worker.table, tally);
        Ok(tally.games() - before)
    }

    fn play_lineup(
        &self,
        worker: &mut Worker<E>,
        stage: u64,
        deals: Range<u64>,
        index: usize,
        tally: &mut E::Tally,
    ) -> Result<(), PlayError> {
        let (players, lineup) = (self.cell.players, &self.cell.lineups[index]);
        let shape = &self.layout.lineups[index];
        let Worker {
            table,
            seats,
            keys,
            groups,
            outcomes,
            scratch,
            rows,
        } = worker;
        tally.begin_lineup(
            &self.layout,
            index,
            (deals.end - deals.start) as usize,
            scratch,
        );
        for rotation in 0..lineup.rotations {
            let seating = lineup.first_seating + rotation as u64;
            keys.clear();
            keys.extend(deals.clone().map(|deal| {
                let deal = deal_key(self.seed, stage, players, deal);
                GameKey::new(deal, self.cell.index as u64, seating)
            }));
            seats.clear();
            seats.extend((0..players).map(|seat| {
                let slot = shape.slot_of_seat[(seat + rotation) % players];
                shape.slots[slot].strategy
            }));
            self.engine.play(table, seats, keys, outcomes)?;
            tally.add(&self.layout, index, rotation, outcomes, scratch);
            if let Some(rows) = rows {
                self.write_rows(rows, lineup, rotation, deals.clone(), outcomes);
            }
        }
        groups.clear();
        groups.extend(
            keys.iter()
                .map(|key| key.deal().group(GROUPS as u64) as usize),
        );
        tally.end_lineup(&self.layout, index, groups, scratch);
        Ok(())
    }
}

impl<E: Engine> Arena<'_, E> {
    fn write_rows(
        &self,
        rows: &mut csv::Writer<Vec<u8>>,
        lineup: &Lineup,
        rotation: usize,
        deals: Range<u64>,
        outcomes: &[<E::Tally as Tally>::Outcome],
    ) {
        let most = self
            .plan
            .cells
            .iter()
            .map(|cell| cell.players)
            .max()
            .unwrap_or(0);
        for (deal, outcome) in deals.zip(outcomes) {
            let number = lineup.first_game + deal * lineup.rotations as u64 + rotation as u64;
            let fixed = [number, self.cell.index as u64, lineup.index as u64, deal];
            let mut row: Vec<String> = fixed.map(|number| number.to_string()).to_vec();
            row.extend([rotation.to_string(), self.cell.players.to_string()]);
            row.extend((0..most).map(|seat| {
                let sits = (seat < self.cell.players).then(|| lineup.strategy(rotation, seat));
                sits.map_or(String::new(), |number| {
                    self.plan.strategies[number].label.clone()
                })
            }));
            let mut end = self.engine.row(outcome);
            // Seats that a smaller cell does not have.
            let missing = if E::PER_SEAT {
                most - self.cell.players
            } else {
                0
            };
            let place = end.len().min(self.cell.players);
            end.splice(place..place, std::iter::repeat_n(String::new(), missing));
            row.extend(end);
            // Writing into memory can't fail.
            let _ = rows.write_record(&row);
        }
    }

    /// Who leads, in words; empty where nobody does.
    pub(super) fn leader(&self, tally: &E::Tally) -> String {
        let mut best: Option<(f64, String)> = None;
        for strategy in 0..self.layout.strategies.len() {
            let slots = self.layout.slots_of(strategy);
            let (sum, count) = slots.fold((0.0, 0.0), |(sum, count), (lineup, slot)| {
                (
                    sum + E::standing(tally, &self.layout, lineup, slot),
                    count + 1.0,
                )
            });
            let mean = sum / f64::max(count, 1.0);
            if best.as_ref().is_none_or(|(known, _)| mean > *known) {
                let label = &self.plan.strategies[self.layout.strategies[strategy]].label;
                best = Some((mean, format!("{label} {mean:.3}")));
            }
        }
        match best {
            Some((_, leader)) if self.layout.strategies.len() > 1 => leader,
            _ => String::new(),
        }
    }
}

/// By the strategy's number in the plan.
type Builders<P> = Vec<Arc<dyn Build<P>>>;

fn builders<P: ?Sized>(plan: &Plan, families: &[Family<P>]) -> Result<Builders<P>, InputError> {
    plan.strategies
        .iter()
        .map(|strategy| build(families, strategy))
        .collect()
}

/// By seat, then by the strategy's place among those of the table.
type Players<P> = Vec<Vec<Box<P>>>;

fn players<P: ?Sized>(
    builders: &Builders<P>,
    players: usize,
    strategies: &[usize],
) -> Result<Players<P>, PlayError> {
    let row = || {
        strategies
            .iter()
            .map(|&number| builders[number].seat())
            .collect()
    };
    (0..players).map(|_| row()).collect()
}

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

/// The cells of a plan for Mind Up!.
pub(super) fn mind_up(plan: &Plan) -> Result<Vec<MindUp<'_>>, InputError> {
    let builders = Arc::new(builders(plan, crate::strategies::mind_up::FAMILIES)?);
    Ok(plan
        .cells
        .iter()
        .filter_map(|cell| match &cell.rules {
            GameRules::MindUp(rules) => Some(MindUp {
                rules,
                builders: builders.clone(),
            }),
            GameRules::TheMind(_) => None,
        })
        .collect())
}

impl Engine for MindUp<'_> {
    type Tally = ScoreTally;
    const PER_SEAT: bool = true;
    type Table = MindUpTable;

    fn table(&self, strategies: &[usize]) -> Result<MindUpTable, PlayError> {
        let players = players(&self.builders, self.rules.players(), strategies)?;
        let watch = (self.rules.objectives() > 0).then(|| ObjectiveWatch::new(self.rules));
        Ok(MindUpTable {
            block: mind_up::Block::default(),
            watch,
            players,
        })
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
            Some(watch) => block.play(self.rules, &mut players, keys, watch, outcomes),
            None => block.play(self.rules, &mut players, keys, &mut (), outcomes),
        }
    }

    fn row(&self, outcome: &mind_up::Outcome) -> Vec<String> {
        let players = self.rules.players();
        let totals = outcome.totals[..players]
            .iter()
            .map(|total| total.to_string());
        let winners = outcome
            .winners(players)
            .iter()
            .map(|seat| seat.to_string())
            .collect::<Vec<_>>();
        totals.chain([winners.join("+")]).collect()
    }

    fn standing(tally: &ScoreTally, layout: &Layout, lineup: usize, slot: usize) -> f64 {
        lineup_figures(layout, tally, lineup, slot)
            .win_share
            .mean
            .unwrap_or(0.0)
    }

    fn begin(&self, table: &mut MindUpTable, deals: usize) {
        if let Some(watch) = &mut table.watch {
            watch.begin(deals);
        }
    }

    fn end(&self, table: &mut MindUpTable, tally: &mut ScoreTally) {
        if let Some(watch) = &table.watch {
            watch.end(tally);
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

/// The cells of a plan for one of the Minds.
pub(super) fn the_mind(plan: &Plan) -> Result<Vec<TheMind<'_>>, InputError> {
    let builders = Arc::new(builders(plan, &crate::strategies::the_mind::FAMILIES)?);
    Ok(plan
        .cells
        .iter()
        .filter_map(|cell| match &cell.rules {
            GameRules::TheMind(rules) => Some(TheMind {
                rules,
                bodies: cell.bodies(),
                builders: builders.clone(),
            }),
            GameRules::MindUp(_) => None,
        })
        .collect())
}

impl Engine for TheMind<'_> {
    type Tally = TeamTally;
    const PER_SEAT: bool = false;
    type Table = TheMindTable;

    fn table(&self, strategies: &[usize]) -> Result<TheMindTable, PlayError> {
        let players = players(&self.builders, self.rules.players(), strategies)?;
        Ok(TheMindTable {
            block: the_mind::block::Block::new(),
            players,
        })
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
        let mut players: Vec<&mut dyn the_mind::player::Player> = players
            .map(|(row, &place)| row[place].as_mut() as _)
            .collect();
        table.block.play(
            self.rules,
            &self.bodies,
            &mut players,
            keys,
            &mut (),
            outcomes,
        )
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
        team_figures(layout, tally, lineup)
            .win_rate
            .mean
            .unwrap_or(0.0)
    }
}
