//! Small games, worked through by hand.

use mindlab::games::referee::judge_line;
use serde_json::{Value, json};

fn judge(record: &Value) -> Value {
    match judge_line(&record.to_string()) {
        Ok(verdict) => serde_json::to_value(verdict).unwrap(),
        Err(error) => panic!("{error:?}: {record}"),
    }
}

fn record(rules: Value, rounds: Value) -> Value {
    json!({"game": "mind-up", "players": 2, "rules": rules, "rounds": rounds})
}

/// Two players, two cards a hand, one round.
///
/// Row 4 60. Ann plays 1 and keeps 10, Ben plays 22 and keeps 8. 1 < 22: Ann takes 4, Ben takes 60.
///
/// - Ann: 4 (green, +2) on column 1, worth 2; 10 (pink, +2) on column 2, worth 5. 7 + 4 = 11.
/// - Ben: 60 (orange, -1) on column 1, worth 2; 8 (orange, 0) beside it. 4 - 1 = 3.
#[test]
fn one_turn() {
    let game = record(
        json!({"rounds": 1, "first_hand": 2}),
        json!([{"scoring": [2, 5, 1, 3, 4], "hands": [[1, 10], [22, 8]], "row": [60, 4],
                "turns": [[1, 22]]}]),
    );
    let expected = json!({"game": "mind-up", "rounds": [[
        {"columns": [[4], [10], [], [], []],
         "column_points": 7, "bonus_points": 4, "objective_points": 0, "round_score": 11},
        {"columns": [[8, 60], [], [], [], []],
         "column_points": 4, "bonus_points": -1, "objective_points": 0, "round_score": 3}]],
        "totals": [11, 3], "winners": [0]});
    assert_eq!(judge(&game), expected);
}

/// Cards without bubbles: 8, 30, 31 orange; 6, 55, 59 pink; 12, 14, 47 green.
fn two_rounds(first_hand: [u64; 2], last_turn: [u64; 2]) -> Value {
    record(
        json!({"rounds": 2, "first_hand": 2}),
        json!([
            {"scoring": [1, 2, 3, 4, 5], "hands": [first_hand, [6, 55]], "row": [12, 14],
             "turns": [[8, 6]]},
            {"scoring": [1, 2, 3, 4, 5], "drawn": [31, 59], "turns": [[14, 12], last_turn]}]),
    )
}

/// Round 1: Ben's 6 takes 12, Ann's 8 takes 14. Ann has 14, 30; Ben has 12, 55: 1 + 2 each.
/// Round 2: row 6 8. Ben's 12 takes 6, Ann's 14 takes 8; Ann's 30 takes 12, Ben's 55 takes 14.
/// Ann has 8, 31 on column 1 and 12 on column 2, Ben 6, 59 and 14: 1 + 1 + 2 each.
#[test]
fn a_tie_in_all_is_a_shared_win() {
    let verdict = judge(&two_rounds([8, 30], [30, 55]));
    assert_eq!(verdict["totals"], json!([7, 7]));
    assert_eq!(verdict["rounds"][1][0]["round_score"], 4);
    assert_eq!(verdict["winners"], json!([0, 1]));
}

/// Round 1: Ann has 14 and 47, both on column 1: 2 points; Ben 3 as above.
/// Round 2: Ann's 14 takes 8; her 31 takes 12; 47 goes beside it: 1 + 2 + 2 = 5. Ben 4 as above.
#[test]
fn a_tie_goes_to_the_higher_last_round() {
    let verdict = judge(&two_rounds([8, 47], [31, 55]));
    assert_eq!(verdict["totals"], json!([7, 7]));
    assert_eq!(verdict["rounds"][1][0]["round_score"], 5);
    assert_eq!(verdict["rounds"][1][1]["round_score"], 4);
    assert_eq!(verdict["winners"], json!([0]));
}

/// Ann ends with 14 and 30, Ben with 12 and 53: no pink and no purple anywhere.
#[test]
fn nobody_having_a_colour_is_a_tie_at_0() {
    for (objectives, points) in [(["C1", "E2"], -4), (["C2", "E2"], 0), (["E1", "C2"], 2)] {
        let rules = json!({"rounds": 1, "first_hand": 2, "objectives": 2});
        let game = record(
            rules,
            json!([{"scoring": [1, 2, 3, 4, 5], "objectives": objectives,
                    "hands": [[8, 30], [6, 53]], "row": [12, 14], "turns": [[8, 6]]}]),
        );
        // E1 holds for no one: each has an orange card and no purple one.
        let verdict = judge(&game);
        for seat in 0..2 {
            assert_eq!(verdict["rounds"][0][seat]["objective_points"], points, "{objectives:?}");
            assert_eq!(verdict["rounds"][0][seat]["round_score"], 3 + points);
        }
    }
}

