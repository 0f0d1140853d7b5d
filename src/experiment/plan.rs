//! What an experiment plays: cells, line-ups, deals, and a number for every game.

use serde::Serialize;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::lineups::{self, Lineup};
use super::spec::{Design, Spec};
use super::tally::{Layout, batches_for};
use super::{ground, words};
use crate::error::{ErrorKind, InputError, read_ranged};
use crate::games::the_mind::body::Body;
use crate::games::the_mind::groups::{self, Group};
use crate::games::the_mind::setup::Setup;
use crate::games::{GameId, mind_up, the_mind};
use crate::rng::{GameKey, deal_key};
use crate::strategies::StrategySpec;
use crate::strategies::library::{GridPoint, Library, bare, grid};

/// Options of rules whose value is a list; a grid over them is a list of lists.
pub const LIST_OPTIONS: &[&str] = &["objective_pool", "objective_cards", "scoring_values"];

/// The rules of a cell.
#[derive(Debug, Clone, PartialEq)]
pub enum GameRules {
    /// Mind Up!.
    MindUp(Box<mind_up::Rules>),
    /// The Mind or The Mind Extreme.
    TheMind(Box<the_mind::rules::Rules>),
}

/// A combination of players, rules and group.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// Its number, from 0.
    pub index: usize,
    /// The number of players.
    pub players: usize,
    /// The rules.
    pub rules: GameRules,
    /// The options as they were given, a single value each.
    pub options: Map<String, Value>,
    /// What the grid of rules varies, as results tell it.
    pub varied: Vec<(String, Value)>,
    /// The names that the file gives to options' values, by option.
    pub named: Map<String, Value>,
    /// Whose bodies play (the Minds).
    pub group: Option<Group>,
    /// Its line-ups.
    pub lineups: Vec<Lineup>,
    /// The batches of deals that its sums are kept by, a power of two.
    pub batches: usize,
}

/// Everything that an experiment plays.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The game.
    pub game: GameId,
    /// The seed.
    pub seed: u64,
    /// All strategies, by the numbers that line-ups use.
    pub strategies: Vec<StrategySpec>,
    /// The cells.
    pub cells: Vec<Cell>,
    /// How its line-ups were made, where not in full.
    pub design: Option<Design>,
}

/// Where a game stands in a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The cell's index.
    pub cell: usize,
    /// The line-up's place in its cell.
    pub lineup: usize,
    /// The number of the deal.
    pub deal: u64,
    /// The rotation of the line-up.
    pub rotation: usize,
}

impl Plan {
    /// Works out an experiment.
    ///
    /// # Errors
    /// Whatever in it cannot be served, with its key.
    pub fn new(spec: &Spec, library: &Library) -> Result<Self, InputError> {
        let mut strategies = lineups::strategies(spec, library)?;
        let mut cells = Vec::new();
        let (mut next_lineup, mut next_game) = (0, 0);
        let is_list = |key: &str| LIST_OPTIONS.contains(&key);
        let rules =
            grid(&spec.rules, is_list, words::told).map_err(|error| error.under("rules"))?;
        let groups = groups_of(spec)?;
        for &players in spec.players.values() {
            let players = usize::try_from(players).unwrap_or(usize::MAX);
            for GridPoint { values: options, varied, named } in &rules {
                let rules = GameRules::new(spec.game, players, options)?;
                for group in &groups {
                    let seats = lineups::seats(spec, library, players, &mut strategies)?;
                    let lineups = numbered(seats, spec.games, &mut next_lineup, &mut next_game);
                    cells.push(Cell {
                        index: cells.len(),
                        players,
                        rules: rules.clone(),
                        options: options.clone(),
                        varied: varied.clone(),
                        named: named.clone(),
                        group: group.clone(),
                        lineups,
                        batches: 1,
                    });
                }
            }
        }
        let batches = batches_for(cells.iter().map(|cell| cell.layout().batch_width()).sum());
        cells.iter_mut().for_each(|cell| cell.batches = batches);
        ground::check(&strategies)?;
        Ok(Plan { game: spec.game, seed: spec.seed, design: spec.design, strategies, cells })
    }

    /// All games of the plan.
    pub fn games(&self) -> u64 {
        self.cells.iter().flat_map(|cell| &cell.lineups).map(Lineup::games).sum()
    }

    /// The most players of a cell.
    pub fn most_players(&self) -> usize {
        self.cells.iter().map(|cell| cell.players).max().unwrap_or(0)
    }

