//! A small run of every shipped experiment gives the bytes that are stored for it, so that its
//! reference results in results/reference can be trusted to be what the program plays now. Where a
//! change is meant, `MINDLAB_GOLDEN=write cargo test --test reference` writes the files anew, and
//! scripts/reference the reference results.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use mindlab::experiment::plan::Plan;
use mindlab::experiment::run::{Fixed, Monitor, run};
use mindlab::experiment::spec::{Overrides, Spec};
use mindlab::output::tables;
use mindlab::strategies::Library;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn experiments() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("experiments")).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    paths.sort();
    paths
}

/// Experiments of searchers, of which even a deal takes long in a build for tests.
const SLOW: [&str; 4] = ["best-response", "ladder", "league", "strongest"];

/// The tables of a run with few games of each line-up.
fn small_run(path: &Path, games: u64) -> (String, BTreeMap<&'static str, Vec<u8>>) {
    let overrides = Overrides { games: Some(games), ..Overrides::default() };
    let spec = Spec::from_file(path, &overrides).unwrap();
    let plan = Plan::new(&spec, &Library::default()).unwrap();
    let tallies = run(&plan, &Fixed, 2, &Monitor::default()).unwrap();
    let tables = tables::all(&plan, &tallies);
    (spec.name, tables.into_iter().map(|(name, table)| (name, table.to_csv().unwrap())).collect())
}

#[test]
fn small_runs_give_their_stored_bytes() {
    check(24, |name| !SLOW.contains(&name));
}

#[test]
#[ignore = "minutes: `cargo test --release --test reference -- --ignored`"]
fn small_runs_of_searchers_give_their_stored_bytes() {
    check(1, |name| SLOW.contains(&name));
}

fn check(games: u64, wanted: impl Fn(&str) -> bool) {
    let write = std::env::var_os("MINDLAB_GOLDEN").is_some_and(|value| value == "write");
    for path in experiments() {
        if !path.file_stem().and_then(|stem| stem.to_str()).is_some_and(&wanted) {
            continue;
        }
        let (name, tables) = small_run(&path, games);
        let stored = root().join("tests/reference").join(format!("{name}.csv"));
        if write {
            std::fs::create_dir_all(stored.parent().unwrap()).unwrap();
            std::fs::write(&stored, &tables["summary.csv"]).unwrap();
        }
        let bytes = std::fs::read(&stored)
            .unwrap_or_else(|_| panic!("{name}: no stored result of a small run"));
        assert!(bytes == tables["summary.csv"], "{name}: a small run gives other bytes");
    }
}

#[test]
fn every_experiment_tells_its_question_and_answer() {
    for path in experiments() {
        let spec = Spec::from_file(&path, &Overrides::default()).unwrap();
        let file = path.file_stem().unwrap().to_string_lossy().into_owned();
        assert_eq!(spec.name, file);
        assert!(spec.question.is_some_and(|question| question.ends_with('?')), "{file}");
        assert!(spec.expected.is_some(), "{file}: what answer is expected?");
    }
}
