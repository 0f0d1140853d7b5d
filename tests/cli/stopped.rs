//! Runs that were stopped: what they leave says that it is incomplete, and how it is completed.

#![cfg(unix)]

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Desk, Done, done};

const RUN: &str = "name = 'x'\nquestion = 'why?'\ngame = 'mind-up'\nplayers = [3, 4]\n\
                   games = 100_000_000\ngames_csv = true\nstrategies = ['random', 'lowest']\n\
                   design = 'ladder'\n";

/// Whether a run has written rows of games.
fn has_begun(desk: &Desk, out: &str) -> bool {
    let (parent, name) = out.rsplit_once('/').unwrap();
    let drafts = std::fs::read_dir(desk.path().join(parent)).into_iter().flatten().flatten();
    let ours = format!(".{name}.");
    let mut drafts = drafts.filter(|entry| entry.file_name().to_string_lossy().starts_with(&ours));
    drafts
        .any(|draft| draft.path().join("games.csv").metadata().is_ok_and(|file| file.len() > 4_096))
}

/// Starts a run, and waits for the rows of its first games.
fn started(desk: &Desk, out: &str, mut command: Command) -> Child {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let clock = Instant::now();
    while !has_begun(desk, out) {
        assert!(clock.elapsed() < Duration::from_secs(120), "no games");
        std::thread::sleep(Duration::from_millis(1));
    }
    child
}

fn send(child: &Child, signal: &str) {
    let pid = child.id().to_string();
    assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
}

/// A command that hears a hangup also where the tests themselves run under nohup.
fn hearing(desk: &Desk, words: &str) -> Command {
    let command = desk.command(words);
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    if ignored.is_none_or(|mask| mask & 1 == 0) {
        return command;
    }
    let mut heard = Command::new("env");
    heard.arg("--default-signal=HUP").arg(command.get_program()).args(command.get_args());
    heard.current_dir(desk.path()).env_clear().stdin(Stdio::null());
    heard
}

fn stopped(desk: &Desk, out: &str, words: &str, signal: &str) -> Done {
    let child = started(desk, out, hearing(desk, words));
    send(&child, signal);
    done(child.wait_with_output().unwrap())
}

#[test]
fn every_table_of_an_incomplete_run_says_so_first() {
    let desk = Desk::new();
    desk.write("x.toml", RUN);
    for (signal, status, more, out) in [
        ("-HUP", 129, "--quiet", "results/x"),
        ("-TERM", 143, "--quiet --out my/own", "my/own"),
        ("-INT", 130, "--out other/x", "other/x"),
    ] {
        let first = stopped(&desk, out, &format!("run x.toml {more}"), signal);
        assert_eq!(first.status, status, "{}", first.stderr);
        let mut tables = vec![first.stdout];
        for words in ["", "--rungs", "--brief"] {
            tables.push(desk.ok(&format!("show {out} {words}")));
        }
        let line = tables[0].lines().next().unwrap().to_owned();
        assert!(line.starts_with("INCOMPLETE: these are "), "{line}");
        assert!(line.contains(" of 1,200,000,000 games (") || line.contains(" games ("), "{line}");
        assert!(tables.iter().all(|table| table.lines().next() == Some(&line)), "{tables:?}");
        let replayed = desk.run(&format!("replay {out} --game 0"));
        assert!(replayed.stderr.contains("INCOMPLETE"), "{}", replayed.stderr);
        // It says what completes it, which is stopped in its turn here.
        let (_, command) = line.split_once("`mindlab ").unwrap();
        let (command, _) = command.split_once('`').unwrap();
        assert_eq!(stopped(&desk, out, command, signal).status, status);
        assert_eq!(desk.run(&format!("run x.toml {more}")).status, 2);
    }
}

#[test]
fn what_completes_a_run_does() {
    let desk = Desk::new();
    desk.write("x.toml", RUN);
    let stopped = stopped(&desk, "results/x", "run x.toml --quiet", "-INT");
    let (_, command) = stopped.stdout.split_once("`mindlab ").unwrap();
    let (command, _) = command.split_once('`').unwrap();
    // A hundred million games take too long for a test: with another number they are other results.
    let other = desk.run(&format!("{command} --games 12"));
    assert_eq!(other.status, 2);
    let whole = desk.ok(&format!("{command} --games 12 --quiet --out results/y"));
    assert!(!whole.contains("INCOMPLETE"), "{whole}");
    assert!(whole.starts_with("x: why?"), "{whole}");
}

#[test]
fn a_run_that_is_to_survive_its_terminal_does() {
    let desk = Desk::new();
    desk.write("x.toml", RUN);
    // As nohup does.
    let script = format!("trap '' HUP; exec {} run x.toml --quiet", env!("CARGO_BIN_EXE_mindlab"));
    let mut command = Command::new("sh");
    command.args(["-c", &script]).current_dir(desk.path()).stdin(Stdio::null());
    let child = started(&desk, "results/x", command);
    send(&child, "-HUP");
    send(&child, "-INT");
    assert_eq!(done(child.wait_with_output().unwrap()).status, 130);
}
