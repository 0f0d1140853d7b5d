//! Progress on standard error: a bar on a terminal, a plain line now and then elsewhere.

use std::io::{IsTerminal, Write};
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::terminal::thousands;
use crate::experiment::run::Monitor;
use crate::safe::safe;

/// How often the bar is drawn anew.
const BAR: Duration = Duration::from_millis(100);
/// How often a plain line is written.
const LINE: Duration = Duration::from_secs(10);

/// Does some work while the monitor's games are shown, out of `total`; `quiet` shows nothing.
pub fn watch<T>(
    name: &str,
    total: u64,
    quiet: bool,
    monitor: &Monitor,
    work: impl FnOnce() -> T,
) -> T {
    if quiet {
        return work();
    }
    let finished = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let shower = scope.spawn(|| match std::io::stderr().is_terminal() {
            true => bar(name, total, monitor, &finished),
            false => lines(name, total, monitor, &finished),
        });
        let result = work();
        finished.store(true, Ordering::Relaxed);
        shower.thread().unpark();
        result
    })
}

fn bar(name: &str, total: u64, monitor: &Monitor, finished: &AtomicBool) {
    let bar = ProgressBar::new(total);
    let template = "{prefix} {wide_bar} {human_pos}/{human_len} games, {per_sec}, {eta} left {msg}";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.set_prefix(safe(name).into_owned());
    while !finished.load(Ordering::Relaxed) {
        bar.set_position(monitor.games.load(Ordering::Relaxed));
        bar.set_message(message(monitor));
        std::thread::park_timeout(BAR);
    }
    bar.finish_and_clear();
}

fn lines(name: &str, total: u64, monitor: &Monitor, finished: &AtomicBool) {
    let start = Instant::now();
    let (mut shown, mut stopped) = (start, false);
    while !finished.load(Ordering::Relaxed) {
        std::thread::park_timeout(BAR);
        let stopping = monitor.stop.load(Ordering::Relaxed) && !stopped;
        stopped |= stopping;
        if shown.elapsed() < LINE && !stopping {
            continue;
        }
        shown = Instant::now();
        let games = monitor.games.load(Ordering::Relaxed);
        let rate = games as f64 / start.elapsed().as_secs_f64();
        let left = match games {
            0 => "time left unknown".to_owned(),
            _ => format!("{:.0} s left", (total.saturating_sub(games)) as f64 / rate),
        };
        // Progress is a courtesy: where nobody can be told, the run goes on.
        let line = format!(
            "{name}: {} of {} games, {rate:.0}/s, {left}{}",
            thousands(&games.to_string()),
            thousands(&total.to_string()),
            message(monitor),
        );
        let _ = writeln!(std::io::stderr(), "{}", safe(&line));
    }
}

/// What is said behind the numbers.
fn message(monitor: &Monitor) -> String {
    match monitor.stop.load(Ordering::Relaxed) {
        true => "; stopping after the blocks being played, a second signal ends at once".to_owned(),
        false => leader(monitor),
    }
}

/// `; so far: greedy 0.412`, or nothing.
fn leader(monitor: &Monitor) -> String {
    let leader = monitor.leader.lock().unwrap_or_else(PoisonError::into_inner);
    if leader.is_empty() { String::new() } else { format!("; so far: {}", safe(&leader)) }
}
