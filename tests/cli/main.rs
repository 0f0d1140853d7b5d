//! The command as its users meet it: the binary, run in a folder of its own.

mod compare;
mod dry;
mod keep;
mod levels;
mod looks;
mod places;
mod replay;
mod same;
mod schema;
mod start;
mod stopped;
mod support;
mod terminal;
mod train;
mod words;
