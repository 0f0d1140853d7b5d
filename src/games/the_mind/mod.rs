//! The Mind and The Mind Extreme: one engine for both.
//!
//! [`rules`] checks [`options`] laid over a [`setup`]; [`state`] moves a game, simulated or judged;
//! [`block`] simulates whole blocks of games, with [`body`] for the players' timing and [`player`]
//! as the door to strategies, which get a [`view`]. [`record`] and [`referee`] write and judge
//! games, [`tell`] tells them.

mod adapt;
pub mod block;
pub mod body;
pub mod cards;
pub mod groups;
mod levels;
pub mod options;
pub mod outcome;
pub mod player;
pub mod record;
pub mod referee;
pub mod rules;
pub mod setup;
pub mod state;
pub mod tell;
pub mod timing;
pub mod verdict;
pub mod view;

#[cfg(test)]
pub(crate) mod probe;
#[cfg(test)]
mod rules_tests;

pub use levels::deal_hands;
