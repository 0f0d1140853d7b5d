//! The Mind against what is known about it: theorems, and win rates that other programs measured.

#[path = "the_mind_common/mod.rs"]
mod common;

use common::{Team, families, quick, rules};
use mindlab::games::GameId::{self, TheMind, TheMindExtreme};
use mindlab::games::the_mind::body::Body;
use serde_json::{Value, json};

const GAMES: u64 = 200_000;

/// Fails where two rates differ by more than 4 standard errors of the difference.
fn compare(what: &str, rate: f64, games: u64, expected: f64, their_games: f64) {
    let variance = expected * (1.0 - expected);
    let bound = 4.0 * (variance / games as f64 + variance / their_games).sqrt();
    assert!((rate - expected).abs() <= bound, "{what}: {rate}, expected {expected} +- {bound}");
}

fn factorial(n: u32) -> f64 {
    (1..=n).map(f64::from).product()
}

#[test]
fn waits_without_meaning_succeed_as_counted() {
    // Independent of the cards' values: (k!)^n / (n k)!.
    for (players, level) in [(2, 1), (2, 2), (3, 1), (4, 1), (2, 3), (3, 2)] {
        let options = json!({"levels": 12, "lives": 1, "stars": 0});
        let rules = rules(TheMind, players, options).from_level(level);
        for body in [Body::default(), Body { cv: 0.3, jitter: 0.2, ..Body::default() }] {
            let team = Team::new(&rules, "random", json!({}), body);
            let games = 50_000;
            let clean = team.count(games, |outcome| outcome.level(level).mistakes == 0);
            let (n, k) = (players as u32, u32::from(level));
            let expected = (0..n).map(|_| factorial(k)).product::<f64>() / factorial(n * k);
            compare("random", clean as f64 / games as f64, games, expected, f64::INFINITY);
        }
    }
}

/// Open and blind piles, in both games.
const PILES: [(GameId, &str); 5] = [
    (TheMind, "none"),
    (TheMind, "all"),
    (TheMindExtreme, "none"),
    (TheMindExtreme, "table"),
    (TheMindExtreme, "all"),
];

#[test]
fn perfect_clocks_never_fail() {
    for family in ["linear", "power"] {
        for (game, blind) in PILES {
            for players in 2..=4 {
                for pace in [1.0, 0.37] {
                    let rules = rules(game, players, json!({ "blind": blind }));
                    let parameters = json!({ "pace": pace });
                    let team = Team::new(&rules, family, parameters, Body::default());
                    let clean = team.count(2_000, |o| o.won && o.mistakes == 0 && o.forced == 0);
                    assert_eq!(clean, 2_000, "{family} {game} {blind} {players} {pace}");
                }
            }
        }
    }
}

#[test]
fn perfect_clocks_never_fail_with_any_plan_that_rises_with_the_card() {
    // Believing the truth, that nobody errs, and without hurry, `monte-carlo` keeps to its plan.
    let true_belief = json!({"cv": 0, "jitter": 0, "price": 0, "samples": 8});
    for (family, parameters) in [
        ("exponential", json!({})),
        ("threshold", json!({})),
        ("adaptive", json!({})),
        ("monte-carlo", true_belief),
    ] {
        for (game, blind) in PILES {
            for players in 2..=4 {
                let rules = rules(game, players, json!({ "blind": blind }));
                let team = Team::new(&rules, family, parameters.clone(), Body::default());
                let clean = team.count(300, |o| o.won && o.mistakes == 0 && o.forced == 0);
                assert_eq!(clean, 300, "{family} {game} {blind} {players}");
            }
        }
    }
}

#[test]
fn who_counts_hardly_fails_on_blind_piles() {
    // Cards fall in order by a clock that all share: 0.97 of games or more are won (1,000 games of
    // each plan). With tops believed from the number of cards played it was 0.50 to 0.66. Of 500
    // games 4 standard errors are 0.031.
    let body = Body { cv: 0.07, jitter: 0.1, reaction: 0.231, ..Body::default() };
    let rules = rules(TheMindExtreme, 2, json!({"blind": "table"}));
    for family in ["linear", "power", "exponential", "rank", "threshold", "adaptive"] {
        let won = Team::new(&rules, family, json!({}), body).count(500, |outcome| outcome.won);
        assert!(won >= 470, "{family} {won}");
    }
}

