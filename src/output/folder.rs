//! A folder of results: whole or absent, with a manifest.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{Table, place};
use crate::bots;
use crate::experiment::plan::{Plan, hex};
use crate::experiment::spec::Spec;
use crate::strategies::StrategySpec;

/// The file by which a folder is one of results.
pub const MANIFEST: &str = "manifest.json";

/// The version of the files' format: names and columns.
pub const FORMAT: u32 = 2;

/// The oldest format that can be shown. Before 2 there were no sums by batch, so that such results can't be
/// compared, and no standard errors.
const OLDEST: u32 = 1;

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
    /// The compiler that built it; empty where it is not known.
    #[serde(default)]
    pub rustc: String,
    /// The SHA-256 of the `Cargo.lock` that it was built with, which names all libraries; empty where
    /// it is not known.
    #[serde(default)]
    pub cargo_lock: String,
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
    /// The games that it has when it is complete; 0 where that is not known.
    #[serde(default)]
    pub planned: u64,
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
    /// The bots from outside, by label: the SHA-256 of each file in their command as it was when the
    /// run began.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub programs: BTreeMap<String, BTreeMap<String, String>>,
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

pub(super) type Result<T> = std::result::Result<T, FolderError>;

/// Turns an error at a path into a [`FolderError`].
pub(super) trait At<T> {
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
    /// The programs of bots from outside, see [`Manifest::programs`].
    pub programs: BTreeMap<String, BTreeMap<String, String>>,
}

impl Subject {
    /// An experiment that is about to be played.
    pub fn of(spec: &Spec, plan: &Plan) -> Self {
        Subject {
            experiment: serde_json::to_value(spec).unwrap_or_default(),
            resolved: plan.resolved(),
            hash: plan.hash(),
            seed: plan.seed,
            games: plan.games(),
            programs: programs_of(&plan.strategies),
        }
    }
}

/// The programs of the bots from outside among strategies, as they are now.
pub fn programs_of<'a>(
    strategies: impl IntoIterator<Item = &'a StrategySpec>,
) -> BTreeMap<String, BTreeMap<String, String>> {
    let search = env::var_os("PATH");
    let mut all: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for strategy in strategies.into_iter().filter(|strategy| strategy.family == bots::NAME) {
        // Another program may play at another number of players.
        for parameters in [&strategy.parameters].into_iter().chain(strategy.players.values()) {
            let words = parameters.get("command").and_then(Value::as_array).into_iter().flatten();
            let command: Vec<String> = words.filter_map(Value::as_str).map(str::to_owned).collect();
            let found = programs(&command, search.as_deref());
            all.entry(strategy.label.clone()).or_default().extend(found);
        }
    }
    all
}

/// What stands in the way of replacing a folder by results: the path itself where it is no folder,
/// or a file in it that no manifest of ours names. Nothing where it is absent, empty, or ours.
pub fn foreign(folder: &Path) -> Option<PathBuf> {
    if folder.symlink_metadata().is_err() {
        return None;
    }
    let Ok(entries) = place::entries(folder) else { return Some(folder.to_owned()) };
    let own = manifest(folder).map(|manifest| manifest.files).unwrap_or_default();
    entries.into_iter().find(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let ours = name == MANIFEST && !own.is_empty() || own.contains_key(&*name);
        !ours || !path.is_file()
    })
}

impl Manifest {
    pub(super) fn new(subject: &Subject, run: Run, files: BTreeMap<String, String>) -> Self {
        Manifest {
            format: FORMAT,
            mindlab: env!("CARGO_PKG_VERSION").to_owned(),
            behaviour: BEHAVIOUR,
            revision: env!("MINDLAB_REVISION").to_owned(),
            rustc: env!("MINDLAB_RUSTC").to_owned(),
            cargo_lock: env!("MINDLAB_CARGO_LOCK").to_owned(),
            complete: run.games == subject.games,
            reproducible: run.reproducible,
            hash: subject.hash.clone(),
            seed: subject.seed,
            games: run.games,
            planned: subject.games,
            experiment: subject.experiment.clone(),
            resolved: subject.resolved.clone(),
            threads: run.threads,
            host: serde_json::json!({
                "os": std::env::consts::OS,
                "architecture": std::env::consts::ARCH,
                "cores": std::thread::available_parallelism().map_or(0, std::num::NonZero::get),
                "level": crate::cpu::level().name(),
            }),
            started: moment(run.started),
            seconds: (run.took.as_secs_f64() * 1e3).round() / 1e3,
            programs: subject.programs.clone(),
            files,
        }
    }
}

/// A moment by the clock, in RFC 3339; empty where the clock is wrong, before 1970 or after 9999.
fn moment(time: SystemTime) -> String {
    /// The first second of the year 10000, which the format has no place for.
    const END: u64 = 253_402_300_800;
    match time.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(since) if since.as_secs() < END => humantime::format_rfc3339_seconds(time).to_string(),
        _ => String::new(),
    }
}

