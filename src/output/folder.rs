//! A folder of results: whole or absent, with a manifest.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::Table;
use crate::experiment::plan::{Plan, hex};
use crate::experiment::spec::Spec;

/// The version of the files' format: names and columns.
pub const FORMAT: u32 = 2;

/// The version of behaviour: whatever changes results (rules, strategies, seeding) raises it.
pub const BEHAVIOUR: u32 = 3;

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
    /// Whether the same experiment gives the same bytes again, as far as its run tells.
    pub reproducible: bool,
}

/// What was played, for the manifest.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The experiment or training as it was asked for.
    pub experiment: Value,
    /// What it resolves to.
    pub resolved: Value,
    /// The hash of that.
    pub hash: String,
    /// The seed.
    pub seed: u64,
    /// The games that it has when it is complete.
    pub games: u64,
}

impl Subject {
    /// An experiment.
    pub fn of(spec: &Spec, plan: &Plan) -> Self {
        Subject {
            experiment: serde_json::to_value(spec).unwrap_or_default(),
            resolved: plan.resolved(),
            hash: plan.hash(),
            seed: plan.seed,
            games: plan.games(),
        }
    }
}

/// A folder of results in the making, beside the place where it will stand.
#[derive(Debug)]
pub struct Draft {
    folder: PathBuf,
    new: tempfile::TempDir,
}

impl Draft {
    /// Begins a folder; nothing can be seen of it in its place before [`Draft::finish`]. Whoever
    /// begins one holds its [lock](super::lock::Lock).
    ///
    /// # Errors
    /// Where the disk refuses.
    pub fn begin(folder: &Path) -> Result<Self> {
        let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty());
        let parent = parent.unwrap_or(Path::new("."));
        std::fs::create_dir_all(parent).at(parent, "this folder can't be made")?;
        let prefix = hidden(folder);
        remove_drafts(parent, &prefix);
        let new = tempfile::Builder::new()
            .prefix(&prefix)
            .suffix(DRAFT)
            .tempdir_in(parent)
            .at(parent, "no folder can be made there")?;
        Ok(Draft { folder: folder.to_owned(), new })
    }

    /// Begins a CSV that is written while the games are played.
    ///
    /// # Errors
    /// Where the disk refuses.
    pub fn csv(&self, name: &str, columns: &[String]) -> Result<BufWriter<File>> {
        let path = self.new.path().join(name);
        let head = Table { columns: columns.to_vec(), rows: Vec::new() };
        let mut file = BufWriter::new(File::create(&path).at(&path, "can't be written")?);
        let head = head.to_csv().at(&path, "can't be put into CSV")?;
        file.write_all(&head).at(&path, "can't be written")?;
        Ok(file)
    }

    /// Writes a file of the folder.
    ///
    /// # Errors
    /// Where the disk refuses.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        save(&self.new.path().join(name), bytes)
    }

    /// Writes the tables and the manifest, and puts the folder into its place, where it replaces
    /// what was there. So a folder of results is whole or absent.
    ///
    /// # Errors
    /// Where the disk refuses.
    pub fn finish(self, subject: &Subject, tables: &[(&str, Table)], run: Run) -> Result<()> {
        let Draft { folder, new } = self;
        for (name, table) in tables {
            let bytes = table.to_csv().at(Path::new(name), "can't be put into CSV")?;
            save(&new.path().join(name), &bytes)?;
        }
        let manifest = Manifest::new(subject, run, hashes(new.path())?);
        let bytes = serde_json::to_vec_pretty(&manifest).at(&folder, "the manifest is no JSON")?;
        save(&new.path().join("manifest.json"), &bytes)?;
        make_readable(new.path())?;
        replace(&folder, new.keep())
    }
}

/// How the names begin of what stands beside a folder while it is made.
pub(super) fn hidden(folder: &Path) -> String {
    format!(".{}.", folder.file_name().unwrap_or_default().to_string_lossy())
}

/// How the name of a draft ends.
const DRAFT: &str = ".draft";

