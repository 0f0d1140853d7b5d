//! Training: parameters of a strategy, learned from games.

pub mod checkpoint;
mod confirm;
mod driver;
pub mod file;
mod job;
mod judge;
pub mod search;
pub mod space;
pub mod spec;
mod stages;
pub mod tables;
#[cfg(test)]
mod tests;

pub use confirm::{Learned, Row, START_NAME};
pub use driver::{Generation, State, Trainer};
pub use job::{Count, Job, Start};
pub use spec::{Objective, Training};
