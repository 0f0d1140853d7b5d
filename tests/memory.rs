//! What a dry run says of a run's memory, held against what the run takes.
#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

fn mindlab(folder: &Path, words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mindlab"));
    command.args(words.split(' ')).current_dir(folder).stdin(Stdio::null());
    command
}

/// The most memory that a process had, in MB, as its status says until it ends.
fn most(mut child: Child) -> f64 {
    let mut most: f64 = 0.0;
    while child.try_wait().unwrap().is_none() {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id()));
        let line = status.unwrap_or_default();
        let kilobytes =
            line.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split(' ').rev().nth(1));
        most = most.max(kilobytes.map_or(0.0, |number| number.parse::<f64>().unwrap() * 1.024e-3));
        thread::sleep(Duration::from_millis(1));
    }
    assert!(child.wait().unwrap().success());
    most
}

/// The MB that a dry run tells.
fn told(folder: &Path) -> f64 {
    let output = mindlab(folder, "run x.toml --dry-run --threads 2").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let words = text.split_once("; about ").unwrap_or_else(|| panic!("{text}")).1;
    words.split_once(" MB of memory").unwrap().0.parse().unwrap()
}

/// Small and large plans, of many line-ups, cells, levels and objectives.
const PLANS: [&str; 5] = [
    "game = \"mind-up\"\nplayers = 4\ngames = 400\nstrategies = [\"random\", \"greedy\"]\ndesign = \"one-vs-rest\"",
    "game = \"mind-up\"\nplayers = [5, 6]\ngames = 1\n\
     strategies = [\"random\", \"lowest\", \"highest\", \"greedy\", \"linear\"]\ndesign = \"all-vs-all\"",
    "game = \"mind-up\"\nplayers = 3\ngames = 30\nstrategies = [\"random\", \"lowest\"]\ndesign = \"self-play\"\n\
     [rules]\nobjectives = [1, 2, 3]",
    "game = \"the-mind\"\nplayers = [2, 3, 4]\ngames = 4\ndesign = \"cross-play\"\n\
     strategies = [{ base = \"linear\", pace = [0.6, 0.7, 0.8, 0.9, 1.1, 1.2, 1.3, 1.4] }]",
    "game = \"the-mind-extreme\"\nplayers = 2\ngames = 60\nstrategies = [\"linear\"]\ndesign = \"self-play\"",
];

/// The peak of a run depends a little on which thread comes to which block.
#[test]
fn a_dry_run_tells_the_memory_that_a_run_takes_within_two_fifths() {
    for plan in PLANS {
        let desk = tempfile::tempdir().unwrap();
        std::fs::write(desk.path().join("x.toml"), format!("name = \"x\"\n{plan}\n")).unwrap();
        let told = told(desk.path());
        let mut run = mindlab(desk.path(), "run x.toml --quiet --threads 2");
        let taken = most(run.stdout(Stdio::null()).spawn().unwrap());
        assert!((0.6..1.4).contains(&(told / taken)), "told {told} MB, took {taken:.1} MB: {plan}");
    }
}
