//! `mindlab compare`: two results side by side.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use super::{print, status};
use crate::error::{InputError, unknown};
use crate::output::compare::{self, Shown, Side};
use crate::output::reopen;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// A folder of results
    #[arg(value_name = "DIR")]
    a: PathBuf,
    /// Another folder of results, which is compared with the first
    #[arg(value_name = "DIR")]
    b: PathBuf,
    /// Test whether all figures of a measure differ by less than X; the default measure is the win
    /// share, or the share of games won. The exit status is 1 if this is not shown
    #[arg(long, value_name = "[MEASURE=]X")]
    margin: Vec<String>,
    /// Compare the strategy NEW of the second result with OLD of the first
    #[arg(long = "match", value_name = "NEW=OLD")]
    names: Vec<String>,
    /// Show every figure, not only the main figures and those that differ
    #[arg(long)]
    all: bool,
}

pub(super) fn run(arguments: Arguments) -> Result<ExitCode> {
    let manifests = [reopen::manifest(&arguments.a)?, reopen::manifest(&arguments.b)?];
    let names = arguments.names.iter().map(|text| pair(text)).collect::<Result<Vec<_>, _>>()?;
    let team = manifests[0].experiment.get("game").is_none_or(|game| game != "mind-up");
    let margins = arguments.margin.iter().map(|text| margin(text, team));
    let margins = margins.collect::<Result<Vec<_>, _>>()?;
    let a = Side::open(&arguments.a, &manifests[0], &[])?;
    let b = Side::open(&arguments.b, &manifests[1], &names)?;
    let shown = Shown { all: arguments.all, margins, names };
    let (text, held) = compare::text(&a, &b, &compare::compare(&a, &b), &shown);
    print(&text)?;
    let broken =
        compare::must_be_equal(&a, &b) && compare::same_files(&a, &b).iter().any(|(_, same)| !same);
    Ok(match broken || !held {
        true => ExitCode::from(status::WANTING),
        false => ExitCode::SUCCESS,
    })
}

/// `NEW=OLD`, where labels may have `=` within brackets.
fn pair(text: &str) -> Result<(String, String), InputError> {
    let mut depth = 0;
    let place = text.char_indices().find(|&(_, letter)| {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        letter == '=' && depth == 0
    });
    match place.map(|(at, _)| (&text[..at], &text[at + 1..])) {
        Some((new, old)) if !new.is_empty() && !old.is_empty() => {
            Ok((new.to_owned(), old.to_owned()))
        }
        _ => Err(InputError::new(
            "--match",
            text,
            "this must be NEW=OLD, the names of two strategies",
        )),
    }
}

/// `X` or `MEASURE=X`.
fn margin(text: &str, team: bool) -> Result<(String, f64), InputError> {
    let main = if team { "win_rate" } else { "win_share" };
    let (measure, value) = text.split_once('=').unwrap_or((main, text));
    let known: Vec<&str> = compare::measures().collect();
    if !known.contains(&measure) {
        return Err(InputError::new("--margin", text, unknown("measure", measure, known)));
    }
    match value.parse::<f64>() {
        Ok(margin) if margin > 0.0 && margin.is_finite() => Ok((measure.to_owned(), margin)),
        _ => {
            let what = "this must be a number above 0 in the unit of the measure, such as 0.01";
            Err(InputError::new("--margin", text, what))
        }
    }
}
