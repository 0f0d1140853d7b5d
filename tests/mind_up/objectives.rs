//! Each published objective at its edges, on tableaux laid by hand.

use super::support::rules;
use mindlab::games::mind_up::{MAX_PLAYERS, Public, Rules, Tableau};
use serde_json::json;

const ORANGE: [u64; 5] = [1, 8, 15, 16, 23];
const PINK: [u64; 5] = [2, 6, 10, 19, 27];
const BLUE: [u64; 5] = [3, 13, 18, 21, 24];
const GREEN: [u64; 5] = [4, 5, 12, 14, 17];
const PURPLE: [u64; 5] = [7, 9, 11, 20, 22];

/// Whether an objective holds for seat 0, where the seats' cards were laid in this order on columns
/// worth 3 1 5 2 4.
fn holds(id: &str, seats: &[&[u64]]) -> bool {
    holds_with(&rules(seats.len(), &json!({})), id, seats)
}

fn holds_with(rules: &Rules, id: &str, seats: &[&[u64]]) -> bool {
    let mut public = Public { scoring: [3, 1, 5, 2, 4, 0, 0, 0], ..Public::EMPTY };
    let mut tableaux = [Tableau::EMPTY; MAX_PLAYERS];
    for (tableau, cards) in tableaux.iter_mut().zip(seats) {
        for &number in *cards {
            let card = rules.deck().card(number).unwrap();
            tableau.place(rules.deck(), card);
        }
    }
    public.tableaux = tableaux;
    let card = rules.cards().iter().find(|card| card.id() == id).unwrap();
    card.holds(rules.deck(), &public, seats.len(), 0, &public.tableaux[0])
}

/// Checks an objective of the own tableau alone.
fn check(id: &str, cases: &[(&[&[u64]], bool)]) {
    for (colours, expected) in cases {
        let cards: Vec<u64> = colours.concat();
        let other: &[u64] = &[29, 28, 39];
        assert_eq!(holds(id, &[&cards, other]), *expected, "{id} {cards:?}");
    }
}

fn first(colour: &[u64; 5], count: usize) -> &[u64] {
    &colour[..count]
}

#[test]
fn a1_is_one_or_three_orange() {
    for count in 0..=5 {
        let expected = count == 1 || count == 3;
        check("A1", &[(&[&PINK, first(&ORANGE, count)], expected)]);
    }
}

#[test]
fn a2_is_orange_worth_1_or_2() {
    check("A2", &[(&[&[1]], false)]);
    check("A2", &[(&[&[2], &[1]], true)]);
    check("A2", &[(&[&[2], &[3], &[1]], false)]);
    check("A2", &[(&[&[2], &[3], &[4], &[1]], true)]);
    check("A2", &[(&[&[2], &[3], &[4], &[7], &[1]], false)]);
    check("A2", &[(&[&[2], &[3], &[4], &[7]], false), (&[&[2]], false)]);
}

#[test]
fn b1_is_two_or_four_blue() {
    for count in 0..=5 {
        let expected = count == 2 || count == 4;
        check("B1", &[(&[&PINK, first(&BLUE, count)], expected)]);
    }
}

#[test]
fn b2_is_no_colour_above_blue() {
    check("B2", &[(&[&[3], &[2], &[4]], true), (&[&[3], &[2, 6]], false)]);
    check("B2", &[(&[&[2]], false), (&[&[3]], true)]);
    for other in [&ORANGE, &PINK, &GREEN, &PURPLE] {
        check("B2", &[(&[first(&BLUE, 2), first(other, 2)], true)]);
        check("B2", &[(&[first(&BLUE, 2), first(other, 3)], false)]);
    }
}

#[test]
fn c1_is_no_player_with_fewer_pink() {
    assert!(holds("C1", &[&[2], &[6, 10], &[19]]));
    assert!(!holds("C1", &[&[2], &[6, 10], &[3]]));
    assert!(!holds("C1", &[&[2, 6], &[10], &[19, 27]]));
    assert!(holds("C1", &[&[1], &[6], &[10]]));
    // Nobody has any.
    assert!(holds("C1", &[&[1], &[3], &[4]]));
}

