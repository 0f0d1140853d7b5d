//! A lock on a folder of results while they are made, so that no second run makes them too.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use super::folder::hidden;
use crate::error::InputError;

/// Held while a folder's results are made. The system lets go of it where the process ends.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    /// Takes the lock of a folder, which need not be there yet.
    ///
    /// # Errors
    /// Where another process has it, or the disk refuses.
    pub fn take(folder: &Path) -> Result<Lock, InputError> {
        let refuse = |what: &str| {
            let what = format!("{what}; `--out DIR` goes elsewhere");
            InputError::new("--out", folder.display(), what)
        };
        // Beside the folder, which is put into its place as a whole.
        let path = folder.with_file_name(hidden(folder) + "lock");
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let made = parent.map_or(Ok(()), fs::create_dir_all);
        made.map_err(|error| refuse(&format!("its folder can't be made: {error}")))?;
        loop {
            let file = File::options().create(true).truncate(false).write(true).open(&path);
            let file = file.map_err(|error| refuse(&format!("can't be locked: {error}")))?;
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => {
                    return Err(refuse("another mindlab is making these results; wait for it"));
                }
                // Where a disk knows no locks, nothing is lost by going on without.
                Ok(()) | Err(TryLockError::Error(_)) => {}
            }
            // Who had it before may have removed the file since it was opened here.
            if path.exists() {
                return Ok(Lock { path, _file: file });
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // A file that stays is in nobody's way.
        let _ = fs::remove_file(&self.path);
    }
}
