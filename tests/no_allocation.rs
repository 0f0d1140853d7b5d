//! Decisions and playouts take no memory: everything is on the stack or the block's own.

use allocation_counter::measure;
use mindlab::games::mind_up::{Block, Options, Outcome, Rules};
use mindlab::rng::{GameKey, deal_key};
use mindlab::strategies::mind_up::FAMILIES;

/// Plays the same games twice and counts what the second time allocates.
fn allocations(name: &str) -> u64 {
    let family = FAMILIES.iter().find(|family| family.name == name).unwrap();
    let mut parameters = (family.defaults)();
    if parameters.contains_key("playouts") {
        parameters.insert("playouts".to_owned(), 8.into());
    }
    let rules = Rules::new(4, &Options { objectives: Some(2), ..Options::default() }).unwrap();
    let built = (family.build)(&parameters).unwrap();
    let mut players: Vec<_> = (0..4).map(|_| built.seat().unwrap()).collect();
    let keys: Vec<_> = (0..4).map(|deal| GameKey::new(deal_key(1, 0, 4, deal), 0, 0)).collect();
    let (mut block, mut outcomes): (Block, Vec<Outcome>) = Default::default();
    let mut play = || block.play(&rules, &mut players, &keys, &mut (), &mut outcomes).unwrap();
    play();
    measure(play).count_total
}

#[test]
fn no_family_allocates_while_it_plays() {
    for family in FAMILIES {
        // These ask other players, which is no playout.
        if !["best-response", "bot"].contains(&family.name) {
            assert_eq!(allocations(family.name), 0, "{}", family.name);
        }
    }
}
