//! A folder with bots and experiments, and what is left of them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Whether bots in Python can be played; CI must be able to.
pub fn python() -> bool {
    let there = Command::new("python3").arg("--version").output().is_ok();
    assert!(there || std::env::var_os("CI").is_none(), "CI needs python3");
    if !there {
        eprintln!("skipped: python3 is not here");
    }
    there
}

/// A reference bot.
pub fn reference(name: &str) -> String {
    format!("{}/strategies/bots/{name}.py", env!("CARGO_MANIFEST_DIR"))
}

/// A bot for any game that plays its lowest card, with code that is run before each answer: `count`
/// is the number of the request, `m` the request, `answers` what it is about to answer.
pub fn bot(before: &str) -> String {
    let mut text = "\
import json, os, signal, subprocess, sys, threading, time
count = 0
def say(line):
    print(json.dumps(line), flush=True)
def move(kind, view):
    if kind == 'choose':
        return {'play': min(view['hand'])}
    if kind == 'star':
        return {'star': False}
    return {'play': view['playable'][0], 'wait': 1.0}
for line in sys.stdin:
    m = json.loads(line)
    if m['type'] == 'hello':
        say({'type': 'hello', 'protocol': 1, 'batch': True})
    elif m['type'] not in ('new_games', 'end_games'):
        count += 1
        answers = [move(m['type'], game['view']) for game in m['games']]
"
    .to_owned();
    for line in before.lines() {
        text.push_str(&format!("        {line}\n"));
    }
    text + "        say({'id': m['id'], 'answers': answers})\n"
}

pub struct Desk(tempfile::TempDir);

pub struct Done {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Desk {
    pub fn new() -> Desk {
        Desk(tempfile::tempdir().unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Puts a file there and returns its path.
    pub fn write(&self, name: &str, text: &str) -> String {
        let path = self.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).unwrap()
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mindlab"));
        command.args(arguments).current_dir(self.path()).stdin(Stdio::null());
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Done {
        done(self.command(arguments).output().unwrap())
    }

    /// Rows of a table of a folder, by their columns.
    pub fn rows(&self, name: &str) -> Vec<std::collections::BTreeMap<String, String>> {
        let text = self.read(name);
        csv::Reader::from_reader(text.as_bytes()).deserialize().map(|row| row.unwrap()).collect()
    }

    /// The tables of a folder, with their bytes.
    pub fn tables(&self, folder: &str) -> Vec<(PathBuf, String)> {
        let entries = std::fs::read_dir(self.path().join(folder)).unwrap();
        let files = entries.map(|entry| entry.unwrap().path());
        let csvs = files.filter(|path| path.extension().is_some_and(|ending| ending == "csv"));
        let mut all: Vec<_> = csvs
            .map(|path| {
                let text = std::fs::read_to_string(&path).unwrap();
                (PathBuf::from(path.file_name().unwrap()), text)
            })
            .collect();
        all.sort();
        all
    }

    /// Fails where a process stays that has this folder's path among its arguments, as a bot here,
    /// its child and its guard have. Those that are about to end have some seconds.
    #[track_caller]
    pub fn nothing_stays(&self) {
        let deadline = Instant::now() + Duration::from_secs(10);
        loop {
            let left = self.processes();
            if left.is_empty() {
                return;
            }
            assert!(Instant::now() < deadline, "still there: {left:?}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The processes that have this folder's path among their arguments.
    pub fn processes(&self) -> Vec<String> {
        let mark = self.path().display().to_string();
        let listed = Command::new("ps").args(["-eo", "pid=,stat=,args="]).output();
        let Ok(listed) = listed else { return Vec::new() };
        let text = String::from_utf8_lossy(&listed.stdout).into_owned();
        text.lines().filter(|line| line.contains(&mark)).map(str::to_owned).collect()
    }
}

pub fn done(output: Output) -> Done {
    Done {
        status: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A strategy's entry for a bot in Python.
pub fn entry(file: &str, more: &str) -> String {
    format!("{{ base = 'bot', name = 'mine', command = ['python3', '{file}']{more} }}")
}

/// An experiment with one line-up.
pub fn experiment(game: &str, lineup: &[&str], games: u64, more: &str) -> String {
    format!(
        "name = 'x'\ngame = '{game}'\nplayers = {}\ngames = {games}\nlineups = [[{}]]\n{more}",
        lineup.len(),
        lineup.join(", ")
    )
}
