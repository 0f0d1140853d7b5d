//! What the tests of Mind Up! share about its families. They take all of them from the program's
//! own list, so that a new one is tested without a word here.
#![allow(dead_code)]

use mindlab::games::mind_up::player::Player;
use mindlab::strategies::Family;
use mindlab::strategies::mind_up::FAMILIES;
use serde_json::{Map, Value};

/// The families that play by themselves. `bot` does not: a program from outside answers for it,
/// and without one there is nothing to test; tests/bots has programs of its own.
pub fn families() -> impl Iterator<Item = &'static Family<dyn Player>> + Clone {
    FAMILIES.iter().filter(|family| family.name != mindlab::bots::NAME)
}

/// A family of that name.
pub fn family(name: &str) -> &'static Family<dyn Player> {
    FAMILIES.iter().find(|family| family.name == name).unwrap()
}

/// What makes a family quick where its strength does not matter, for those that have the parameter.
/// A family that can't be built from its defaults, or takes long by them, has its line here.
const QUICK: [(&str, u32); 2] = [("playouts", 1), ("deals", 1)];

/// A family's parameters for tests: its defaults, made quick.
pub fn quick(family: &Family<dyn Player>) -> Map<String, Value> {
    let mut parameters = (family.defaults)();
    for (key, value) in QUICK {
        if let Some(parameter) = parameters.get_mut(key) {
            *parameter = value.into();
        }
    }
    parameters
}

/// A seat's player of a family, with some parameters changed.
pub fn seat(family: &Family<dyn Player>, changes: &Map<String, Value>) -> Box<dyn Player> {
    let mut parameters = quick(family);
    parameters.extend(changes.clone());
    let built = (family.build)(&parameters).unwrap_or_else(|error| {
        panic!("{}: {error}; see QUICK in tests/mind_up_common/mod.rs", family.name)
    });
    built.seat().unwrap()
}
