//! Deals are uniform, their parts are independent, and seats have the generators that their keys
//! name. The bounds are 5 standard deviations of a count (of n chances of p: the root of n p (1-p)).

use super::support::{Log, Seen, State, key, players, rules, states};
use mindlab::games::mind_up::{Block, Deck};
use serde_json::{Value, json};

/// The games of so many deals, as an observer sees them.
fn games(count: usize, options: &Value, deals: u64) -> Vec<Vec<Seen>> {
    let rules = rules(count, options);
    let (mut block, mut seats) = (Block::default(), players(&vec!["random"; count]));
    let mut found = Vec::new();
    for first in (0..deals).step_by(50) {
        let keys: Vec<_> = (first..first + 50).map(|deal| key(7, count, deal)).collect();
        let mut log = Log::default();
        block.play(&rules, &mut seats, &keys, &mut log, &mut Vec::new()).unwrap();
        found.append(&mut log.0);
    }
    found
}

fn check(counts: impl IntoIterator<Item = u64>, trials: u64, p: f64) {
    let n = trials as f64;
    let bound = 5.0 * (n * p * (1.0 - p)).sqrt();
    for (place, count) in counts.into_iter().enumerate() {
        let off = count as f64 - n * p;
        assert!(off.abs() < bound, "{place}: {count} of {trials}, {p}");
    }
}

#[test]
fn scoring_and_objectives_are_uniform_and_independent() {
    const DEALS: u64 = 14_000;
    let options = json!({"rounds": 2, "first_hand": 2, "objectives": 1});
    let rules = rules(2, &options);
    // By the value of the first column and the objective; then by the objectives of two rounds.
    let (mut first, mut pairs) = (vec![0; 5 * 14], vec![0; 14 * 14]);
    for game in games(2, &options, DEALS) {
        let dealt = states(&rules, &game).into_iter().filter(|state| state.turn == 0);
        let publics: Vec<_> = dealt.map(|state| state.public).collect();
        let objectives = [0, 1].map(|round: usize| usize::from(publics[round].objectives[0]));
        first[(publics[0].scoring[0] as usize - 1) * 14 + objectives[0]] += 1;
        pairs[objectives[0] * 14 + objectives[1]] += 1;
    }
    check(first, DEALS, 1.0 / 70.0);
    for (place, &count) in pairs.iter().enumerate() {
        if place / 14 == place % 14 {
            assert_eq!(count, 0, "a card is shown once");
        } else {
            check([count], DEALS, 1.0 / (14.0 * 13.0));
        }
    }
}

#[test]
fn letters_of_a_game_are_used_once() {
    let options = json!({"rounds": 3, "first_hand": 2, "objectives": 2,
                         "objective_letters": "distinct-in-game"});
    let rules = rules(2, &options);
    for game in games(2, &options, 500) {
        let dealt = states(&rules, &game).into_iter().filter(|state| state.turn == 0);
        let letters: Vec<_> = dealt
            .flat_map(|state| [state.public.objectives[0], state.public.objectives[1]])
            .map(|card| rules.card(card).letter())
            .collect();
        assert_eq!(letters.len(), 6);
        assert_eq!(mindlab::games::record::repeated(letters), None);
    }
}

#[test]
fn every_card_is_dealt_everywhere_as_often() {
    const DEALS: u64 = 6_000;
    let rules = rules(3, &json!({}));
    let (mut row, mut hand) = ([0; 60], [0; 60]);
    // A drawn card's rank in the deck, which has 60 - 3 - 21 cards, then 60 - 3 - 24.
    let (mut second, mut third) = ([0; 36], [0; 33]);
    for game in games(3, &json!({}), DEALS) {
        let dealt: Vec<State> =
            states(&rules, &game).into_iter().filter(|state| state.turn == 0).collect();
        Deck::cards(dealt[0].public.row).for_each(|card| row[usize::from(card)] += 1);
        Deck::cards(dealt[0].hands[2]).for_each(|card| hand[usize::from(card)] += 1);
        second[drawn_rank(&dealt[1])] += 1;
        third[drawn_rank(&dealt[2])] += 1;
    }
    check(row, DEALS, 3.0 / 60.0);
    check(hand, DEALS, 7.0 / 60.0);
    check(second, DEALS, 1.0 / 36.0);
    check(third, DEALS, 1.0 / 33.0);
}

/// The rank, among the cards that could be drawn, of the one that seat 0 drew.
fn drawn_rank(state: &State) -> usize {
    let known = &state.public.known[..3];
    let out = known.iter().fold(state.public.row, |out, cards| out | cards);
    let drawn = state.hands[0] & !known[0];
    assert_eq!(drawn.count_ones(), 1);
    (!out & (drawn - 1)).count_ones() as usize
}

#[test]
fn the_other_hand_rule_deals_evenly() {
    const DEALS: u64 = 6_000;
    let options = json!({"next_hand": "deal", "rounds": 2});
    let rules = rules(3, &options);
    // By rank among the 57 cards that are not in the row.
    let mut ranks = [0; 57];
    for game in games(3, &options, DEALS) {
        let dealt = states(&rules, &game);
        let state = dealt.iter().find(|state| state.round == 1).unwrap();
        let free = Deck::ALL & !state.public.row;
        for card in Deck::cards(state.hands[1]) {
            ranks[(free & ((1 << card) - 1)).count_ones() as usize] += 1;
        }
    }
    check(ranks, DEALS, 8.0 / 57.0);
}
