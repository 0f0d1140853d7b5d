//! Games looked over afterwards: each choice of a record beside what a strong player would have
//! done, and what it cost. Only what a seat could see at that moment is used.

pub mod mind_up;
pub mod the_mind;

use std::io::{self, BufRead, Write};

use serde::Serialize;

use crate::games::GameId;
use crate::games::record::{Illegal, parse};
use crate::games::referee::{judge, line_text, next_line, write_found};
use crate::safe::safe;

/// How records are looked over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Mind Up!: playouts of each card to find the best one, and as many again to measure what the
    /// card played gave away; 1 to 100,000.
    pub playouts: u32,
    /// The seed of the playouts.
    pub seed: u64,
    /// Whether a line of JSON is written for each record, in place of text.
    pub json: bool,
}

/// What was found in a record.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Analysis {
    /// Mind Up!.
    MindUp(mind_up::Analysis),
    /// The Mind or The Mind Extreme.
    TheMind(the_mind::Analysis),
}

impl Analysis {
    /// The findings for a person, in lines of at most 80 columns.
    pub fn text(&self) -> String {
        match self {
            Analysis::MindUp(analysis) => analysis.text(),
            Analysis::TheMind(analysis) => analysis.text(),
        }
    }
}

/// Looks a record over. `number` is its place in the file, from 0: each has its own playouts.
///
/// # Errors
/// The first error in reading order, where the referee finds the record illegal.
pub fn analyze_line(line: &str, number: usize, settings: &Settings) -> Result<Analysis, Illegal> {
    let value = parse(line)?;
    judge(&value)?;
    let game = value.get("game").and_then(serde_json::Value::as_str);
    match game.and_then(GameId::from_name) {
        Some(GameId::TheMind | GameId::TheMindExtreme) => {
            the_mind::analyze(&value).map(Analysis::TheMind)
        }
        _ => mind_up::analyze(&value, number, settings).map(Analysis::MindUp),
    }
}

/// Looks over JSON Lines, read as the referee reads them. Illegal records are reported in their
/// place. Returns whether all records were legal.
///
/// # Errors
/// Where reading or writing fails.
pub fn analyze_stream<R: BufRead, W: Write>(
    mut input: R,
    mut output: W,
    settings: &Settings,
) -> io::Result<bool> {
    let (mut all_legal, mut record, mut first) = (true, 0, true);
    let mut buffer = Vec::new();
    while let Some(whole) = next_line(&mut input, &mut buffer, &mut first)? {
        let found = line_text(&buffer, whole).and_then(|line| analyze_line(line, record, settings));
        all_legal &= found.is_ok();
        if settings.json {
            write_found(&mut output, record, &found)?;
        } else {
            match &found {
                Ok(analysis) => writeln!(output, "Record {record}: {}", safe(&analysis.text()))?,
                Err(error) => writeln!(output, "Record {record} is illegal: {}\n", place(error))?,
            }
        }
        output.flush()?;
        record += 1;
    }
    Ok(all_legal)
}

/// An error with its place in words.
fn place(error: &Illegal) -> String {
    let parts = [
        ("round", error.round),
        ("turn", error.turn),
        ("entry", error.entry),
        ("level", error.level),
        ("event", error.event),
        ("seat", error.seat),
    ];
    let parts = parts.iter().filter_map(|(name, at)| Some(format!("{name} {}, ", (*at)?)));
    let message = error.to_string().replace('\n', " ");
    parts.collect::<String>() + &safe(&message)
}
