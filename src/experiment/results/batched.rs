//! All figures of a cell by batch of deals, told by the tables and columns that they stand in: so that
//! two runs, or two rows of one run, can be compared deal by deal.

use crate::experiment::lineups::{Lineup, rotations};
use crate::experiment::plan::{Cell, Plan};
use crate::experiment::sums::{About, CellSums};
use crate::experiment::tally::{Batches, SHARE};
use crate::stats::Batched;

/// A figure of a cell.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The table that it stands in, as its file is called.
    pub table: Tables,
    /// The row: who, where, which card or level.
    pub row: String,
    /// The column.
    pub measure: &'static str,
    /// Where the figure is a share: of what.
    pub part: Option<Part>,
    /// The figure; nothing where nothing was observed.
    pub figure: Option<Batched>,
}

/// What a share is one of, a deal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Part {
    /// The most that a deal can give.
    pub most: f64,
    /// The games (chances) of a deal over which it is a mean, at least 1.
    pub games: f64,
}

/// The tables whose figures are compared. Line-ups are told where they say more than the summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "each is named as its file")]
pub enum Tables {
    Summary,
    Lineups,
    Seats,
    Objectives,
    Levels,
}

impl Tables {
    /// The file.
    pub fn file(self) -> &'static str {
        match self {
            Tables::Summary => "summary.csv",
            Tables::Lineups => "lineups.csv",
            Tables::Seats => "seats.csv",
            Tables::Objectives => "objectives.csv",
            Tables::Levels => "levels.csv",
        }
    }
}

/// Who sits in a cell: what turns its sums into figures.
#[derive(Debug, Clone, PartialEq)]
pub struct Seating {
    /// The number of players.
    pub players: usize,
    /// The line-ups, by their numbers in the plan, with the label on each seat.
    pub lineups: Vec<(usize, Vec<String>)>,
    /// The points of each objective card.
    pub points: Vec<(String, f64)>,
}

impl Seating {
    /// Who sits in a cell of a plan.
    pub fn of(plan: &Plan, cell: &Cell) -> Self {
        let labels = |lineup: &Lineup| {
            let labels = lineup.seat_labels(&plan.strategies);
            (lineup.index, labels.into_iter().map(str::to_owned).collect())
        };
        Seating {
            players: cell.players,
            lineups: cell.lineups.iter().map(labels).collect(),
            points: cell.rules.points(),
        }
    }
}

/// The figures of a cell, the summary's first.
pub fn figures(seating: &Seating, sums: &CellSums) -> Vec<Figure> {
    let mut all = Vec::new();
    all.extend(summary(seating, sums));
    for (number, labels) in &seating.lineups {
        for label in distinct(labels) {
            // With one line-up it would be the summary's row once more.
            if seating.lineups.iter().filter(|(_, labels)| labels.contains(label)).count() > 1 {
                let row = format!("{}: {label}", grouped(labels));
                let measures = of_strategy(seating.players, sums, (*number, labels), label, None);
                let most = 1.0 / seats_of(labels, label) as f64;
                let part = Part { most, games: rotations(labels) as f64 };
                let measures = measures.into_iter().flatten();
                all.extend(measures.map(|one| told(Tables::Lineups, &row, part, one)));
            }
        }
    }
    all.extend(seats(seating, sums));
    all.extend(objectives(seating, sums));
    all.extend(teams(seating, sums));
    all
}

/// The summary's figures of strategies, over their line-ups, which weigh alike.
pub fn summary(seating: &Seating, sums: &CellSums) -> Vec<Figure> {
    over_lineups(seating, sums, None, Tables::Summary)
}

/// The figures of [`summary`], and those of teams.
pub fn summary_and_teams(seating: &Seating, sums: &CellSums) -> Vec<Figure> {
    let mut all = summary(seating, sums);
    all.extend(teams(seating, sums));
    all
}

fn seats(seating: &Seating, sums: &CellSums) -> Vec<Figure> {
    let seats = 0..seating.players;
    seats.flat_map(|seat| over_lineups(seating, sums, Some(seat), Tables::Seats)).collect()
}

