//! Strategies that look at nothing: `random`, `lowest` and `highest`.

use serde::{Deserialize, Serialize};

use super::{Card, Decision, Desk, Level, Strategy, View};

/// Plays uniformly at random.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Random {}

impl Strategy for Random {
    const NAME: &'static str = "random";
    const SUMMARY: &'static str = "plays any card of its hand with equal probability";
    type Memory = ();

    #[inline(always)]
    fn choose<L: Level>(&self, _: &View<'_, L>, _: &mut Desk<'_, ()>) -> Decision {
        Decision::Uniform
    }
}

/// Plays the lowest card.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lowest {}

impl Strategy for Lowest {
    const NAME: &'static str = "lowest";
    const SUMMARY: &'static str = "plays the lowest card of its hand";
    type Memory = ();

    #[inline(always)]
    fn choose<L: Level>(&self, view: &View<'_, L>, _: &mut Desk<'_, ()>) -> Decision {
        Decision::Play(view.hand().trailing_zeros() as Card)
    }
}

/// Plays the highest card.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Highest {}

impl Strategy for Highest {
    const NAME: &'static str = "highest";
    const SUMMARY: &'static str = "plays the highest card of its hand";
    type Memory = ();

    #[inline(always)]
    fn choose<L: Level>(&self, view: &View<'_, L>, _: &mut Desk<'_, ()>) -> Decision {
        Decision::Play((63 - view.hand().leading_zeros()) as Card)
    }
}
