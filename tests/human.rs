//! A person at the terminal, with what it types written down beforehand.

use std::io::{self, Cursor, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

use mindlab::experiment::plan::{Place, Plan};
use mindlab::experiment::replay::{self, Played};
use mindlab::experiment::run::RunError;
use mindlab::experiment::spec::{Overrides, Spec};
use mindlab::games::referee::judge_line;
use mindlab::human::{Console, Guests};
use mindlab::strategies::Library;
use serde_json::{Value, json};

const PLACE: Place = Place { cell: 0, lineup: 0, deal: 0, rotation: 0 };

/// What was written on the screen.
#[derive(Clone, Default)]
struct Screen(Arc<Mutex<Vec<u8>>>);

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn plan(game: &str, lineup: &[&str], rest: &str) -> Result<Plan, String> {
    let text = format!(
        "name = 'x'\ngame = '{game}'\nplayers = {}\ngames = 1\nseed = 4\nlineups = [{lineup:?}]\n{rest}",
        lineup.len()
    );
    let spec = Spec::from_toml(&text, Path::new(""), &Overrides::default());
    Plan::new(&spec.map_err(|error| error.to_string())?, &Library::default())
        .map_err(|error| error.to_string())
}

/// Plays with persons in some seats; also whether one left, and what the screen showed.
fn play(plan: &Plan, seats: &[usize], typed: &str) -> (Result<Played, RunError>, bool, String) {
    let screen = Screen::default();
    let console = Console::new(Cursor::new(typed.to_owned()), screen.clone());
    let guests = Guests::new(console.clone(), seats.to_vec());
    let played = replay::play_with(plan, PLACE, Some(&guests));
    let shown = String::from_utf8(screen.0.lock().unwrap().clone()).unwrap();
    (played, console.left(), shown)
}

fn record(played: &Played) -> Value {
    judge_line(&played.line()).unwrap();
    serde_json::from_str(&played.line()).unwrap()
}

#[test]
fn a_person_who_plays_as_a_bot_has_the_bots_game() {
    for rules in ["", "[rules]\nobjectives = 2\n", "[rules]\nnext_hand = 'deal'\n"] {
        let plan = plan("mind-up", &["greedy", "random", "greedy"], rules).unwrap();
        let bots = replay::play(&plan, PLACE).unwrap();
        let turns = record(&bots)["rounds"].clone();
        let mut typed = String::new();
        for round in turns.as_array().unwrap() {
            for turn in round["turns"].as_array().unwrap() {
                typed += &format!("{}\n", turn[0]);
            }
        }
        let (played, left, shown) = play(&plan, &[0], &typed);
        let played = played.unwrap();
        assert!(!left);
        assert_eq!(played.line(), bots.line());
        assert_eq!(played.names, ["human", "random", "greedy"]);
        assert!(shown.contains("-- The end"), "{shown}");
        assert!(shown.lines().all(|line| line.chars().count() <= 100));
    }
}

#[test]
fn hidden_cards_are_not_shown() {
    let plan = plan("mind-up", &["random", "greedy", "greedy"], "").unwrap();
    let (_, left, shown) = play(&plan, &[0], "");
    assert!(left);
    let all = record(&replay::play(&plan, PLACE).unwrap());
    let hands = &all["rounds"][0]["hands"];
    let words: Vec<&str> = shown.split(|c: char| !c.is_ascii_digit()).collect();
    let shows = |card: &Value| words.contains(&card.to_string().as_str());
    assert!(hands[0].as_array().unwrap().iter().all(shows));
    // Cards above 9, so that no count or column is taken for one.
    for card in hands[1].as_array().unwrap().iter().filter(|card| card.as_u64() > Some(9)) {
        assert!(!shows(card), "{card} in {shown}");
    }
}

#[test]
fn wrong_answers_are_asked_again() {
    let plan = plan("mind-up", &["random", "greedy", "greedy"], "").unwrap();
    let (played, left, shown) = play(&plan, &[0], "?\n\nx\n-1\n99999999999999999999\n1e3\nq\n");
    assert!(left && matches!(played, Err(RunError::Play(_))));
    assert_eq!(shown.matches("Your card, seat 0: ").count(), 7);
    assert_eq!(shown.matches("Type one of ").count(), 5);
    assert!(shown.contains("q leaves the game"));
    let (_, left, _) = play(&plan, &[0], "\u{0}\u{1b}[2J\n");
    assert!(left);
}

#[test]
fn a_person_plays_the_mind() {
    let plan = plan("the-mind", &["random", "linear"], "groups = ['ideal']").unwrap();
    let (played, left, shown) = play(&plan, &[0], &"7.5\n".repeat(400));
    assert!(!left, "{shown}");
    assert!(shown.contains("the game is lost") || shown.contains("the game is won"));
    let record = record(&played.unwrap());
    assert_eq!(record["game"], "the-mind");
    assert!(shown.contains("seat 0 human plays"), "{shown}");
    // `linear` never uses a star, so that the person is asked for one when its hand is empty.
    assert!(shown.contains("hands 1 1\nseat 0 holds") && shown.contains("Your wait, seat 0: "));
}

#[test]
fn a_person_may_ask_for_a_refocus_where_the_rules_have_it() {
    let of = |rules: &str| plan("the-mind", &["random", "linear"], rules).unwrap();
    let typed = "refocus 0.5\n0\n";
    let (_, _, shown) = play(&of(""), &[0], typed);
    assert!(shown.contains("No refocus now: the level allows no more"), "{shown}");
    let rules = "[rules]\nrefocuses = 1\nrefocus_seconds = 4\n";
    let (played, _, shown) = play(&of(rules), &[0], typed);
    assert!(shown.contains("     4.5 s a refocus is over: all start anew"), "{shown}");
    assert!(shown.contains("refocuses 1") && shown.contains("refocuses 0"), "{shown}");
    let events = record(&played.unwrap())["levels"][0]["events"].clone();
    assert_eq!(events[0], json!({"refocus": true, "at": 4.5}));
    assert_eq!((&events[1]["seat"], &events[1]["at"]), (&json!(0), &json!(4.5)));
}

#[test]
fn a_game_that_is_left_is_recorded_as_far_as_it_went() {
    let plan = plan("the-mind", &["random", "linear"], "groups = ['ideal']").unwrap();
    let (played, left, shown) = play(&plan, &[1], "soon\n-1\nnan\n1 2 3\n0\n");
    assert!(left);
    let record = record(&played.unwrap());
    let levels = record["levels"].as_array().unwrap();
    assert!(!levels.is_empty());
    assert!(shown.contains("is not a number of seconds"), "{shown}");
    // Nothing typed at all: dealt, not played.
    let (played, left, _) = play(&plan, &[0, 1], "");
    assert!(left);
    let line = played.unwrap().line();
    assert_eq!(serde_json::to_value(judge_line(&line).unwrap()).unwrap()["result"], "unfinished");
}

#[test]
fn all_persons_may_use_a_star() {
    let plan = plan("the-mind-extreme", &["random", "random"], "groups = ['ideal']").unwrap();
    // Both agree to a star in the first level, which each of them then discards the only card for.
    let (played, left, shown) = play(&plan, &[0, 1], "s\nx\ns\nq\n");
    assert!(left);
    let events = record(&played.unwrap())["levels"][0]["events"].clone();
    assert_eq!(events.as_array().unwrap().len(), 1);
    assert!(events[0]["star"].is_array(), "{events}");
    assert!(
        shown.contains("a star\n")
            && shown.contains("Type the seconds") | shown.contains("is not a number of seconds"),
        "{shown}"
    );
}

#[test]
fn a_star_that_others_refuse_is_asked_for_no_more() {
    let plan = plan("the-mind", &["random", "linear"], "groups = ['ideal']").unwrap();
    let (played, left, shown) = play(&plan, &[0], "s\ns\n0\n");
    assert!(left && shown.contains("No star now"), "{shown}");
    let events = record(&played.unwrap())["levels"][0]["events"].clone();
    assert_eq!((&events[0]["seat"], &events[0]["at"]), (&json!(0), &json!(0.0)));
}

#[test]
fn waiting_lets_the_others_play() {
    let plan = plan("the-mind", &["random", "linear"], "groups = ['ideal']").unwrap();
    let (played, _, _) = play(&plan, &[0], "w\n1\n");
    let events = record(&played.unwrap())["levels"][0]["events"].clone();
    assert_eq!(events[0]["seat"], json!(1), "{events}");
}

#[test]
fn an_experiment_has_no_persons() {
    for entry in ["mind-up", "the-mind"] {
        let error = plan(entry, &["human", "random"], "").unwrap_err();
        assert!(error.contains("only in `mindlab play`"), "{error}");
    }
}
