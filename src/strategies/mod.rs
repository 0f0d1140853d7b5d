//! Strategies: what a family is, and how a name in an experiment becomes players.
//!
//! A **family** is code: a file in the game's folder, and a line in that folder's list. A **named
//! strategy** is a TOML file in `strategies/` that names a family and its parameters. An experiment
//! may change parameters in place: `{ base = "linear", pace = 1.2 }`.
//!
//! A game defines its own strategy trait on the view of a seat, and an object-safe *player* that
//! plays one seat of a whole block of games. So a call through a pointer is paid once a block, and
//! a bot from outside can be asked for many games at once.

mod grid;
pub mod library;
pub mod mind_up;
pub mod the_mind;

pub use library::{Library, StrategySpec};

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::bots::Counts;
use crate::error::{InputError, PlayError, unknown};

/// A family of strategies for the games whose seats are played by `P`.
pub struct Family<P: ?Sized> {
    /// The family's name.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// All parameters with their default values.
    pub defaults: fn() -> Map<String, Value>,
    /// The parameters that name other strategies; the library resolves them.
    pub strategies: &'static [&'static str],
    /// Builds a strategy from a full set of parameters; the error names the parameter.
    pub build: fn(&Map<String, Value>) -> Built<P>,
}

/// A strategy that was built from its parameters, or the parameter that won't do.
pub type Built<P> = Result<Arc<dyn Build<P>>, InputError>;

/// A strategy, ready to take seats.
pub trait Build<P: ?Sized>: Send + Sync {
    /// A player for one seat, with memory of its own. Called once for each worker and seat.
    ///
    /// # Errors
    /// Where the player cannot be started.
    fn seat(&self) -> Result<Box<P>, PlayError>;

    /// What was asked and failed so far, of a bot from outside.
    fn counts(&self) -> Option<Arc<Counts>> {
        None
    }
}

/// Builds what a specification says at a number of players, from a game's families.
///
/// # Errors
/// An unknown family, or a parameter that it won't take.
pub fn build<P: ?Sized>(families: &[Family<P>], spec: &StrategySpec, players: usize) -> Built<P> {
    match families.iter().find(|family| family.name == spec.family) {
        Some(family) => (family.build)(&spec.at(players)),
        None => {
            let known = families.iter().map(|family| family.name);
            let what = unknown("family", &spec.family, known);
            Err(InputError::new("family", &spec.family, what))
        }
    }
}