fn over_lineups(
    seating: &Seating,
    sums: &CellSums,
    seat: Option<usize>,
    table: Tables,
) -> Vec<Figure> {
    let mut all = Vec::new();
    let labels: Vec<&String> = seating.lineups.iter().flat_map(|(_, labels)| labels).collect();
    for label in distinct(&labels) {
        let own = seating.lineups.iter().filter(|(_, labels)| labels.contains(label));
        let of = |(number, labels): &(usize, Vec<String>)| {
            let measures = of_strategy(seating.players, sums, (*number, labels), label, seat)?;
            let (seats, rotations) = (seats_of(labels, label) as f64, rotations(labels) as f64);
            // In the rotations a strategy comes to every seat of the table equally often.
            let part = match seat {
                Some(_) => Part { most: 1.0, games: rotations * seats / seating.players as f64 },
                None => Part { most: 1.0 / seats, games: rotations },
            };
            Some((measures, part))
        };
        let found: Vec<(Vec<Measure>, Part)> = own.filter_map(of).collect();
        let Some((first, _)) = found.first() else { continue };
        let part = Part {
            most: found.iter().map(|(_, part)| part.most).sum::<f64>() / found.len() as f64,
            games: found.iter().map(|(_, part)| part.games).sum::<f64>().max(1.0),
        };
        let row = match seat {
            Some(seat) => format!("{label} on seat {seat}"),
            None => (*label).clone(),
        };
        let mut measures: Vec<Measure> = (0..first.len())
            .map(|at| {
                let parts: Option<Vec<Batched>> =
                    found.iter().map(|(measures, _)| measures[at].1.clone()).collect();
                (first[at].0, parts.and_then(|parts| Batched::mean(&parts)))
            })
            .collect();
        // How single scores spread, from all line-ups' squares.
        let of =
            |name: &str| measures.iter().find(|one| one.0 == name).and_then(|one| one.1.clone());
        let deviation = of(SQUARES).zip(of("score_mean"));
        let deviation = deviation.and_then(|(squares, mean)| Batched::deviation(&squares, &mean));
        measures.retain(|(name, _)| *name != SQUARES);
        if seat.is_none() {
            measures.push(("score_sd", deviation));
        }
        all.extend(measures.into_iter().map(|one| told(table, &row, part, one)));
    }
    all
}

