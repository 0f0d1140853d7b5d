//! Progress on standard error: a bar on a terminal, a plain line now and then elsewhere.

use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::terminal::thousands;
use crate::experiment::run::Monitor;
use crate::safe::safe;

/// How often the bar is drawn anew.
const BAR: Duration = Duration::from_millis(100);
/// How often a plain line is written.
const LINE: Duration = Duration::from_secs(10);

/// Work that is under way.
trait Work: Sync {
    /// How much of it is done.
    fn done(&self) -> u64;
    /// Whether it is asked to end early.
    fn stopping(&self) -> bool;
    /// What is said behind the numbers.
    fn message(&self) -> String;
    /// An amount in its unit.
    fn amount(&self, amount: u64) -> String;
    /// What is counted.
    fn unit(&self) -> &'static str;
    /// The bar, as indicatif's templates have it.
    fn template(&self) -> &'static str;
}

/// Does some work while the monitor's games are shown, out of `total`; `quiet` shows nothing.
pub fn watch<T>(
    name: &str,
    total: u64,
    quiet: bool,
    monitor: &Monitor,
    work: impl FnOnce() -> T,
) -> T {
    match quiet {
        true => work(),
        false => beside(name, total, monitor, work),
    }
}

/// Reads a file of a known size while it is shown how much of it was read; where the size is not
/// known (a pipe, say), or what is found goes to the terminal, the work shows how far it is itself.
pub fn reading<T>(
    name: &str,
    size: Option<u64>,
    input: Box<dyn BufRead>,
    work: impl FnOnce(Box<dyn BufRead + '_>) -> T,
) -> T {
    match size {
        Some(size) if !io::stdout().is_terminal() => {
            let read = AtomicU64::new(0);
            beside(name, size, &read, || work(Box::new(Counted { input, read: &read })))
        }
        _ => work(input),
    }
}

/// Does some work while a thread shows how far it is.
fn beside<T>(name: &str, total: u64, shown: &dyn Work, work: impl FnOnce() -> T) -> T {
    let finished = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let shower = scope.spawn(|| match io::stderr().is_terminal() {
            true => bar(name, total, shown, &finished),
            false => lines(name, total, shown, &finished),
        });
        let result = work();
        finished.store(true, Ordering::Relaxed);
        shower.thread().unpark();
        result
    })
}

fn bar(name: &str, total: u64, work: &dyn Work, finished: &AtomicBool) {
    let bar = ProgressBar::new(total);
    if let Ok(style) = ProgressStyle::with_template(work.template()) {
        bar.set_style(style);
    }
    bar.set_prefix(safe(name).into_owned());
    while !finished.load(Ordering::Relaxed) {
        bar.set_position(work.done());
        bar.set_message(work.message());
        std::thread::park_timeout(BAR);
    }
    bar.finish_and_clear();
}

fn lines(name: &str, total: u64, work: &dyn Work, finished: &AtomicBool) {
    let start = Instant::now();
    let (mut shown, mut stopped) = (start, false);
    while !finished.load(Ordering::Relaxed) {
        std::thread::park_timeout(BAR);
        let stopping = work.stopping() && !stopped;
        stopped |= stopping;
        if shown.elapsed() < LINE && !stopping {
            continue;
        }
        shown = Instant::now();
        // Progress is a courtesy: where nobody can be told, the work goes on.
        let line = line(name, total, work, start.elapsed().as_secs_f64());
        let _ = writeln!(io::stderr(), "{}", safe(&line));
    }
}

/// How far the work is after so many seconds.
fn line(name: &str, total: u64, work: &dyn Work, seconds: f64) -> String {
    let done = work.done();
    let rate = done as f64 / seconds;
    let left = match done {
        0 => "time left unknown".to_owned(),
        _ => format!("{:.0} s left", (total.saturating_sub(done)) as f64 / rate),
    };
    let [done, all, rate] = [done, total, rate as u64].map(|amount| work.amount(amount));
    format!("{name}: {done} of {all} {}, {rate}/s, {left}{}", work.unit(), work.message())
}

impl Work for Monitor {
    fn done(&self) -> u64 {
        self.games.load(Ordering::Relaxed)
    }

    fn stopping(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// `; so far: greedy 0.412`, or nothing.
    fn message(&self) -> String {
        if self.stopping() {
            let what = "; stopping after the blocks being played, a second signal ends at once";
            return what.to_owned();
        }
        let leader = self.leader.lock().unwrap_or_else(PoisonError::into_inner);
        if leader.is_empty() { String::new() } else { format!("; so far: {}", safe(&leader)) }
    }

    fn amount(&self, games: u64) -> String {
        thousands(&games.to_string())
    }

    fn unit(&self) -> &'static str {
        "games"
    }

    fn template(&self) -> &'static str {
        "{prefix} {wide_bar} {human_pos}/{human_len} games, {per_sec}, {eta} left {msg}"
    }
}

/// The bytes of a file that were read.
impl Work for AtomicU64 {
    fn done(&self) -> u64 {
        self.load(Ordering::Relaxed)
    }

    fn stopping(&self) -> bool {
        false
    }

    fn message(&self) -> String {
        String::new()
    }

    fn amount(&self, bytes: u64) -> String {
        format!("{:.1}", bytes as f64 / 1e6)
    }

    fn unit(&self) -> &'static str {
        "MB"
    }

    fn template(&self) -> &'static str {
        "{prefix} {wide_bar} {decimal_bytes}/{decimal_total_bytes}, {eta} left"
    }
}

/// Counts what is read of a file.
struct Counted<'a> {
    input: Box<dyn BufRead>,
    read: &'a AtomicU64,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

impl BufRead for Counted<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        self.input.consume(count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_of_a_file_is_counted_and_told() {
        let read = AtomicU64::new(0);
        let text = "one\n".repeat(500_000);
        let input = Box::new(io::Cursor::new(text.clone().into_bytes()));
        let mut counted = Counted { input, read: &read };
        let mut one = String::new();
        counted.read_line(&mut one).unwrap();
        assert_eq!((one.as_str(), read.done()), ("one\n", 4));
        io::copy(&mut counted.by_ref().take(499_996), &mut io::sink()).unwrap();
        let told = line("x.jsonl", text.len() as u64, &read, 2.0);
        assert_eq!(told, "x.jsonl: 0.5 of 2.0 MB, 0.2/s, 6 s left");
    }

    #[test]
    fn a_run_tells_its_games_and_who_leads() {
        let monitor = Monitor::default();
        assert_eq!(line("x", 2_000, &monitor, 1.0), "x: 0 of 2,000 games, 0/s, time left unknown");
        monitor.games.store(1_500, Ordering::Relaxed);
        *monitor.leader.lock().unwrap() = "greedy 0.412".to_owned();
        let told = line("x", 2_000, &monitor, 1.0);
        assert_eq!(told, "x: 1,500 of 2,000 games, 1,500/s, 0 s left; so far: greedy 0.412");
    }
}
