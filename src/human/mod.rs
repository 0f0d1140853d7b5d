//! A person at the terminal, in one seat of a game or in several.
//!
//! A person sees what a bot's view has and nothing else, and is no family of strategies: an
//! experiment can't be waited for.

mod mind_up;
mod the_mind;

use std::io::{self, BufRead, Read, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::error::PlayError;
use crate::experiment::replay;
use crate::games;
use crate::safe::safe;

/// The name of a person's seat among strategies.
pub const NAME: &str = "human";

/// The longest answer that is read, in bytes.
const LONGEST: u64 = 4_096;

/// Where a person reads and writes.
struct Terminal {
    input: Box<dyn BufRead + Send>,
    output: Box<dyn Write + Send>,
    left: bool,
}

/// The terminal that all persons of a game share.
#[derive(Clone)]
pub struct Console(Arc<Mutex<Terminal>>);

impl Console {
    /// A console on any input and output.
    pub fn new(
        input: impl BufRead + Send + 'static,
        output: impl Write + Send + 'static,
    ) -> Console {
        Console(Arc::new(Mutex::new(Terminal {
            input: Box::new(input),
            output: Box::new(output),
            left: false,
        })))
    }

    /// Whether a person has left the game.
    pub fn left(&self) -> bool {
        self.terminal().left
    }

    fn terminal(&self) -> MutexGuard<'_, Terminal> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes; where nobody reads it, the game goes on to the next question, which has no answer.
    fn say(&self, text: &str) {
        let mut terminal = self.terminal();
        let written = terminal.output.write_all(safe(text).as_bytes());
        if written.and_then(|()| terminal.output.flush()).is_err() {
            terminal.left = true;
        }
    }

    /// Asks until `answer` makes something of a line; its error says what would do. `?` shows the
    /// help.
    ///
    /// # Errors
    /// Where the person leaves: by `q`, or by the end of the input.
    fn ask<T>(
        &self,
        prompt: &str,
        help: &str,
        answer: impl Fn(&str) -> Result<T, String>,
    ) -> Result<T, PlayError> {
        loop {
            self.say(prompt);
            let line = self.terminal().line();
            match line.as_deref().map(str::trim) {
                None | Some("q" | "quit") => {
                    self.terminal().left = true;
                    self.say("\n");
                    return Err(PlayError {
                        strategy: NAME.to_owned(),
                        at: None,
                        message: "left the game".to_owned(),
                    });
                }
                Some("?" | "help") => self.say(help),
                Some(line) => match answer(line) {
                    Ok(answer) => return Ok(answer),
                    Err(message) => self.say(&format!("{message} (? for help)\n")),
                },
            }
        }
    }
}

impl Terminal {
    /// A line without its end; none where there is no more, or nobody to answer.
    fn line(&mut self) -> Option<String> {
        if self.left {
            return None;
        }
        let mut line = Vec::new();
        loop {
            match (&mut self.input).take(LONGEST).read_until(b'\n', &mut line) {
                Ok(0) => return None,
                Ok(_) => return Some(String::from_utf8_lossy(&line).into_owned()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return None,
            }
        }
    }
}

/// The persons of a game.
#[derive(Clone)]
pub struct Guests {
    console: Console,
    seats: Vec<usize>,
}

impl Guests {
    /// Persons in these seats, at one console.
    pub fn new(console: Console, seats: Vec<usize>) -> Guests {
        Guests { console, seats }
    }
}

impl replay::Guests for Guests {
    fn name(&self, seat: usize) -> Option<&str> {
        self.seats.contains(&seat).then_some(NAME)
    }

    fn left(&self) -> bool {
        self.console.left()
    }

    fn mind_up(&self, names: &[String]) -> Box<dyn games::mind_up::player::Player> {
        Box::new(mind_up::Human::new(self.console.clone(), names))
    }

    fn watch_mind_up<'a>(
        &self,
        rules: &'a games::mind_up::Rules,
        names: &[String],
    ) -> Box<dyn games::mind_up::Observer + 'a> {
        Box::new(mind_up::Watcher::new(self.console.clone(), rules, names))
    }

    fn the_mind(&self, _: &[String]) -> Box<dyn games::the_mind::player::Player> {
        Box::new(the_mind::Human::new(self.console.clone()))
    }

    fn watch_the_mind<'a>(
        &self,
        rules: &'a games::the_mind::rules::Rules,
        names: &[String],
    ) -> Box<dyn games::the_mind::block::Observer + 'a> {
        Box::new(the_mind::Watcher::new(self.console.clone(), rules, names))
    }
}
