//! A folder of results, opened again: what it says of itself, and the plan that it was played by.

use std::path::Path;

use super::folder::{self, BEHAVIOUR, FolderError, MANIFEST, Manifest};
use super::terminal::thousands;
use super::{Table, terminal};
use crate::error::InputError;
use crate::experiment::plan::Plan;
use crate::experiment::spec::{Overrides, Spec};
use crate::strategies::Library;

/// Reads a folder's manifest. A folder that holds no results is a wrong request.
///
/// # Errors
/// Where there is no manifest, or none of ours.
pub fn manifest(folder: &Path) -> Result<Manifest, InputError> {
    folder::manifest(folder).map_err(|error| {
        let what = "this must be a folder of results, which `mindlab run` writes";
        refused(error, &format!("; {what}"))
    })
}

/// Reads a table of a folder, which must be as it was written.
///
/// # Errors
/// Where it is missing, or was changed since.
pub fn table(folder: &Path, manifest: &Manifest, name: &str) -> Result<Table, InputError> {
    folder::table(folder, manifest, name).map_err(|error| refused(error, ""))
}

/// Reads a file of a folder, which must be as it was written.
///
/// # Errors
/// As [`table`].
pub fn file(folder: &Path, manifest: &Manifest, name: &str) -> Result<Vec<u8>, InputError> {
    folder::file(folder, manifest, name).map_err(|error| refused(error, ""))
}

/// A folder's results as the terminal shows them.
///
/// # Errors
/// As [`table`].
pub fn shown(folder: &Path, manifest: &Manifest) -> Result<String, InputError> {
    let table = |name: &str| table(folder, manifest, name);
    let (summary, lineups) = (table("summary.csv")?, table("lineups.csv")?);
    let rungs = manifest.files.contains_key("rungs.csv").then(|| table("rungs.csv")).transpose()?;
    let text = |key: &str| manifest.experiment.get(key).and_then(serde_json::Value::as_str);
    let head = terminal::head(text("name").unwrap_or_default(), text("question"));
    Ok(head + &terminal::results(&summary, &lineups, rungs.as_ref()))
}

/// The first line above whatever is shown of results that are incomplete; empty for complete ones.
pub fn incomplete(folder: &Path, manifest: &Manifest) -> String {
    if manifest.complete {
        return String::new();
    }
    let name = manifest.experiment.get("name").and_then(serde_json::Value::as_str);
    let command = completes(folder, name.unwrap_or_default());
    unfinished(manifest.games, manifest.planned, Some(&command))
}

/// The same of so many games that were played of those planned, 0 where that is not known; nothing
/// where all were played. `command` is the one that completes them.
pub fn unfinished(games: u64, planned: u64, command: Option<&str>) -> String {
    if games == planned {
        return String::new();
    }
    let of = match planned {
        0 => String::new(),
        planned => {
            let part = 100.0 * games as f64 / planned as f64;
            // What is not whole is not shown as if it were.
            let part = if part > 99.9 { "99.9".to_owned() } else { format!("{part:.1}") };
            format!(" of {} games ({part} %)", thousands(&planned.to_string()))
        }
    };
    let command = command.map(|command| format!("; `{command}` completes them"));
    let games = thousands(&games.to_string());
    format!("INCOMPLETE: these are {games}{of}{}\n", command.unwrap_or_default())
}

/// The command that completes the results in a folder of an experiment of that name.
pub fn completes(folder: &Path, name: &str) -> String {
    let file = folder.join(MANIFEST);
    let out = match folder == Path::new("results").join(name) {
        true => String::new(),
        false => format!(" --out {}", word(folder)),
    };
    format!("mindlab run {}{out} --resume", word(&file))
}

/// A path as a word of a shell's command.
fn word(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-+=:,@%".contains(c);
    match !text.is_empty() && text.chars().all(plain) && !text.starts_with('-') {
        true => text,
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

fn refused(error: FolderError, more: &str) -> InputError {
    let source = error.source.map(|source| format!(": {source}"));
    let what = format!("{}{}{more}", error.what, source.unwrap_or_default());
    InputError::new("", "", what).in_file(error.path)
}

/// The plan that a folder's results were played by, worked out anew from its manifest alone.
///
/// # Errors
/// Results of a version that behaved differently; an experiment that no longer resolves to what
/// was played, because a strategy's file has changed since.
pub fn plan(folder: &Path, manifest: &Manifest, library: &Library) -> Result<Plan, InputError> {
    let place = |error: InputError| error.in_file(folder.join("manifest.json").display());
    if manifest.behaviour != BEHAVIOUR {
        let what = format!(
            "these games were played by mindlab {}, which behaved differently (this one has \
             {BEHAVIOUR}); only that version can play them again",
            manifest.mindlab
        );
        return Err(place(InputError::new("behaviour", manifest.behaviour, what)));
    }
    // The files that the experiment named stand in it as text, so that no folder is looked into.
    let spec = Spec::from_value(manifest.experiment.clone(), Path::new(""), &Overrides::default())
        .map_err(|error| place(error.under("experiment")))?;
    let plan = Plan::new(&spec, library).map_err(|error| place(error.under("experiment")))?;
    if plan.hash() != manifest.hash {
        let what = "the experiment does not resolve to what was played, because a strategy's file \
                    has changed since then; restore that file to play the same games again";
        return Err(place(InputError::new("hash", &manifest.hash, what)));
    }
    Ok(plan)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_incomplete_says_so_and_what_completes_it() {
        let told = |games, planned| unfinished(games, planned, None);
        assert_eq!(told(6, 6), "");
        assert_eq!(
            told(12_000, 1_000_000),
            "INCOMPLETE: these are 12,000 of 1,000,000 games (1.2 %)\n"
        );
        assert!(told(999_999, 1_000_000).contains("(99.9 %)"));
        assert!(told(1, 1_000_000).contains("(0.0 %)"));
        let line = unfinished(1, 2, Some(&completes(Path::new("results/x"), "x")));
        assert!(
            line.ends_with("; `mindlab run results/x/manifest.json --resume` completes them\n")
        );
    }

    #[test]
    fn a_folder_elsewhere_is_named_as_a_shell_reads_it() {
        assert_eq!(
            completes(Path::new("my own/it's"), "x"),
            "mindlab run 'my own/it'\\''s/manifest.json' --out 'my own/it'\\''s' --resume"
        );
    }
}
