//! Where results go: which folder a path leads to, and what stands there while they are made.

use std::env;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// How the names begin of what is kept in a folder of results itself while they are made.
const INSIDE: &str = ".mindlab.";

/// How the name ends of what a training keeps.
const CHECKPOINT: &str = "checkpoint.json";

/// How the name of a draft ends.
pub(super) const DRAFT: &str = ".draft";

/// The path without links and dots, whether or not something stands there: two paths lead to one
/// folder where this is the same.
pub fn real(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut real = PathBuf::new();
    for part in absolute.components() {
        match part {
            Component::ParentDir => {
                real.pop();
            }
            part => real.push(part),
        }
        // A link is followed before the next `..` goes up.
        real = real.canonicalize().unwrap_or(real);
    }
    real
}

/// The folder that results are to be in, as it was asked for where it has a name: behind a link and
/// behind `.` or `..` stands another.
pub fn folder(asked: &Path) -> PathBuf {
    let (link, dots) = (asked.is_symlink(), asked.file_name().is_none());
    // A link that leads nowhere is refused under its own name.
    match dots || link && asked.exists() {
        true => real(asked),
        false => asked.to_owned(),
    }
}

/// Where a folder's lock and drafts stand: beside it, since it is replaced as a whole. In it where
/// it can't be: a disk begins there, or nothing can be written beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Aside {
    /// The folder that they stand in.
    pub(super) parent: PathBuf,
    /// How their names begin.
    pub(super) prefix: String,
    /// Whether that is the folder of results itself.
    pub(super) inside: bool,
}

impl Aside {
    /// Looks at the disk and writes nothing.
    pub(super) fn of(folder: &Path) -> Aside {
        let beside = parent(folder);
        if folder.is_dir() && (begins_disk(folder) || !is_writable(beside)) {
            return Aside::within(folder);
        }
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        Aside { parent: beside.to_owned(), prefix: format!(".{name}."), inside: false }
    }

    /// That of a folder which has them in it.
    pub(super) fn within(folder: &Path) -> Aside {
        Aside { parent: folder.to_owned(), prefix: INSIDE.to_owned(), inside: true }
    }
}

/// Where what a training has found so far is kept until its results are there.
pub fn checkpoint(folder: &Path) -> PathBuf {
    match Aside::of(folder).inside {
        true => folder.join(format!("{INSIDE}{CHECKPOINT}")),
        // Where it can be seen.
        false => {
            let mut name = folder.file_name().unwrap_or_default().to_owned();
            name.push(format!(".{CHECKPOINT}"));
            folder.with_file_name(name)
        }
    }
}

/// What stands in a folder of results, but for what is there while they are made.
///
/// # Errors
/// Where it can't be read or is no folder.
pub(super) fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let own = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let rest = name.strip_prefix(INSIDE).unwrap_or_default();
        rest == "lock" || rest == CHECKPOINT || rest.ends_with(DRAFT)
    };
    let paths = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = paths.collect::<io::Result<Vec<_>>>()?;
    paths.retain(|path| !own(path));
    Ok(paths)
}

/// Whether results can be put there as into a new folder: there is none, or it has nothing in it.
pub fn is_free(folder: &Path) -> bool {
    folder.symlink_metadata().is_err() || entries(folder).is_ok_and(|found| found.is_empty())
}

/// The folder that a path stands in.
pub(super) fn parent(path: &Path) -> &Path {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}

/// Whether this is the folder that the command was started in: the shell is still in it, and would
/// be left in one that is gone.
pub(super) fn is_current(folder: &Path) -> bool {
    let current = env::current_dir().and_then(|current| current.canonicalize());
    current.is_ok_and(|current| folder.canonicalize().is_ok_and(|folder| folder == current))
}

/// Whether another disk than that of its parent begins at a folder.
#[cfg(unix)]
fn begins_disk(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let place = |path: PathBuf| path.metadata().map(|found| (found.dev(), found.ino()));
    match (place(folder.to_owned()), place(folder.join(".."))) {
        // The root is its own parent.
        (Ok(own), Ok(above)) => own.0 != above.0 || own == above,
        _ => false,
    }
}

#[cfg(not(unix))]
fn begins_disk(folder: &Path) -> bool {
    real(folder).parent().is_none()
}

/// Whether files can be made in a folder, as far as can be seen without making one.
#[cfg(unix)]
fn is_writable(folder: &Path) -> bool {
    rustix::fs::access(folder, rustix::fs::Access::WRITE_OK).is_ok()
}

#[cfg(not(unix))]
fn is_writable(folder: &Path) -> bool {
    folder.exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_to_one_folder_are_one() {
        let desk = tempfile::tempdir().unwrap();
        let at = |path: &str| real(&desk.path().join(path));
        fs::create_dir_all(desk.path().join("a/b")).unwrap();
        for path in ["a/x", "./a/./x", "a/b/../x", "none/../a/x", "a/x/none/.."] {
            assert_eq!(at(path), at("a/x"), "{path}");
        }
        assert_ne!(at("a/X"), at("a/x"));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("a/b", desk.path().join("link")).unwrap();
            assert_eq!(at("link/../x"), at("a/x"));
            assert_eq!(at("link"), at("a/b"));
            assert_eq!(folder(&desk.path().join("link")), at("a/b"));
        }
        assert_eq!(folder(Path::new("a/x")), Path::new("a/x"));
        assert_eq!(folder(Path::new(".")), env::current_dir().unwrap().canonicalize().unwrap());
        assert!(is_current(Path::new(".")) && !is_current(Path::new("..")));
    }

    #[test]
    fn what_is_there_under_way_is_no_result() {
        let desk = tempfile::tempdir().unwrap();
        for name in [".mindlab.lock", ".mindlab.checkpoint.json", ".mindlab.a1.draft"] {
            fs::write(desk.path().join(name), "").unwrap();
        }
        assert!(is_free(desk.path()) && is_free(&desk.path().join("none")));
        fs::write(desk.path().join(".mindlab.toml"), "").unwrap();
        assert!(!is_free(desk.path()) && !is_free(&desk.path().join(".mindlab.toml")));
    }
}
