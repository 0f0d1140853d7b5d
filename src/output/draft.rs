//! A folder of results in the making: put into its place as a whole, or kept where that fails.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::Table;
use super::folder::{
    self, At, FolderError, MANIFEST, Manifest, Result, Run, Subject, hashes, save,
};
use super::place::{self, Aside, DRAFT};

/// A folder of results in the making.
#[derive(Debug)]
pub struct Draft {
    folder: PathBuf,
    aside: Aside,
    path: PathBuf,
    /// Why it can't become a whole folder any more.
    failed: Option<FolderError>,
}

impl Draft {
    /// Begins a folder; nothing can be seen of it in its place before [`Draft::finish`]. Whoever
    /// begins one holds its [lock](super::lock::Lock).
    ///
    /// # Errors
    /// Where the disk refuses.
    pub fn begin(folder: &Path) -> Result<Self> {
        let aside = Aside::of(folder);
        fs::create_dir_all(&aside.parent).at(&aside.parent, "this folder can't be made")?;
        remove_drafts(&aside);
        let path = new_folder(&aside).at(&aside.parent, "no folder can be made there")?;
        Ok(Draft { folder: folder.to_owned(), aside, path, failed: None })
    }

    /// Begins a CSV that is written while the games are played.
    ///
    /// # Errors
    /// Where the disk refuses.
    pub fn csv(&self, name: &str, columns: &[String]) -> Result<BufWriter<File>> {
        let path = self.path.join(name);
        let head = Table { columns: columns.to_vec(), rows: Vec::new() };
        let mut file = BufWriter::new(File::create(&path).at(&path, "mindlab can't write this")?);
        let head = head.to_csv().at(&path, "mindlab can't write this table as CSV")?;
        file.write_all(&head).at(&path, "mindlab can't write this")?;
        Ok(file)
    }

    /// Writes a file of the folder; where that fails, [`Draft::finish`] says so.
    pub fn write(&mut self, name: &str, bytes: &[u8]) {
        let saved = save(&self.path.join(name), bytes);
        self.note(saved);
    }

    /// Tells that a file of the folder could not be written; [`Draft::finish`] says so.
    pub fn spoil(&mut self, name: &str, error: io::Error) {
        self.note(Err(error).at(&self.path.join(name), "mindlab can't write this"));
    }

    /// Writes the tables and the manifest, and puts the folder into its place, where it replaces
    /// what was there. So a folder of results is whole or absent.
    ///
    /// # Errors
    /// Where the disk refuses, now or before. What could be written is kept then, and the error says
    /// where.
    pub fn finish(mut self, subject: &Subject, tables: &[(&str, Table)], run: Run) -> Result<()> {
        for (name, table) in tables {
            match table.to_csv().at(Path::new(name), "mindlab can't write this table as CSV") {
                Ok(bytes) => self.write(name, &bytes),
                Err(error) => self.note(Err(error)),
            }
        }
        let placed = match self.failed.take() {
            Some(error) => Err(error),
            None => self.seal(subject, run).and_then(|()| self.place()),
        };
        placed.map_err(|error| self.keep(error))
    }

    /// Remembers the first error.
    fn note(&mut self, result: Result<()>) {
        self.failed = self.failed.take().or(result.err());
    }

    /// Writes the manifest, which has the hashes of all other files.
    fn seal(&self, subject: &Subject, run: Run) -> Result<()> {
        let manifest = Manifest::new(subject, run, hashes(&self.path)?);
        let bytes = serde_json::to_vec_pretty(&manifest)
            .at(&self.folder, "the manifest can't be written as JSON")?;
        save(&self.path.join(MANIFEST), &bytes)
    }

    /// Puts the draft into the folder's place.
    fn place(&mut self) -> Result<()> {
        let there = self.folder.symlink_metadata().is_ok();
        // It was ours or empty when the run began.
        if let Some(foreign) = folder::foreign(&self.folder) {
            let what = "mindlab did not write this and does not touch it".to_owned();
            return Err(FolderError { path: foreign.display().to_string(), what, source: None });
        }
        if !there || !self.aside.inside && !place::is_current(&self.folder) {
            match self.replace(there) {
                // Where a folder can't be moved aside, it may still take files.
                Err(_) if there && self.path.is_dir() && self.folder.is_dir() => {}
                replaced => return replaced,
            }
        }
        self.fill()
    }