#[test]
fn who_sees_all_hands_never_fails_whatever_the_body() {
    let body = Body {
        cv: 1.0,
        jitter: 5.0,
        tempo_spread: 1.0,
        reaction: 3.0,
        adaptation: 0.5,
        ..Body::default()
    };
    for game in [TheMind, TheMindExtreme] {
        for (blind, players) in [("none", 2), ("all", 3), ("table", 4)] {
            let rules = rules(game, players, json!({"blind": blind, "lives": 1}));
            let team = Team::new(&rules, "cheat-perfect", json!({}), body);
            let clean = team.count(500, |o| o.won && o.mistakes == 0 && o.forced == 0);
            assert_eq!(clean, 500, "{game} {blind}");
        }
    }
}

/// The share of levels of 8 cards that 4 players do without a mistake, and the mean seconds of a
/// level, those that end with a mistake included.
fn level_8(family: &str, parameters: Value) -> (f64, f64) {
    let options = json!({"lives": 1, "stars": 0, "max_lives": 0, "max_stars": 0});
    let rules = rules(TheMind, 4, options).from_level(8);
    let body = Body { cv: 0.15, jitter: 0.2, ..Body::default() };
    let (mut clean, mut micros) = (0, 0);
    Team::new(&rules, family, parameters, body).each(20_000, |outcome| {
        clean += u64::from(outcome.won);
        micros += outcome.micros;
    });
    (clean as f64 / 20_000.0, micros as f64 / 20_000.0 / 1e6)
}

#[test]
fn a_searched_table_does_twice_as_well_as_a_straight_line_in_the_same_minute() {
    // A share's standard error is 0.0035; the bounds leave 5 of them.
    let (table, seconds) = level_8("threshold", json!({}));
    assert!(table > 0.70 && seconds < 60.0, "{table} in {seconds} s");
    let (line, seconds) = level_8("linear", json!({"pace": 1.0}));
    assert!((0.27..0.36).contains(&line) && (57.0..63.0).contains(&seconds), "{line} {seconds}");
}

#[test]
fn following_the_tempo_of_others_helps_where_tempos_differ() {
    let rules = rules(TheMind, 2, json!({"stars": 0, "max_stars": 0}));
    let body = Body { cv: 0.05, tempo_spread: 0.3, ..Body::default() };
    let won = |family| Team::new(&rules, family, json!({}), body).count(3_000, |o| o.won);
    let (alone, following) = (won("power"), won("adaptive"));
    // The standard error of the difference is below 39 games.
    assert!(following > alone + 200, "{following} {alone}");
}

#[test]
fn cards_that_cannot_be_held_back_harm_no_perfect_linear_team() {
    // At a pace of 1 s a number each card falls at its own number, asked anew or not.
    for players in 2..=4 {
        let rules = rules(TheMind, players, json!({}));
        for reaction in [0.231, 5.0] {
            let body = Body { reaction, ..Body::default() };
            let team = Team::new(&rules, "linear", json!({}), body);
            assert_eq!(team.count(1_000, |o| o.won && o.mistakes == 0), 1_000);
        }
    }
}

#[test]
fn following_those_who_plan_alike_and_keep_time_changes_nothing() {
    for family in ["linear", "power", "exponential", "rank", "threshold"] {
        for players in [2, 3] {
            let rules = rules(TheMind, players, json!({}));
            let play = |adaptation| {
                let body = Body { adaptation, ..Body::default() };
                Team::new(&rules, family, json!({}), body).play(500)
            };
            for (alone, following) in play(0.0).iter().zip(play(0.5)) {
                // The pace seen is 1 but for rounding, which may tip a level's last microsecond.
                let exact = if family == "linear" { 0 } else { 12 };
                assert!((alone.micros - following.micros).abs() <= exact, "{family}");
                assert_eq!(
                    (alone.won, alone.mistakes, alone.levels_done),
                    (following.won, following.mistakes, following.levels_done),
                    "{family}"
                );
            }
        }
    }
}

