//! A lock on a folder of results while they are made, so that no second run makes them too.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::place::Aside;
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

/// What was found where a folder was to be filled.
#[derive(Debug)]
pub enum Found<T> {
    /// It is filled already.
    Filled(T),
    /// It may be filled, and nobody else does meanwhile.
    Free(Lock),
}

impl Lock {
    /// Takes the lock of a folder, unless `look` finds it filled. It is looked at twice: before, so that
    /// nothing is written where nothing is to be done, and under the lock, since who had it until now
    /// may have filled it.
    ///
    /// # Errors
    /// As [`Lock::take`], and those of `look`.
    pub fn take_unless<T>(
        folder: &Path,
        mut look: impl FnMut() -> Result<Option<T>, InputError>,
    ) -> Result<Found<T>, InputError> {
        if let Some(found) = look()? {
            return Ok(Found::Filled(found));
        }
        let lock = Lock::take(folder)?;
        Ok(look()?.map_or(Found::Free(lock), Found::Filled))
    }

    /// Takes the lock of a folder, which need not be there yet.
    ///
    /// # Errors
    /// Where another process has it, or the disk refuses.
    pub fn take(folder: &Path) -> Result<Lock, InputError> {
        Self::beside(
            folder,
            "another mindlab is making these results; wait until it ends",
            |what| {
                let what = format!("{what}; use `--out DIR` to choose another folder");
                InputError::new("--out", folder.display(), what)
            },
        )
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
        let Aside { parent, prefix, .. } = Aside::of(what);
        let path = parent.join(prefix + "lock");
        let folders = parent.ancestors().filter(|folder| !folder.as_os_str().is_empty());
        let made: Vec<PathBuf> =
            folders.take_while(|folder| !folder.exists()).map(Path::to_owned).collect();
        for left in (0..TRIES).rev() {
            let folder = fs::create_dir_all(&parent);
            folder.map_err(|error| refuse(&format!("mindlab can't make its folder: {error}")))?;
            let file = match File::options().create(true).truncate(false).write(true).open(&path) {
                Ok(file) => file,
                // Who made the folder for a lock of its own has just removed it.
                Err(error) if error.kind() == io::ErrorKind::NotFound && left > 0 => continue,
                Err(error) => {
                    return Err(refuse(&format!("mindlab can't lock this file: {error}")));
                }
            };
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => return Err(refuse(taken)),
                // Where a disk knows no locks, nothing is lost by going on without.
                Ok(()) | Err(TryLockError::Error(_)) => {}
            }
            // Who had it before may have removed the file since it was opened here, and another
            // may have made one anew.
            if is_at(&file, &path) {
                return Ok(Lock { path, made, _file: file });
            }
        }
        Err(refuse(taken))
    }
}

/// Whether an open file is the one at a path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let number = |found: fs::Metadata| (found.dev(), found.ino());
    let (own, there) = (file.metadata().map(number), path.metadata().map(number));
    own.is_ok_and(|own| there.is_ok_and(|there| own == there))
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

impl Drop for Lock {
    fn drop(&mut self) {
        // A file that stays is in nobody's way.
        let _ = fs::remove_file(&self.path);
        // A folder that holds something by now can't be removed, and is not to be.
        self.made.iter().for_each(|folder| drop(fs::remove_dir(folder)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_was_removed_is_no_lock() {
        let desk = tempfile::tempdir().unwrap();
        let path = desk.path().join(".x.lock");
        let removed = File::create(&path).unwrap();
        fs::remove_file(&path).unwrap();
        assert!(!is_at(&removed, &path));
        let there = File::create(&path).unwrap();
        assert!(is_at(&there, &path));
        #[cfg(unix)]
        assert!(!is_at(&removed, &path));
    }

    #[test]
    fn one_folder_has_one_lock_by_whatever_path() {
        let desk = tempfile::tempdir().unwrap();
        fs::create_dir(desk.path().join("a")).unwrap();
        let lock = Lock::take(&desk.path().join("a/x")).unwrap();
        let error = Lock::take(&desk.path().join("a/../a/x")).unwrap_err().to_string();
        assert!(error.contains("another mindlab is making these results"), "{error}");
        drop(lock);
        Lock::take(&desk.path().join("a/../a/x")).unwrap();
        assert_eq!(fs::read_dir(desk.path().join("a")).unwrap().count(), 0);
    }

    #[test]
    fn what_was_filled_until_the_lock_was_taken_is_found() {
        let desk = tempfile::tempdir().unwrap();
        let (folder, mut looks) = (desk.path().join("x"), 0);
        let found = Lock::take_unless(&folder, || {
            looks += 1;
            // The second look is under the lock.
            assert_eq!(Lock::take(&folder).is_err(), looks == 2);
            Ok((looks == 2).then_some("by another"))
        });
        assert!(matches!(found, Ok(Found::Filled("by another"))), "{found:?}");
        assert!(matches!(Lock::take_unless(&folder, || Ok(None::<()>)), Ok(Found::Free(_))));
    }
}
