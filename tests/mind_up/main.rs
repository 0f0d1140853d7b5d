//! Mind Up! from outside: its rules, records and referee.

#[path = "../mind_up_common/mod.rs"]
mod common;

mod by_hand;
mod conformance;
mod deals;
mod errors;
mod fixtures;
mod mutants;
mod objectives;
mod properties;
mod reading_order;
mod recording;
mod support;
mod tables;
mod theorem;