    /// The old folder is moved aside first and removed last, so that one of them is always whole on
    /// the disk.
    fn replace(&self, there: bool) -> Result<()> {
        let (folder, old) = (&self.folder, self.path.with_extension("old"));
        if there {
            fs::rename(folder, &old).at(folder, "the old results can't be moved aside")?;
        }
        let moved = fs::rename(&self.path, folder).at(folder, "the results can't be put there");
        if there {
            if moved.is_err() {
                fs::rename(&old, folder).at(folder, "the old results can't be put back")?;
            } else {
                fs::remove_dir_all(&old).at(&old, "the old results can't be removed")?;
            }
        }
        moved
    }

    /// Puts the files into a folder that has to stay where it is, in place of the old results. The manifest goes first and comes last, so that no mixture passes for results.
    fn fill(&mut self) -> Result<()> {
        self.come_near()?;
        let paths = |folder: &Path| -> Result<Vec<PathBuf>> {
            let mut paths = place::entries(folder).at(folder, "mindlab can't read this")?;
            paths.sort_by_key(|path| path.ends_with(MANIFEST));
            Ok(paths)
        };
        for path in paths(&self.folder)?.into_iter().rev() {
            fs::remove_file(&path).at(&path, "the old results can't be removed")?;
        }
        let paths = paths(&self.path)?;
        for path in paths {
            let to = self.folder.join(path.file_name().unwrap_or_default());
            fs::rename(&path, &to).at(&to, "mindlab can't put this file there")?;
        }
        Ok(())
    }

    /// Moves the draft into the folder, or copies it there from another disk, so that nothing is
    /// removed there before its successor is on the same disk.
    fn come_near(&mut self) -> Result<()> {
        if self.path.parent() == Some(&self.folder) {
            return Ok(());
        }
        let near = Aside::within(&self.folder);
        let new = new_folder(&near).at(&self.folder, "nothing can be put there")?;
        // An empty folder gives way.
        if fs::rename(&self.path, &new).is_err() {
            let copied = copy(&self.path, &new).at(&self.folder, "the results can't be put there");
            let left = if copied.is_ok() { &self.path } else { &new };
            let _ = fs::remove_dir_all(left);
            copied?;
        }
        (self.path, self.aside) = (new, near);
        Ok(())
    }

    /// Keeps what was written, under a name that no other run removes.
    fn keep(&mut self, error: FolderError) -> FolderError {
        if !self.path.is_dir() {
            return error;
        }
        let unique = self.path.file_stem().and_then(|name| name.to_str()?.rsplit('.').next());
        let name = format!("kept-{}", unique.unwrap_or_default());
        let own = self.folder.file_name().unwrap_or_default().to_string_lossy();
        let names = [format!("{own}.{name}"), name];
        let names = &names[usize::from(self.aside.inside)..];
        let mut kept = names.iter().map(|name| self.aside.parent.join(name));
        if let Some(kept) = kept.find(|kept| fs::rename(&self.path, kept).is_ok()) {
            self.path = kept;
        }
        let kept = std::mem::take(&mut self.path);
        let what = match kept.join(MANIFEST).is_file() {
            true => format!("{}; the results are kept in {}", error.what, kept.display()),
            false => format!("{}; what could be written is in {}", error.what, kept.display()),
        };
        FolderError { what, ..error }
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // One that was put into its place is not there any more, one that is kept has no path.
        if !self.path.as_os_str().is_empty() {
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

/// Makes a folder for a draft. Like all that is written it is for those whom the umask lets in.
fn new_folder(aside: &Aside) -> io::Result<PathBuf> {
    let mut new = tempfile::Builder::new();
    new.prefix(&aside.prefix).suffix(DRAFT);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        new.permissions(fs::Permissions::from_mode(0o777));
    }
    new.tempdir_in(&aside.parent).map(tempfile::TempDir::keep)
}

/// Copies the files of a folder.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    for path in place::entries(from)? {
        fs::copy(&path, to.join(path.file_name().unwrap_or_default()))?;
    }
    Ok(())
}

