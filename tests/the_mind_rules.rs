//! The rules of the Minds that the judged games of others do not show, as records written by hand.

use mindlab::games::GameId;
use mindlab::games::the_mind::referee::judge;
use mindlab::games::the_mind::rules::Rules;
use serde_json::{Value, json};

fn levels(game: &str, rules: Value, entries: &[(u64, Value, Value)]) -> (Vec<Value>, Value) {
    let entries: Vec<Value> = entries
        .iter()
        .map(|(level, hands, events)| {
            let events = events.as_array().unwrap().iter().map(|event| match event {
                Value::Array(play) => json!({"seat": play[0], "play": play[1]}),
                other => other.clone(),
            });
            json!({"level": level, "hands": hands, "events": events.collect::<Vec<_>>()})
        })
        .collect();
    let record = json!({"game": game, "players": 2, "rules": rules, "levels": entries});
    let verdict = judge(&record).unwrap_or_else(|error| panic!("{error:?}"));
    let verdict = serde_json::to_value(verdict).unwrap();
    (verdict["levels"].as_array().unwrap().clone(), verdict["result"].clone())
}

/// The first level only: its verdict.
fn one(game: &str, rules: Value, hands: Value, events: Value) -> Value {
    levels(game, rules, &[(1, hands, events)]).0[0].clone()
}

/// Two clean levels of two players, to be put before a third.
fn first_two(extreme: bool) -> [(u64, Value, Value); 2] {
    let card = |n: usize| {
        if extreme { json!(format!("w{n}")) } else { json!(n) }
    };
    let hand = |size: usize, seat: usize| -> Vec<Value> {
        (1..=size).map(|k| card(seat * size + k)).collect()
    };
    let level = |size: usize| {
        let hands = json!([hand(size, 0), hand(size, 1)]);
        let seats = (0..2).flat_map(|seat| hand(size, seat).into_iter().map(move |c| (seat, c)));
        let plays = seats.map(|(seat, card)| json!([seat, card])).collect();
        (size as u64, hands, Value::Array(plays))
    };
    [level(1), level(2)]
}

#[test]
fn a_mistake_costs_one_life_however_many_cards() {
    let [a, b] = first_two(false);
    let hands = json!([[50, 60, 70], [10, 20, 65]]);
    let events = json!([[0, 50], [0, 60], [1, 65], [0, 70]]);
    let (levels, _) = levels("the-mind", json!({}), &[a, b, (3, hands, events)]);
    assert_eq!(levels[2]["mistakes"], json!([{"event": 0, "card": 50, "set_aside": [10, 20]}]));
    // Two lives, one lost, one gained with level 3.
    assert_eq!((&levels[2]["lives"], &levels[2]["stars"]), (&json!(2), &json!(2)));
}

#[test]
fn a_level_may_end_by_a_mistake() {
    let level = one("the-mind", json!({}), json!([[50], [10]]), json!([[0, 50]]));
    assert_eq!(level["outcome"], "done");
    assert_eq!(level["lives"], 1);
}

#[test]
fn a_restart_deals_again_even_if_the_mistake_emptied_the_level() {
    let rules = json!({"mistake": "restart-level", "levels": 1});
    let again = (1, json!([[3], [4]]), json!([[0, 3], [1, 4]]));
    let first = (1, json!([[50], [10]]), json!([[0, 50]]));
    let (levels, result) = levels("the-mind", rules, &[first, again]);
    assert_eq!(levels[0]["outcome"], "restarted");
    assert_eq!(levels[0]["mistakes"][0]["set_aside"], json!([10]));
    assert_eq!((&levels[0]["lives"], &levels[1]["lives"]), (&json!(1), &json!(1)));
    assert_eq!(result, "won");
}

#[test]
fn a_restart_spends_stars_and_checks_no_blind_pile() {
    let rules = json!({"blind": {"2": ["red"]}, "levels": 2});
    let [first, clean] = first_two(true);
    let hands = json!([["w9", "r10"], ["w8", "r40"]]);
    // Red is out of order, but white restarts the level.
    let events = json!([[0, "r10"], [1, "r40"], [0, "w9"]]);
    let broken = (2, hands, events);
    let starred =
        (2, json!([["w5", "w6"], ["w7", "w8"]]), json!([{"star": ["w5", "w7"]}, [1, "w8"]]));
    let rules_3 = json!({"blind": {"2": ["red"]}, "levels": 2, "lives": 4, "stars": 1});
    let (levels_1, _) = levels("the-mind-extreme", rules, &[first.clone(), broken]);
    assert_eq!(levels_1[1]["outcome"], "restarted");
    assert_eq!(levels_1[1]["blind"], json!([]));
    let (levels_2, result) = levels("the-mind-extreme", rules_3, &[first, starred, clean]);
    assert_eq!((&levels_2[1]["outcome"], &levels_2[1]["stars"]), (&json!("restarted"), &json!(0)));
    // The level's reward comes once, when it is done.
    assert_eq!((&levels_2[2]["stars"], &levels_2[2]["lives"]), (&json!(1), &json!(3)));
    assert_eq!(result, "won");
}

#[test]
fn a_star_may_end_a_level_and_the_last_reward_is_taken() {
    let rules = json!({"levels": 1, "rewards": {"star": [1], "life": [1]}});
    let (levels, result) =
        levels("the-mind", rules, &[(1, json!([[50], [10]]), json!([{"star": true}]))]);
    assert_eq!(levels[0]["outcome"], "done");
    assert_eq!((&levels[0]["lives"], &levels[0]["stars"]), (&json!(3), &json!(1)));
    assert_eq!(result, "won");
}

