//! Experiments: from a file (spec) to cells, line-ups and deals (plan), played in parallel by blocks
//! (run) into exact sums (tally).

mod designs;
pub mod footprint;
pub mod ground;
pub mod lineups;
pub mod plan;
pub mod replay;
pub mod results;
pub mod run;
pub mod spec;
pub mod start;
pub mod sums;
pub mod tally;
pub mod words;
