//! A game that a bot forfeits: what is told and recorded of it is what the run counts.

use serde_json::{Value, json};

use crate::support::{Desk, bot, entry, experiment, python};

/// Plays a run with every game in `games.csv`; returns for each game its row, the referee's verdict
/// on its record, and the game told.
fn games(game: &str, before: &str, others: &[&str]) -> Vec<(Row, Value, String)> {
    let desk = Desk::new();
    let file = desk.write("bot.py", &bot(before));
    let mine = entry(&file, "");
    let lineup = [&[mine.as_str()], others].concat();
    desk.write("x.toml", &experiment(game, &lineup, 6, "games_csv = true"));
    let done = desk.run(&["run", "x.toml", "--out", "out", "--quiet"]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    let one = |row: Row| {
        let replay = ["replay", "out", "--game", row["game_number"].as_str()];
        let record = desk.run(&[&replay[..], &["--record"]].concat()).stdout;
        assert!(record.contains("\"forfeits\":["), "{record}");
        desk.write("record", &record);
        let judged = desk.run(&["referee", "record"]);
        assert_eq!(judged.status, 0, "{}", judged.stdout);
        let told = desk.run(&replay);
        assert!(told.stderr.contains("may not be the game that it played"), "{}", told.stderr);
        (row, serde_json::from_str(&judged.stdout).unwrap(), told.stdout)
    };
    desk.rows("out/games.csv").into_iter().map(one).collect()
}

type Row = std::collections::BTreeMap<String, String>;

#[test]
fn records_of_mind_up_agree_with_the_run() {
    if !python() {
        return;
    }
    let before = "answers = [{'play': 0} for _ in answers]";
    for (row, verdict, told) in games("mind-up", before, &["'lowest'", "'random'"]) {
        let totals: Vec<String> =
            (0..3).map(|seat| row[&format!("score_{seat}")].clone()).collect();
        let judged: Vec<String> =
            verdict["totals"].as_array().unwrap().iter().map(Value::to_string).collect();
        assert_eq!(judged, totals);
        let winners = row["winners"].split('+').map(|seat| seat.parse::<u64>().unwrap());
        assert_eq!(verdict["winners"], winners.collect::<Value>());
        let (_, end) = told.split_once("The end").unwrap();
        let mine = end.lines().find(|line| line.contains("mine")).unwrap();
        assert!(mine.ends_with("   forfeits"), "{end}");
        assert!(!end.contains("mine wins") && end.contains(" win"), "{end}");
    }
}

#[test]
fn records_of_the_minds_agree_with_the_run() {
    if !python() {
        return;
    }
    let before = "answers = [{'play': 0, 'wait': 0.0} if game['view']['level'] > 1 else given for \
                  game, given in zip(m['games'], answers)]";
    let mut reached = 0;
    for (row, verdict, told) in games("the-mind", before, &["'linear'"]) {
        assert_eq!((&verdict["result"], row["won"].as_str()), (&json!("lost"), "0"));
        assert_eq!(verdict["levels_done"].to_string(), row["levels_done"]);
        let last = verdict["levels"].as_array().unwrap().last().unwrap();
        assert_eq!(last["outcome"], "lost");
        assert_eq!(last["lives"].to_string(), row["lives"]);
        assert_eq!(last["stars"].to_string(), row["stars"]);
        assert!(told.contains(" forfeits the game.\nThe team has lost: "), "{told}");
        reached += u64::from(row["levels_done"] == "1");
    }
    assert!(reached > 0);
}
