//! A training's state on the disk, whole after each stage.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::driver::State;
use crate::error::InputError;
use crate::output::folder::BEHAVIOUR;

/// The version of the file's format.
const FORMAT: u32 = 2;

/// What is kept.
#[derive(Debug, Serialize, Deserialize)]
struct File<S> {
    format: u32,
    behaviour: u32,
    /// The hash of what the training resolves to.
    hash: String,
    state: S,
}

/// Where the state of a training is kept whose results go to `folder`: beside it, or in it where
/// nothing can stand beside it.
pub fn path(folder: &Path) -> PathBuf {
    crate::output::place::checkpoint(folder)
}

/// Keeps a state in the place of the one before.
///
/// # Errors
/// Where the disk refuses.
pub fn save(path: &Path, hash: &str, state: &State) -> std::io::Result<()> {
    let kept = File { format: FORMAT, behaviour: BEHAVIOUR, hash: hash.to_owned(), state };
    super::file::write(path, &serde_json::to_string(&kept)?)
}

/// The state that was kept; nothing where there is none.
///
/// # Errors
/// A file that can't be read, is none of this version's, or is another training's.
pub fn load(path: &Path, hash: &str) -> Result<Option<State>, InputError> {
    let refuse = |what: String| {
        let what = format!(
            "{what}; use `--force` to start again, or `--out DIR` to choose another folder"
        );
        Err(InputError::new("", "", what).in_file(path.display()))
    };
    let text = match std::fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return refuse(format!("mindlab can't read this file: {error}")),
    };
    match serde_json::from_slice::<File<State>>(&text) {
        Err(error) => refuse(format!("this is not a checkpoint of this version: {error}")),
        Ok(file) if (file.format, file.behaviour) != (FORMAT, BEHAVIOUR) => {
            refuse("this checkpoint comes from a version that behaved differently".to_owned())
        }
        Ok(file) if file.hash != hash => {
            refuse("this checkpoint belongs to another training".to_owned())
        }
        Ok(file) => Ok(Some(file.state)),
    }
}
