//! A training as it stands in a file.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::search::Method;
use crate::error::{InputError, check_finite, read_ranged};
use crate::experiment::spec::{OneOrMany, Overrides, Spec, read_toml};
use crate::games::GameId;

/// What is to become as large as can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Objective {
    /// Mind Up!: the mean share of the win.
    WinShare,
    /// Mind Up!: own score minus the mean of the others'. Needs the fewest games.
    ScoreDifference,
    /// The Minds: the share of games won.
    WinRate,
    /// The Minds: the mean number of levels done.
    Levels,
    /// The Minds: the share of all levels begun that are done at once and without a mistake.
    Clean,
}

impl Objective {
    /// Its name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Objective::WinShare => "win-share",
            Objective::ScoreDifference => "score-difference",
            Objective::WinRate => "win-rate",
            Objective::Levels => "levels",
            Objective::Clean => "clean",
        }
    }

    const fn fits(self, game: GameId) -> bool {
        let mind_up = matches!(self, Objective::WinShare | Objective::ScoreDifference);
        matches!(game, GameId::MindUp) == mind_up
    }
}

/// The opponent that is the search itself: the middle that the generation is drawn around.
pub const SELF: &str = "self";

/// A training's file. Unknown keys are refused.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Training {
    /// The name of the strategy that is written, and of the folder of results.
    pub name: String,
    /// What the strategy does, in one line, for its file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// What the training is for, in prose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// The game.
    pub game: GameId,
    /// The number of players, or several, each of which is learned for apart.
    pub players: OneOrMany,
    /// The seed of all randomness; default 1.
    #[serde(default = "one")]
    pub seed: u64,
    /// The strategy where the search begins: a name, a table with a `base` and what differs from it,
    /// or a table with a `family` and what differs from its defaults.
    pub start: Value,
    /// What is learned: by the parameter's key a table with `sd`, and where wanted `start`, `low`,
    /// `high` and `scale`.
    pub learn: Map<String, Value>,
    /// Who sits in all other seats (Mind Up!): entries, or `self` for the middle of the search.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opponents: Vec<Value>,
    /// What is to become as large as can be.
    pub objective: Objective,
    /// How it is searched for; default `cma-es`.
    #[serde(default)]
    pub method: Method,
    /// The candidates of a generation, 4 to 1,000; default 32.
    #[serde(default = "population")]
    #[schemars(range(min = 4, max = 1_000))]
    pub population: u64,
    /// The best of them, which the search learns from; default half of them for `cma-es`, a quarter for
    /// `cross-entropy`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub elite: Option<u64>,
    /// The generations of each restart, 1 to 10,000.
    #[schemars(range(min = 1, max = 10_000))]
    pub generations: u64,
    /// Games of a candidate in a generation, rounded up to whole deals; with several groups or a grid of
    /// rules, of each.
    #[schemars(range(min = 1))]
    pub games: u64,
    /// Independent searches, 1 to 50; default 1.
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 50))]
    pub restarts: u64,
    /// Games of each finalist, from which the best of the restarts are chosen; default 4 times `games`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub selection: Option<u64>,
    /// Games of the chosen one and of the start in the end; default 20 times `games`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub confirmation: Option<u64>,
    /// The most mean seconds a level (the Minds).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.001, max = 1_000_000.0))]
    pub pace: Option<f64>,
    /// The groups of players whose bodies play (the Minds); default the ideal one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<Vec<Value>>,
    /// Options of the rules; of a grid the mean counts.
    #[serde(default)]
    pub rules: Map<String, Value>,
}

fn one() -> u64 {
    1
}

fn population() -> u64 {
    32
}

/// Keys that an experiment has and a training has not.
const EXPERIMENTS: [&str; 3] = ["design", "lineups", "strategies"];

impl Training {
    /// Reads a file, with changes; the files that its rules name are read when it is worked out ([`Job::new`](super::Job::new)).
    ///
    /// # Errors
    /// What can't be read or is no TOML; unknown keys; values that can't be.
    pub fn from_file(path: &Path, overrides: &Overrides) -> Result<Self, InputError> {
        let place = |error: InputError| error.in_file(path.display());
        let value = read_toml(path, overrides)?;
        Self::from_value(value).map_err(place)
    }

