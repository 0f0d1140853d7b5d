//! A folder of results, opened again: what it says of itself, and the plan that it was played by.

use std::path::Path;

use super::folder::{self, BEHAVIOUR, FolderError, Manifest};
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
        let what = "a folder of results is needed, as `mindlab run` writes it";
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
            "played by mindlab {}, which behaved differently (this one has {BEHAVIOUR}): its games \
             can only be played again by that version",
            manifest.mindlab
        );
        return Err(place(InputError::new("behaviour", manifest.behaviour, what)));
    }
    // The files that the experiment named stand in it as text, so that no folder is looked into.
    let spec = Spec::from_value(manifest.experiment.clone(), Path::new(""), &Overrides::default())
        .map_err(|error| place(error.under("experiment")))?;
    let plan = Plan::new(&spec, library).map_err(|error| place(error.under("experiment")))?;
    if plan.hash() != manifest.hash {
        let what = "the experiment no longer resolves to what was played: a strategy's file has \
                    changed since; with that file as it was, the same games can be played again";
        return Err(place(InputError::new("hash", &manifest.hash, what)));
    }
    Ok(plan)
}
