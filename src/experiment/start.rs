//! Experiments and trainings to start from, with comments: one for each game.

use std::path::Path;

use crate::games::GameId;

/// The name of an experiment that has no file.
pub const NAME: &str = "my-experiment";

/// The text of an experiment for a game. Its name is that of its file, as far as it can be.
pub fn text(game: GameId, file: &Path) -> String {
    let template = match game {
        GameId::MindUp => include_str!("start/mind-up.toml"),
        GameId::TheMind => include_str!("start/the-mind.toml"),
        GameId::TheMindExtreme => include_str!("start/the-mind-extreme.toml"),
    };
    named(template, file)
}

/// The text of a training for a game, named as an experiment is.
pub fn training(game: GameId, file: &Path) -> String {
    let template = match game {
        GameId::MindUp => include_str!("start/train-mind-up.toml"),
        GameId::TheMind | GameId::TheMindExtreme => include_str!("start/train-the-mind.toml"),
    };
    named(&template.replacen("GAME", game.name(), 1), file)
}

fn named(template: &str, file: &Path) -> String {
    let stem = file.file_stem().map(|stem| stem.to_string_lossy());
    // A name names a folder of results, so that it has few characters.
    let letter = |c: char| {
        if c.is_alphanumeric() || "-_.".contains(c) { c } else { '-' }
    };
    let name: String = stem.unwrap_or_default().chars().map(letter).collect();
    let name = name.trim_start_matches('.');
    template.replacen("NAME", if name.is_empty() { NAME } else { name }, 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::plan::Plan;
    use crate::experiment::spec::{Overrides, Spec};
    use crate::strategies::Library;
    use crate::train::{Job, Training};

    #[test]
    fn every_start_is_an_experiment() {
        for game in GameId::ALL {
            for (file, name) in [("a/b c.toml", "b-c"), ("...", "my-experiment"), ("ü.x", "ü")] {
                let text = text(game, Path::new(file));
                let spec = Spec::from_toml(&text, Path::new(""), &Overrides::default()).unwrap();
                assert_eq!((spec.name.as_str(), spec.game), (name, game));
                let plan = Plan::new(&spec, &Library::default()).unwrap();
                assert!(plan.cells.len() > 1);
                let text = training(game, Path::new(file));
                let value = toml::from_str(&text).unwrap();
                let training = Training::from_value(value).unwrap();
                assert_eq!((training.name.as_str(), training.game), (name, game));
                Job::new(training, Path::new(""), &Library::default()).unwrap();
            }
        }
    }
}