/// Removes what runs left that were killed. One that can't be removed is in nobody's way.
fn remove_drafts(aside: &Aside) {
    for entry in fs::read_dir(&aside.parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let middle = name.to_str().and_then(|name| name.strip_prefix(&aside.prefix));
        let middle = middle.and_then(|name| name.strip_suffix(DRAFT));
        // With a dot it is that of a longer name.
        if middle.is_some_and(|middle| !middle.contains('.')) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use serde_json::json;

    use super::*;

    fn finish(folder: &Path, text: &str, change: impl FnOnce(&mut Draft)) -> Result<()> {
        let mut draft = Draft::begin(folder).unwrap();
        draft.write("note.txt", text.as_bytes());
        change(&mut draft);
        let subject = Subject {
            experiment: json!({"name": "x"}),
            resolved: json!({}),
            hash: String::new(),
            seed: 1,
            games: 1,
            programs: Default::default(),
        };
        let (started, took) = (SystemTime::UNIX_EPOCH, Duration::ZERO);
        let run = Run { started, took, games: 1, threads: 1, reproducible: true };
        let table = Table { columns: vec!["a".to_owned()], rows: Vec::new() };
        draft.finish(&subject, &[("table.csv", table)], run)
    }

    /// The names in a folder, sorted.
    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = entries.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    }

    const WHOLE: [&str; 3] = ["manifest.json", "note.txt", "table.csv"];

    #[test]
    fn results_come_whole_and_give_way_to_others() {
        let desk = tempfile::tempdir().unwrap();
        let folder = desk.path().join("a/x");
        for text in ["one", "two"] {
            finish(&folder, text, |_| {}).unwrap();
            assert_eq!(names(&folder), WHOLE);
            assert_eq!(fs::read_to_string(folder.join("note.txt")).unwrap(), text);
        }
        assert_eq!(names(&desk.path().join("a")), ["x"]);
        drop(Draft::begin(&folder).unwrap());
        assert_eq!(names(&desk.path().join("a")), ["x"]);
    }

    #[test]
    fn a_folder_that_has_to_stay_is_filled() {
        let desk = tempfile::tempdir().unwrap();
        let folder = desk.path().join("x");
        fs::create_dir(&folder).unwrap();
        for text in ["one", "two"] {
            finish(&folder, text, |draft| draft.come_near().unwrap()).unwrap();
            assert_eq!(names(&folder), WHOLE);
            assert_eq!(fs::read_to_string(folder.join("note.txt")).unwrap(), text);
        }
    }

    #[test]
    fn what_could_be_written_is_kept_and_named() {
        let desk = tempfile::tempdir().unwrap();
        let folder = desk.path().join("x");
        let full = || io::Error::from(io::ErrorKind::StorageFull);
        let error = finish(&folder, "one", |draft| draft.spoil("games.csv", full())).unwrap_err();
        let text = error.to_string();
        assert!(
            text.contains("games.csv: mindlab can't write this; what could be written is in"),
            "{text}"
        );
        let [kept] = names(desk.path()).try_into().unwrap();
        assert!(kept.starts_with("x.kept-") && text.ends_with(&kept), "{kept}: {text}");
        // Without a manifest nobody takes it for results.
        assert_eq!(names(&desk.path().join(&kept)), ["note.txt", "table.csv"]);
        // The next run has another draft.
        finish(&folder, "two", |_| {}).unwrap();
        assert_eq!(names(desk.path()), ["x".to_owned(), kept]);
    }

    #[test]
    fn what_came_into_the_folder_meanwhile_is_left() {
        let desk = tempfile::tempdir().unwrap();
        let folder = desk.path().join("x");
        finish(&folder, "one", |_| {}).unwrap();
        let mine = folder.join("mine.md");
        let error = finish(&folder, "two", |_| fs::write(&mine, "mine").unwrap()).unwrap_err();
        let text = error.to_string();
        assert!(
            text.contains("mine.md: mindlab did not write this")
                && text.contains("the results are kept in")
        );
        assert_eq!(fs::read_to_string(&mine).unwrap(), "mine");
        assert_eq!(fs::read_to_string(folder.join("note.txt")).unwrap(), "one");
        let kept = names(desk.path()).into_iter().find(|name| name.starts_with("x.kept-")).unwrap();
        assert_eq!(names(&desk.path().join(kept)), WHOLE);
    }
}
