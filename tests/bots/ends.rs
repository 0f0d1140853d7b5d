//! However mindlab ends, its bots end too.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Desk, bot, entry, experiment, python};

/// A bot that ignores SIGTERM and the end of its input, has a child that does too, and hangs.
const STUBBORN: &str = "\
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if os.fork() == 0: time.sleep(1000)
open(os.path.join(os.path.dirname(sys.argv[0]), 'hangs'), 'w').close()
time.sleep(1000)";

/// A run in which the bot hangs already.
fn hanging(desk: &Desk, timeout: &str) -> Child {
    let file = desk.write("bot.py", &bot(STUBBORN));
    let mine = entry(&file, &format!(", timeout = {timeout}"));
    desk.write("x.toml", &experiment("mind-up", &[&mine, "'lowest'", "'lowest'"], 1_000, ""));
    let child = desk
        .command(&["run", "x.toml", "--threads", "2", "--quiet"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    while !desk.path().join("hangs").exists() {
        assert!(Instant::now() < deadline, "the bot was never asked");
        std::thread::sleep(Duration::from_millis(10));
    }
    child
}

fn kill(signal: &str, child: &Child) {
    let killed = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(killed.unwrap().success());
}

#[test]
fn a_signal_ends_the_run_and_its_bots() {
    if !python() {
        return;
    }
    for (signal, status) in [("-INT", 130), ("-TERM", 143)] {
        let desk = Desk::new();
        let mut child = hanging(&desk, "1.0");
        kill(signal, &child);
        assert_eq!(child.wait().unwrap().code(), Some(status));
        desk.nothing_stays();
    }
}

#[test]
fn an_end_at_once_leaves_no_bot() {
    if !python() {
        return;
    }
    // A second signal ends mindlab without a word; SIGKILL at the first.
    for signals in [&["-INT", "-INT"][..], &["-TERM", "-TERM"], &["-KILL"]] {
        let desk = Desk::new();
        let mut child = hanging(&desk, "3000");
        assert!(!desk.processes().is_empty());
        for signal in signals {
            kill(signal, &child);
            std::thread::sleep(Duration::from_millis(200));
        }
        assert!(!child.wait().unwrap().success());
        desk.nothing_stays();
    }
}
