//! Whether learned strategies play where they were learned: the same game and rules, a number of
//! players and a group that they know.
//!
//! Of objectives it counts whether there are any: how many, which and for how many points, a view
//! tells, and learned weights are factors of it.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::plan::{Cell, GameRules, LIST_OPTIONS, Plan};
use super::words::{self, listed};
use crate::error::InputError;
use crate::games::GameId;
use crate::games::the_mind::groups::{self, Group};
use crate::strategies::StrategySpec;
use crate::strategies::library::{Ground, Learned, bare, grid, same};

/// What is said of an option that is left out.
const PUBLISHED: &str = "as published";

/// Learned strategies in a plan that play off their ground, all in the same way.
#[derive(Debug, Clone, PartialEq)]
pub struct OffGround {
    /// Who: strategies' labels, `duct's policy linear`.
    pub who: Vec<String>,
    /// The named strategy, and what it was learned under.
    pub ground: Ground,
    /// How the plan differs from that.
    pub differences: Differences,
}

/// How tables differ from what a strategy was learned under.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Differences {
    /// The game that is played in place of the one that was learned.
    pub game: Option<GameId>,
    /// Numbers of players that nothing was learned for.
    pub players: Vec<usize>,
    /// Options of the rules.
    pub rules: Vec<OptionDiffers>,
    /// Groups whose bodies nothing was learned with.
    pub groups: Vec<Group>,
}

/// An option of the rules that is not as it was learned under; values that are left out are as
/// published.
#[derive(Debug, Clone, PartialEq)]
pub struct OptionDiffers {
    /// The option.
    pub key: String,
    /// Its values where the strategy was learned.
    pub there: Vec<Option<Value>>,
    /// Its values in the plan.
    pub here: Vec<Option<Value>>,
}

impl OffGround {
    /// `with scoring_values as published, here [1,1,2,3,5]`.
    pub fn told(&self) -> String {
        let OffGround { ground, differences, .. } = self;
        let learned = &ground.learned;
        let mut parts = Vec::new();
        if let Some(game) = differences.game {
            parts.push(format!("for {}, here {game}", learned.game));
        }
        if !differences.players.is_empty() {
            let counts = |all: &[usize]| listed(all.iter().map(usize::to_string));
            let (there, here) = (counts(&learned.players), counts(&differences.players));
            parts.push(format!("for {there} players, here {here}"));
        }
        let told = |rule: &OptionDiffers, values: &[Option<Value>]| {
            listed(values.iter().map(|value| match value {
                Some(value) => words::told(&rule.key, value),
                None => PUBLISHED.to_owned(),
            }))
        };
        let there = |rule: &OptionDiffers| format!("{} {}", rule.key, told(rule, &rule.there));
        let published = |rule: &&OptionDiffers| rule.here.iter().all(Option::is_none);
        let (gone, others): (Vec<_>, Vec<_>) = differences.rules.iter().partition(published);
        parts.extend(
            others
                .iter()
                .map(|rule| format!("with {}, here {}", there(rule), told(rule, &rule.here))),
        );
        if !gone.is_empty() {
            let gone = listed(gone.iter().map(|rule| there(rule)));
            parts.push(format!("with {gone}, here {PUBLISHED}"));
        }
        if !differences.groups.is_empty() {
            let entry = |entry| groups::resolve(entry).map_or(bare(entry), |group| group.name);
            let there = listed(learned.groups.iter().map(entry));
            let here = listed(differences.groups.iter().map(|group| group.name.clone()));
            parts.push(format!("with group {there}, here {here}"));
        }
        parts.join("; ")
    }
}

/// Refuses sections `[learned]` whose rules or groups can't be.
///
/// # Errors
/// The strategy's file, and the key in it.
pub(super) fn check(strategies: &[StrategySpec]) -> Result<(), InputError> {
    let mut seen: Vec<&Ground> = Vec::new();
    for ground in strategies.iter().flat_map(|strategy| &strategy.grounds) {
        if seen.iter().any(|known| known.file == ground.file && known.name == ground.name) {
            continue;
        }
        seen.push(ground);
        check_learned(&ground.learned)
            .map_err(|error| error.under("learned").in_file(&ground.file))?;
    }
    Ok(())
}

fn check_learned(learned: &Learned) -> Result<(), InputError> {
    for options in points(learned)? {
        for &players in &learned.players {
            GameRules::new(learned.game, players, &options)?;
        }
    }
    groups_of(learned).map(drop)
}

/// The rules that a strategy was learned under: of a grid all of them.
fn points(learned: &Learned) -> Result<Vec<Map<String, Value>>, InputError> {
    let is_list = |key: &str| LIST_OPTIONS.contains(&key);
    let points =
        grid(&learned.rules, is_list, words::told).map_err(|error| error.under("rules"))?;
    Ok(points.into_iter().map(|point| point.values).collect())
}

fn groups_of(learned: &Learned) -> Result<Vec<Group>, InputError> {
    let group = |(index, entry)| {
        groups::resolve(entry).map_err(|error| error.under(&format!("groups[{index}]")))
    };
    learned.groups.iter().enumerate().map(group).collect()
}

/// A table that strategies sit at.
#[derive(Debug, Clone, Copy)]
pub struct Table<'a> {
    /// The number of players.
    pub players: usize,
    /// The options of its rules.
    pub options: &'a Map<String, Value>,
    /// Whose bodies play (the Minds).
    pub group: Option<&'a Group>,
}

