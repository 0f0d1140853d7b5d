//! Two results side by side: what changed, by how much, and whether that is more than noise.
//!
//! Where both played the same deals every figure is compared pair by pair on the deal, which most often
//! is far surer than two intervals side by side; else as of independent runs (Welch). All tables are
//! compared. Holm's correction goes over everything that is tested, the tables sharing alpha alike.

mod cells;
mod side;
mod text;

pub use cells::{CellPair, Change};
pub use side::{CellSide, Side};
pub use text::{Shown, measures, must_be_equal, same_files, text};

use std::collections::HashMap;

use crate::experiment::results::CONFIDENCE;
use crate::experiment::results::batched::{Figure, Part, Tables, figures};
use crate::stats::{Batched, Interval, Share, Student, holm_by_family, welch};

/// A figure of both results.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The table that it stands in.
    pub table: Tables,
    /// Who, where, which card or level.
    pub row: String,
    /// The column.
    pub measure: &'static str,
    /// The figure of the first.
    pub a: Option<f64>,
    /// The figure of the second.
    pub b: Option<f64>,
    /// What can be said of the second less the first.
    pub answer: Answer,
}

/// What can be said of a difference.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// There is none: every batch of deals has the same in both, or both never vary and agree.
    Equal,
    /// It is the same on every deal, or neither varies, so that there is no noise to compare it with.
    WithoutSpread(f64),
    /// It is seen with noise.
    Tested(Tested),
    /// Nothing, and why.
    Unknown(&'static str),
}

/// A difference with its noise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tested {
    /// The second less the first, its standard error and degrees of freedom.
    pub difference: Student,
    /// Its interval.
    pub interval: Interval,
    /// Its two-sided p-value.
    pub p: f64,
    /// The same by Holm's correction over all that is tested.
    pub p_holm: f64,
    /// How many times the variance of independent runs would be that of the pairs; nothing where they
    /// are not paired.
    pub saved: Option<f64>,
}

impl Tested {
    /// Whether it is more than noise.
    pub fn differs(&self) -> bool {
        self.p_holm < 1.0 - CONFIDENCE
    }

    /// The largest difference that the data leave open.
    pub fn open(&self) -> f64 {
        self.interval.low.abs().max(self.interval.high.abs())
    }
}

/// What two results have in common, and what stands in only one of them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Comparison {
    /// The cells of both, with their figures.
    pub cells: Vec<CellPair>,
    /// Cells, or strategies and teams of matched cells, that stand in the first alone.
    pub only_a: Vec<String>,
    /// Those that stand in the second alone.
    pub only_b: Vec<String>,
    /// Whether both played the same deals.
    pub paired: bool,
}

impl Comparison {
    /// All figures of both.
    pub fn lines(&self) -> impl Iterator<Item = &Line> {
        self.cells.iter().flat_map(|cell| &cell.lines)
    }
}

/// Compares two results.
pub fn compare(a: &Side<'_>, b: &Side<'_>) -> Comparison {
    let (pairs, only_a, only_b) = cells::matched(&a.cells, &b.cells);
    let paired = a.manifest.seed == b.manifest.seed;
    let mut comparison = Comparison { paired, ..Comparison::default() };
    for (of_a, of_b, changes) in pairs {
        let lines = lines(of_a, of_b, paired, &mut comparison);
        comparison.cells.push(CellPair::new(of_a, of_b, changes, lines));
    }
    let alone = |only: Vec<&CellSide>, all: &mut Vec<String>| {
        all.extend(only.into_iter().map(CellSide::title));
    };
    alone(only_a, &mut comparison.only_a);
    alone(only_b, &mut comparison.only_b);
    correct(&mut comparison);
    comparison
}

/// The figures of two cells, matched by table, row and column.
fn lines(a: &CellSide, b: &CellSide, paired: bool, comparison: &mut Comparison) -> Vec<Line> {
    let of_a = figures(&a.seating, &a.sums);
    let mut of_b: Vec<Option<Figure>> =
        figures(&b.seating, &b.sums).into_iter().map(Some).collect();
    let key = |figure: &Figure| (figure.table, figure.row.clone(), figure.measure);
    let places = of_b.iter().flatten().enumerate().map(|(place, figure)| (key(figure), place));
    let places: HashMap<_, usize> = places.collect();
    let mut lines = Vec::new();
    let alone = |figure: &Figure, cell: &CellSide, all: &mut Vec<String>| {
        let name = format!("{}: {}", cell.title(), figure.row);
        if figure.table == Tables::Summary && !all.contains(&name) {
            all.push(name);
        }
    };
    for figure in of_a {
        match places.get(&key(&figure)).and_then(|&place| of_b[place].take()) {
            Some(found) => lines.push(line(figure, found, paired)),
            None => alone(&figure, a, &mut comparison.only_a),
        }
    }
    of_b.iter().flatten().for_each(|figure| alone(figure, b, &mut comparison.only_b));
    lines
}

