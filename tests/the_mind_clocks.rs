//! No public event is a free clock: what all see happen takes a card, a star or its seconds, and
//! what is refused is seen by nobody.

#[path = "the_mind_common/mod.rs"]
mod common;

use std::sync::mpsc::{Sender, channel};

use common::{families, key, quick, rules, strategy};
use mindlab::error::PlayError;
use mindlab::games::GameId::{TheMind, TheMindExtreme};
use mindlab::games::record::parse;
use mindlab::games::the_mind::block::Block;
use mindlab::games::the_mind::body::Body;
use mindlab::games::the_mind::groups;
use mindlab::games::the_mind::outcome::Outcome;
use mindlab::games::the_mind::player::{Batch, Intent, Player};
use mindlab::games::the_mind::record::{Move, Record, Recorder};
use mindlab::games::the_mind::referee::{judge, read_record};
use mindlab::games::the_mind::rules::Rules;
use mindlab::games::the_mind::state::Event;
use mindlab::games::the_mind::tell::tell;
use mindlab::rng::GameKey;
use serde_json::{Value, json};

type Seats = Vec<Box<dyn Player>>;

fn play(rules: &Rules, bodies: &[Body], mut seats: Seats, games: u64) -> Vec<(Outcome, Record)> {
    let mut seats: Vec<_> = seats.iter_mut().map(|seat| &mut **seat as &mut dyn Player).collect();
    let keys: Vec<_> = (0..games).map(|game| key(rules.players(), game)).collect();
    let mut outcomes = Vec::new();
    let mut recorder = Recorder::new(rules, keys.len());
    Block::new().play(rules, bodies, &mut seats, &keys, &mut recorder, &mut outcomes).unwrap();
    let records = recorder.into_records();
    for record in &records {
        judge(&parse(&serde_json::to_string(record).unwrap()).unwrap()).unwrap();
    }
    outcomes.into_iter().zip(records).collect()
}

fn seat(family: &str, parameters: Value) -> Box<dyn Player> {
    strategy(family, parameters).seat().unwrap()
}

fn team(players: usize, seat: impl Fn() -> Box<dyn Player>) -> Seats {
    (0..players).map(|_| seat()).collect()
}

fn wins(games: &[(Outcome, Record)]) -> usize {
    games.iter().filter(|(outcome, _)| outcome.won).count()
}

/// What a metronome does where the level allows no refocus.
#[derive(Clone, Copy)]
enum Else {
    /// Waits a second for each number, as `linear` does.
    Linear,
    /// Asks nevertheless.
    Insist,
    /// Waits for something to happen.
    Wait,
}

/// Has the table refocus every 0.75 seconds, and counts aloud: the k-th is the time of card k.
struct Metronome(Vec<u32>, Else);

impl Metronome {
    fn seat(otherwise: Else) -> Box<dyn Player> {
        Box::new(Metronome(Vec::new(), otherwise))
    }
}

impl Player for Metronome {
    fn begin(&mut self, _: &Rules, keys: &[GameKey]) -> Result<(), PlayError> {
        self.0 = vec![0; keys.len()];
        Ok(())
    }
    fn observes(&self) -> bool {
        true
    }
    fn observe(&mut self, batch: &mut Batch<'_, ()>) -> Result<(), PlayError> {
        batch.each(|slot, _, view, _| match view.last() {
            Event::Deal => self.0[slot] = 0,
            Event::Refocus => self.0[slot] += 1,
            _ => {}
        });
        Ok(())
    }
    fn uses_stars(&self) -> bool {
        false
    }
    fn vote(&mut self, batch: &mut Batch<'_, bool>) -> Result<(), PlayError> {
        batch.each(|_, _, view, vote| *vote = view.hand().is_empty());
        Ok(())
    }
    fn discard(&mut self, _: &mut Batch<'_, u8>) -> Result<(), PlayError> {
        Ok(())
    }
    fn intend(&mut self, batch: &mut Batch<'_, Intent>) -> Result<(), PlayError> {
        let refocus = Intent::Refocus { wait: 0.75 };
        batch.each(|slot, _, view, intent| {
            let card = view.playable(0).map_or(0, |card| view.layout().rank(card));
            let gap = card.saturating_sub(view.top(0).unwrap_or(0));
            let at_once = Intent::Play { pile: 0, wait: 0.0 };
            *intent = match (view.refocuses(), self.1) {
                (0, Else::Linear) => Intent::Play { pile: 0, wait: f64::from(gap) },
                _ if u32::from(card) <= self.0[slot] + 1 => at_once,
                (0, Else::Wait) => Intent::Wait,
                _ => refocus,
            };
        });
        Ok(())
    }
}

