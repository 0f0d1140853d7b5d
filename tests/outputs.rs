//! What a run leaves behind: every column is in the dictionary of docs/columns.md, and Python reads
//! every file.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use flate2::read::GzDecoder;

use mindlab::experiment::plan::Plan;
use mindlab::experiment::run::{Fixed, Monitor, game_columns, run, run_from};
use mindlab::experiment::spec::{Overrides, Spec};
use mindlab::experiment::sums;
use mindlab::output::{batches, tables};
use mindlab::strategies::Library;
use mindlab::train::{self, Job, Trainer, Training};

/// Experiments that together have every table and every kind of column, grids apart.
const EXPERIMENTS: [&str; 3] = [
    "game = 'mind-up'\nplayers = 3\nstrategies = ['random', 'greedy']\ndesign = 'ladder'",
    "game = 'mind-up'\nplayers = [2, 6]\nstrategies = ['random', 'greedy']\n\
     design = 'one-vs-rest'\nrules = { objectives = 2 }",
    "game = 'the-mind'\nplayers = 3\nlineups = [['linear', 'linear', 'power'], \
     ['rank', 'rank', 'rank']]\ngroups = ['intuitive', 'strangers']",
];

/// Trainings that together have every column of theirs.
const TRAININGS: [&str; 2] = [
    "game = 'mind-up'\nplayers = 3\nopponents = ['random']\nobjective = 'win-share'\n\
     start = 'linear'\nlearn = { keeps = { sd = 0.1 } }",
    "game = 'the-mind'\nplayers = 2\nobjective = 'win-rate'\nstart = 'linear'\n\
     learn = { pace = { sd = 0.1, low = 0.1 } }",
];

fn spec(text: &str) -> Spec {
    let text = format!("name = 'outputs'\ngames = 30\ngames_csv = true\n{text}");
    Spec::from_toml(&text, Path::new(""), &Overrides::default()).unwrap()
}

/// The table of bots, which is there only where one plays.
fn bots() -> (String, Vec<String>) {
    let text = spec("game = 'mind-up'\nplayers = 3\nstrategies = ['random']\ndesign = 'self-play'");
    let plan = Plan::new(&text, &Library::default()).unwrap();
    assert!(tables::bots(&plan, &[]).is_none());
    let (name, table) = tables::bots(&plan, &[(0, Default::default())]).unwrap();
    (name.to_owned(), table.columns)
}

/// The columns of each file, over all experiments.
fn columns() -> BTreeMap<String, Vec<String>> {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for text in EXPERIMENTS {
        let plan = Plan::new(&spec(text), &Library::default()).unwrap();
        let tallies = run(&plan, &Fixed, 1, &Monitor::default()).unwrap();
        let tables = tables::all(&plan, &tallies);
        let tables = tables.into_iter().map(|(name, table)| (name.to_owned(), table.columns));
        for (name, bytes) in batches::files(&plan, &sums::of(&plan, &tallies)).unwrap() {
            let text = std::io::read_to_string(GzDecoder::new(bytes.as_slice())).unwrap();
            assert!(text.lines().count() > 1, "{name} has no rows");
            let columns = text.lines().next().unwrap().split(',');
            all.entry(name.to_owned())
                .or_default()
                .extend(columns.map(|name| general(name.to_owned())));
        }
        let games = ("games.csv".to_owned(), game_columns(&plan));
        for (name, columns) in tables.chain([games, bots()]) {
            let known = all.entry(name).or_default();
            known.extend(columns.into_iter().map(general));
        }
    }
    for text in TRAININGS {
        let text = format!("name = 'outputs'\ngenerations = 1\ngames = 30\npopulation = 4\n{text}");
        let training = Training::from_value(toml::from_str(&text).unwrap()).unwrap();
        let job = Job::new(training, Path::new(""), &Library::default()).unwrap();
        let trainer = Trainer(&job);
        let monitor = Monitor::default();
        let keep = &mut |_: &_| Ok(());
        let (state, _) = run_from(&job.plan, &trainer, trainer.first(), 1, &monitor, keep).unwrap();
        for (name, table) in train::tables::all(&job, &state) {
            assert!(!table.rows.is_empty());
            all.entry(name.to_owned()).or_default().extend(table.columns);
        }
    }
    for columns in all.values_mut() {
        columns.sort();
        columns.dedup();
    }
    all
}

/// `rank_3` and `score_0` are columns of a kind.
fn general(column: String) -> String {
    if let Some(sums) = column.strip_suffix("_60ths").filter(|sums| sums.starts_with("rank_")) {
        return general(sums.to_owned()) + "_60ths";
    }
    match column.rsplit_once('_') {
        Some((kind, number)) if number.parse::<u8>().is_ok() => format!("{kind}_N"),
        _ => column,
    }
}

/// The columns that docs/columns.md describes, by the file that its headings name.
fn described() -> BTreeMap<String, Vec<String>> {
    let text = include_str!("../docs/columns.md");
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut file = String::new();
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            file = heading.trim_matches('`').to_owned();
        } else if let Some(row) = line.strip_prefix("| `") {
            let (name, meaning) = row.split_once("` |").unwrap();
            assert!(meaning.trim_matches(['|', ' ']).len() > 3, "{file}: {name} says nothing");
            all.entry(file.clone()).or_default().push(name.to_owned());
        }
    }
    for columns in all.values_mut() {
        columns.sort();
    }
    all
}

#[test]
fn the_dictionary_of_columns_is_complete() {
    let (written, described) = (columns(), described());
    for (file, columns) in &written {
        assert_eq!(described.get(file), Some(columns), "docs/columns.md, {file}");
    }
    assert_eq!(written.keys().collect::<Vec<_>>(), described.keys().collect::<Vec<_>>());
}

#[test]
fn pandas_reads_every_table_without_options() {
    let python = Command::new("python3").args(["-c", "import pandas"]).output();
    if !python.is_ok_and(|output| output.status.success()) {
        assert!(std::env::var_os("CI").is_none(), "CI needs pandas: scripts/test installs it");
        eprintln!("skipped: python3 with pandas is not here");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for (index, text) in EXPERIMENTS.iter().enumerate() {
        let file = folder.path().join(format!("{index}.toml"));
        let text = format!("name = 'outputs'\ngames = 30\ngames_csv = true\n{text}");
        std::fs::write(&file, text).unwrap();
        let out = folder.path().join(index.to_string());
        let run = Command::new(env!("CARGO_BIN_EXE_mindlab"))
            .arg("run")
            .arg(&file)
            .args(["--quiet", "--out"])
            .arg(&out)
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/read_csvs.py");
        let read = Command::new("python3").arg(script).arg(&out).output().unwrap();
        assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
    }
}
