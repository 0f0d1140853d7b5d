//! A bot sees what its seat sees, worked out here from the record alone, and nothing else.

use std::collections::BTreeSet;

use mindlab::games::referee::judge_line;
use serde_json::{Value, json};

use crate::support::{Desk, bot, python};

/// Plays a game with a bot on seat 1, and returns its record and all that the bot was sent.
fn logged(game: &str, others: &str, more: &[&str]) -> (Value, Value, Vec<Value>) {
    let desk = Desk::new();
    let text = bot("").replace(
        "for line in sys.stdin:\n",
        "for line in sys.stdin:\n    open(os.path.join(os.path.dirname(sys.argv[0]), 'log'), \
         'a').write(line)\n",
    );
    let file = desk.write("bot.py", &text.replace("'batch': True", "'batch': True, 'stars': True"));
    let seats = format!("{others},bot(command=[\"python3\",\"{file}\"]),{others}");
    let mut arguments = vec!["play", "--game", game, "--strategies", &seats, "--record"];
    arguments.extend(more);
    let done = desk.run(&arguments);
    assert_eq!((done.status, done.stderr.as_str()), (0, ""));
    let verdict = serde_json::to_value(judge_line(done.stdout.trim()).unwrap()).unwrap();
    let log = desk.read("log");
    let lines = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (serde_json::from_str(&done.stdout).unwrap(), verdict, lines)
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// The requests of a kind; each has one game, whose number is that of the only announced one.
fn views<'a>(lines: &'a [Value], kind: &str) -> Vec<&'a Value> {
    let asked = lines.iter().filter(|line| line["type"] == kind);
    let views = asked.map(|line| {
        assert_eq!(keys(line), ["type", "id", "games"]);
        let [game] = &line["games"].as_array().unwrap()[..] else { panic!("{line}") };
        assert_eq!((keys(game), &game["game"]), (vec!["game", "view"], &json!(0)));
        &game["view"]
    });
    views.collect()
}

fn numbers(value: &Value) -> BTreeSet<u64> {
    numbers_of(value).collect()
}

fn sets(values: &Value) -> Vec<BTreeSet<u64>> {
    values.as_array().unwrap().iter().map(numbers).collect()
}

#[test]
fn a_bot_sees_what_its_seat_sees_in_mind_up() {
    if !python() {
        return;
    }
    let more = ["--set", "objectives=2", "--seed", "5"];
    let (record, verdict, lines) = logged("mind-up", "greedy", &more);
    assert_eq!(lines[0]["type"], "hello");
    let new = &lines[1];
    assert_eq!(keys(new), ["type", "seat", "players", "rules", "deck", "games"]);
    assert_eq!((&new["seat"], &new["players"]), (&json!(1), &json!(3)));
    assert_eq!(new["deck"].as_array().unwrap().len(), 60);
    assert_eq!(new["rules"]["objectives"], 2);
    let mut views = views(&lines, "choose").into_iter();
    let (mut hands, mut row, mut totals) = (Vec::new(), BTreeSet::new(), [0i64; 3]);
    let (mut known, mut last_round) = (vec![BTreeSet::new(); 3], [0i64; 3]);
    for (number, round) in record["rounds"].as_array().unwrap().iter().enumerate() {
        if number == 0 {
            (hands, row) = (sets(&round["hands"]), numbers(&round["row"]));
        } else {
            known = hands.clone();
            for (hand, drawn) in hands.iter_mut().zip(round["drawn"].as_array().unwrap()) {
                hand.insert(drawn.as_u64().unwrap());
            }
        }
        let mut tableaux = vec![BTreeSet::new(); 3];
        let mut last = json!([null, null, null]);
        for (turn, plays) in round["turns"].as_array().unwrap().iter().enumerate() {
            let view = views.next().unwrap();
            let expected = [
                "round",
                "turn",
                "hand",
                "row",
                "scoring",
                "tableaux",
                "known",
                "totals",
                "last_round",
                "last_plays",
                "objectives",
                "objective_points",
            ];
            assert_eq!(keys(view), expected);
            assert_eq!((&view["round"], &view["turn"]), (&json!(number), &json!(turn)));
            assert_eq!(numbers(&view["hand"]), hands[1]);
            assert_eq!(numbers(&view["row"]), row);
            assert_eq!(view["scoring"], round["scoring"]);
            assert_eq!(view["objectives"], round["objectives"]);
            assert_eq!(sets(&view["known"]), known);
            assert_eq!(view["last_plays"], last);
            assert_eq!(
                (&view["totals"], &view["last_round"]),
                (&json!(totals), &json!(last_round))
            );
            for (seat, cards) in view["tableaux"].as_array().unwrap().iter().enumerate() {
                let cards: BTreeSet<u64> = sets(cards).into_iter().flatten().collect();
                assert_eq!(cards, tableaux[seat]);
            }
            let played = numbers(plays);
            for seat in 0..3 {
                let card = plays[seat].as_u64().unwrap();
                let rank = played.range(..card).count();
                tableaux[seat].insert(*row.iter().nth(rank).unwrap());
                hands[seat].remove(&card);
                known[seat].remove(&card);
            }
            (row, last) = (played, plays.clone());
        }
        for seat in 0..3 {
            tableaux[seat].append(&mut hands[seat]);
            last_round[seat] = verdict["rounds"][number][seat]["round_score"].as_i64().unwrap();
            totals[seat] += last_round[seat];
        }
        hands = tableaux;
    }
    assert!(views.next().is_none());
}

