//! `mindlab`: a research and self-play harness for the card games Mind Up!, The Mind and
//! The Mind Extreme.
//!
//! Data flows one way, and each station is a module:
//! experiment file → plan → run (games ← view / choice → strategies) → tally → statistics → output.

pub mod analyze;
pub mod bots;
pub mod cli;
pub mod cpu;
pub mod error;
pub mod experiment;
pub mod games;
pub mod human;
pub mod output;
pub mod rng;
pub mod safe;
pub mod stats;
pub mod strategies;
pub mod train;
