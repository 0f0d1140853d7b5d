//! A process hears one seat, and no deal twice.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::{Desk, entry, python};

/// Plays its lowest card, and writes down which process saw what: a line for each first turn of a game.
const WITNESS: &str = r#"
import json, os, sys
log, seats = sys.argv[1], {}
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "hello", "protocol": 1, "name": "witness", "batch": True}), flush=True)
    elif message["type"] == "new_games":
        for game in message["games"]:
            seats[game["game"]] = message["seat"]
    elif message["type"] == "choose":
        with open(log, "a") as out:
            for game in message["games"]:
                seat = seats.pop(game["game"], None)
                if seat is not None:
                    view = game["view"]
                    out.write(json.dumps([os.getpid(), seat, [view["row"], view["scoring"]]]) + "\n")
        answers = [{"play": min(game["view"]["hand"])} for game in message["games"]]
        print(json.dumps({"id": message["id"], "answers": answers}), flush=True)
"#;

/// What each process saw: its seats, its deals, and how many games.
fn witnessed(more: &str) -> (Vec<(usize, usize, usize)>, String) {
    let desk = Desk::new();
    let file = desk.write("bot.py", WITNESS);
    let log = desk.path().join("log").display().to_string();
    let command = format!("', '{log}']");
    let mine = entry(&file, more).replacen("']", &command, 1).replace("name = 'mine', ", "");
    let text = format!(
        "name = 'x'\ngame = 'mind-up'\nplayers = 3\ngames = 24\n\
         lineups = [[{mine}, {mine}, {mine}], [{mine}, {mine}, 'random'], [{mine}, 'random', \
         'greedy']]\n[rules]\nrounds = [1, 2]\n"
    );
    desk.write("x.toml", &text);
    let done = desk.run(&["run", "x.toml", "--threads", "2", "--out", "out", "--quiet"]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    let mut seen: BTreeMap<u64, (BTreeSet<u64>, Vec<String>)> = BTreeMap::new();
    for line in desk.read("log").lines() {
        let (pid, seat, deal): (u64, u64, serde_json::Value) = serde_json::from_str(line).unwrap();
        let (seats, deals) = seen.entry(pid).or_default();
        seats.insert(seat);
        deals.push(deal.to_string());
    }
    let distinct = |deals: &[String]| deals.iter().collect::<BTreeSet<_>>().len();
    let told = seen.values().map(|(seats, deals)| (seats.len(), distinct(deals), deals.len()));
    (told.collect(), desk.read("out/summary.csv"))
}

#[test]
fn a_process_hears_one_seat_and_no_deal_twice() {
    if !python() {
        return;
    }
    let (processes, summary) = witnessed("");
    // 24 games of self-play with a bot on each seat, 24 with two, 24 with one, under two rules.
    assert_eq!(processes.iter().map(|(.., games)| games).sum::<usize>(), 2 * 24 * (3 + 2 + 1));
    for (seats, deals, games) in processes {
        assert_eq!((seats, deals), (1, games));
    }
    assert!(!summary.contains("isolate"), "{summary}");
}

/// The choice is there, and whoever reads the results sees it.
#[test]
fn a_process_that_may_hear_all_seats_is_called_so() {
    if !python() {
        return;
    }
    let (processes, summary) = witnessed(", isolate = 'none'");
    assert!(processes.len() <= 2, "{processes:?}");
    assert!(processes.iter().all(|&(seats, deals, games)| seats == 3 && deals < games));
    assert!(summary.contains("isolate=none"), "{summary}");
}

/// Its answers hang on whether the process has heard another seat.
const EAVESDROPPER: &str = r#"
import json, sys
seats = set()
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "hello", "protocol": 1, "name": "x", "batch": True}), flush=True)
    elif message["type"] == "new_games":
        seats.add(message["seat"])
    elif message["type"] == "choose":
        best = max if len(seats) > 1 else min
        answers = [{"play": best(game["view"]["hand"])} for game in message["games"]]
        print(json.dumps({"id": message["id"], "answers": answers}), flush=True)
"#;

#[test]
fn check_bot_finds_answers_that_hang_on_other_seats() {
    if !python() {
        return;
    }
    let desk = Desk::new();
    for (bot, status) in [(EAVESDROPPER, 1), (&EAVESDROPPER.replace("len(seats) > 1", "False"), 0)]
    {
        let file = desk.write("bot.py", bot);
        let check = ["check-bot", "python3", &file, "--game", "mind-up", "--deterministic"];
        let done = desk.run(&check);
        assert_eq!(done.status, status, "{}{}", done.stdout, done.stderr);
    }
}

/// Puts the hands of a game side by side where it hears them: the k-th game that it hears of one seat
/// is the k-th of every other. Who has the lowest card plays at once; who does not know waits a second
/// for each number.
const PEEKER: &str = r#"
import json, sys
PEEKS = True
heard, where, hands = {}, {}, {}
def others(view, table, seat):
    shown = {card for cards in view["shown"] for card in cards}
    known = [hands.get((table, view["level"], other)) for other in range(len(view["sizes"])) if other != seat]
    return None if None in known else [card for hand in known for card in hand if card not in shown]
def intend(game, view):
    table, seat = where[game]
    if PEEKS:
        hands[table, view["level"], seat] = view["hand"]
    own, rest = view["hand"][0], others(view, table, seat)
    if rest is None:
        return {"play": own, "wait": float(own - (view["tops"]["number"] or 0))}
    return {"play": own, "wait": 0.0} if own < min(rest, default=101) else {"play": None}
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "hello", "protocol": 1, "name": "peeker", "batch": True}), flush=True)
    elif message["type"] == "new_games":
        seat = message["seat"]
        for game in message["games"]:
            where[game["game"]] = heard.get(seat, 0), seat
            heard[seat] = heard.get(seat, 0) + 1
    elif message["type"] == "intend":
        answers = [intend(game["game"], game["view"]) for game in message["games"]]
        print(json.dumps({"id": message["id"], "answers": answers}), flush=True)
"#;

/// The share of games that a team of two such bots wins, and the table of it.
fn team(bot: &str, more: &str) -> (f64, String) {
    let desk = Desk::new();
    let mine = entry(&desk.write("bot.py", bot), more);
    let text = "name = 'x'\ngame = 'the-mind'\nplayers = 2\ngames = 80\ngroups = ['intuitive']\n";
    desk.write("x.toml", &format!("{text}lineups = [[{mine}, {mine}]]\n"));
    let done = desk.run(&["run", "x.toml", "--out", "out", "--quiet"]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    let won = desk.rows("out/summary.csv")[0]["win_rate"].parse().unwrap();
    (won, desk.read("out/summary.csv"))
}

#[test]
fn hands_side_by_side_win_every_game_and_are_not_to_be_had() {
    if !python() {
        return;
    }
    let (alone, table) = team(PEEKER, "");
    // What it does alone is what its twin does, to the byte, who never looks at another hand.
    assert_eq!(table, team(&PEEKER.replace("PEEKS = True", "PEEKS = False"), "").1);
    assert!(alone < 0.9, "{alone}");
    assert_eq!(team(PEEKER, ", isolate = 'none'").0, 1.0);
}
