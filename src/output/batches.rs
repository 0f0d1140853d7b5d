//! The files of sums by batch of deals: written by a run, read where results are compared. They are
//! tidy CSVs, compressed by gzip; rows without deals or without anything to add up are left out.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use flate2::{Compression, GzBuilder, read::GzDecoder};

use super::folder::Manifest;
use super::reopen;
use crate::error::InputError;
use crate::experiment::plan::Plan;
use crate::experiment::sums::{self, About, CellSums};
use crate::experiment::tally::Batches;

/// The file of the main sums.
pub const SUMS: &str = "batches.csv.gz";

/// A file: its name, the columns that name what a row is about, and its sums.
struct File {
    name: &'static str,
    keys: &'static [&'static str],
    sums: &'static [&'static str],
}

const SEATS: File = File {
    name: SUMS,
    keys: &["lineup", "strategy", "seat"],
    sums: &["win_share_60ths", "score", "score_difference_sum", "score_squares"],
};
const TEAMS: File = File {
    name: SUMS,
    keys: &["lineup"],
    sums: &[
        "wins",
        "levels",
        "lives",
        "micros",
        "begun",
        "clean",
        "mistakes",
        "stars_used",
        "forced",
    ],
};
const LEVELS: File = File {
    name: "level_batches.csv.gz",
    keys: &["lineup", "level"],
    sums: &["reached", "done", "mistakes", "stars_used", "micros"],
};
const OBJECTIVES: File = File {
    name: "objective_batches.csv.gz",
    keys: &["objective", "round", "strategy"],
    sums: &["games", "seats", "triggered", "winner_changed"],
};

/// What a file may unpack to, and the batches that it may have: far more than any that was written.
const MOST_TEXT: u64 = 1 << 30;
const MOST_BATCHES: usize = 1 << 10;

/// The columns between the keys and the sums.
const PLACE: [&str; 3] = ["batch", "batches", "deals"];

impl File {
    fn of(about: &About) -> &'static File {
        match about {
            About::Seat { .. } => &SEATS,
            About::Team { .. } => &TEAMS,
            About::Level { .. } => &LEVELS,
            About::Objective { .. } => &OBJECTIVES,
        }
    }

    /// Its columns, with ranks up to the most players where it has any.
    fn columns(&self, players: usize) -> Vec<String> {
        let fixed = ["cell"].iter().chain(self.keys).chain(&PLACE).chain(self.sums);
        let mut columns: Vec<String> = fixed.map(|&name| name.to_owned()).collect();
        if self.keys == SEATS.keys {
            columns.extend((1..=players).map(|rank| format!("rank_{rank}_60ths")));
        }
        columns
    }
}

fn keys(about: &About) -> Vec<String> {
    match about {
        About::Seat { lineup, strategy, seat } => {
            vec![lineup.to_string(), strategy.clone(), seat.to_string()]
        }
        About::Team { lineup } => vec![lineup.to_string()],
        About::Level { lineup, level } => vec![lineup.to_string(), level.to_string()],
        About::Objective { objective, round, strategy } => {
            vec![objective.clone(), round.to_string(), strategy.clone()]
        }
    }
}

/// The files of a run, by their names.
///
/// # Errors
/// Never in memory; the writers' errors are passed on.
pub fn files(plan: &Plan, sums: &[CellSums]) -> std::io::Result<Vec<(&'static str, Vec<u8>)>> {
    let mut writers: BTreeMap<&'static str, csv::Writer<_>> = BTreeMap::new();
    let most = plan.most_players();
    for (cell, sums) in sums.iter().enumerate() {
        for (about, batches) in sums {
            let file = File::of(about);
            if !writers.contains_key(file.name) {
                let zip = GzBuilder::new().write(Vec::new(), Compression::default());
                let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(zip);
                writer.write_record(file.columns(most))?;
                writers.insert(file.name, writer);
            }
            let Some(writer) = writers.get_mut(file.name) else { continue };
            let head = [vec![cell.to_string()], keys(about)].concat();
            let width = sums::width(about, most);
            for (batch, &deals) in batches.deals().iter().enumerate() {
                let sums = batches.row(batch);
                if deals == 0 || sums.iter().all(|&sum| sum == 0) {
                    continue;
                }
                let place = [batch as u64, batches.count() as u64, deals].map(|n| n.to_string());
                let missing = width.saturating_sub(sums.len());
                let fields = sums.iter().map(i64::to_string);
                let rest = fields.chain(std::iter::repeat_n(String::new(), missing));
                writer.write_record(head.iter().cloned().chain(place).chain(rest))?;
            }
        }
    }
    let finished = writers.into_iter().map(|(name, writer)| {
        let zip = writer.into_inner().map_err(|error| error.into_error())?;
        Ok((name, zip.finish()?))
    });
    finished.collect()
}

