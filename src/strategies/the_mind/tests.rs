//! What must hold for every family and star policy.

use proptest::prelude::{any, prop_assert_eq, proptest};
use serde_json::{Map, Value, json};

use super::stars::Stars;
use super::*;
use crate::error::read;
use crate::games::GameId;
use crate::games::the_mind::cards::{Card, Cards, MAX_SEATS};
use crate::games::the_mind::deal_hands;
use crate::games::the_mind::options::Options;
use crate::games::the_mind::player::Cheat;
use crate::games::the_mind::probe::{Answers, ask};
use crate::games::the_mind::state::{Table, Then};
use crate::rng::{GameKey, Key, Rng, below, deal_key, shuffle_front};

fn rules(game: GameId, players: usize, blind: &str) -> Rules {
    let options = json!({"blind": blind, "mistake": "continue", "lives": 99});
    Rules::new(game, players, &read::<Options>(&options).unwrap()).unwrap()
}

/// Deals a level and replays a game's public course on it: so many legal plays, drawn by `rng`.
fn table(rules: &Rules, hands: &[Cards], plays: &[(usize, Card)]) -> Option<Table> {
    let mut table = Table::new(rules);
    table.deal(rules, 5, 0, hands);
    for &(seat, card) in plays {
        let played = table.play(rules, seat, card);
        if played.then != Then::GoesOn {
            return None;
        }
    }
    Some(table)
}

/// Plays at random, and says what was played.
fn some_plays(rules: &Rules, hands: &[Cards], count: usize, rng: &mut Rng) -> Vec<(usize, Card)> {
    let mut plays = Vec::new();
    for _ in 0..count {
        let Some(table) = table(rules, hands, &plays) else {
            break;
        };
        let seat = below(rng, rules.players() as u32) as usize;
        let pile = below(rng, 2) as usize % rules.layout().piles();
        if let Some(card) = rules.layout().playable(table.hand(seat), pile) {
            plays.push((seat, card));
        }
    }
    plays
}

/// Other hands and other cards on blind piles, as seat 0 might believe them: all that it has seen
/// stays.
fn other_secrets(rules: &Rules, table: &Table, rng: &mut Rng) -> Table {
    let view = View::new(rules, table, 0);
    let mut pool: Vec<Card> = view.unseen().iter().collect();
    let count = pool.len();
    shuffle_front(rng, &mut pool, count);
    let (mut hands, mut played) = ([Cards::NONE; MAX_SEATS], [Cards::NONE; MAX_SEATS]);
    (hands[0], played[0]) = (table.hand(0), table.played_blind(0));
    for seat in 1..rules.players() {
        // What was played blind lies on its pile; a hand may hold anything above the open tops.
        for pile in 0..rules.layout().piles() {
            let mask = rules.layout().mask(pile);
            for _ in 0..table.played_blind(seat).and(mask).len() {
                let at = pool.iter().position(|&card| mask.has(card)).unwrap();
                played[seat] = played[seat].with(pool.swap_remove(at));
            }
        }
        let out = belief::Belief::may_be_out(&view);
        for _ in 0..view.size(seat) {
            let at = pool.iter().position(|&card| out.has(card)).unwrap();
            hands[seat] = hands[seat].with(pool.swap_remove(at));
        }
    }
    let mut other = *table;
    other.set_secrets(hands, played);
    other
}

/// What a family's player with default parameters and this star policy answers as seat 0.
fn answers(family: &Family<dyn Player>, star: &Value, rules: &Rules, table: &Table) -> Answers {
    let mut parameters = (family.defaults)();
    parameters.insert("star".into(), star.clone());
    let mut player = (family.build)(&parameters).unwrap().seat().unwrap();
    let key = GameKey::new(deal_key(1, 0, rules.players(), 0), 0, 0);
    // A sight of a card that nobody is known to hold.
    ask(&mut *player, rules, table, 0, key, (1, 0, rules.layout().size()))
}

const STARS: [fn() -> Value; 3] =
    [|| json!("never"), || json!({"policy": "when-risk-above"}), || json!("learned")];