    /// The key of a game: what a run plays and what is played alone later are the same by it.
    pub fn key(
        &self,
        cell: &Cell,
        lineup: &Lineup,
        stage: u64,
        deal: u64,
        rotation: usize,
    ) -> GameKey {
        let deal = deal_key(self.seed, stage, cell.players, deal);
        GameKey::new(deal, cell.index as u64, lineup.first_seating + rotation as u64)
    }

    /// The place of a game by its number.
    pub fn place(&self, game: u64) -> Option<Place> {
        self.cells.iter().find_map(|cell| {
            let (lineup, found) = cell.lineups.iter().enumerate().find(|(_, lineup)| {
                (lineup.first_game..lineup.first_game + lineup.games()).contains(&game)
            })?;
            let offset = game - found.first_game;
            Some(Place {
                cell: cell.index,
                lineup,
                deal: offset / found.rotations as u64,
                rotation: (offset % found.rotations as u64) as usize,
            })
        })
    }

    /// The names of the columns that grids add: of rules, and of strategies' parameters.
    pub fn varied_columns(&self) -> (Vec<String>, Vec<String>) {
        let collect = |all: &mut dyn Iterator<Item = &(String, Value)>| {
            let mut names: Vec<String> = Vec::new();
            for (name, _) in all {
                if !names.contains(name) {
                    names.push(name.clone());
                }
            }
            names
        };
        (
            collect(&mut self.cells.iter().flat_map(|cell| &cell.varied)),
            collect(&mut self.strategies.iter().flat_map(|strategy| &strategy.varied)),
        )
    }

    /// All that the experiment resolves to, in full.
    pub fn resolved(&self) -> Value {
        #[derive(Serialize)]
        struct CellWire<'a> {
            players: usize,
            rules: &'a Map<String, Value>,
            /// What tables say in place of a value that the grid varies.
            #[serde(skip_serializing_if = "Map::is_empty")]
            named: Map<String, Value>,
            #[serde(skip_serializing_if = "Option::is_none")]
            group: Option<Value>,
            lineups: Vec<Value>,
        }
        let cells: Vec<_> =
            self.cells
                .iter()
                .map(|cell| CellWire {
                    players: cell.players,
                    rules: &cell.options,
                    named: cell.shown_names(),
                    group: cell.group.as_ref().map(
                        |group| json!({"name": group.name, "bodies": group.bodies(cell.players)}),
                    ),
                    lineups: cell
                        .lineups
                        .iter()
                        .map(|lineup| json!({"seats": lineup.seats, "deals": lineup.deals}))
                        .collect(),
                })
                .collect();
        json!({
            "game": self.game,
            "seed": self.seed,
            "strategies": self.strategies,
            "cells": cells,
        })
    }

    /// The hash of all that the experiment resolves to, in hexadecimal.
    pub fn hash(&self) -> String {
        hex(&Sha256::digest(self.resolved().to_string()))
    }
}

/// Numbers a cell's line-ups, their seatings and their games.
fn numbered(
    seats: Vec<Vec<usize>>,
    games: u64,
    next_lineup: &mut usize,
    next_game: &mut u64,
) -> Vec<Lineup> {
    let mut next_seating = 0;
    let number = |seats| {
        let lineup = Lineup::new(seats, games, *next_lineup, next_seating, *next_game);
        *next_lineup += 1;
        next_seating += lineup.rotations as u64;
        *next_game += lineup.games();
        lineup
    };
    seats.into_iter().map(number).collect()
}

/// The groups of an experiment with one of the Minds; for other games no group, once.
fn groups_of(spec: &Spec) -> Result<Vec<Option<Group>>, InputError> {
    if spec.game == GameId::MindUp {
        return Ok(vec![None]);
    }
    let Some(entries) = &spec.groups else {
        return Ok(vec![Some(groups::named("ideal")?)]);
    };
    if entries.is_empty() {
        return Err(InputError::new(
            "groups",
            "[]",
            "there must be at least one group, such as \"ideal\"",
        ));
    }
    let mut groups: Vec<Option<Group>> = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        let key = format!("groups[{index}]");
        let group = groups::resolve(entry).map_err(|error| error.under(&key))?;
        if groups.iter().flatten().any(|known| known.name == group.name) {
            let what = "another group has this name; give one of them another `name`";
            return Err(InputError::new(key, group.name, what));
        }
        groups.push(Some(group));
    }
    Ok(groups)
}

/// Bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl GameRules {
    /// The points of each objective card; none in a game without.
    pub fn points(&self) -> Vec<(String, f64)> {
        match self {
            GameRules::MindUp(rules) => {
                let cards = rules.cards().iter();
                cards.map(|card| (card.id().to_owned(), f64::from(card.points()))).collect()
            }
            GameRules::TheMind(_) => Vec::new(),
        }
    }

    /// Whether both come to the same game, however their options are written.
    pub fn is_same_game(&self, other: &GameRules) -> bool {
        match (self, other) {
            (GameRules::MindUp(one), GameRules::MindUp(other)) => one.is_same_game(other),
            (one, other) => one == other,
        }
    }

    /// The rules that options make at a number of players.
    ///
    /// # Errors
    /// What can't be served, at its key below `rules`.
    pub fn new(
        game: GameId,
        players: usize,
        options: &Map<String, Value>,
    ) -> Result<Self, InputError> {
        // The number of players is the experiment's key, all others are below its `rules`.
        let place = |error: InputError| match error.kind {
            ErrorKind::Players => error,
            _ => error.under("rules"),
        };
        let value = Value::Object(options.clone());
        match game {
            GameId::MindUp => {
                let options = read_ranged(&value).map_err(place)?;
                let rules = mind_up::Rules::new(players, &options).map_err(place)?;
                Ok(GameRules::MindUp(Box::new(rules)))
            }
            GameId::TheMind | GameId::TheMindExtreme => {
                let options: the_mind::options::Options = read_ranged(&value).map_err(place)?;
                // A setup of one's own stands here as its file's text.
                let rules = match &options.setup {
                    Some(text) if text.contains('\n') => {
                        let own = Setup::from_toml(text)
                            .map_err(|error| error.under("setup"))
                            .and_then(|setup| setup.check_game(game).map(|()| setup))
                            .map_err(place)?;
                        the_mind::rules::Rules::with_setup(&own, players, &options)
                    }
                    _ => the_mind::rules::Rules::new(game, players, &options),
                };
                Ok(GameRules::TheMind(Box::new(rules.map_err(place)?)))
            }
        }
    }
}

impl GameRules {
    /// Whether a game goes alike by these rules and by others, whatever options they were made from.
    pub fn plays_as(&self, other: &GameRules) -> bool {
        match (self, other) {
            (GameRules::MindUp(own), GameRules::MindUp(other)) => own.plays_as(other),
            (GameRules::TheMind(own), GameRules::TheMind(other)) => own == other,
            _ => false,
        }
    }
}

impl Cell {
    /// The cell in a few words: `4 players, objectives=1`.
    pub fn title(&self) -> String {
        let mut title = format!("{} players", self.players);
        for (key, value) in &self.varied {
            title.push_str(&format!(", {key}={}", varied_text(value)));
        }
        if let Some(group) = &self.group {
            title.push_str(&format!(", {}", group.name));
        }
        title
    }

    /// The names of values that the grid varies, which tables show.
    fn shown_names(&self) -> Map<String, Value> {
        let varied = |key: &str| self.varied.iter().any(|(varied, _)| varied == key);
        let named = self.named.iter().filter(|(key, _)| varied(key));
        named.map(|(key, name)| (key.clone(), name.clone())).collect()
    }

    /// The bodies of its seats; none where the game has no bodies.
    pub fn bodies(&self) -> Vec<Body> {
        self.group.as_ref().map_or_else(Vec::new, |group| group.bodies(self.players))
    }

    /// The numbers of the strategies that sit in its line-ups, ascending.
    pub fn strategies(&self) -> Vec<usize> {
        let mut all: Vec<usize> =
            self.lineups.iter().flat_map(|lineup| lineup.seats.iter().copied()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// How its line-ups are laid out for a tally.
    pub fn layout(&self) -> Layout {
        let mut layout = Layout::new(self.players, self.strategies(), &self.lineups);
        layout.batches = self.batches;
        match &self.rules {
            GameRules::MindUp(rules) if rules.objectives() > 0 => {
                layout.objectives = (rules.rounds(), rules.cards().len());
            }
            GameRules::MindUp(_) => {}
            GameRules::TheMind(rules) => layout.levels = usize::from(rules.levels()),
        }
        layout
    }

    /// The deals that the cell needs: those of its longest line-up.
    pub fn deals(&self) -> u64 {
        self.lineups.iter().map(|lineup| lineup.deals).max().unwrap_or(0)
    }
}

/// What a grid varies in a column, as [`Cell::varied`] has it.
pub fn varied_text(value: &Value) -> String {
    bare(value)
}