/// The sums of a folder of results, by cell; `players` has those of each cell.
///
/// # Errors
/// Files that are missing, were changed since they were written, or hold something else.
pub fn read(
    folder: &Path,
    manifest: &Manifest,
    players: &[usize],
) -> Result<Vec<CellSums>, InputError> {
    let mut cells = vec![CellSums::new(); players.len()];
    let team = manifest.experiment.get("game").is_none_or(|game| game != "mind-up");
    if manifest.format < 2 {
        let what = "these results have no sums by batch of deals, which a comparison needs, because an older \
                    mindlab wrote it; use `mindlab run --force` to play it again";
        return Err(InputError::new("", "", what).in_file(folder.display()));
    }
    for file in [if team { &TEAMS } else { &SEATS }, &LEVELS, &OBJECTIVES] {
        let needed = file.name == SEATS.name;
        if !needed && !manifest.files.contains_key(file.name) {
            continue;
        }
        let bytes = reopen::file(folder, manifest, file.name)?;
        let refused =
            |what: String| InputError::new("", "", what).in_file(folder.join(file.name).display());
        let mut text = Vec::new();
        let unzipped = GzDecoder::new(bytes.as_slice()).take(MOST_TEXT).read_to_end(&mut text);
        unzipped.map_err(|error| refused(format!("this is not a gzip file: {error}")))?;
        let mut rows = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_slice());
        for (line, row) in (2..).zip(rows.records()) {
            let row = row.map_err(|error| refused(format!("this is not a CSV: {error}")))?;
            if take(file, &row, players, &mut cells).is_none() {
                return Err(refused(format!("line {line} is not a row of sums")));
            }
        }
    }
    Ok(cells)
}

/// Puts a row among the sums; nothing where it is none of this file's.
fn take(
    file: &File,
    row: &csv::StringRecord,
    players: &[usize],
    cells: &mut [CellSums],
) -> Option<()> {
    let number = |at: usize| row.get(at)?.parse::<usize>().ok();
    let text = |at: usize| row.get(at).map(str::to_owned);
    let cell = number(0)?;
    let about = match file.keys {
        keys if keys == SEATS.keys => {
            About::Seat { lineup: number(1)?, strategy: text(2)?, seat: number(3)? }
        }
        keys if keys == LEVELS.keys => About::Level { lineup: number(1)?, level: number(2)? },
        keys if keys == OBJECTIVES.keys => {
            About::Objective { objective: text(1)?, round: number(2)?, strategy: text(3)? }
        }
        _ => About::Team { lineup: number(1)? },
    };
    let at = 1 + file.keys.len();
    let (batch, count) = (number(at)?, number(at + 1)?);
    let deals = row.get(at + 2)?.parse().ok()?;
    let width = sums::width(&about, *players.get(cell)?);
    let first = at + PLACE.len();
    let sums: Option<Vec<i64>> =
        (first..first + width).map(|at| row.get(at)?.parse().ok()).collect();
    let fits = count.is_power_of_two() && count <= MOST_BATCHES && batch < count;
    let batches = fits.then(|| cells.get_mut(cell))??;
    let batches = batches.entry(about).or_insert_with(|| Batches::new(count, width));
    if batches.count() != count {
        return None;
    }
    batches.set(batch, deals, &sums?);
    Some(())
}
