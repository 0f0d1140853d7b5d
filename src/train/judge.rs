//! What a strategy is worth, from the tallies of a stage.

use serde::{Deserialize, Serialize};

use super::spec::Objective;
use super::stages::Field;
use crate::experiment::plan::{Cell, Plan};
use crate::experiment::results::{CONFIDENCE, Estimate};
use crate::experiment::run::Tallies;
use crate::experiment::tally::{SHARE, seat_width};
use crate::stats::{Mergeable, jackknife, mean_interval};

/// A figure of a line-up that is a ratio of sums.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// What is trained for.
    Objective(Objective),
    /// Seconds a level, over all levels begun; a level that is dealt again counts once.
    LevelSeconds,
}

/// What a strategy did in a generation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Worth {
    /// The objective; nothing where it can't be told.
    pub value: Option<f64>,
    /// Seconds a level in the slowest cell (the Minds).
    pub seconds: Option<f64>,
}

/// The sums of a weighted mean of ratios, over some deals.
#[derive(Debug, Clone, Default)]
struct Sums {
    deals: u64,
    /// Above and below the line.
    ratios: Vec<[i128; 2]>,
}

impl Mergeable for Sums {
    fn size(&self) -> u64 {
        self.deals
    }

    fn merge(&mut self, other: &Self) {
        self.deals += other.deals;
        for (ratio, other) in self.ratios.iter_mut().zip(&other.ratios) {
            ratio[0] += other[0];
            ratio[1] += other[1];
        }
    }
}

/// A weighted sum of ratios, by batch of deals. All line-ups of a stage share their deals, so that the
/// batches of one are those of the others, and a difference of line-ups is a paired one.
#[derive(Debug, Clone, Default)]
pub struct Figure {
    weights: Vec<f64>,
    batches: Vec<Sums>,
}

impl Figure {
    /// What rounding leaves of a difference of equals is none.
    const DUST: f64 = 1e-12;

    fn of(&self, sums: &Sums) -> Option<f64> {
        let ratio = |(weight, [above, below]): (&f64, &[i128; 2])| {
            (*below > 0).then(|| weight * (*above as f64 / *below as f64))
        };
        let sum = self.weights.iter().zip(&sums.ratios).map(ratio).sum::<Option<f64>>();
        let sum = sum.filter(|_| !self.weights.is_empty())?;
        Some(if sum.abs() < Self::DUST { 0.0 } else { sum })
    }

    /// Its value; nothing where some ratio has nothing below the line.
    pub fn value(&self) -> Option<f64> {
        let mut batches = self.batches.iter();
        let mut all = batches.next()?.clone();
        batches.for_each(|batch| all.merge(batch));
        self.of(&all)
    }

    /// Its value with an interval, by the delete-a-group jackknife.
    pub fn estimate(&self) -> Estimate {
        let found = jackknife(&self.batches, |sums| self.of(sums));
        let interval = found.and_then(|found| {
            let error = Some(found.standard_error).filter(|&error| error > 0.0)?;
            mean_interval(found.estimate, error, found.degrees_of_freedom, CONFIDENCE)
        });
        Estimate { mean: self.value(), error: found.map(|found| found.standard_error), interval }
    }

    /// Adds a figure, times a weight.
    pub fn add(&mut self, weight: f64, other: &Figure) {
        self.weights.extend(other.weights.iter().map(|own| weight * own));
        self.batches.resize(other.batches.len(), Sums::default());
        for (batch, other) in self.batches.iter_mut().zip(&other.batches) {
            batch.deals = batch.deals.max(other.deals);
            batch.ratios.extend(&other.ratios);
        }
    }
}

/// The tallies of a stage, to be judged.
#[derive(Debug, Clone, Copy)]
pub struct Judge<'a> {
    /// The plan that was played.
    pub plan: &'a Plan,
    /// What was tallied.
    pub tallies: &'a Tallies,
    /// Who played.
    pub field: &'a Field,
    /// What is trained for.
    pub objective: Objective,
}

/// The parts of a ratio, from the deals of a batch and its sums.
type RatioOf = dyn Fn(u64, &[i64]) -> [i128; 2];

