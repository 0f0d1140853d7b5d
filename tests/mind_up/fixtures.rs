//! Games judged by referees that have nothing to do with this crate.

use super::support::lines;
use mindlab::games::mind_up::Recorder;
use mindlab::games::mind_up::referee::Reading;
use mindlab::games::referee::judge_stream;
use serde_json::Value;

/// Compares the verdicts on the records of Mind Up!; returns how many there were.
fn compare(name: &str) -> usize {
    let (records, verdicts) =
        (lines(&format!("{name}_records")), lines(&format!("{name}_verdicts")));
    assert_eq!(records.len(), verdicts.len());
    let mut output = Vec::new();
    judge_stream(records.join("\n").as_bytes(), &mut output).unwrap();
    let judged = std::str::from_utf8(&output).unwrap().lines();
    let mut compared = 0;
    for ((record, verdict), judged) in records.iter().zip(&verdicts).zip(judged) {
        let verdict: Value = serde_json::from_str(verdict).unwrap();
        let judged: Value = serde_json::from_str(judged).unwrap();
        if verdict["game"] == "mind-up" {
            assert_eq!(judged, verdict, "{record}");
            compared += 1;
        }
    }
    compared
}

#[test]
fn verdicts_are_alike() {
    assert_eq!(compare("mind_up"), 150);
    assert_eq!(compare("more"), 60);
}

#[test]
fn records_are_written_as_they_were_read() {
    for line in lines("mind_up_records") {
        // An empty list of objectives is left out.
        let line = line.replace(r#""objectives":[],"#, "");
        let value = serde_json::from_str(&line).unwrap();
        let reading = Reading::open(&value).unwrap();
        let mut recorder = Recorder::new(reading.rules(), 0);
        reading.judge(&mut recorder).unwrap();
        let written: Value = serde_json::from_str(&recorder.finish().to_string()).unwrap();
        assert_eq!(written["rounds"], value["rounds"]);
        assert_eq!(written["players"], value["players"]);
    }
}
