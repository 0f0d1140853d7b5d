//! Games judged by referees that have nothing to do with this crate.

use mindlab::games::referee::judge_stream;
use serde_json::Value;

fn lines(name: &str) -> Vec<Value> {
    let path = format!("{}/tests/fixtures/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Compares the verdicts on the records of the games in `games`; returns how many there were.
fn compare(name: &str, games: &[&str]) -> usize {
    let records = lines(&format!("{name}_records"));
    let verdicts = lines(&format!("{name}_verdicts"));
    assert_eq!(records.len(), verdicts.len());
    let mut compared = 0;
    let text: Vec<String> = records.iter().map(Value::to_string).collect();
    let mut output = Vec::new();
    judge_stream(text.join("\n").as_bytes(), &mut output).unwrap();
    let judged = std::str::from_utf8(&output).unwrap().lines();
    for ((record, verdict), judged) in records.iter().zip(&verdicts).zip(judged) {
        if games.iter().any(|game| record["game"] == *game) {
            let judged: Value = serde_json::from_str(judged).unwrap();
            assert_eq!(judged, *verdict, "{record}");
            compared += 1;
        }
    }
    compared
}

#[test]
fn mind_up_is_judged_alike() {
    assert_eq!(compare("mind_up", &["mind-up"]), 150);
    assert_eq!(compare("more", &["mind-up"]), 60);
}
