//! Ctrl-C, SIGTERM and SIGHUP: the run ends after the blocks that are being played; a second one
//! ends it at once.

use std::io;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// The signals that were seen.
pub(super) struct Signals {
    seen: Arc<AtomicUsize>,
}

impl Signals {
    /// From now on a signal sets `stop`.
    pub(super) fn watch(stop: &Arc<AtomicBool>) -> io::Result<Self> {
        let seen = Arc::new(AtomicUsize::new(0));
        for signal in [SIGINT, SIGTERM].into_iter().chain(hangup()) {
            // Handlers run in this order: the second signal finds `stop` set by the first.
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(stop))?;
            flag::register_usize(signal, Arc::clone(&seen), signal as usize)?;
            flag::register(signal, Arc::clone(stop))?;
        }
        Ok(Signals { seen })
    }

    /// 130 after Ctrl-C, 143 after SIGTERM, 129 after SIGHUP.
    pub(super) fn status(&self) -> Option<ExitCode> {
        let signal = self.seen.load(Ordering::Relaxed) as u8;
        (signal > 0).then(|| ExitCode::from(128 + signal))
    }
}

/// The signal of a terminal that is gone, but where it is ignored: `nohup` wants the run to go on.
#[cfg(unix)]
fn hangup() -> Option<i32> {
    let mut known = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: without a new action it only writes what is known of the signal to `known`, which has
    // room for it; zeros are a valid `sigaction`, should it fail. Called once a command.
    let handler = unsafe {
        libc::sigaction(libc::SIGHUP, std::ptr::null(), known.as_mut_ptr());
        known.assume_init().sa_sigaction
    };
    (handler != libc::SIG_IGN).then_some(libc::SIGHUP)
}

#[cfg(not(unix))]
fn hangup() -> Option<i32> {
    None
}
