//! The sessions in docs/bots.md are real ones. `MINDLAB_SESSIONS=write cargo test --test bots` writes
//! them anew.

use std::path::Path;

use crate::support::{Desk, python, reference};

/// Stands between mindlab and a bot and writes down what they say.
const TEE: &str = "\
import json, os, subprocess, sys
log = open(os.path.join(os.path.dirname(sys.argv[0]), 'log'), 'w')
bot = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
for line in sys.stdin:
    log.write('> ' + line)
    bot.stdin.write(line)
    bot.stdin.flush()
    if json.loads(line)['type'] not in ('new_games', 'end_games'):
        reply = bot.stdout.readline()
        log.write('< ' + reply)
        print(reply, end='', flush=True)
    log.flush()
";

/// What a bot and mindlab say in a game.
fn session(bot: &str, words: &str) -> Vec<String> {
    let desk = Desk::new();
    let tee = desk.write("tee.py", TEE);
    let bot = format!("bot(command=[\"python3\",\"{tee}\",\"python3\",\"{}\"])", reference(bot));
    let words: Vec<String> =
        words.split_whitespace().map(|word| word.replace("BOT", &bot)).collect();
    let done = desk.run(&words.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(done.status, 0, "{}", done.stderr);
    desk.read("log").lines().map(str::to_owned).collect()
}

/// A session as the document has it, the deck cut short.
fn shown(lines: &[String]) -> String {
    let cut = |line: &String| match line.split_once("\"deck\":[") {
        None => format!("{line}\n"),
        Some((before, after)) => {
            let (deck, after) = after.split_once(']').unwrap();
            let first: String = deck.split_inclusive('}').take(2).collect();
            format!("{before}\"deck\":[{first},…]{after}\n")
        }
    };
    lines.iter().map(cut).collect()
}

#[test]
fn the_sessions_of_the_document_are_real() {
    if !python() {
        return;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/bots.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let schema = schema();
    let (mut now, mut count) = (String::new(), 0);
    let mut rest = text.lines();
    while let Some(line) = rest.next() {
        now.push_str(&format!("{line}\n"));
        let Some(head) = line.strip_prefix("<!-- session ") else { continue };
        let (bot, words) = head.strip_suffix(" -->").unwrap().split_once(": ").unwrap();
        let lines = session(bot, words);
        for line in &lines {
            fits(&schema, &line[2..]).unwrap();
        }
        now.push_str(&format!("```text\n{}```\n", shown(&lines)));
        let end = rest.by_ref().find(|line| *line == "<!-- end session -->").unwrap();
        now.push_str(&format!("{end}\n"));
        count += 1;
    }
    assert_eq!(count, 3);
    if std::env::var_os("MINDLAB_SESSIONS").is_some_and(|value| value == "write") {
        std::fs::write(&path, &now).unwrap();
    } else {
        assert_eq!(text, now, "docs/bots.md");
    }
}

/// The schema of a line.
fn schema() -> jsonschema::Validator {
    let printed = Desk::new().run(&["schema", "bot"]).stdout;
    jsonschema::validator_for(&serde_json::from_str(&printed).unwrap()).unwrap()
}

fn fits(schema: &jsonschema::Validator, line: &str) -> Result<(), String> {
    let line: serde_json::Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
    schema.validate(&line).map_err(|error| format!("{line}: {error}"))
}

#[test]
fn what_the_protocol_has_not_does_not_fit_its_schema() {
    let schema = schema();
    for good in [
        r#"{"type": "hello", "protocol": 1}"#,
        r#"{"id": 3, "answers": []}"#,
        r#"{"id": 3, "answers": [{"play": null}, {"play": "w3", "wait": 0}, {"refocus": 2.5}]}"#,
    ] {
        assert_eq!(fits(&schema, good), Ok(()));
    }
    for bad in [
        r#"{"type": "hello", "protocol": 2}"#,
        r#"{"type": "hello", "protocol": 1, "batsh": true}"#,
        r#"{"id": 3, "answers": [{"play": 3}, {"star": true}]}"#,
        r#"{"id": 3, "answers": [{"play": "w3"}]}"#,
        r#"{"id": 3, "answers": [{"play": "w51", "wait": 1}]}"#,
        r#"{"id": 3, "answers": [{"play": 3, "wait": -1}]}"#,
        r#"{"id": 3, "answers": [{"play": 3, "wait": 1e7}]}"#,
        r#"{"id": -1, "answers": []}"#,
        r#"{"answers": []}"#,
        "[]",
    ] {
        assert!(fits(&schema, bad).is_err(), "{bad}");
    }
}
