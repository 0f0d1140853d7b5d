//! A folder of results: whole or absent, with a manifest.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::Table;
use crate::experiment::plan::{Plan, hex};
use crate::experiment::spec::Spec;

/// The version of the files' format: names and columns.
pub const FORMAT: u32 = 1;

/// The version of behaviour: whatever changes results (rules, strategies, seeding) raises it.
pub const BEHAVIOUR: u32 = 1;

/// What a folder says of itself. Whatever differs between equal runs stands here and nowhere else.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Manifest {
    /// The version of the files' format.
    pub format: u32,
    /// The version of mindlab.
    pub mindlab: String,
    /// The version of behaviour.
    pub behaviour: u32,
    /// The git revision that mindlab was built from; empty where it is not known.
    pub revision: String,
    /// Whether all games were played.
    pub complete: bool,
    /// Whether the same experiment gives the same bytes again.
    pub reproducible: bool,
    /// The hash of what the experiment resolves to.
    pub hash: String,
    /// The seed.
    pub seed: u64,
    /// The games that were played.
    pub games: u64,
    /// The experiment as it was asked for, after changes by the command line.
    pub experiment: Value,
    /// What it resolves to: cells, line-ups, strategies in full.
    pub resolved: Value,
    /// The threads that played.
    pub threads: usize,
    /// The operating system, architecture and number of cores.
    pub host: Value,
    /// When it began.
    pub started: String,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// The SHA-256 of every file.
    pub files: BTreeMap<String, String>,
}

/// Why a folder could not be written or read.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {what}")]
pub struct FolderError {
    /// The file or folder.
    pub path: String,
    /// What could not be done with it.
    pub what: String,
    /// What the system said.
    pub source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

type Result<T> = std::result::Result<T, FolderError>;

/// Turns an error at a path into a [`FolderError`].
trait At<T> {
    fn at(self, path: &Path, what: impl fmt::Display) -> Result<T>;
}

impl<T, E: std::error::Error + Send + Sync + 'static> At<T> for std::result::Result<T, E> {
    fn at(self, path: &Path, what: impl fmt::Display) -> Result<T> {
        self.map_err(|error| FolderError {
            path: path.display().to_string(),
            what: what.to_string(),
            source: Some(Box::new(error)),
        })
    }
}

/// How a run went.
#[derive(Debug, Clone, Copy)]
pub struct Run {
    /// When it began.
    pub started: SystemTime,
    /// How long it took.
    pub took: Duration,
    /// The games that were played.
    pub games: u64,
    /// The threads that played.
    pub threads: usize,
}

/// Writes a folder of results. All files are written beside it first and moved into place at the
/// end, so that the folder is whole or absent; one that was there is replaced.
///
/// # Errors
/// Where the disk refuses.
pub fn write(
    folder: &Path,
    spec: &Spec,
    plan: &Plan,
    tables: &[(&str, Table)],
    run: Run,
) -> Result<()> {
    let parent = folder
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    let parent = parent.unwrap_or(Path::new("."));
    std::fs::create_dir_all(parent).at(parent, "this folder can't be made")?;
    let new = tempfile::Builder::new()
        .prefix(".mindlab-")
        .tempdir_in(parent)
        .at(parent, "no folder can be made there")?;
    let mut files = BTreeMap::new();
    for (name, table) in tables {
        let bytes = table
            .to_csv()
            .at(Path::new(name), "can't be put into CSV")?;
        files.insert((*name).to_owned(), hex(&Sha256::digest(&bytes)));
        save(&new.path().join(name), &bytes)?;
    }
    let manifest = Manifest {
        format: FORMAT,
        mindlab: env!("CARGO_PKG_VERSION").to_owned(),
        behaviour: BEHAVIOUR,
        revision: env!("MINDLAB_REVISION").to_owned(),
        complete: run.games == plan.games(),
        reproducible: true,
        hash: plan.hash(),
        seed: plan.seed,
        games: run.games,
        experiment: serde_json::to_value(spec).at(folder, "the experiment is no JSON")?,
        resolved: plan.resolved(),
        threads: run.threads,
        host: serde_json::json!({
            "os": std::env::consts::OS,
            "architecture": std::env::consts::ARCH,
            "cores": std::thread::available_parallelism().map_or(0, std::num::NonZero::get),
        }),
        started: humantime::format_rfc3339_seconds(run.started).to_string(),
        seconds: (run.took.as_secs_f64() * 1e3).round() / 1e3,
        files,
    };
    let bytes = serde_json::to_vec_pretty(&manifest).at(folder, "the manifest is no JSON")?;
    save(&new.path().join("manifest.json"), &bytes)?;
    make_readable(new.path())?;
    if folder.exists() {
        std::fs::remove_dir_all(folder).at(folder, "the old results can't be removed")?;
    }
    let new = new.keep();
    std::fs::rename(&new, folder).at(folder, "the results can't be put there")
}

/// Temporary folders are private; results are for everybody that the parent lets in.
fn make_readable(folder: &Path) -> Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(folder, mode).at(folder, "its mode can't be set")?;
    }
    Ok(())
}

fn save(path: &Path, bytes: &[u8]) -> Result<()> {
    std::fs::write(path, bytes).at(path, "can't be written")
}

/// Reads a folder's manifest.
///
/// # Errors
/// Where there is none, or it is none of ours.
pub fn manifest(folder: &Path) -> Result<Manifest> {
    let path = folder.join("manifest.json");
    let text = std::fs::read_to_string(&path).at(&path, "can't be read")?;
    serde_json::from_str(&text).at(&path, "is no manifest of this version of mindlab")
}

/// Reads a table of a folder, which must be as it was written.
///
/// # Errors
/// Where it is missing, or was changed since.
pub fn table(folder: &Path, manifest: &Manifest, name: &str) -> Result<Table> {
    let path = folder.join(name);
    let bytes = std::fs::read(&path).at(&path, "can't be read")?;
    let hash = hex(&Sha256::digest(&bytes));
    if manifest.files.get(name) != Some(&hash) {
        let what = "was changed since it was written; `--force` plays anew".to_owned();
        return Err(FolderError {
            path: path.display().to_string(),
            what,
            source: None,
        });
    }
    Table::from_csv(&bytes).at(&path, "is no CSV")
}