impl<'a> From<&'a Cell> for Table<'a> {
    fn from(cell: &'a Cell) -> Self {
        Table { players: cell.players, options: &cell.options, group: cell.group.as_ref() }
    }
}

/// The learned strategies of a plan that play off their ground.
pub fn of_plan(plan: &Plan) -> Vec<OffGround> {
    let seated = |cell: &Cell| {
        cell.strategies().into_iter().map(|number| &plan.strategies[number]).collect::<Vec<_>>()
    };
    off_ground(plan.game, plan.cells.iter().map(|cell| (cell.into(), seated(cell))))
}

/// The learned strategies at some tables that play off their ground.
pub fn off_ground<'a>(
    game: GameId,
    tables: impl IntoIterator<Item = (Table<'a>, Vec<&'a StrategySpec>)>,
) -> Vec<OffGround> {
    let mut found: Vec<(Ground, Differences)> = Vec::new();
    // What a strategy was learned under, worked out once for each number of players.
    let mut learned: BTreeMap<(usize, usize), Vec<Map<String, Value>>> = BTreeMap::new();
    for (table, seated) in tables {
        let mut here = None;
        for ground in seated.iter().flat_map(|strategy| &strategy.grounds) {
            // Where a file has sections by players, it says nothing of other numbers of them.
            if ground.by_players && !ground.learned.players.contains(&table.players) {
                continue;
            }
            let at = found.iter().position(|(known, _)| known == ground).unwrap_or_else(|| {
                found.push((ground.clone(), Differences::default()));
                found.len() - 1
            });
            let there = learned.entry((at, table.players)).or_insert_with(|| {
                let points = points(&ground.learned).unwrap_or_default().into_iter();
                points.map(|one| changed(ground.learned.game, table.players, &one)).collect()
            });
            let here = here.get_or_insert_with(|| changed(game, table.players, table.options));
            found[at].1.add(game, &table, ground, (there, here));
        }
    }
    let mut all: Vec<OffGround> = Vec::new();
    for (ground, differences) in found.into_iter().filter(|(_, found)| !found.is_none()) {
        let alike = |known: &&mut OffGround| {
            known.ground.learned == ground.learned && known.differences == differences
        };
        match all.iter_mut().find(alike) {
            Some(known) if known.who.contains(&ground.who) => {}
            Some(known) => known.who.push(ground.who),
            None => all.push(OffGround { who: vec![ground.who.clone()], ground, differences }),
        }
    }
    all
}

impl Differences {
    fn is_none(&self) -> bool {
        *self == Differences::default()
    }

    /// Adds how a table differs from a ground; the rules are those there, of a grid all of them, and
    /// here, without what is as published.
    fn add(
        &mut self,
        game: GameId,
        table: &Table<'_>,
        ground: &Ground,
        (there, here): (&[Map<String, Value>], &Map<String, Value>),
    ) {
        let Ground { learned, blind, .. } = ground;
        if learned.game != game {
            self.game = Some(game);
        }
        if !learned.players.contains(&table.players) && !self.players.contains(&table.players) {
            self.players.push(table.players);
        }
        // Of a grid the point that is nearest.
        let differs = |there: &Map<String, Value>| differing(there, here, *blind);
        for key in there.iter().map(differs).min_by_key(Vec::len).unwrap_or_default() {
            let known = self.rules.iter().position(|known| known.key == key);
            let place = known.unwrap_or_else(|| {
                let (there, here) = (Vec::new(), Vec::new());
                self.rules.push(OptionDiffers { key: key.clone(), there, here });
                self.rules.len() - 1
            });
            let own = &mut self.rules[place];
            put(&mut own.here, here.get(&key));
            there.iter().for_each(|there| put(&mut own.there, there.get(&key)));
        }
        let Some(group) = table.group else { return };
        let bodies = group.bodies(table.players);
        let known = groups_of(learned).unwrap_or_default();
        if known.iter().all(|known| known.bodies(table.players) != bodies)
            && self.groups.iter().all(|other| other.name != group.name)
        {
            self.groups.push(group.clone());
        }
    }
}

fn put(values: &mut Vec<Option<Value>>, value: Option<&Value>) {
    if !values.iter().any(|known| known.as_ref() == value) {
        values.push(value.cloned());
    }
}

/// Options without those that are as published, or change nothing.
fn changed(game: GameId, players: usize, options: &Map<String, Value>) -> Map<String, Value> {
    let mut all = options.clone();
    let Ok(rules) = GameRules::new(game, players, options) else { return all };
    for key in options.keys() {
        let mut without = all.clone();
        without.shift_remove(key);
        if GameRules::new(game, players, &without).is_ok_and(|other| other.plays_as(&rules)) {
            all = without;
        }
    }
    all
}

/// The options in which two rules differ, as far as it matters to a learned strategy.
fn differing(there: &Map<String, Value>, here: &Map<String, Value>, blind: bool) -> Vec<String> {
    const OBJECTIVES: &str = "objectives";
    let keys = there.keys().chain(here.keys().filter(|key| !there.contains_key(*key)));
    let any = |options: &Map<String, Value>| options.get(OBJECTIVES).is_some_and(|some| *some != 0);
    let differs = |key: &&String| match key.as_str() {
        OBJECTIVES => !blind && any(there) != any(here),
        key if key.starts_with("objective") => false,
        key => match (there.get(key), here.get(key)) {
            (Some(there), Some(here)) => !same(there, here),
            _ => true,
        },
    };
    keys.filter(differs).cloned().collect()
}