proptest! {
    #[test]
    fn what_a_seat_cannot_see_changes_nothing(
        seed in any::<u64>(),
        players in 2usize..=4,
        count in 0usize..12,
        extreme in any::<bool>(),
        blind in any::<bool>(),
        star in 0usize..3,
    ) {
        let game = if extreme { GameId::TheMindExtreme } else { GameId::TheMind };
        let rules = rules(game, players, if blind { "all" } else { "none" });
        let mut rng = Key::root(seed).rng();
        let hands = deal_hands(&rules, deal_key(seed, 0, players, 1), 5, 0);
        let plays = some_plays(&rules, &hands, count, &mut rng);
        let Some(one) = table(&rules, &hands, &plays) else { return Ok(()) };
        if one.hand(0).is_empty() {
            return Ok(());
        }
        let two = other_secrets(&rules, &one, &mut rng);
        let honest = |name: &str| !name.starts_with("cheat-") && name != crate::bots::NAME;
        for family in FAMILIES.iter().filter(|family| honest(family.name)) {
            let answers = |table| answers(family, &STARS[star](), &rules, table);
            prop_assert_eq!(answers(&one), answers(&two), "{}", family.name);
        }
    }
}

#[test]
fn who_cheats_says_so_in_the_name_and_sees_what_others_do_not() {
    assert!(Cheat::named("cheat-perfect").is_some());
    assert!(Cheat::named("perfect").is_none());
    let family = FAMILIES.iter().find(|family| family.name == "cheat-perfect").unwrap();
    let mut rng = Key::root(6).rng();
    let rules = rules(GameId::TheMind, 3, "none");
    let mut different = 0;
    for deal in 0..100 {
        let hands = deal_hands(&rules, deal_key(1, 0, 3, deal), 5, 0);
        let one = table(&rules, &hands, &[]).unwrap();
        let two = other_secrets(&rules, &one, &mut rng);
        let first = |table: &Table| {
            let lowest = (0..3).min_by_key(|&seat| table.hand(seat).first()).unwrap();
            let intent = answers(family, &json!("never"), &rules, table).intent;
            let expected =
                if lowest == 0 { Intent::Play { pile: 0, wait: 0.0 } } else { Intent::Wait };
            assert_eq!(intent, expected);
            lowest
        };
        different += u32::from((first(&one) == 0) != (first(&two) == 0));
    }
    assert!(different > 20, "{different}");
}