/// Four players with eight cards each, one level, one life.
fn level_eight(more: Value) -> Rules {
    let mut options = json!({"first_level": 8, "lives": 1, "stars": 0});
    options.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    rules(TheMind, 4, options)
}

fn intuitive(players: usize) -> Vec<Body> {
    groups::named("intuitive").unwrap().bodies(players)
}

#[test]
fn a_metronome_gains_nothing_by_the_published_rules() {
    let rules = level_eight(json!({}));
    assert_eq!((rules.refocuses(), rules.refocus_seconds()), (0, 5));
    for group in ["ideal", "counting", "intuitive", "novices", "well-rehearsed"] {
        let bodies = groups::named(group).unwrap().bodies(4);
        // Whose tempo others follow: a metronome has no plan for them, as the twin has.
        let bodies: Vec<_> =
            bodies.into_iter().map(|body| Body { adaptation: 0.0, ..body }).collect();
        let twin = play(&rules, &bodies, team(4, || seat("linear", json!({}))), 60);
        let own = play(&rules, &bodies, team(4, || Metronome::seat(Else::Linear)), 60);
        assert!(own == twin, "{group}");
        // And who counts on it does not even win where nobody errs.
        let insists = play(&rules, &bodies, team(4, || Metronome::seat(Else::Insist)), 60);
        assert_eq!(wins(&insists), 0, "{group}");
    }
}

#[test]
fn what_is_refused_is_seen_by_nobody() {
    for most in [0, 3] {
        let rules = level_eight(json!({"refocuses": most}));
        let insists = play(&rules, &intuitive(4), team(4, || Metronome::seat(Else::Insist)), 60);
        let waits = play(&rules, &intuitive(4), team(4, || Metronome::seat(Else::Wait)), 60);
        assert!(insists == waits, "{most}");
        // Nor are other seats asked again for it.
        let mixed = |one| {
            let mut seats = team(3, || seat("linear", json!({})));
            seats.insert(1, Metronome::seat(one));
            play(&rules, &intuitive(4), seats, 60)
        };
        assert!(mixed(Else::Insist) == mixed(Else::Wait), "{most}");
    }
}

/// Seconds and refocuses of games.
fn cost(games: &[(Outcome, Record)]) -> (f64, usize) {
    let seconds = games.iter().map(|(outcome, _)| outcome.micros as f64 / 1e6).sum();
    let events = games.iter().flat_map(|(_, record)| &record.levels[0].events);
    (seconds, events.filter(|event| matches!(event, Move::Refocus { .. })).count())
}

#[test]
fn where_rules_have_refocuses_they_cost_their_seconds() {
    let alone =
        play(&level_eight(json!({})), &intuitive(4), team(4, || Metronome::seat(Else::Linear)), 60);
    for (most, each) in [(99, 1), (99, 5), (20, 5)] {
        let rules = level_eight(json!({"refocuses": most, "refocus_seconds": each}));
        let games = play(&rules, &intuitive(4), team(4, || Metronome::seat(Else::Linear)), 60);
        let (seconds, refocuses) = cost(&games);
        assert!(refocuses <= 60 * most);
        assert!(seconds > refocuses as f64 * f64::from(each), "{seconds} {refocuses}");
        // The clock works where there are enough of them, and is paid for.
        if most == 99 {
            assert!(wins(&games) >= 50 && wins(&alone) <= 30, "{} {}", wins(&games), wins(&alone));
            assert!(seconds / 60.0 > 80.0 * f64::from(each));
        }
    }
}