/// Removes what runs left that were killed. One that can't be removed is in nobody's way.
fn remove_drafts(parent: &Path, prefix: &str) {
    for entry in std::fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let middle = name.to_str().and_then(|name| name.strip_prefix(prefix)?.strip_suffix(DRAFT));
        // With a dot it is that of a longer name.
        if middle.is_some_and(|middle| !middle.contains('.')) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// Puts a new folder in the place of another. The old one is moved aside first and removed last, so
/// that one of them is always whole on the disk.
fn replace(folder: &Path, new: PathBuf) -> Result<()> {
    let old = new.with_extension("old");
    let there = folder.exists();
    if there {
        std::fs::rename(folder, &old).at(folder, "the old results can't be moved aside")?;
    }
    let moved = std::fs::rename(&new, folder).at(folder, "the results can't be put there");
    if there {
        if moved.is_err() {
            std::fs::rename(&old, folder).at(folder, "the old results can't be put back")?;
        } else {
            std::fs::remove_dir_all(&old).at(&old, "the old results can't be removed")?;
        }
    }
    moved
}

/// What stands in the way of replacing a folder by results: the path itself where it is no folder,
/// or a file in it that no manifest of ours names. Nothing where it is absent, empty, or ours.
pub fn foreign(folder: &Path) -> Option<PathBuf> {
    if folder.symlink_metadata().is_err() {
        return None;
    }
    let Ok(entries) = folder.read_dir() else { return Some(folder.to_owned()) };
    let own = manifest(folder).map(|manifest| manifest.files).unwrap_or_default();
    entries.map(|entry| entry.map_or(folder.to_owned(), |entry| entry.path())).find(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let ours = name == "manifest.json" && !own.is_empty() || own.contains_key(&*name);
        !ours || !path.is_file()
    })
}

impl Manifest {
    fn new(subject: &Subject, run: Run, files: BTreeMap<String, String>) -> Self {
        Manifest {
            format: FORMAT,
            mindlab: env!("CARGO_PKG_VERSION").to_owned(),
            behaviour: BEHAVIOUR,
            revision: env!("MINDLAB_REVISION").to_owned(),
            complete: run.games == subject.games,
            reproducible: run.reproducible,
            hash: subject.hash.clone(),
            seed: subject.seed,
            games: run.games,
            experiment: subject.experiment.clone(),
            resolved: subject.resolved.clone(),
            threads: run.threads,
            host: serde_json::json!({
                "os": std::env::consts::OS,
                "architecture": std::env::consts::ARCH,
                "cores": std::thread::available_parallelism().map_or(0, std::num::NonZero::get),
                "level": crate::cpu::level().name(),
            }),
            started: humantime::format_rfc3339_seconds(run.started).to_string(),
            seconds: (run.took.as_secs_f64() * 1e3).round() / 1e3,
            files,
        }
    }
}

/// The SHA-256 of every file of a folder.
fn hashes(folder: &Path) -> Result<BTreeMap<String, String>> {
    let mut hashes = BTreeMap::new();
    for entry in std::fs::read_dir(folder).at(folder, "can't be read")? {
        let path = entry.at(folder, "can't be read")?.path();
        let mut hash = Sha256::new();
        let mut file = File::open(&path).at(&path, "can't be read")?;
        io::copy(&mut file, &mut hash).at(&path, "can't be read")?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        hashes.insert(name, hex(&hash.finalize()));
    }
    Ok(hashes)
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
    let manifest: Manifest =
        serde_json::from_str(&text).at(&path, "is no manifest of this version of mindlab")?;
    if manifest.format != FORMAT {
        let what = format!("has format {}; this version reads format {FORMAT}", manifest.format);
        return Err(FolderError { path: path.display().to_string(), what, source: None });
    }
    Ok(manifest)
}

/// Reads a table of a folder, which must be as it was written.
///
/// # Errors
/// Where it is missing, or was changed since.
pub fn table(folder: &Path, manifest: &Manifest, name: &str) -> Result<Table> {
    let bytes = file(folder, manifest, name)?;
    Table::from_csv(&bytes).at(&folder.join(name), "is no CSV")
}

/// Reads a file of a folder, which must be as it was written.
///
/// # Errors
/// Where it is missing, or was changed since.
pub fn file(folder: &Path, manifest: &Manifest, name: &str) -> Result<Vec<u8>> {
    let path = folder.join(name);
    let bytes = std::fs::read(&path).at(&path, "can't be read")?;
    let hash = hex(&Sha256::digest(&bytes));
    if manifest.files.get(name) != Some(&hash) {
        let what = "was changed since it was written; `--force` plays anew".to_owned();
        return Err(FolderError { path: path.display().to_string(), what, source: None });
    }
    Ok(bytes)
}