type Measure = (&'static str, Option<Batched>);

/// No column of a table, but what one is made of.
const SQUARES: &str = "score squares";
/// The first rank's share is the win share.
const RANKS: [&str; 5] = ["rank_2", "rank_3", "rank_4", "rank_5", "rank_6"];

fn told(table: Tables, row: &str, part: Part, (measure, figure): Measure) -> Figure {
    // A place is had by one seat, or shared.
    let share = measure == "win_share" || RANKS.contains(&measure);
    Figure { table, row: row.to_owned(), measure, part: share.then_some(part), figure }
}

/// A strategy's measures in a line-up, over all seats or on one; nothing where it was not played.
fn of_strategy(
    players: usize,
    sums: &CellSums,
    (lineup, labels): (usize, &[String]),
    label: &str,
    seat: Option<usize>,
) -> Option<Vec<Measure>> {
    let wanted = seat.map_or(0..players, |seat| seat..seat + 1);
    let of = |seat: usize| sums.get(&About::Seat { lineup, strategy: label.to_owned(), seat });
    let seats: Vec<&Batches> = wanted.clone().filter_map(of).collect();
    let first = seats.first()?;
    let times = (seats_of(labels, label) * rotations(labels) * wanted.len() / players) as i64;
    let below: Vec<i64> = first.deals().iter().map(|&deals| deals as i64 * times).collect();
    if below.iter().all(|&n| n == 0) {
        return None;
    }
    let ratio = |number: usize, unit: f64| {
        let mut above = vec![0; below.len()];
        for seat in &seats {
            above.iter_mut().zip(seat.column(number)).for_each(|(sum, more)| *sum += more);
        }
        Batched::ratio(&above, &below, unit)
    };
    let mut measures: Vec<Measure> = vec![
        ("win_share", ratio(0, SHARE as f64)),
        ("score_mean", ratio(1, 1.0)),
        ("score_difference", ratio(2, (players.max(2) - 1) as f64)),
    ];
    let ranks = RANKS.iter().zip(5..).take(players - 1);
    measures.extend(ranks.map(|(&name, number)| (name, ratio(number, SHARE as f64))));
    if seat.is_none() {
        measures.push((SQUARES, ratio(3, 1.0)));
    }
    Some(measures)
}

fn objectives(seating: &Seating, sums: &CellSums) -> Vec<Figure> {
    let mut all = Vec::new();
    for (about, batches) in sums {
        let About::Objective { objective, round, strategy } = about else { continue };
        let row = match strategy.as_str() {
            "" => format!("{objective} in round {round}"),
            strategy => format!("{objective} in round {round}: {strategy}"),
        };
        let ratio = |above: usize, below: usize, unit: f64| {
            Batched::ratio(&batches.column(above), &batches.column(below), unit)
        };
        let points =
            seating.points.iter().find(|(id, _)| id == objective).map(|(_, points)| points);
        let observed = (0..batches.count()).filter(|&batch| batches.row(batch)[0] > 0);
        let deals: u64 = observed.map(|batch| batches.deals()[batch]).sum();
        let part = |chances: usize| {
            let games = batches.total(chances) as f64 / deals.max(1) as f64;
            Some(Part { most: 1.0, games: games.max(1.0) })
        };
        let mut push = |measure, part, figure: Option<Batched>| {
            let table = Tables::Objectives;
            all.push(Figure { table, row: row.clone(), measure, part, figure });
        };
        push("trigger_rate", part(1), ratio(2, 1, 1.0));
        if let Some(&points) = points.filter(|&&points| points != 0.0) {
            push("points_mean", None, ratio(2, 1, 1.0 / points));
        }
        push("winner_changed_rate", part(0), ratio(3, 0, 1.0));
    }
    all
}

fn teams(seating: &Seating, sums: &CellSums) -> Vec<Figure> {
    let mut all = Vec::new();
    for (number, labels) in &seating.lineups {
        let Some(team) = sums.get(&About::Team { lineup: *number }) else { continue };
        let row = match distinct(labels).as_slice() {
            [only] => (*only).clone(),
            _ => labels.join("+"),
        };
        let rotations = rotations(labels) as i64;
        let whole = Part { most: 1.0, games: rotations as f64 };
        let games: Vec<i64> = team.deals().iter().map(|&deals| deals as i64 * rotations).collect();
        let mean = |number: usize, unit: f64| Batched::ratio(&team.column(number), &games, unit);
        for (measure, number, unit) in [
            ("win_rate", 0, 1.0),
            ("levels_mean", 1, 1.0),
            ("lives_mean", 2, 1.0),
            ("seconds_mean", 3, 1e6),
            ("mistakes_mean", 6, 1.0),
            ("stars_used_mean", 7, 1.0),
            ("forced_mean", 8, 1.0),
        ] {
            let part = (measure == "win_rate").then_some(whole);
            let (table, row) = (Tables::Summary, row.clone());
            all.push(Figure { table, row, measure, part, figure: mean(number, unit) });
        }
        let levels = [0, usize::MAX].map(|level| About::Level { lineup: *number, level });
        let [first, last] = levels;
        for (about, level) in sums.range(first..=last) {
            let About::Level { level: at, .. } = about else { continue };
            if level.total(0) == 0 {
                continue;
            }
            let ratio = |number: usize, below: &[i64], unit: f64| {
                Batched::ratio(&level.column(number), below, unit)
            };
            let reached = level.column(0);
            for (measure, part, figure) in [
                ("survival", Some(whole), ratio(1, &games, 1.0)),
                ("mistakes_mean", None, ratio(2, &reached, 1.0)),
                ("stars_used_mean", None, ratio(3, &reached, 1.0)),
                ("seconds_mean", None, ratio(4, &reached, 1e6)),
            ] {
                let row = format!("{row}, level {at}");
                all.push(Figure { table: Tables::Levels, row, measure, part, figure });
            }
        }
    }
    all
}

/// How many seats have this label.
fn seats_of(labels: &[String], label: &str) -> usize {
    labels.iter().filter(|own| *own == label).count().max(1)
}

/// Each once, in the order of the first.
fn distinct<T: PartialEq>(all: &[T]) -> Vec<&T> {
    let mut seen: Vec<&T> = Vec::new();
    for one in all {
        if !seen.contains(&one) {
            seen.push(one);
        }
    }
    seen
}

/// `greedy + 3 random` for greedy, random, random, random.
pub fn grouped<T: AsRef<str> + PartialEq>(labels: &[T]) -> String {
    let groups = labels.chunk_by(|a, b| a == b).map(|group| match group {
        [one] => one.as_ref().to_owned(),
        many => format!("{} {}", many.len(), many[0].as_ref()),
    });
    groups.collect::<Vec<_>>().join(" + ")
}
