//! Decisions and playouts take no memory: everything is on the stack or the block's own.

#[path = "mind_up_common/mod.rs"]
mod common;

use allocation_counter::measure;
use mindlab::games::mind_up::player::Player;
use mindlab::games::mind_up::{Block, Options, Outcome, Rules};
use mindlab::rng::{GameKey, deal_key};
use mindlab::strategies::Family;
use serde_json::Map;

/// Plays the same games twice and counts what the second time allocates.
fn allocations(family: &Family<dyn Player>) -> u64 {
    let rules = Rules::new(4, &Options { objectives: Some(2), ..Options::default() }).unwrap();
    let mut players: Vec<_> = (0..4).map(|_| common::seat(family, &Map::new())).collect();
    let keys: Vec<_> = (0..4).map(|deal| GameKey::new(deal_key(1, 0, 4, deal), 0, 0)).collect();
    let (mut block, mut outcomes): (Block, Vec<Outcome>) = Default::default();
    let mut play = || block.play(&rules, &mut players, &keys, &mut (), &mut outcomes).unwrap();
    play();
    measure(play).count_total
}

#[test]
fn no_family_allocates_while_it_plays() {
    for family in common::families() {
        // This one makes players of its own, which it asks.
        if family.name != "best-response" {
            assert_eq!(allocations(family), 0, "{}", family.name);
        }
    }
}