    /// Reads a training that is a value already.
    ///
    /// # Errors
    /// As [`Training::from_file`].
    pub fn from_value(value: Value) -> Result<Self, InputError> {
        check_finite(&value)?;
        if let Some(key) = EXPERIMENTS.into_iter().find(|key| value.get(key).is_some()) {
            let what = "this key is for experiments, which `mindlab run` plays; a training has \
                        `learn` instead";
            return Err(InputError::new(key, "", what));
        }
        let training: Training = read_ranged(&value)?;
        training.check()?;
        Ok(training)
    }

    fn check(&self) -> Result<(), InputError> {
        let within = |key: &str, value: u64, low: u64, high: u64| {
            let what = || InputError::new(key, value, format!("this must be from {low} to {high}"));
            if (low..=high).contains(&value) { Ok(()) } else { Err(what()) }
        };
        within("population", self.population, 4, 1_000)?;
        within("generations", self.generations, 1, 10_000)?;
        within("restarts", self.restarts, 1, 50)?;
        within("elite", self.elite() as u64, 1, self.population)?;
        for (key, games) in [
            ("games", Some(self.games)),
            ("selection", self.selection),
            ("confirmation", self.confirmation),
        ] {
            games.map_or(Ok(()), |games| within(key, games, 1, MAX_GAMES))?;
        }
        if !self.objective.fits(self.game) {
            let what = "mind-up has `win-share` and `score-difference`; the-mind and \
                        the-mind-extreme have `win-rate`, `levels` and `clean`";
            return Err(InputError::new("objective", self.objective.name(), what));
        }
        let mind_up = self.game == GameId::MindUp;
        match self.pace {
            Some(pace) if mind_up => {
                return Err(InputError::new(
                    "pace",
                    pace,
                    "mind-up has no time; only the-mind and the-mind-extreme have a pace",
                ));
            }
            Some(pace) if !(0.001..=1e6).contains(&pace) => {
                let what = "this must be from 0.001 to 1000000 seconds for each level";
                return Err(InputError::new("pace", pace, what));
            }
            _ => {}
        }
        match (mind_up, self.opponents.is_empty()) {
            (true, true) => {
                let what = "this must say who sits in the other seats: names or tables of \
                            strategies, or \"self\"";
                Err(InputError::new("opponents", "", what))
            }
            (false, false) => {
                let what = "in this game the whole team plays the same strategy; remove this key";
                Err(InputError::new("opponents", "", what))
            }
            _ => Ok(()),
        }
    }

    /// The number of points that the search learns from.
    pub fn elite(&self) -> usize {
        let part = match self.method {
            Method::CmaEs => self.population / 2,
            Method::CrossEntropy => self.population / 4,
        };
        self.elite.unwrap_or(part) as usize
    }

    /// Games of each finalist of a restart.
    pub fn selection_games(&self) -> u64 {
        self.selection.unwrap_or(4 * self.games)
    }

    /// Games of the chosen one.
    pub fn confirmation_games(&self) -> u64 {
        self.confirmation.unwrap_or(20 * self.games)
    }

    /// The experiment that has the training's cells, with nobody of note in its seats; `folder` is where
    /// files that the rules name are looked for.
    ///
    /// # Errors
    /// Rules, groups, numbers of players or a name that can't be served.
    pub(super) fn experiment(&self, folder: &Path) -> Result<Spec, InputError> {
        let mut value = serde_json::json!({
            "name": self.name, "game": self.game, "players": self.players, "games": self.games,
            "seed": self.seed, "strategies": ["random"], "design": "self-play",
            "rules": self.rules,
        });
        if let (Some(groups), Some(table)) = (&self.groups, value.as_object_mut()) {
            table.insert("groups".to_owned(), groups.clone().into());
        }
        Spec::from_value(value, folder, &Overrides::default())
    }
}

/// As many as an experiment may have, over what the defaults multiply by.
const MAX_GAMES: u64 = 10_000_000_000;
