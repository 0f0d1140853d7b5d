//! A folder to run the command in, and what came of it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A temporary folder that commands run in.
pub struct Desk {
    folder: tempfile::TempDir,
}

/// What a command left: its exit status and what it wrote.
pub struct Done {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Desk {
    pub fn new() -> Self {
        Desk { folder: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Puts a file there.
    pub fn write(&self, name: &str, text: &str) -> &Self {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        self
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).unwrap()
    }

    /// The command, not yet started. A word is split at blanks.
    pub fn command(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mindlab"));
        command
            .args(words.split_whitespace())
            .current_dir(self.path())
            .env_clear()
            .env("COLUMNS", "100")
            .stdin(Stdio::null());
        command
    }

    pub fn run(&self, words: &str) -> Done {
        done(self.command(words).output().unwrap())
    }

    /// Runs what must succeed, and returns its standard output.
    #[track_caller]
    pub fn ok(&self, words: &str) -> String {
        let done = self.run(words);
        assert_eq!(done.status, 0, "{words}: {}", done.stderr);
        done.stdout
    }

    /// All files below the folder, sorted, with their contents.
    pub fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut files = Vec::new();
        collect(self.path(), &mut files);
        files.sort();
        files
    }
}

fn collect(folder: &Path, files: &mut Vec<(PathBuf, Vec<u8>)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => {
                files.push((path.clone(), Vec::new()));
                collect(&path, files);
            }
            false => files.push((path.clone(), std::fs::read(&path).unwrap())),
        }
    }
}

pub fn done(output: Output) -> Done {
    Done {
        status: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The rows of a CSV as maps from column to field.
pub fn rows(csv: &str) -> Vec<std::collections::BTreeMap<String, String>> {
    csv::Reader::from_reader(csv.as_bytes()).deserialize().map(|row| row.unwrap()).collect()
}