/// What all have seen of each seat's cards when a request is made, the bot's own blind plays, and how
/// many cards each seat still has.
fn seen_at(
    entry: &Value,
    mistakes: &Value,
    view: &Value,
) -> (Vec<Vec<Value>>, Vec<Value>, Vec<usize>) {
    let hands = entry["hands"].as_array().unwrap();
    let owner = |card: &Value| {
        hands.iter().position(|hand| hand.as_array().unwrap().contains(card)).unwrap()
    };
    let is_blind = |card: &Value| {
        let pile = match card.as_str() {
            None => "number",
            Some(card) if card.starts_with('w') => "white",
            Some(_) => "red",
        };
        view["blind"][pile].as_bool().unwrap()
    };
    let (mut shown, mut own) = (vec![Vec::new(); hands.len()], Vec::new());
    let mut sizes: Vec<usize> = hands.iter().map(|hand| hand.as_array().unwrap().len()).collect();
    let left: u64 = numbers_of(&view["sizes"]).sum();
    for (number, event) in entry["events"].as_array().unwrap().iter().enumerate() {
        // So many events have taken as many cards from the hands as are missing.
        if sizes.iter().sum::<usize>() as u64 == left {
            break;
        }
        let mut gone: Vec<Value> = match event.get("star") {
            Some(Value::Array(cards)) => {
                cards.iter().filter(|card| !card.is_null()).cloned().collect()
            }
            Some(_) => hands.iter().map(|_| Value::Null).collect(),
            None => vec![event["play"].clone()],
        };
        if event.get("star") == Some(&json!(true)) {
            // In The Mind everybody discards the lowest card.
            gone = (0..hands.len()).filter_map(|seat| lowest(&hands[seat], &shown[seat])).collect();
        }
        let mistake = mistakes.as_array().unwrap().iter().find(|m| m["event"] == number);
        gone.extend(mistake.iter().flat_map(|m| m["set_aside"].as_array().unwrap().clone()));
        for card in gone {
            let seat = owner(&card);
            sizes[seat] -= 1;
            match is_blind(&card) && event.get("play") == Some(&card) {
                false => shown[seat].push(card),
                true if seat == 1 => own.push(card),
                true => {}
            }
        }
    }
    (shown, own, sizes)
}

fn numbers_of(value: &Value) -> impl Iterator<Item = u64> + '_ {
    value.as_array().unwrap().iter().map(|number| number.as_u64().unwrap())
}

/// The lowest number of a hand that was not shown yet.
fn lowest(hand: &Value, shown: &[Value]) -> Option<Value> {
    let left = hand.as_array().unwrap().iter().filter(|card| !shown.contains(card));
    left.min_by_key(|card| card.as_u64()).cloned()
}

fn sorted(cards: &[Value]) -> Vec<String> {
    let mut cards: Vec<String> = cards.iter().map(Value::to_string).collect();
    cards.sort();
    cards
}

#[test]
fn a_bot_sees_what_its_seat_sees_in_the_minds() {
    if !python() {
        return;
    }
    let others = "linear(star={policy=\"when-risk-above\",risk=0.1})";
    for (game, blind) in [("the-mind", "none"), ("the-mind", "all"), ("the-mind-extreme", "table")]
    {
        let blind = format!("blind={blind}");
        let more =
            ["--group", "intuitive", "--set", &blind, "--set", "lives=9", "--set", "stars=9"];
        let (record, verdict, lines) = logged(game, others, &more);
        let new = lines.iter().find(|line| line["type"] == "new_games").unwrap();
        assert_eq!(keys(new), ["type", "seat", "players", "rules", "games"]);
        assert_eq!(new["rules"]["lives"], 9);
        let kinds = ["star", "intend", "discard"];
        let asked = kinds.iter().flat_map(|kind| views(&lines, kind)).collect::<Vec<_>>();
        assert!(asked.len() > 20, "{game}: {}", asked.len());
        for view in asked {
            let expected = [
                "level",
                "attempt",
                "lives",
                "stars",
                "refocuses",
                "clock",
                "hand",
                "playable",
                "tops",
                "blind",
                "sizes",
                "shown",
                "played_blind",
                "blind_plays",
                "blind_since_own",
                "events",
            ];
            assert_eq!(keys(view), expected);
            let entries = record["levels"].as_array().unwrap().iter().enumerate();
            let mut entries = entries.filter(|(_, entry)| entry["level"] == view["level"]);
            let attempt = view["attempt"].as_u64().unwrap() as usize;
            let (number, entry) = entries.nth(attempt).unwrap();
            let mistakes = &verdict["levels"][number]["mistakes"];
            let (shown, own, sizes) = seen_at(entry, mistakes, view);
            for (seat, cards) in view["shown"].as_array().unwrap().iter().enumerate() {
                assert_eq!(sorted(cards.as_array().unwrap()), sorted(&shown[seat]), "{view}");
            }
            assert_eq!(view["sizes"], json!(sizes));
            assert_eq!(sorted(view["played_blind"].as_array().unwrap()), sorted(&own));
            let hand = entry["hands"][1].as_array().unwrap().iter();
            let hand = hand.filter(|card| !shown[1].contains(card) && !own.contains(card));
            let hand: Vec<Value> = hand.cloned().collect();
            assert_eq!(sorted(view["hand"].as_array().unwrap()), sorted(&hand));
            // What else names cards names no other ones.
            let mut named: Vec<&Value> = view["tops"].as_object().unwrap().values().collect();
            named.retain(|card| !card.is_null());
            named.extend(view["playable"].as_array().unwrap());
            let known = |card: &Value| hand.contains(card) || shown.concat().contains(card);
            assert!(named.into_iter().all(known), "{view}");
            let events = view["events"].as_array().unwrap();
            let since_deal = events.iter().rev().take_while(|event| event.get("deal").is_none());
            for event in since_deal {
                let card = event.get("play");
                assert!(card.is_none_or(|card| shown.concat().contains(card)), "{event} {view}");
            }
        }
    }
}
