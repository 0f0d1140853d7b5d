//! The file of the strategy that was learned.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::confirm::Learned;
use super::driver::State;
use super::job::{Count, Job, Start};
use super::space::DIGITS;
use super::spec::Training;
use crate::error::InputError;
use crate::experiment::results::Estimate;
use crate::output::folder::BEHAVIOUR;
use crate::strategies::library::{self, Library};

/// Where the strategy is written.
pub fn path(job: &Job) -> PathBuf {
    let folder = library::folder(job.training.game);
    Path::new("strategies").join(folder).join(format!("{}.toml", job.training.name))
}

/// Refuses to write over a strategy that this training did not write, and a name that can't be played.
///
/// # Errors
/// Where there is one (or a shipped one, which the file would hide), unless it may be replaced.
pub fn check(job: &Job, command: &str, library: &Library, replace: bool) -> Result<(), InputError> {
    let Training { name, game, .. } = &job.training;
    if name == crate::human::NAME {
        let what = "a person at the table has this name; give the strategy another name";
        return Err(InputError::new("name", name, what));
    }
    let path = path(job);
    let other = match library.text(*game, name) {
        Ok(Some((file, text))) => (!text.starts_with(&head(job, command))).then_some(file),
        Ok(None) => path.exists().then(|| path.display().to_string()),
        Err(error) => Some(error.file),
    };
    match other.filter(|_| !replace) {
        None => Ok(()),
        Some(file) => {
            let what = format!(
                "{file} exists, and this training did not write it; use `--force` to replace it, \
                 or another `name` to keep it"
            );
            Err(InputError::new("name", name, what))
        }
    }
}

/// An estimate as a person reads it: `0.4312 [0.4290, 0.4334]`.
pub fn told(estimate: &Estimate) -> String {
    match (estimate.mean, estimate.interval) {
        (Some(mean), Some(ends)) => format!("{mean:.4} [{:.4}, {:.4}]", ends.low, ends.high),
        (Some(mean), None) => format!("{mean:.4}"),
        _ => "nothing to tell".to_owned(),
    }
}

/// Writes the file whole, in the place of the one before.
///
/// # Errors
/// Where the disk refuses.
pub fn write(path: &Path, text: &str) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut file = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As any other file: for those whom the umask lets in.
        file.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = file.tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.persist(path)?;
    Ok(())
}

/// What the confirmation says of what was learned, in one line. The gain is that against opponents
/// which the training names: what one takes from its own start says little of others.
pub fn confirmed(job: &Job, count: &Count, learned: &Learned) -> String {
    let head = format!(
        "{} players: {} {}",
        count.players,
        job.training.objective.name(),
        told(&learned.objective)
    );
    if count.opponents.is_empty() && count.self_play {
        let what = "`self` is the only opponent, so that nothing is known of a gain against others";
        return format!("{head} among starts; {what}");
    }
    let against = match count.named() {
        none if none.is_empty() => String::new(),
        some => format!(" against {some}"),
    };
    let own = learned.own.map(|own| format!("; among starts (`self`) {}", told(&own)));
    let seconds = learned.level_seconds.as_ref().map(|seconds| {
        let seconds = seconds.mean.unwrap_or(0.0);
        let pace = job.training.pace.map(|pace| format!(" of {pace} allowed"));
        let slow = if learned.keeps_pace { "" } else { ", too slow" };
        format!(", {seconds:.2} seconds a level{}{slow}", pace.unwrap_or_default())
    });
    let start = learned.slow_start.map(|seconds| {
        format!(" (which took {seconds:.2} seconds a level, too slow for the pace)")
    });
    format!(
        "{head}{against}, gain over the start {}{}{}{}",
        told(&learned.gain),
        start.unwrap_or_default(),
        seconds.unwrap_or_default(),
        own.unwrap_or_default()
    )
}

/// What a file says of its confirmation, without how it was made.
pub fn told_in(text: &str) -> String {
    let told = text.lines().skip(HEAD).map_while(|line| line.strip_prefix("# "));
    told.map(|line| format!("{line}\n")).collect()
}

/// The lines of a file that say how it was made.
const HEAD: usize = 2;

/// The first line, which says how the file was made. `command` is what was asked for.
fn head(job: &Job, command: &str) -> String {
    let (seed, version) = (job.training.seed, env!("CARGO_PKG_VERSION"));
    format!(
        "# Learned by `mindlab train {command}`: seed {seed}, mindlab {version}, behaviour \
         {BEHAVIOUR}.\n"
    )
}

/// The file's text. `command` is what was asked for.
pub fn text(job: &Job, state: &State, command: &str) -> String {
    let training = &job.training;
    let mut text = head(job, command);
    text.push_str(&format!(
        "# Learned numbers have {DIGITS} significant digits; with these, on fresh deals (95 % \
         intervals):\n"
    ));
    for (count, learned) in job.counts.iter().zip(&state.learned) {
        text.push_str(&format!("# {}\n", confirmed(job, count, learned)));
    }
    let Some(first) = job.counts.first() else { return text };
    let summary = training
        .summary
        .clone()
        .unwrap_or_else(|| format!("`{}` with learned parameters", first.start.family));
    let mut file = Map::new();
    file.insert("family".to_owned(), first.start.family.clone().into());
    file.insert("summary".to_owned(), summary.into());
    let learned = serde_json::to_value(job.learned(command)).unwrap_or_default();
    file.insert("learned".to_owned(), learned);
    let Start { mut parameters, mut players } = job.start.clone();
    for (count, learned) in job.counts.iter().zip(&state.learned) {
        let full = count.space.apply(&learned.values, &count.start.parameters);
        let keys = count.space.keys().into_iter();
        let own: Map<String, Value> =
            keys.filter_map(|key| full.get(&key).cloned().map(|value| (key, value))).collect();
        players.entry(count.players).or_default().extend(own);
    }
    // What was learned for one number of players, where nothing else is known, is the best for any.
    if let (true, [only]) = (job.start.players.is_empty(), job.counts.as_slice()) {
        parameters.extend(players.remove(&only.players).unwrap_or_default());
    }
    file.insert("parameters".to_owned(), Value::Object(parameters));
    if !players.is_empty() {
        let players = players.into_iter().map(|(count, own)| (count.to_string(), own.into()));
        file.insert("players".to_owned(), Value::Object(players.collect()));
    }
    // Whatever JSON parameters hold, TOML can.
    text.push_str(&toml::to_string(&Value::Object(file)).unwrap_or_default());
    text
}
