//! What must hold in every game of the Minds, over random rules, tables, teams and records.

#[path = "the_mind_common/mod.rs"]
mod common;

use common::{key, rules, strategy};
use mindlab::error::PlayError;
use mindlab::games::GameId::{self, TheMind, TheMindExtreme};
use mindlab::games::record::parse;
use mindlab::games::the_mind::block::{Block, FORCED_AFTER};
use mindlab::games::the_mind::body::{Body, Noise};
use mindlab::games::the_mind::options::Options;
use mindlab::games::the_mind::outcome::Outcome;
use mindlab::games::the_mind::player::{Batch, Intent, Player};
use mindlab::games::the_mind::record::{Entry, Move, Record, Recorder};
use mindlab::games::the_mind::referee::{judge, read_record};
use mindlab::games::the_mind::rules::Rules;
use mindlab::games::the_mind::tell::tell;
use mindlab::rng::{GameKey, Key, below};
use proptest::prelude::*;
use serde_json::{Value, json};

type Seats = Vec<Box<dyn Player>>;

fn play(
    rules: &Rules,
    bodies: &[Body],
    seats: &mut Seats,
    keys: &[GameKey],
) -> (Vec<Outcome>, Vec<Record>) {
    let mut seats: Vec<_> = seats.iter_mut().map(|seat| &mut **seat as &mut dyn Player).collect();
    let mut outcomes = Vec::new();
    let mut recorder = Recorder::new(rules, keys.len());
    Block::new().play(rules, bodies, &mut seats, keys, &mut recorder, &mut outcomes).unwrap();
    (outcomes, recorder.into_records())
}

fn seat(family: &str, parameters: Value) -> Box<dyn Player> {
    strategy(family, parameters).seat().unwrap()
}

prop_compose! {
    fn any_body()(
        cv in 0.0..0.5,
        tempo_spread in prop_oneof![Just(0.0), 0.0..0.5],
        jitter in prop_oneof![Just(0.0), 0.0..2.0],
        reaction in prop_oneof![Just(0.0), 0.0..3.0],
        adaptation in prop_oneof![Just(0.0), 0.0..=1.0],
        persistent in any::<bool>(),
    ) -> Body {
        let noise = if persistent { Noise::Persistent } else { Noise::Redraw };
        Body { cv, tempo_spread, jitter, reaction, adaptation, noise }
    }
}

fn any_seat() -> impl Strategy<Value = (Body, &'static str, Value)> {
    let star = prop_oneof![
        Just(json!("never")),
        (0.0..1.0, 0.0..=1.0).prop_map(|(risk, margin)| {
            json!({"policy": "when-risk-above", "risk": risk, "margin": margin})
        }),
        Just(json!({"policy": "when-risk-above", "risk": 0.05})),
        (-1.0..1.0, -1.0..1.0, -1.0..1.0).prop_map(|(bias, lives, cards)| {
            json!({"policy": "learned", "bias": bias, "lives": lives, "cards": cards})
        }),
    ];
    let family = prop::sample::select(common::families());
    (any_body(), family, star).prop_map(|(body, family, star)| {
        let mut parameters = common::quick(family);
        parameters["star"] = star;
        (body, family, parameters)
    })
}

fn any_blind(extreme: bool) -> impl Strategy<Value = Value> {
    let by_level = if extreme {
        json!({"1": ["white", "red"], "2": ["red"], "3": ["white"], "9": []})
    } else {
        json!({"1": ["number"], "3": ["number"]})
    };
    prop::sample::select(vec![json!("none"), json!("table"), json!("all"), by_level])
}