#[test]
fn c2_and_e2_are_no_player_with_more() {
    for (id, colour) in [("C2", PINK), ("E2", PURPLE)] {
        let [a, b, c, d, e] = colour;
        assert!(holds(id, &[&[a, b], &[c], &[d]]));
        assert!(holds(id, &[&[a, b], &[c, d], &[1]]));
        assert!(!holds(id, &[&[a, b], &[1], &[c, d, e]]));
        assert!(!holds(id, &[&[1], &[3], &[a]]));
        assert!(holds(id, &[&[1], &[3], &[4]]), "nobody has any");
    }
}

#[test]
fn d1_is_green_with_nothing_to_its_right() {
    check("D1", &[(&[&[4]], true), (&[&[1], &[4]], true)]);
    check("D1", &[(&[&[4], &[1]], false), (&[&[1]], false)]);
    // More green, or more of what stands left of it, changes nothing.
    check("D1", &[(&[&[4], &[1], &[5]], false)]);
    check("D1", &[(&[&[1], &[4], &[8]], true)]);
    check("D1", &[(&[&[1], &[2], &[3], &[7], &[4]], true)]);
}

#[test]
fn d2_is_green_worth_4_or_5() {
    check("D2", &[(&[&[4]], false), (&[&[1], &[4]], false)]);
    check("D2", &[(&[&[1], &[2], &[4]], true)]);
    check("D2", &[(&[&[1], &[2], &[3], &[4]], false)]);
    check("D2", &[(&[&[1], &[2], &[3], &[7], &[4]], true)]);
    check("D2", &[(&[&[1], &[2], &[3]], false)]);
}

#[test]
fn e1_is_at_least_as_many_purple_as_orange() {
    for (purple, orange) in [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (2, 2), (3, 4), (5, 4)] {
        let cards: &[&[u64]] = &[&[3], first(&ORANGE, orange), first(&PURPLE, purple)];
        check("E1", &[(cards, purple >= orange)]);
    }
}

#[test]
fn f1_and_f2_count_colours() {
    let colours: [&[u64]; 5] = [&[1, 8], &[2], &[3], &[4], &[7]];
    for count in 1..=5 {
        check("F1", &[(&colours[..count], count == 5)]);
        check("F2", &[(&colours[..count], count == 3)]);
    }
}

#[test]
fn g1_and_g2_are_some_colour_of_3_and_of_4() {
    for count in 1..=5 {
        let cards: &[&[u64]] = &[&[3, 13], first(&GREEN, count)];
        check("G1", &[(cards, count == 3)]);
        check("G2", &[(cards, count == 4)]);
    }
    // One colour of 4 beside one of 3 is both.
    let both: &[&[u64]] = &[first(&GREEN, 4), first(&BLUE, 3)];
    check("G1", &[(both, true)]);
    check("G2", &[(both, true)]);
}

#[test]
fn a_column_keeps_its_colour_and_the_next_colour_takes_the_next_column() {
    let rules = rules(3, &json!({"scoring_values": [1, 2, 3, 4, 5, 6]}));
    let mut tableau = Tableau::EMPTY;
    for number in [1, 2, 8, 3, 6, 15] {
        let card = rules.deck().card(number).unwrap();
        tableau.place(rules.deck(), card);
    }
    let columns = tableau.column_cards(rules.deck(), 6);
    let columns: Vec<_> = columns.into_iter().map(|cards| rules.deck().numbers(cards)).collect();
    assert_eq!(columns, [vec![1, 8, 15], vec![2, 6], vec![3], vec![], vec![], vec![]]);
    // 3 x 3 + 2 x 1 + 5, and the bubbles of 1 (-1), 15 (+1) and 3 (+1).
    let scoring = [3, 1, 5, 2, 4, 6, 0, 0];
    assert_eq!(tableau.column_points(rules.deck(), &scoring), 16);
    assert_eq!(rules.deck().bonus_points(tableau.cards), 1);
}
