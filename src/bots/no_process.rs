//! Stands in for `process` where there are no process groups: no bot can be started.

use std::io;
use std::time::Instant;

/// Why there is no line.
#[allow(dead_code)]
pub(super) enum Broken {
    Late,
    Endless(String),
    Gone(&'static str),
}

/// A running program; there is none.
pub(super) enum Process {}

impl Process {
    pub fn start(_: &[String]) -> io::Result<Process> {
        let what = "bots need process groups, and this system does not have them";
        Err(io::Error::new(io::ErrorKind::Unsupported, what))
    }

    pub fn exchange(&mut self, _: &[u8], _: Instant) -> Result<Vec<u8>, Broken> {
        match *self {}
    }

    pub fn end(&mut self) -> String {
        match *self {}
    }
}
