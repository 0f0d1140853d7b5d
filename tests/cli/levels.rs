//! The instruction level changes how fast games are played, and nothing else.

use serde_json::Value;

use crate::replay::MIND_UP;
use crate::support::Desk;

#[test]
fn bench_plays_the_same_at_each_level_and_says_which() {
    let desk = Desk::new();
    let bench = |more: &str| -> Value {
        serde_json::from_str(&desk.ok(&format!("bench --json --only none {more}"))).unwrap()
    };
    let usual = bench("");
    let mut played = Vec::new();
    for level in ["portable", "bmi2", "bmi2-pdep"] {
        let done = desk.run(&format!("bench --json --only none --level {level}"));
        if done.status == 0 {
            let report: Value = serde_json::from_str(&done.stdout).unwrap();
            assert_eq!(report["level"], level);
            assert_eq!(report["fingerprint"], usual["fingerprint"], "{level}");
            played.push(level);
            continue;
        }
        assert_eq!(done.status, 2, "{}", done.stderr);
        let refused = format!("error: `--level = {level}`: this CPU has `portable`\n");
        assert_eq!(done.stderr, refused);
    }
    assert!(played.contains(&"portable"));
    assert!(played.contains(&usual["level"].as_str().unwrap()));
    let text = desk.ok("bench --only none --level portable");
    assert!(text.contains("\nlevel       portable\n"), "{text}");
}

#[test]
fn the_manifest_says_which_level_played() {
    let desk = Desk::new();
    desk.write("x.toml", &MIND_UP.replace("[3, 4]", "3"));
    desk.ok("run x.toml --out out --quiet");
    let manifest: Value = serde_json::from_str(&desk.read("out/manifest.json")).unwrap();
    let bench: Value = serde_json::from_str(&desk.ok("bench --json --only none")).unwrap();
    assert_eq!(manifest["host"]["level"], bench["level"]);
}
