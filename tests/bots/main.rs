//! Bots from outside, through the command: good ones play like any strategy, bad ones harm nobody
//! but themselves, and nothing of them stays behind.
#![cfg(unix)]

mod bad;
mod check;
mod ends;
mod forfeits;
mod good;
mod isolation;
mod sessions;
mod support;
mod views;
