//! A program that runs beside: its lines in and out within a time, its end whatever it does.
//!
//! It has a process group of its own, so that what it starts ends with it and the terminal's Ctrl-C
//! is not its business. Where mindlab itself ends at once (a second signal, SIGKILL), a guard ends
//! the group: a shell that waits for the end of its input, which the system closes then.

use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::wire::shown;

/// The longest line that is read, in bytes.
const LONGEST: usize = 1 << 20;
/// So much of standard error is kept, in bytes.
const TAIL: usize = 4_096;
/// Time to end by itself once its input is closed.
const POLITE: Duration = Duration::from_millis(300);
/// Time to end after SIGTERM.
const TERM: Duration = Duration::from_millis(300);

/// Why there is no line.
#[derive(Debug)]
pub(super) enum Broken {
    /// The time is over.
    Late,
    /// A line longer than any answer; its start.
    Endless(String),
    /// The program has ended, or reads or writes no more.
    Gone(&'static str),
}

/// A running program.
pub(super) struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    guard: Option<Child>,
    /// What was read and is no whole line yet, or not asked for.
    read: Vec<u8>,
    /// The last of what it wrote to standard error.
    said: Vec<u8>,
    ended: Option<ExitStatus>,
}

impl Process {
    /// Starts a program with its arguments.
    ///
    /// # Errors
    /// Where the system refuses.
    pub fn start(command: &[String]) -> io::Result<Process> {
        let (program, arguments) = command
            .split_first()
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "no program is named"))?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let guard = guard(child.id(), command);
        let process = Process {
            child,
            stdin,
            stdout,
            stderr,
            guard,
            read: Vec::new(),
            said: Vec::new(),
            ended: None,
        };
        // Here it is owned already, so that an error ends it.
        if let (Some(stdin), Some(stdout), Some(stderr)) =
            (&process.stdin, &process.stdout, &process.stderr)
        {
            ioctl_fionbio(stdin, true)?;
            ioctl_fionbio(stdout, true)?;
            ioctl_fionbio(stderr, true)?;
        }
        Ok(process)
    }

    /// Writes some lines, then returns the next line read, without its end.
    ///
    /// # Errors
    /// See [`Broken`].
    pub fn exchange(&mut self, lines: &[u8], deadline: Instant) -> Result<Vec<u8>, Broken> {
        let mut left = lines;
        loop {
            if left.is_empty()
                && let Some(end) = self.read.iter().position(|&byte| byte == b'\n')
            {
                let rest = self.read.split_off(end + 1);
                let mut line = std::mem::replace(&mut self.read, rest);
                line.pop();
                return Ok(line);
            }
            let full = self.read.len() >= LONGEST;
            if full && left.is_empty() {
                return Err(Broken::Endless(shown(&self.read)));
            }
            let time = deadline.saturating_duration_since(Instant::now());
            if time.is_zero() {
                return Err(Broken::Late);
            }
            let ready = self.wait(time, !left.is_empty(), !full)?;
            if ready.stderr {
                self.hear_errors();
            }
            if ready.stdin {
                self.write(&mut left)?;
            }
            if ready.stdout {
                self.read()?;
            }
        }
    }

    /// Waits until something can be done.
    fn wait(&self, time: Duration, write: bool, read: bool) -> Result<Ready, Broken> {
        let stdin = self.stdin.as_ref().filter(|_| write).map(|pipe| pipe.as_fd());
        let stdout = self.stdout.as_ref().filter(|_| read).map(|pipe| pipe.as_fd());
        let stderr = self.stderr.as_ref().map(|pipe| pipe.as_fd());
        let mut fds = Vec::with_capacity(3);
        for (fd, flags) in
            [(stdin, PollFlags::OUT), (stdout, PollFlags::IN), (stderr, PollFlags::IN)]
        {
            fds.extend(fd.map(|fd| PollFd::from_borrowed_fd(fd, flags)));
        }
        let time = Timespec { tv_sec: time.as_secs() as i64, tv_nsec: time.subsec_nanos().into() };
        match poll(&mut fds, Some(&time)) {
            // A signal; the caller looks at the time and asks again.
            Ok(_) | Err(Errno::INTR) => {}
            Err(_) => return Err(Broken::Gone("mindlab can't watch its pipes")),
        }
        let mut seen = fds.iter().map(|fd| !fd.revents().is_empty());
        let mut ready = |there: bool| there && seen.next().unwrap_or(false);
        Ok(Ready {
            stdin: ready(stdin.is_some()),
            stdout: ready(stdout.is_some()),
            stderr: ready(stderr.is_some()),
        })
    }

    fn write(&mut self, left: &mut &[u8]) -> Result<(), Broken> {
        let Some(stdin) = &mut self.stdin else { return Ok(()) };
        match stdin.write(left) {
            Ok(count) => *left = &left[count..],
            Err(error) if is_passing(&error) => {}
            Err(_) => return Err(Broken::Gone("it does not read any more")),
        }
        Ok(())
    }

    fn read(&mut self) -> Result<(), Broken> {
        let Some(stdout) = &mut self.stdout else { return Ok(()) };
        let mut bytes = [0; 1 << 14];
        match stdout.read(&mut bytes) {
            Ok(0) => Err(Broken::Gone("it has ended")),
            Ok(count) => {
                self.read.extend_from_slice(&bytes[..count]);
                Ok(())
            }
            Err(error) if is_passing(&error) => Ok(()),
            Err(_) => Err(Broken::Gone("mindlab can't read from it")),
        }
    }

    /// Reads some of standard error; keeps the last of it.
    fn hear_errors(&mut self) {
        let Some(stderr) = &mut self.stderr else { return };
        let mut bytes = [0; 1 << 14];
        match stderr.read(&mut bytes) {
            Ok(0) => self.stderr = None,
            Ok(count) => {
                self.said.extend_from_slice(&bytes[..count]);
                let surplus = self.said.len().saturating_sub(TAIL);
                self.said.drain(..surplus);
            }
            Err(error) if is_passing(&error) => {}
            Err(_) => self.stderr = None,
        }
    }

    /// Ends it, and all that it started and that did not leave its group. Says how it ended and
    /// what it last wrote to standard error; empty where there is nothing to say.
    pub fn end(&mut self) -> String {
        self.stdin = None;
        let by_itself = self.has_ended_within(POLITE);
        self.hear_errors();
        (self.stdout, self.stderr) = (None, None);
        if !by_itself {
            self.signal(Signal::TERM);
            self.has_ended_within(TERM);
        }
        // The program is not waited for yet, so that the group's number can't be another's.
        self.signal(Signal::KILL);
        let status = match self.ended {
            Some(status) => Some(status),
            None => self.child.wait().ok(),
        };
        self.ended = status;
        self.release_guard();
        let last = String::from_utf8_lossy(&self.said);
        let last = last.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
        match (by_itself, status) {
            (true, Some(status)) if last.is_empty() => status.to_string(),
            (true, Some(status)) => format!("{status}; {}", shown(last.as_bytes())),
            _ => shown(last.as_bytes()),
        }
    }

    fn signal(&self, signal: Signal) {
        if self.ended.is_none() {
            // Fails where the whole group has ended.
            let _ = kill_process_group(Pid::from_child(&self.child), signal);
        }
    }

    /// Whether the program ends within a time; it stays a zombie, which keeps its number.
    fn has_ended_within(&self, time: Duration) -> bool {
        let deadline = Instant::now() + time;
        let mut pause = Duration::from_micros(500);
        loop {
            let id = WaitId::Pid(Pid::from_child(&self.child));
            let how = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            if self.ended.is_some() || !matches!(waitid(id, how), Ok(None) | Err(Errno::INTR)) {
                return true;
            }
            if Instant::now() >= deadline {
                return false;
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }

    fn release_guard(&mut self) {
        if let Some(mut guard) = self.guard.take() {
            let released = guard.stdin.take().is_some_and(|mut pipe| pipe.write_all(b"\n").is_ok());
            if !released {
                let _ = guard.kill();
            }
            let _ = guard.wait();
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.ended.is_none() {
            self.end();
        }
    }
}

/// Which pipes have something to do.
struct Ready {
    stdin: bool,
    stdout: bool,
    stderr: bool,
}

/// Whether a pipe is to be tried again.
fn is_passing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}

/// A shell that ends a process group where its input ends without a line; none where there is no
/// shell.
fn guard(group: u32, command: &[String]) -> Option<Child> {
    Command::new("/bin/sh")
        .args(["-c", r#"read -r _ || kill -s KILL -- "-$1""#, "mindlab-guard", &group.to_string()])
        // For who lists processes.
        .args(command)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .ok()
}