#[test]
fn following_the_others_helps_those_who_differ_in_tempo() {
    let rules = rules(TheMind, 2, json!({}));
    let won = |adaptation| {
        let body = Body { tempo_spread: 0.3, adaptation, ..Body::default() };
        Team::new(&rules, "linear", json!({}), body).count(5_000, |outcome| outcome.won)
    };
    let (without, with) = (won(0.0), won(0.3));
    assert!(with > without + 500, "{with} {without}");
}

#[test]
fn stars_help_where_timing_is_poor() {
    let rules = rules(TheMind, 3, json!({}));
    let body = Body { cv: 0.14, jitter: 0.1, reaction: 0.231, ..Body::default() };
    let won = |star| {
        let team = Team::new(&rules, "linear", json!({ "star": star }), body);
        team.count(5_000, |outcome| outcome.won)
    };
    let without = won("never");
    for policy in ["when-risk-above", "learned"] {
        let with = won(policy);
        assert!(with > without + 200, "{policy} {with} {without}");
    }
}

#[test]
fn wins_are_those_of_other_programs() {
    let cells = [
        (0.05, 0.0, 0.9917),
        (0.10, 0.0, 0.8530),
        (0.15, 0.0, 0.4694),
        (0.20, 0.0, 0.1573),
        (0.10, 0.10, 0.5995),
    ];
    let rules = rules(TheMind, 2, json!({}));
    for (cv, tempo_spread, expected) in cells {
        let body = Body { cv, tempo_spread, ..Body::default() };
        let team = Team::new(&rules, "linear", json!({}), body);
        let won = team.count(GAMES, |outcome| outcome.won);
        let what = format!("cv {cv}, spread {tempo_spread}");
        compare(&what, won as f64 / GAMES as f64, GAMES, expected, 4e6);
    }
}

#[test]
fn jitter_costs_levels_as_measured() {
    let cells = [(1, 0.9984), (2, 0.9935), (3, 0.9855), (5, 0.9602), (8, 0.9011), (12, 0.7912)];
    for (level, expected) in cells {
        let rules = rules(TheMind, 2, json!({"lives": 1})).from_level(level);
        let body = Body { jitter: 0.5, ..Body::default() };
        let team = Team::new(&rules, "linear", json!({}), body);
        let done = team.count(GAMES, |outcome| outcome.level(level).done);
        let rate = done as f64 / GAMES as f64;
        compare(&format!("{level} cards"), rate, GAMES, expected, 4e6);
    }
}

#[test]
fn games_end_and_count_what_they_did() {
    for game in [TheMind, TheMindExtreme] {
        for family in families() {
            for players in [2, 3, 4] {
                let rules = rules(game, players, json!({}));
                let body = Body { cv: 0.14, jitter: 0.2, reaction: 0.25, ..Body::default() };
                let team = Team::new(&rules, family, quick(family), body);
                for outcome in team.play(300) {
                    check(game, &outcome, rules.levels());
                }
            }
        }
    }
}

fn check(game: GameId, outcome: &mindlab::games::the_mind::outcome::Outcome, levels: u8) {
    assert_eq!(outcome.won, outcome.levels_done == levels, "{game}");
    assert_eq!(outcome.won, outcome.lives > 0);
    let each = (1..=levels).map(|level| outcome.level(level));
    let (mut mistakes, mut micros, mut done) = (0, 0, 0);
    for level in each {
        mistakes += level.mistakes;
        micros += level.micros;
        done += u8::from(level.done);
        assert!(level.attempts > 0 || level == Default::default());
    }
    assert_eq!((mistakes, micros, done), (outcome.mistakes, outcome.micros, outcome.levels_done));
}