#[test]
fn a_star_moves_no_pile() {
    // After the star 10 is still to be played above an empty pile: 5 and 20 are gone.
    let [a, _] = first_two(false);
    let hands = json!([[5, 10], [20, 30]]);
    let events = json!([{"star": true}, [0, 10], [1, 30]]);
    let (levels, _) = levels("the-mind", json!({}), &[a, (2, hands, events)]);
    assert_eq!(levels[1]["mistakes"], json!([]));
}

#[test]
fn caps_bound_rewards_but_take_nothing() {
    let rules = |lives: u8, stars: u8| {
        json!({"levels": 2, "lives": lives, "stars": stars, "max_lives": 4, "max_stars": 2,
               "rewards": {"star": [1], "life": [1]}})
    };
    for ((lives, stars), after) in [((3, 1), (4, 2)), ((4, 2), (4, 2)), ((6, 5), (6, 5))] {
        let hands = json!([[10], [20]]);
        let level = one("the-mind", rules(lives, stars), hands, json!([[0, 10], [1, 20]]));
        assert_eq!((&level["lives"], &level["stars"]), (&json!(after.0), &json!(after.1)));
    }
}

#[test]
fn blind_piles_cost_by_level_pile_or_card() {
    // White 20, 25, 10, 15: the longest increasing subsequence is 2 long, so 2 are out of order.
    // Red 10, 40: 1 is out of order.
    let [a, b] = first_two(true);
    let hands = json!([["w20", "w25", "r10"], ["w10", "w15", "r40"]]);
    let events = json!([[0, "w20"], [0, "w25"], [1, "w10"], [0, "r10"], [1, "w15"], [1, "r40"]]);
    for (penalty, paid) in [("per-level", 1), ("per-pile", 2), ("per-card", 3)] {
        for (reward, lives) in [("taken", 8), ("lost", 7)] {
            let rules = json!({"blind": {"3": ["white", "red"]}, "lives": 7 + paid,
                               "max_lives": 20, "blind_penalty": penalty, "blind_reward": reward});
            let level = (3, hands.clone(), events.clone());
            let (levels, _) = levels("the-mind-extreme", rules, &[a.clone(), b.clone(), level]);
            let expected = json!([{"pile": "white", "out_of_order": 2},
                                  {"pile": "red", "out_of_order": 1}]);
            assert_eq!(levels[2]["blind"], expected);
            assert_eq!(levels[2]["lives"], lives, "{penalty} {reward}");
            assert_eq!(levels[2]["mistakes"], json!([]));
        }
    }
}

#[test]
fn an_empty_blind_pile_is_in_order() {
    let level = one(
        "the-mind-extreme",
        json!({"blind": "all"}),
        json!([["w3"], ["w4"]]),
        json!([{"star": ["w3", "w4"]}]),
    );
    let expected =
        json!([{"pile": "white", "out_of_order": 0}, {"pile": "red", "out_of_order": 0}]);
    assert_eq!(level["blind"], expected);
}

#[test]
fn levels_beyond_the_table_have_no_blind_piles() {
    let rules = json!({"levels": 13, "blind": "table", "lives": 99, "lose_at": "life-owed"});
    let read = |rules: &Value| mindlab::error::read(rules).unwrap();
    let rules = Rules::new(GameId::TheMindExtreme, 2, &read(&rules)).unwrap();
    assert!(rules.is_blind(12, 1) && !rules.is_blind(12, 0));
    assert!(!rules.is_blind(13, 0) && !rules.is_blind(13, 1));
}

#[test]
fn lives_may_be_owed() {
    let rules = |lives: u8| json!({"lives": lives, "lose_at": "life-owed", "levels": 2});
    let level = one("the-mind", rules(1), json!([[50], [10]]), json!([[0, 50]]));
    assert_eq!((&level["outcome"], &level["lives"]), (&json!("done"), &json!(0)));
    let level = one("the-mind", rules(0), json!([[50], [10]]), json!([[0, 50]]));
    assert_eq!((&level["outcome"], &level["lives"]), (&json!("lost"), &json!(0)));
    let level = one("the-mind", rules(0), json!([[50], [10]]), json!([[1, 10], [0, 50]]));
    assert_eq!((&level["outcome"], &level["lives"]), (&json!("done"), &json!(0)));
}

#[test]
fn a_game_may_be_lost_over_a_blind_pile() {
    let rules = json!({"lives": 1, "blind": "all", "rewards": {"star": [1], "life": [1]}});
    let level = one("the-mind", rules, json!([[50], [10]]), json!([[0, 50], [1, 10]]));
    assert_eq!((&level["outcome"], &level["lives"]), (&json!("lost"), &json!(0)));
    assert_eq!(level["stars"], 1);
    assert_eq!(level["blind"], json!([{"pile": "number", "out_of_order": 1}]));
}

#[test]
fn colours_of_the_extreme_do_not_mix() {
    // A red 30 over a white 10 is no mistake; over a red 40 it is.
    let rules = json!({"mistake": "continue"});
    let level =
        one("the-mind-extreme", rules.clone(), json!([["r30"], ["w10"]]), json!([[0, "r30"]]));
    assert_eq!((&level["mistakes"], &level["outcome"]), (&json!([]), &json!("unfinished")));
    let level = one("the-mind-extreme", rules, json!([["r30"], ["r40"]]), json!([[0, "r30"]]));
    let expected = json!([{"event": 0, "card": "r30", "set_aside": ["r40"]}]);
    assert_eq!((&level["mistakes"], &level["outcome"]), (&expected, &json!("done")));
}
