//! What must hold for every family and star policy.

use proptest::prelude::{any, prop_assert_eq, proptest};
use serde_json::{Map, Value, json};

use super::seated::test_draws;
use super::stars::Stars;
use super::*;
use crate::error::read;
use crate::games::GameId;
use crate::games::the_mind::cards::{Card, Cards, MAX_SEATS};
use crate::games::the_mind::deal_hands;
use crate::games::the_mind::options::Options;
use crate::games::the_mind::state::{Table, Then};
use crate::rng::{GameKey, Key, Rng, below, deal_key, shuffle_front};

fn rules(game: GameId, blind: &str) -> Rules {
    let options = json!({"blind": blind, "mistake": "continue", "lives": 99});
    Rules::new(game, 3, &read::<Options>(&options).unwrap()).unwrap()
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
        let seat = below(rng, 3) as usize;
        let pile = below(rng, 2) as usize % rules.layout().piles();
        if let Some(card) = rules.layout().playable(table.hand(seat), pile) {
            plays.push((seat, card));
        }
    }
    plays
}

/// Other hands, as seat 0 might believe them: its own hand and all that all saw stay.
fn other_hands(rules: &Rules, table: &Table, rng: &mut Rng) -> [Cards; MAX_SEATS] {
    let view = View::new(rules, table, 0);
    let mut pool: Vec<Card> = view.unseen().iter().collect();
    let count = pool.len();
    shuffle_front(rng, &mut pool, count);
    let mut hands = [Cards::NONE; MAX_SEATS];
    hands[0] = table.hand(0);
    let mut pool = pool.into_iter();
    for (seat, hand) in hands.iter_mut().enumerate().skip(1).take(2) {
        *hand = pool.by_ref().take(usize::from(view.size(seat))).collect();
    }
    hands
}

fn intent<S: Strategy>(rules: &Rules, table: &Table) -> Intent {
    let mut strategy = S::new(S::Parameters::default()).unwrap();
    strategy.prepare(rules);
    let view = View::new(rules, table, 0);
    let key = GameKey::new(deal_key(1, 0, 3, 0), 0, 0);
    test_draws(&key, &view, |draws| strategy.intend(&view, &mut S::Memory::default(), draws))
}

proptest! {
    #[test]
    fn what_a_seat_cannot_see_changes_nothing(
        seed in any::<u64>(),
        count in 0usize..12,
        extreme in any::<bool>(),
        blind in any::<bool>(),
    ) {
        let game = if extreme { GameId::TheMindExtreme } else { GameId::TheMind };
        let rules = rules(game, if blind { "all" } else { "none" });
        let mut rng = Key::root(seed).rng();
        let hands = deal_hands(&rules, deal_key(seed, 0, 3, 1), 5, 0);
        let plays = some_plays(&rules, &hands, count, &mut rng);
        let Some(one) = table(&rules, &hands, &plays) else { return Ok(()) };
        let mut two = one;
        two.set_hands(other_hands(&rules, &one, &mut rng));
        let star = json!({"policy": "when-risk-above", "risk": 0.3});
        let star = Stars::from_json(&star).unwrap();
        let views = [View::new(&rules, &one, 0), View::new(&rules, &two, 0)];
        if views[0].hand().is_empty() {
            return Ok(());
        }
        prop_assert_eq!(star.would(&views[0]), star.would(&views[1]));
        prop_assert_eq!(star.discard(&views[0]), star.discard(&views[1]));
        prop_assert_eq!(intent::<Linear>(&rules, &one), intent::<Linear>(&rules, &two));
        prop_assert_eq!(intent::<Power>(&rules, &one), intent::<Power>(&rules, &two));
        prop_assert_eq!(intent::<Rank>(&rules, &one), intent::<Rank>(&rules, &two));
        prop_assert_eq!(intent::<Random>(&rules, &one), intent::<Random>(&rules, &two));
    }
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
            for bad in [json!(-1), json!("x"), json!(1e300), json!(null)] {
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
    assert!(message(json!({"risk": 1})).starts_with("`star.policy`: missing"));
    assert!(message(json!({"policy": "never", "risk": 1})).starts_with("`star.risk`"));
    assert!(
        message(json!({"policy": "when-risk-above", "risk": 2})).starts_with("`star.risk = 2`")
    );
    assert!(message(json!({"policy": "when-risk-above", "risc": 2})).contains("`risk`"));
    assert!(message(json!(3)).starts_with("`star = 3`"));
}

#[test]
fn named_strategies_name_families_and_their_parameters() {
    for family in &FAMILIES {
        let path =
            format!("{}/strategies/the-mind/{}.toml", env!("CARGO_MANIFEST_DIR"), family.name);
        let file: Value = toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        assert_eq!(file["family"], family.name);
        assert!(file["summary"].is_string());
        assert_eq!(file["parameters"], Value::Object((family.defaults)()));
    }
}

#[test]
fn a_blind_top_is_believed_where_order_statistics_put_it() {
    let rules = rules(GameId::TheMind, "all");
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