#[test]
fn refocuses_are_recorded_judged_and_told() {
    let rules = level_eight(json!({"refocuses": 2, "refocus_seconds": 9}));
    let games = play(&rules, &[Body::default(); 4], team(4, || Metronome::seat(Else::Linear)), 20);
    let record =
        &games.iter().find(|(_, record)| cost(&[(Outcome::default(), record.clone())]).1 == 2);
    let line = serde_json::to_string(&record.unwrap().1).unwrap();
    let value = parse(&line).unwrap();
    let (again, verdict) = read_record(&value).unwrap();
    assert_eq!(again, record.unwrap().1);
    assert!(line.contains(r#"{"refocus":true,"at":9.75}"#), "{line}");
    assert!(tell(&again, &verdict).contains("     9.8 s a refocus: all start anew\n"));
    // By the published rules the same record is none.
    let mut published = value.clone();
    published["rules"].as_object_mut().unwrap().shift_remove("refocuses");
    let refused = judge(&published).unwrap_err();
    assert_eq!(refused.code.to_string(), "no-refocus");
    assert_eq!((refused.entry, refused.level), (Some(0), Some(8)));
}

#[test]
fn a_body_times_what_its_seat_asks_for() {
    let first = |cv| {
        let rules = level_eight(json!({"refocuses": 99, "refocus_seconds": 2}));
        let body = Body { cv, ..Body::default() };
        let games = play(&rules, &[body; 4], team(4, || Metronome::seat(Else::Linear)), 20);
        let first = |(_, record): &(Outcome, Record)| match record.levels[0].events[0] {
            Move::Refocus { at } => at,
            _ => None,
        };
        games.iter().filter_map(first).collect::<Vec<_>>()
    };
    assert!(first(0.0).iter().all(|&at| at == 2_750_000));
    let mut errs = first(0.2);
    let all = errs.len();
    errs.dedup();
    assert!(all > 10 && errs.len() == all, "{errs:?}");
}

/// A card that can't be held back falls before any refocus, so that time never runs backwards: the
/// referee looks at that.
#[test]
fn a_falling_card_falls_before_a_refocus() {
    let rules = rules(TheMind, 4, json!({"refocuses": 50, "lives": 20, "refocus_seconds": 1}));
    let body = Body { reaction: 0.7, jitter: 0.5, ..Body::default() };
    let games = play(&rules, &[body; 4], team(4, || Metronome::seat(Else::Linear)), 40);
    assert!(cost(&games).1 > 40);
    assert!(games.iter().any(|(outcome, _)| outcome.mistakes > 0));
}

/// Answers as a player does, but for its votes, and writes down each question with what it saw.
struct Asked {
    inner: Box<dyn Player>,
    listens: bool,
    vote: Option<bool>,
    log: Option<Sender<(usize, &'static str, f64, u8)>>,
}

impl Asked {
    fn note<A>(&self, what: &'static str, batch: &mut Batch<'_, A>) {
        if let Some(log) = &self.log {
            batch.each(|slot, _, view, _| {
                log.send((slot, what, view.clock(), view.stars())).unwrap();
            });
        }
    }
}

impl Player for Asked {
    fn begin(&mut self, rules: &Rules, keys: &[GameKey]) -> Result<(), PlayError> {
        self.inner.begin(rules, keys)
    }
    fn observes(&self) -> bool {
        true
    }
    fn observe(&mut self, batch: &mut Batch<'_, ()>) -> Result<(), PlayError> {
        self.note("observe", batch);
        if self.inner.observes() { self.inner.observe(batch) } else { Ok(()) }
    }
    fn uses_stars(&self) -> bool {
        self.vote.is_some() || self.inner.uses_stars()
    }
    fn listens(&self) -> bool {
        self.listens
    }
    fn vote(&mut self, batch: &mut Batch<'_, bool>) -> Result<(), PlayError> {
        self.note("vote", batch);
        self.inner.vote(batch)?;
        if let Some(vote) = self.vote {
            // Also with an empty hand, so that no star is ever used where one refuses.
            batch.each(|_, _, _, answer| *answer = vote);
        }
        Ok(())
    }
    fn discard(&mut self, batch: &mut Batch<'_, u8>) -> Result<(), PlayError> {
        self.inner.discard(batch)
    }
    fn intend(&mut self, batch: &mut Batch<'_, Intent>) -> Result<(), PlayError> {
        self.note("intend", batch);
        self.inner.intend(batch)
    }
    fn plan(
        &mut self,
        batch: &mut Batch<'_, mindlab::games::the_mind::player::Sight>,
    ) -> Result<(), PlayError> {
        self.inner.plan(batch)
    }
}

/// Were a seat asked for its vote only where those before it agree, votes would be free signals.
#[test]
fn being_asked_for_a_star_tells_nothing_of_other_votes() {
    let rules = rules(TheMind, 3, json!({"stars": 3}));
    for listener in 0..3 {
        let questions = |others: bool| {
            let (sender, log) = channel();
            let seats = (0..3).map(|place| -> Box<dyn Player> {
                let own = place == listener;
                Box::new(Asked {
                    inner: seat("linear", json!({})),
                    listens: own,
                    vote: Some(others && !own),
                    log: own.then(|| sender.clone()),
                })
            });
            let games = play(&rules, &intuitive(3), seats.collect(), 20);
            drop(sender);
            (log.iter().collect::<Vec<_>>(), games)
        };
        assert!(questions(true).0.iter().any(|(_, what, ..)| *what == "vote"));
        assert!(questions(true) == questions(false), "seat {listener}");
    }
}

/// A vote that is not asked for would tell that somebody's card is falling, in time to hold back.
#[test]
fn being_asked_for_a_star_tells_nothing_of_falling_cards() {
    let rules = rules(TheMindExtreme, 2, json!({"stars": 9, "lives": 9}));
    let (sender, log) = channel();
    let asked = |log: Option<Sender<_>>| -> Box<dyn Player> {
        let (inner, own) = (seat("linear", json!({})), log.is_some());
        Box::new(Asked { inner, listens: own, vote: Some(false), log })
    };
    let body = Body { reaction: 5.0, jitter: 0.5, ..Body::default() };
    play(&rules, &[body; 2], vec![asked(Some(sender)), asked(None)], 20);
    let log: Vec<_> = log.iter().collect();
    let count = |what| log.iter().filter(|(_, kind, ..)| *kind == what).count();
    // At each event all stars are still there, and the seat is asked whatever falls.
    assert!(log.iter().all(|&(.., stars)| stars > 0));
    assert_eq!(count("vote"), count("observe"));
    assert!(count("intend") < count("vote"), "its own cards were falling, too");
}

#[test]
fn who_listens_plays_the_same_game() {
    let star = json!({"policy": "when-risk-above", "risk": 0.2});
    let body = Body { cv: 0.14, jitter: 0.2, reaction: 0.4, adaptation: 0.2, ..Body::default() };
    for family in families() {
        let mut parameters = quick(family);
        parameters["star"] = star.clone();
        for game in [TheMind, TheMindExtreme] {
            let rules = rules(game, 3, json!({"stars": 3}));
            let all = |listeners: &[usize]| {
                let seats = (0..3).map(|place| -> Box<dyn Player> {
                    let inner = seat(family, parameters.clone());
                    match listeners.contains(&place) {
                        true => Box::new(Asked { inner, listens: true, vote: None, log: None }),
                        false => inner,
                    }
                });
                play(&rules, &[body; 3], seats.collect(), 20)
            };
            let plain = all(&[]);
            for listeners in [&[0][..], &[2], &[0, 1, 2]] {
                assert!(all(listeners) == plain, "{family} {listeners:?}");
            }
        }
    }
}