prop_compose! {
    fn any_options(extreme: bool)(
        (levels, lives, stars) in (1u8..7, 1u8..9, 0u8..4),
        mistake in prop::sample::select(vec!["continue", "restart-level"]),
        blind in any_blind(extreme),
        penalty in prop::sample::select(vec!["per-level", "per-pile", "per-card"]),
        reward in prop::sample::select(vec!["taken", "lost"]),
        lose_at in prop::sample::select(vec!["last-life", "life-owed"]),
        (max_lives, max_stars) in (0u8..9, 0u8..5),
        star in prop::collection::btree_set(1u8..8, 0..4),
        life in prop::collection::btree_set(1u8..8, 0..4),
        (refocuses, refocus_seconds) in (0u8..5, 1u8..9),
    ) -> Value {
        json!({
            "levels": levels, "lives": lives, "stars": stars, "mistake": mistake, "blind": blind,
            "blind_penalty": penalty, "blind_reward": reward, "lose_at": lose_at,
            "max_lives": max_lives, "max_stars": max_stars,
            "refocuses": refocuses, "refocus_seconds": refocus_seconds,
            "rewards": {"star": star, "life": life},
        })
    }
}

fn any_table() -> impl Strategy<Value = (GameId, Value, Vec<(Body, &'static str, Value)>)> {
    any::<bool>().prop_flat_map(|extreme| {
        let game = if extreme { TheMindExtreme } else { TheMind };
        (Just(game), any_options(extreme), prop::collection::vec(any_seat(), 2..=10))
    })
}

fn agree(outcome: &Outcome, record: &Record, rules: &Rules) {
    let line = serde_json::to_string(record).unwrap();
    let (read, verdict) =
        read_record(&parse(&line).unwrap()).unwrap_or_else(|error| panic!("{error:?}\n{line}"));
    assert_eq!(read, *record);
    assert!(tell(record, &verdict).contains("The team has"));
    let verdict = serde_json::to_value(verdict).unwrap();
    assert_eq!(verdict["result"], if outcome.won { "won" } else { "lost" });
    assert_eq!(verdict["levels_done"], outcome.levels_done);
    let last = verdict["levels"].as_array().unwrap().last().unwrap();
    assert_eq!((&last["lives"], &last["stars"]), (&outcome.lives.into(), &outcome.stars.into()));
    for level in 1..=rules.levels() {
        let found = outcome.level(level);
        let entries = verdict["levels"].as_array().unwrap().iter();
        let entries: Vec<_> = entries.filter(|entry| entry["level"] == level).collect();
        let mistakes = entries.iter().map(|entry| entry["mistakes"].as_array().unwrap().len());
        assert_eq!(entries.len(), usize::from(found.attempts));
        assert_eq!(mistakes.sum::<usize>(), usize::from(found.mistakes));
        assert_eq!(entries.iter().any(|entry| entry["outcome"] == "done"), found.done);
        let entries = record.levels.iter().filter(|entry| entry.level == level);
        let times = entries.map(|entry| entry.events.last().unwrap().at().unwrap());
        assert_eq!(times.sum::<i64>(), found.micros);
    }
    for entry in &record.levels {
        nothing_is_free(entry, rules);
    }
}

/// After the deal each event takes a card from a hand at least, or is a refocus, of which the rules
/// allow so many and which takes its seconds. So no more can happen in a level than is bounded.
fn nothing_is_free(entry: &Entry, rules: &Rules) {
    let cards: u32 = entry.hands.iter().map(|hand| hand.len()).sum();
    let is_refocus = |event: &&Move| matches!(event, Move::Refocus { .. });
    let refocuses = entry.events.iter().filter(is_refocus).count();
    assert!(refocuses <= usize::from(rules.refocuses()));
    assert!(entry.events.len() - refocuses <= cards as usize);
    let mut before = 0;
    for event in &entry.events {
        let at = event.at().unwrap();
        let least = if is_refocus(&event) { i64::from(rules.refocus_seconds()) } else { 0 };
        assert!(at - before + 1 >= least * 1_000_000, "{at} {before}");
        before = at;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn played_games_are_judged_as_they_were_played(
        (game, options, table) in any_table(),
        first in 0u64..1_000_000,
    ) {
        let rules = rules(game, table.len(), options);
        let bodies: Vec<Body> = table.iter().map(|seat| seat.0).collect();
        let mut seats: Seats =
            table.iter().map(|(_, family, parameters)| seat(family, parameters.clone())).collect();
        let keys: Vec<_> = (first..first + 4).map(|game| key(table.len(), game)).collect();
        let (outcomes, records) = play(&rules, &bodies, &mut seats, &keys);
        for (outcome, record) in outcomes.iter().zip(&records) {
            agree(outcome, record, &rules);
        }
    }

    #[test]
    fn rules_come_back_from_the_options_that_a_record_carries(
        (extreme, options) in any::<bool>().prop_flat_map(|e| (Just(e), any_options(e))),
        players in 2usize..=10,
    ) {
        let game = if extreme { TheMindExtreme } else { TheMind };
        let rules = rules(game, players, options);
        let text = serde_json::to_string(&rules.to_options()).unwrap();
        let options: Options = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(Rules::new(game, players, &options).unwrap(), rules);
    }
}

#[test]
fn blocks_and_order_do_not_matter() {
    // All families, three at a table; the last table is filled from the first.
    let families = common::families();
    let tables = families.len().div_ceil(3);
    let mut seats = families.into_iter().cycle();
    let teams: Vec<[&str; 3]> =
        (0..tables).map(|_| std::array::from_fn(|_| seats.next().unwrap())).collect();
    let mut starred = 0;
    for (game, team) in [TheMind, TheMindExtreme]
        .iter()
        .flat_map(|game| teams.iter().map(move |team| (*game, team)))
    {
        let rules = rules(game, 3, json!({"stars": 3}));
        let body =
            Body { cv: 0.14, jitter: 0.2, tempo_spread: 0.1, reaction: 0.25, ..Body::default() };
        let bodies = [body; 3];
        let star = json!({"policy": "when-risk-above", "risk": 0.3});
        let with_star = |name: &&str| {
            let mut parameters = common::quick(name);
            parameters["star"] = star.clone();
            seat(name, parameters)
        };
        let mut seats: Seats = team.iter().map(with_star).collect();
        let keys: Vec<_> = (0..65).map(|game| key(3, game)).collect();
        let (whole, records) = play(&rules, &bodies, &mut seats, &keys);
        let mut reversed: Vec<_> = keys.clone();
        reversed.reverse();
        let (mut back, _) = play(&rules, &bodies, &mut seats, &reversed);
        back.reverse();
        assert_eq!(whole, back);
        starred += usize::from(whole.iter().any(|outcome| outcome.stars_used > 0));
        for (index, key) in keys.iter().enumerate() {
            let (alone, record) = play(&rules, &bodies, &mut seats, &[*key]);
            assert_eq!((alone[0], &record[0]), (whole[index], &records[index]));
        }
    }
    assert!(starred >= 2, "stars were used at {starred} tables");
}

#[test]
fn the_ends_of_parameters_ranges_can_be_played() {
    let table = |rise: f64, power: f64| {
        json!({"steps": [1e-9, 100], "rises": [rise, (-rise).clamp(-20.0, 10.0)],
               "stretch": power, "density": power, "cards": -power})
    };
    let far = json!({"family": "exponential", "pace": 1000, "steepness": 20, "pivot": 1});
    let odd = [
        ("threshold", table(-20.0, 5.0)),
        ("threshold", table(10.0, -5.0)),
        ("exponential", json!({"pace": 1000, "steepness": 20, "pivot": 1})),
        ("exponential", json!({"pace": 1e-300, "steepness": 1e-300, "pivot": 100})),
        ("power", json!({"pace": 1000, "exponent": 10, "pivot": 1})),
        ("adaptive", json!({"pace": 1000, "exponent": 10, "pivot": 1, "follow": 1, "prior": 1})),
        ("monte-carlo", json!({"samples": 3, "cv": 0, "jitter": 0, "price": 1, "plan": far})),
        ("monte-carlo", json!({"samples": 1, "cv": 10, "jitter": 1000, "price": 0})),
    ];
    for (game, blind) in [(TheMind, "none"), (TheMindExtreme, "all"), (TheMindExtreme, "none")] {
        let rules = rules(game, 3, json!({"blind": blind, "levels": 6, "lives": 9}));
        let body = Body { cv: 0.2, jitter: 0.2, reaction: 0.2, adaptation: 0.5, ..Body::default() };
        for (family, parameters) in &odd {
            let mut seats: Seats = (0..3).map(|_| seat(family, parameters.clone())).collect();
            let keys: Vec<_> = (0..8).map(|game| key(3, game)).collect();
            let (outcomes, records) = play(&rules, &[body; 3], &mut seats, &keys);
            for (outcome, record) in outcomes.iter().zip(&records) {
                agree(outcome, record, &rules);
            }
        }
    }
}

/// Passes everything on and writes down the first intent of each game.
struct Spy {
    inner: Box<dyn Player>,
    seen: std::sync::mpsc::Sender<(usize, Intent)>,
    first: bool,
}

impl Player for Spy {
    fn begin(&mut self, rules: &Rules, keys: &[GameKey]) -> Result<(), PlayError> {
        self.first = true;
        self.inner.begin(rules, keys)
    }
    fn uses_stars(&self) -> bool {
        self.inner.uses_stars()
    }
    fn vote(&mut self, batch: &mut Batch<'_, bool>) -> Result<(), PlayError> {
        self.inner.vote(batch)
    }
    fn discard(&mut self, batch: &mut Batch<'_, u8>) -> Result<(), PlayError> {
        self.inner.discard(batch)
    }
    fn intend(&mut self, batch: &mut Batch<'_, Intent>) -> Result<(), PlayError> {
        self.inner.intend(batch)?;
        if std::mem::take(&mut self.first) {
            batch.each(|slot, _, _, intent| self.seen.send((slot, *intent)).unwrap());
        }
        Ok(())
    }
}

#[test]
fn a_seat_draws_the_same_whatever_others_draw() {
    let rules = rules(TheMind, 2, json!({}));
    let keys: Vec<_> = (0..64).map(|game| key(2, game)).collect();
    let first_intents = |other: &str| {
        let (seen, log) = std::sync::mpsc::channel();
        let inner = seat("random", json!({}));
        let mut seats: Seats =
            vec![Box::new(Spy { inner, seen, first: true }), seat(other, json!({}))];
        let (_, records) = play(&rules, &[Body::default(); 2], &mut seats, &keys);
        drop(seats);
        let hands: Vec<_> = records.iter().map(|record| record.levels[0].hands.clone()).collect();
        (log.iter().collect::<Vec<_>>(), hands)
    };
    let with_random = first_intents("random");
    assert_eq!(with_random.0.len(), 64);
    assert_eq!(with_random, first_intents("linear"));
}

/// Never plays: waits, or asks for a refocus again and again.
struct Idle(Intent);

impl Player for Idle {
    fn begin(&mut self, _: &Rules, _: &[GameKey]) -> Result<(), PlayError> {
        Ok(())
    }
    fn uses_stars(&self) -> bool {
        false
    }
    fn vote(&mut self, batch: &mut Batch<'_, bool>) -> Result<(), PlayError> {
        batch.each(|_, _, view, vote| *vote = view.hand().is_empty());
        Ok(())
    }
    fn discard(&mut self, batch: &mut Batch<'_, u8>) -> Result<(), PlayError> {
        batch.each(|_, _, _, pile| *pile = 200);
        Ok(())
    }
    fn intend(&mut self, batch: &mut Batch<'_, Intent>) -> Result<(), PlayError> {
        batch.each(|_, _, _, intent| *intent = self.0);
        Ok(())
    }
}

#[test]
fn where_nobody_plays_plays_are_forced() {
    let keys: Vec<_> = (0..100).map(|game| key(2, game)).collect();
    let refocus = Intent::Refocus { wait: 1.0 };
    // The last asks for a refocus after a second 3 times, each of which takes 7.
    for (intent, most, extra) in [(Intent::Wait, 3, 0.0), (refocus, 0, 0.0), (refocus, 3, 24.0)] {
        let options = json!({"levels": 1, "refocuses": most, "refocus_seconds": 7});
        let rules = rules(TheMindExtreme, 2, options);
        let mut seats: Seats = vec![Box::new(Idle(intent)), Box::new(Idle(intent))];
        let (outcomes, records) = play(&rules, &[Body::default(); 2], &mut seats, &keys);
        for (outcome, record) in outcomes.iter().zip(&records) {
            agree(outcome, record, &rules);
            let events = record.levels.iter().flat_map(|entry| &entry.events);
            let plays = events.filter(|event| matches!(event, Move::Play { .. })).count();
            assert_eq!(usize::from(outcome.forced), plays);
            let seconds = plays as f64 * FORCED_AFTER + record.levels.len() as f64 * extra;
            assert_eq!(outcome.micros, (seconds * 1e6) as i64);
        }
    }
}

#[test]
fn odd_answers_are_taken_as_documented() {
    let rules = rules(TheMindExtreme, 2, json!({"levels": 3}));
    let keys: Vec<_> = (0..50).map(|game| key(2, game)).collect();
    for wait in [f64::NAN, -1.0, f64::INFINITY, f64::NEG_INFINITY, 1e300] {
        let odd = Intent::Play { pile: 200, wait };
        let mut seats: Seats = vec![Box::new(Idle(odd)), Box::new(Idle(odd))];
        let body = Body {
            cv: 0.5,
            jitter: 1.0,
            tempo_spread: 1.0,
            reaction: 1.0,
            adaptation: 1.0,
            ..Body::default()
        };
        let (outcomes, records) = play(&rules, &[body; 2], &mut seats, &keys);
        for (outcome, record) in outcomes.iter().zip(&records) {
            agree(outcome, record, &rules);
        }
    }
}

#[test]
fn damaged_records_are_judged_or_refused() {
    let mut rng = Key::root(9).rng();
    let records: Vec<Value> = include_str!("fixtures/more_records.jsonl")
        .lines()
        .map(|line| parse(line).unwrap())
        .filter(|record| record["game"] != "mind-up")
        .collect();
    let mut refused = 0;
    for round in 0..40 {
        for record in &records {
            let mut record = record.clone();
            for _ in 0..=round % 3 {
                damage(&mut record, &mut rng);
            }
            refused += u32::from(judge(&record).is_err());
        }
    }
    assert!(refused > 1_000, "{refused}");
}

/// Changes one value somewhere in a record.
fn damage(value: &mut Value, rng: &mut mindlab::rng::Rng) {
    let odd = [
        json!(null),
        json!(-1),
        json!(0),
        json!(1e300),
        json!(u64::MAX),
        json!("w7"),
        json!(""),
        json!([]),
        json!({}),
        json!(true),
        json!(0.5),
        json!("é"),
        json!(101),
    ];
    let deeper = below(rng, 12) != 0;
    match value {
        Value::Array(items) if deeper && !items.is_empty() => {
            let index = below(rng, items.len() as u32) as usize;
            match below(rng, 8) {
                0 => drop(items.remove(index)),
                1 => items.push(items[index].clone()),
                2 => items.swap(0, index),
                _ => damage(&mut items[index], rng),
            }
        }
        Value::Object(map) if deeper && !map.is_empty() => {
            let index = below(rng, map.len() as u32) as usize;
            let key = map.keys().nth(index).unwrap().clone();
            match below(rng, 16) {
                0 => drop(map.shift_remove(&key)),
                1 => drop(map.insert(format!("{key}x"), json!(1))),
                _ => damage(&mut map[&key], rng),
            }
        }
        other => *other = odd[below(rng, odd.len() as u32) as usize].clone(),
    }
}