/// The SHA-256 of every file of a folder.
pub(super) fn hashes(folder: &Path) -> Result<BTreeMap<String, String>> {
    let mut hashes = BTreeMap::new();
    for path in place::entries(folder).at(folder, "mindlab can't read this")? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        hashes.insert(name, hash_of(&path).at(&path, "mindlab can't read this")?);
    }
    Ok(hashes)
}

/// The SHA-256 of a file, in hexadecimal.
fn hash_of(path: &Path) -> io::Result<String> {
    let mut hash = Sha256::new();
    io::copy(&mut File::open(path)?, &mut hash)?;
    Ok(hex(&hash.finalize()))
}

/// The SHA-256 of each file in a command: of its program, found as the system finds it, and of each
/// argument that names a file. By the words of the command.
fn programs(command: &[String], search: Option<&OsStr>) -> BTreeMap<String, String> {
    let found = |(place, word): (usize, &String)| -> Option<(String, String)> {
        let named = Path::new(word);
        let searched = place == 0 && named.components().count() == 1 && !word.contains('/');
        let paths = match searched {
            true => search.into_iter().flat_map(env::split_paths).map(|at| at.join(word)).collect(),
            false => vec![named.to_owned()],
        };
        let path = paths.iter().find(|path| path.is_file())?;
        Some((word.clone(), hash_of(path).ok()?))
    };
    command.iter().enumerate().filter_map(found).collect()
}

pub(super) fn save(path: &Path, bytes: &[u8]) -> Result<()> {
    std::fs::write(path, bytes).at(path, "mindlab can't write this")
}

/// Reads a folder's manifest.
///
/// # Errors
/// Where there is none, or it is none of ours.
pub fn manifest(folder: &Path) -> Result<Manifest> {
    /// The key that tells how all others are to be read.
    #[derive(Deserialize)]
    struct Format {
        format: u32,
    }
    let path = folder.join(MANIFEST);
    let text = std::fs::read_to_string(&path).at(&path, "mindlab can't read this")?;
    let unknown = "this is not a manifest of this version of mindlab";
    let Format { format } = serde_json::from_str(&text).at(&path, unknown)?;
    if !(OLDEST..=FORMAT).contains(&format) {
        let what = format!(
            "this has format {format}, but this version reads formats {OLDEST} to {FORMAT}"
        );
        return Err(FolderError { path: path.display().to_string(), what, source: None });
    }
    serde_json::from_str(&text).at(&path, unknown)
}

/// Reads a table of a folder, which must be as it was written.
///
/// # Errors
/// Where it is missing, or was changed since.
pub fn table(folder: &Path, manifest: &Manifest, name: &str) -> Result<Table> {
    let bytes = file(folder, manifest, name)?;
    Table::from_csv(&bytes).at(&folder.join(name), "this is not a CSV")
}

/// Reads a file of a folder, which must be as it was written.
///
/// # Errors
/// Where it is missing, or was changed since.
pub fn file(folder: &Path, manifest: &Manifest, name: &str) -> Result<Vec<u8>> {
    let path = folder.join(name);
    let bytes = std::fs::read(&path).at(&path, "mindlab can't read this")?;
    let hash = hex(&Sha256::digest(&bytes));
    if manifest.files.get(name) != Some(&hash) {
        let what =
            "this file was changed after it was written; use `--force` to play again".to_owned();
        return Err(FolderError { path: path.display().to_string(), what, source: None });
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_clock_tells_no_moment() {
        let at = |seconds: i64| match u64::try_from(seconds) {
            Ok(after) => SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(after)),
            Err(_) => {
                SystemTime::UNIX_EPOCH.checked_sub(Duration::from_secs(seconds.unsigned_abs()))
            }
        };
        let told = |seconds| at(seconds).map(moment);
        assert_eq!(told(0).as_deref(), Some("1970-01-01T00:00:00Z"));
        assert_eq!(told(253_402_300_799).as_deref(), Some("9999-12-31T23:59:59Z"));
        for wrong in [-1, -1_000_000_000, 253_402_300_800, i64::MAX] {
            // Some systems have no such time at all.
            assert!(told(wrong).is_none_or(|text| text.is_empty()), "{wrong}");
        }
    }

    #[test]
    fn the_files_of_a_command_have_hashes() {
        let desk = tempfile::tempdir().unwrap();
        let path = |name: &str| desk.path().join(name).display().to_string();
        std::fs::write(path("bot.py"), "abc").unwrap();
        std::fs::write(path("python"), "").unwrap();
        let command = ["python".to_owned(), path("bot.py"), "--fast".to_owned(), path("none")];
        let found = programs(&command, Some(desk.path().as_os_str()));
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        let wanted = [(path("bot.py"), abc), ("python".to_owned(), nothing)];
        let wanted = wanted.map(|(word, hash)| (word, hash.to_owned()));
        assert_eq!(found, BTreeMap::from(wanted));
        // An argument is no program to be searched for, and a program with a path is where it says.
        assert!(
            programs(&["x".to_owned(), "python".to_owned()], Some(desk.path().as_os_str()))
                .is_empty()
        );
        assert!(programs(&["./python".to_owned()], Some(desk.path().as_os_str())).is_empty());
        assert!(programs(&[path("")], None).is_empty());
    }
}