fn message(family: &Family<dyn Player>, parameters: Value) -> String {
    let parameters: Map<String, Value> = parameters.as_object().unwrap().clone();
    match (family.build)(&parameters) {
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn families_build_from_their_defaults_and_say_what_will_not_do() {
    // A bot from outside says itself when it would have a star.
    for family in FAMILIES.iter().filter(|family| family.name != crate::bots::NAME) {
        let defaults = (family.defaults)();
        assert!(defaults.contains_key("star"));
        assert_eq!(message(family, Value::Object(defaults.clone())), "");
        let text = message(family, json!({"stra": 1}));
        assert!(text.starts_with("`stra`: unknown parameter; did you mean `star`?"), "{text}");
        for (key, value) in defaults.iter().filter(|(_, value)| value.is_number()) {
            for bad in [json!(-1e300), json!("x"), json!(1e300), json!(null)] {
                let text = message(family, json!({key: bad}));
                assert!(text.starts_with(&format!("`{key} = ")), "{key} {value} {text}");
            }
        }
    }
}

#[test]
fn star_policies_say_what_will_not_do() {
    let message = |star: Value| message(&FAMILIES[0], json!({"star": star}));
    assert_eq!(message(json!("when-risk-above")), "");
    assert_eq!(message(json!({"policy": "when-risk-above", "risk": 1})), "");
    assert!(message(json!("when-risk-abov")).contains("did you mean `when-risk-above`?"));
    assert!(message(json!({"policy": "nevr"})).starts_with("`star.policy = nevr`"));
    assert!(message(json!({"risk": 1})).starts_with("`star.policy`: this key is missing"));
    assert!(message(json!({"policy": "never", "risk": 1})).starts_with("`star.risk`"));
    assert!(
        message(json!({"policy": "when-risk-above", "risk": 2})).starts_with("`star.risk = 2`")
    );
    assert!(message(json!({"policy": "when-risk-above", "risc": 2})).contains("`risk`"));
    assert!(message(json!(3)).starts_with("`star = 3`"));
    assert_eq!(message(json!("learned")), "");
    assert_eq!(message(json!({"policy": "learned", "bias": -1000, "cards": 1000})), "");
    let text = message(json!({"policy": "learned", "lives": 1001}));
    assert_eq!(text, "`star.lives = 1001`: this must be from -1000 to 1000");
    assert!(message(json!({"policy": "learned", "margin": 2})).starts_with("`star.margin = 2`"));
    assert!(message(json!({"policy": "learned", "live": 1})).contains("`lives`"));
}

#[test]
fn star_policies_are_read_as_they_are_written() {
    for policy in [
        json!("never"),
        json!({"policy": "when-risk-above", "risk": 0.25, "margin": 0.5}),
        json!({"policy": "learned", "margin": 0.1, "bias": -1.0, "risk": 2.0, "stars": 0.5,
               "lives": -0.5, "level": 0.25, "cards": -0.25}),
    ] {
        assert_eq!(Stars::from_json(&policy).unwrap().to_json(), policy);
    }
}

#[test]
fn learned_weights_contain_the_policy_by_risk() {
    let mut rng = Key::root(5).rng();
    let (mut wanted, mut views) = (0, 0);
    for deal in 0..200 {
        let rules = rules(GameId::TheMind, 3, "none");
        let hands = deal_hands(&rules, deal_key(1, 0, 3, deal), 5, 0);
        let plays = some_plays(&rules, &hands, (deal % 8) as usize, &mut rng);
        let Some(table) = table(&rules, &hands, &plays) else { continue };
        let view = View::new(&rules, &table, 0);
        let would = |policy: Value| Stars::from_json(&policy).unwrap().would(&view);
        let by_risk = would(json!({"policy": "when-risk-above", "risk": 0.3, "margin": 0.2}));
        let none = json!({"policy": "learned", "margin": 0.2, "bias": -0.3, "risk": 1.0,
                          "stars": 0.0, "lives": 0.0, "level": 0.0, "cards": 0.0});
        assert_eq!(would(none.clone()), by_risk);
        // A weight on lives, of which there are 99 or a few less, decides alone.
        for (weight, expected) in [(1.0, true), (-1.0, false)] {
            let mut policy = none.clone();
            policy["lives"] = weight.into();
            assert_eq!(would(policy), expected);
        }
        wanted += u32::from(by_risk);
        views += 1;
    }
    assert!(wanted > views / 10 && wanted < views, "{wanted} of {views}");
}

#[test]
fn named_strategies_name_families_and_their_parameters() {
    for family in FAMILIES {
        let path =
            format!("{}/strategies/the-mind/{}.toml", env!("CARGO_MANIFEST_DIR"), family.name);
        let file: Value = toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        assert_eq!(file["family"], family.name);
        assert!(file["summary"].is_string());
        // Learned ones have other values than the family's defaults.
        let keys = |table: &Value| {
            let table = table.as_object().unwrap();
            table.keys().cloned().collect::<std::collections::BTreeSet<_>>()
        };
        assert_eq!(keys(&file["parameters"]), keys(&Value::Object((family.defaults)())));
    }
}

#[test]
fn a_blind_top_is_believed_where_order_statistics_put_it() {
    let rules = rules(GameId::TheMind, 3, "all");
    let layout = rules.layout();
    let hand = |numbers: [u8; 5]| numbers.iter().map(|&n| layout.card(0, n)).collect::<Cards>();
    let hands = [hand([10, 50, 60, 70, 80]), hand([1, 20, 30, 40, 90]), hand([2, 3, 4, 5, 6])];
    let card = |n| layout.card(0, n);
    let belief = |plays: &[(usize, Card)]| {
        let table = table(&rules, &hands, plays).unwrap();
        belief::Belief::of(&View::new(&rules, &table, 0), 0).top()
    };
    assert_eq!(belief(&[]), 0.0);
    // The lowest of ten uniform cards.
    assert!((belief(&[(1, card(1))]) - 101.0 / 11.0).abs() < 1e-9);
    assert_eq!(belief(&[(1, card(1)), (0, card(10))]), 10.0);
    // One more above 10, of at most nine: all unseen cards lie on this pile, 86 of 95 above 10.
    let nine = 1.0 + 8.0 * 86.0 / 94.0;
    let found = belief(&[(1, card(1)), (0, card(10)), (1, card(20))]);
    assert!((found - (10.0 + 91.0 / (nine + 1.0))).abs() < 0.2, "{found}");
}