fn line(a: Figure, b: Figure, paired: bool) -> Line {
    let answer = match (&a.figure, &b.figure) {
        (Some(of_a), Some(of_b)) if paired => on_pairs(of_a, of_b),
        (Some(of_a), Some(of_b)) => independent(of_a, of_b, a.part.zip(b.part)),
        (None, None) => Answer::Unknown("neither has observations"),
        _ => Answer::Unknown("one of them has no observations"),
    };
    let value = |figure: &Option<Batched>| figure.as_ref().map(|figure| figure.value);
    Line {
        table: a.table,
        measure: a.measure,
        a: value(&a.figure),
        b: value(&b.figure),
        row: a.row,
        answer,
    }
}

/// With fewer deals that all differ alike, not even a sign test would call it a difference at 5 %.
const FEW: f64 = 6.0;
const TOO_FEW: &str = "they don't vary, over too few deals to tell chance from rule";

/// The difference on shared deals.
fn on_pairs(a: &Batched, b: &Batched) -> Answer {
    let Some(difference) = a.to(b) else {
        return Answer::Unknown("their batches of deals don't fit");
    };
    let variance = |one: Student| one.standard_error * one.standard_error;
    let apart = a.student().zip(b.student()).map(|(a, b)| variance(a) + variance(b));
    answer(difference.student(), |pairs| Some(apart? / variance(pairs)))
}

/// The difference of independent runs; `parts` where both are shares.
fn independent(a: &Batched, b: &Batched, parts: Option<(Part, Part)>) -> Answer {
    let (Some(of_a), Some(of_b)) = (a.student(), b.student()) else {
        return Answer::Unknown("one of them has fewer than 2 deals");
    };
    let constant = of_a.standard_error == 0.0 && of_b.standard_error == 0.0;
    if constant && (parts.is_none() || of_a.value == of_b.value) {
        let plain = Student { value: of_b.value - of_a.value, ..of_a };
        return answer(Some(plain), |_| None);
    }
    // A share near 0 or 1 has more noise than its deals show.
    let share = |one: Student, part: Part| {
        let Student { value: mean, standard_error, degrees_of_freedom } = one;
        let (deals, Part { most, games }) = (degrees_of_freedom + 1.0, part);
        Share { mean, standard_error, deals, games, most }.student().unwrap_or(one)
    };
    let (of_a, of_b) = match parts {
        Some((part_a, part_b)) => (share(of_a, part_a), share(of_b, part_b)),
        None => (of_a, of_b),
    };
    answer(Some(welch(of_a, of_b)), |_| None)
}

fn answer(found: Option<Student>, saved: impl Fn(Student) -> Option<f64>) -> Answer {
    let Some(difference) = found else {
        return Answer::Unknown("fewer than 2 deals were played");
    };
    if difference.standard_error == 0.0 {
        return match difference.value == 0.0 {
            true => Answer::Equal,
            false if difference.degrees_of_freedom < FEW - 1.0 => Answer::Unknown(TOO_FEW),
            false => Answer::WithoutSpread(difference.value),
        };
    }
    match difference.interval(CONFIDENCE).zip(difference.p_two_sided(0.0)) {
        Some((interval, p)) => {
            let saved = saved(difference);
            Answer::Tested(Tested { difference, interval, p, p_holm: 1.0, saved })
        }
        None => Answer::Unknown("its noise can't be told"),
    }
}

/// Holm's correction over all that is tested.
fn correct(comparison: &mut Comparison) {
    let tested = comparison.cells.iter_mut().flat_map(|cell| &mut cell.lines);
    let mut tested: Vec<(Tables, &mut Tested)> = tested
        .filter_map(|line| match &mut line.answer {
            Answer::Tested(tested) => Some((line.table, tested)),
            _ => None,
        })
        .collect();
    let p: Vec<f64> = tested.iter().map(|(_, tested)| tested.p).collect();
    let family: Vec<usize> = tested.iter().map(|(table, _)| *table as usize).collect();
    for ((_, tested), p) in tested.iter_mut().zip(holm_by_family(&p, &family)) {
        tested.p_holm = p;
    }
}