impl Judge<'_> {
    /// A figure of a line-up in a cell.
    pub fn figure(&self, cell: &Cell, lineup: usize, measure: Measure) -> Figure {
        let one = self.field.pairs[lineup].one;
        let lineup_of = &cell.lineups[lineup];
        let (batches, ratio): (_, Box<RatioOf>) = match self.tallies {
            Tallies::Scores(tallies) => {
                let slot = lineup_of.strategies().iter().position(|&known| known == one);
                let seats = (lineup_of.count(one) * lineup_of.rotations) as i128;
                let (k, unit) = match measure {
                    Measure::Objective(Objective::ScoreDifference) => (2, cell.players as i128 - 1),
                    _ => (0, i128::from(SHARE)),
                };
                let width = seat_width(cell.players);
                let ratio = move |deals: u64, sums: &[i64]| {
                    let above = sums.iter().skip(k).step_by(width).map(|&sum| i128::from(sum));
                    [above.sum(), i128::from(deals) * seats * unit]
                };
                let entry = &tallies[cell.index].lineups[lineup][slot.unwrap_or(0)];
                (&entry.batches, Box::new(ratio))
            }
            Tallies::Teams(tallies) => {
                let rotations = lineup_of.rotations as i128;
                let ratio = move |deals: u64, sums: &[i64]| {
                    let games = i128::from(deals) * rotations;
                    let sum = |number: usize| i128::from(sums[number]);
                    match measure {
                        Measure::LevelSeconds => [sum(3), sum(4) * 1_000_000],
                        Measure::Objective(Objective::Levels) => [sum(1), games],
                        Measure::Objective(Objective::Clean) => [sum(5), sum(4)],
                        Measure::Objective(_) => [sum(0), games],
                    }
                };
                (&tallies[cell.index].lineups[lineup].batches, Box::new(ratio))
            }
        };
        let sums = |(batch, &deals): (usize, &u64)| Sums {
            deals,
            ratios: vec![ratio(deals, batches.row(batch))],
        };
        let batches = batches.deals().iter().enumerate().map(sums).collect();
        Figure { weights: vec![1.0], batches }
    }

    /// A strategy's objective over its line-ups and all cells, which weigh alike.
    pub fn objective(&self, one: usize) -> Figure {
        let mut all = Figure::default();
        let cells = self.plan.cells.len() as f64;
        for cell in &self.plan.cells {
            for (lineup, pair) in self.field.pairs_of(one).filter(|(_, pair)| pair.weight > 0.0) {
                let figure = self.figure(cell, lineup, Measure::Objective(self.objective));
                all.add(pair.weight / cells, &figure);
            }
        }
        all
    }

    /// A strategy's objective as it is told in the end: against the opponents that the training names,
    /// which weigh alike, since what is gained from the own start says little of others. Where none
    /// is named, against all.
    pub fn told(&self, one: usize) -> Figure {
        if self.field.named == 0 {
            return self.objective(one);
        }
        let mut all = Figure::default();
        let weight = 1.0 / (self.plan.cells.len() * self.field.named) as f64;
        for cell in &self.plan.cells {
            for (lineup, _) in self.field.told(one) {
                all.add(weight, &self.figure(cell, lineup, Measure::Objective(self.objective)));
            }
        }
        all
    }

    /// A strategy's objective against the search itself; nothing where that is no opponent.
    pub fn own(&self, one: usize) -> Option<Figure> {
        let (lineup, _) = self.field.pairs_of(one).find(|(_, pair)| self.field.is_own(pair))?;
        let mut all = Figure::default();
        let weight = 1.0 / self.plan.cells.len() as f64;
        for cell in &self.plan.cells {
            all.add(weight, &self.figure(cell, lineup, Measure::Objective(self.objective)));
        }
        Some(all)
    }

    /// A team's seconds a level in the cell where it is slowest; nothing in Mind Up!.
    pub fn seconds(&self, one: usize) -> Option<Figure> {
        if matches!(self.tallies, Tallies::Scores(_)) {
            return None;
        }
        let (lineup, _) = self.field.pairs_of(one).next()?;
        let figures =
            self.plan.cells.iter().map(|cell| self.figure(cell, lineup, Measure::LevelSeconds));
        let slow = |figure: &Figure| figure.value().unwrap_or(0.0);
        figures.max_by(|a, b| slow(a).total_cmp(&slow(b)))
    }

    /// What a strategy did.
    pub fn worth(&self, one: usize) -> Worth {
        let seconds = self.seconds(one).and_then(|figure| figure.value());
        Worth { value: self.objective(one).value(), seconds }
    }
}

/// What a search loses of a share (of games won, of clean levels) for each 1 % that it is slower than it
/// may be: 0.05. Of levels it is as many times more as there are levels.
pub const PENALTY: f64 = 5.0;

impl Worth {
    /// Whether it is as quick as it has to be.
    pub fn keeps(&self, limit: Option<f64>) -> bool {
        match (limit, self.seconds) {
            (Some(limit), Some(seconds)) => seconds <= limit,
            _ => true,
        }
    }

    /// The objective less the penalty for slowness: what a search ranks by. `scale` is the most that the
    /// objective can be.
    pub fn fitness(&self, limit: Option<f64>, scale: f64) -> f64 {
        let value = self.value.unwrap_or(f64::NEG_INFINITY);
        match (limit, self.seconds) {
            (Some(limit), Some(seconds)) if seconds > limit => {
                value - PENALTY * scale * (seconds / limit - 1.0)
            }
            _ => value,
        }
    }
}
