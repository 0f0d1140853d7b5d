//! The command as its users meet it: the binary, run in a folder of its own.

mod compare;
mod keep;
mod levels;
mod looks;
mod replay;
mod same;
mod schema;
mod start;
mod support;
mod train;
mod words;