/// Round 2 is dealt anew: only the row 6 8 stays.
#[test]
fn the_other_hand_rule_deals_all_but_the_row() {
    let game = record(
        json!({"rounds": 2, "first_hand": 2, "next_hand": "deal"}),
        json!([
            {"scoring": [1, 2, 3, 4, 5], "hands": [[8, 30], [6, 55]], "row": [12, 14],
             "turns": [[8, 6]]},
            {"scoring": [5, 4, 3, 2, 1], "hands": [[14, 12, 31], [60, 30, 55]],
             "turns": [[14, 60], [12, 30]]}]),
    );
    // 14 takes 6 (pink, 5), 60 takes 8 (orange, 5); row 14 60; 12 takes 14 (green, 4), 30 takes
    // 60 (orange, 5 - 1). Last 31 (orange, 3) and 55 (pink, 4): 12 and 13, beside 3 and 3.
    let verdict = judge(&game);
    assert_eq!(verdict["totals"], json!([15, 16]));
    assert_eq!(verdict["rounds"][1][1]["columns"], json!([[8, 60], [55], [], [], []]));
}

/// A deck of 3 colours with the numbers 10, 20, ... 600; six columns, two of them worth as much.
///
/// Row 30 40. Ann plays 10 and keeps 50, Ben plays 20 and keeps 60. Colours go round: 10 red,
/// 20 green, 30 white, 40 red, 50 green, 60 white; each card has 50 points.
#[test]
fn a_designers_deck_columns_and_objectives() {
    let mut deck = "number,colour,points\n".to_owned();
    for card in 1..=60 {
        let colour = ["red", "green", "white"][(card - 1) % 3];
        deck += &format!("{},{colour},50\n", card * 10);
    }
    let rules = json!({
        "rounds": 1, "first_hand": 2, "deck": deck, "scoring_values": [99, -99, 7, 7, 0, 1],
        "objectives": 1, "objective_pool": ["H1"], "objective_points": {"H1": -99},
        "objective_cards": [{"id": "H1", "points": 3, "text": "you have 1 green",
                             "when": {"kind": "count", "colour": "green", "in": [1]}}]});
    let game = record(
        rules,
        json!([{"scoring": [7, 99, 0, 7, 1, -99], "objectives": ["H1"],
                "hands": [[10, 50], [20, 60]], "row": [40, 30], "turns": [[10, 20]]}]),
    );
    let verdict = judge(&game);
    // Ann: 30 white on 7, 50 green on 99; Ben: 40 red on 7, 60 white on 99.
    let expected = json!([[
        {"columns": [[30], [50], [], [], [], []], "column_points": 106, "bonus_points": 100,
         "objective_points": -99, "round_score": 107},
        {"columns": [[40], [60], [], [], [], []], "column_points": 106, "bonus_points": 100,
         "objective_points": 0, "round_score": 206}]]);
    assert_eq!(verdict["rounds"], expected);
    assert_eq!(verdict["winners"], json!([1]));
}

/// A published card that a designer changed, and a letter of its own that is not the id's first.
#[test]
fn an_objective_may_be_replaced_and_lettered() {
    let cards = json!([
        {"id": "A1", "letter": "B", "points": 7, "when": {"kind": "colours", "in": [2]}}]);
    let rules = json!({"rounds": 1, "first_hand": 2, "objectives": 1, "objective_cards": cards});
    let round = json!([{"scoring": [1, 2, 3, 4, 5], "objectives": ["A1"],
                        "hands": [[8, 30], [6, 53]], "row": [12, 14], "turns": [[8, 6]]}]);
    let verdict = judge(&record(rules.clone(), round.clone()));
    assert_eq!(verdict["totals"], json!([10, 10]));
    let mut two = record(rules, round);
    two["rules"]["objectives"] = json!(2);
    two["rounds"][0]["objectives"] = json!(["A1", "B2"]);
    assert!(judge_line(&two.to_string()).unwrap_err().message.contains("share a letter"));
}

/// The most points that rules can give: 28 rounds, every column worth 99, every bubble 50.
#[test]
fn the_highest_totals_fit() {
    let mut deck = "number,colour,points\n".to_owned();
    for card in 1..=60 {
        deck += &format!("{card},c{},50\n", card % 8);
    }
    let cards: Vec<Value> = (0..5)
        .map(|card| {
            let when = json!({"kind": "colours", "in": [1, 2, 3, 4, 5, 6, 7, 8]});
            json!({"id": format!("H{card}"), "letter": format!("{card}"), "points": 99, "when": when})
        })
        .collect();
    let ids: Vec<&Value> = cards.iter().map(|card| &card["id"]).collect();
    let rules = json!({"rounds": 28, "first_hand": 2, "deck": deck, "scoring_values": [99, 99, 99, 99, 99, 99, 99, 99],
        "objectives": 5, "objective_cards": cards, "objective_pool": ids});
    let options = serde_json::from_value(rules).unwrap();
    let rules = mindlab::games::mind_up::Rules::new(2, &options).unwrap();
    let mut seats = super::support::players(&["lowest", "highest"]);
    let key = super::support::key(1, 2, 0);
    let (played, outcome) = mindlab::games::mind_up::record_game(&rules, &mut seats, key).unwrap();
    // Rounds of 2 to 29 cards: 434 cards of 149 points, and 28 times 495.
    assert_eq!(outcome.totals[..2], [434 * 149 + 28 * 495; 2]);
    let verdict = judge(&serde_json::to_value(&played).unwrap());
    assert_eq!(verdict["totals"], json!([78_526, 78_526]));
    assert_eq!(verdict["winners"], json!([0, 1]));
}
