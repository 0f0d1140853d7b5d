//! A lock on a folder of results while they are made, so that no second run makes them too.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::folder::hidden;
use crate::error::InputError;

/// Others may take a lock away while it is taken, so often at most.
const TRIES: u32 = 1_000;

/// Held while a folder's results are made. The system lets go of it where the process ends.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    /// Folders that were made for it, the innermost first.
    made: Vec<PathBuf>,
    _file: File,
}

impl Lock {
    /// Takes the lock of a folder, which need not be there yet.
    ///
    /// # Errors
    /// Where another process has it, or the disk refuses.
    pub fn take(folder: &Path) -> Result<Lock, InputError> {
        Self::beside(folder, "another mindlab is making these results; wait for it", |what| {
            let what = format!("{what}; `--out DIR` goes elsewhere");
            InputError::new("--out", folder.display(), what)
        })
    }

    /// Takes the lock of a file or folder, which need not be there yet. `taken` says that another
    /// process has it; `refuse` makes an error of what is wrong.
    ///
    /// # Errors
    /// As [`Lock::take`].
    pub fn beside(
        what: &Path,
        taken: &str,
        refuse: impl Fn(&str) -> InputError,
    ) -> Result<Lock, InputError> {
        // Beside it, since it is put into its place as a whole.
        let path = what.with_file_name(hidden(what) + "lock");
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let folders = parent.into_iter().flat_map(Path::ancestors);
        let folders = folders.filter(|folder| !folder.as_os_str().is_empty());
        let made: Vec<PathBuf> =
            folders.take_while(|folder| !folder.exists()).map(Path::to_owned).collect();
        for left in (0..TRIES).rev() {
            let folder = parent.map_or(Ok(()), fs::create_dir_all);
            folder.map_err(|error| refuse(&format!("its folder can't be made: {error}")))?;
            let file = match File::options().create(true).truncate(false).write(true).open(&path) {
                Ok(file) => file,
                // Who made the folder for a lock of its own has just removed it.
                Err(error) if error.kind() == io::ErrorKind::NotFound && left > 0 => continue,
                Err(error) => return Err(refuse(&format!("can't be locked: {error}"))),
            };
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => return Err(refuse(taken)),
                // Where a disk knows no locks, nothing is lost by going on without.
                Ok(()) | Err(TryLockError::Error(_)) => {}
            }
            // Who had it before may have removed the file since it was opened here.
            if path.exists() {
                return Ok(Lock { path, made, _file: file });
            }
        }
        Err(refuse(taken))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // A file that stays is in nobody's way.
        let _ = fs::remove_file(&self.path);
        // A folder that holds something by now can't be removed, and is not to be.
        self.made.iter().for_each(|folder| drop(fs::remove_dir(folder)));
    }
}
