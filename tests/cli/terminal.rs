//! What comes from files and arguments never steers the terminal.

use crate::support::Desk;

/// An escape sequence that names the window, a bell, a carriage return, a text that runs backwards.
const ODD: &str = "\u{1b}]0;mine\u{7} over\rwritten \u{202e}txt";

/// The same as TOML writes it.
const TOML: &str = "\\u001b]0;mine\\u0007 over\\rwritten \\u202etxt";

#[track_caller]
fn is_plain(text: &str) {
    let odd = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
    assert!(!text.contains(odd), "{text:?}");
}

#[test]
fn a_question_is_shown_as_text_and_kept_as_it_is() {
    let desk = Desk::new();
    desk.write(
        "experiments/x.toml",
        &format!(
            "name = 'x'\nquestion = \"{TOML}\"\ngame = 'mind-up'\nplayers = 3\ngames = 6\n\
             strategies = ['random', 'lowest']\ndesign = 'all-vs-all'\n"
        ),
    );
    for words in [
        "run experiments/x.toml --dry-run",
        "run experiments/x.toml",
        "run experiments/x.toml",
        "show results/x",
        "show experiments/x.toml",
        "list experiments",
        "compare results/x results/x",
    ] {
        let done = desk.run(words);
        assert_eq!(done.status, 0, "{words}: {}", done.stderr);
        is_plain(&done.stdout);
        is_plain(&done.stderr);
    }
    assert!(desk.ok("show results/x").starts_with("x: \\u{1b}]0;mine\\u{7} over\\u{d}written"));
    let manifest: serde_json::Value =
        serde_json::from_str(&desk.read("results/x/manifest.json")).unwrap();
    assert_eq!(manifest["experiment"]["question"], ODD);
}

#[test]
fn names_of_files_and_arguments_are_shown_as_text() {
    let desk = Desk::new();
    // A strategy's name is that of its file, and a label has what was changed.
    desk.write(&format!("strategies/mind-up/{ODD}.toml"), "family = 'x'\n");
    desk.write(
        "the-mind.toml",
        "name = 'x'\ngame = 'the-mind'\nplayers = 2\ngames = 4\nstrategies = ['rank']\n\
         design = 'self-play'\n[rules]\nlevels = 1\n",
    );
    for arguments in [
        vec!["list", "strategies"],
        vec!["show", ODD],
        vec!["show", &format!("{ODD}.toml")],
        vec!["run", &format!("{ODD}.toml")],
        vec!["run", "the-mind.toml", "--set", &format!("{ODD}=1")],
        vec!["run", "the-mind.toml", "--set", &format!("name=\"{TOML}\"")],
        vec!["run", "the-mind.toml", "--out", &format!("{ODD}/x")],
        vec!["replay", ODD, "--game", "0"],
        vec!["referee", ODD],
        vec!["train", ODD],
        vec!["check-bot", ODD, "--game", "mind-up"],
        vec!["play", "--game", ODD, "--strategies", "random"],
        vec!["play", "--game", "mind-up", "--strategies", ODD],
        // What the parser of arguments refuses itself.
        vec!["run", "x.toml", "--games", ODD],
        vec!["run", "x.toml", &format!("--{ODD}")],
        vec![ODD],
        vec!["list", ODD],
    ] {
        let output = desk.command("").args(&arguments).output().unwrap();
        is_plain(std::str::from_utf8(&output.stdout).unwrap());
        is_plain(std::str::from_utf8(&output.stderr).unwrap());
    }
}

#[test]
fn labels_are_shown_as_text() {
    let desk = Desk::new();
    // A bot is called by its command.
    desk.write(
        "x.toml",
        &format!(
            "name = 'x'\ngame = 'mind-up'\nplayers = 3\ngames = 3\n\
             lineups = [[{{ base = 'bot', command = ['true', \"{TOML}\"] }}, 'random', 'random']]\n"
        ),
    );
    for words in ["run x.toml", "show x.toml", "run x.toml --dry-run"] {
        let done = desk.run(words);
        // The plan in short names nobody.
        let named = (done.stdout.clone() + &done.stderr).contains("]0;mine");
        assert!(named || words.ends_with("--dry-run"), "{words}");
        is_plain(&done.stdout);
        is_plain(&done.stderr);
    }
}

#[test]
fn records_are_told_as_text() {
    let desk = Desk::new();
    let card = |letter: char| {
        format!(
            "[[objective]]\nid = '{letter}1'\npoints = 3\nletter = '{letter}'\n\
             text = \"{TOML}\"\nwhen = {{ kind = 'count', colour = 'orange', in = [1, 3] }}\n"
        )
    };
    desk.write("cards.toml", &(card('A') + &card('B')));
    let change = "--set objectives=1 --set objective_cards=cards.toml";
    let play = format!("play --game mind-up --strategies random,random,random {change}");
    is_plain(&desk.ok(&play));
    let record = desk.ok(&format!("{play} --record"));
    assert!(record.contains("\\u001b"), "{record}");
    desk.write("record.jsonl", &record);
    desk.write("broken.jsonl", &record.replace("\"players\":3", "\"players\":9"));
    for file in ["record", "broken"] {
        is_plain(&desk.run(&format!("analyze {file}.jsonl --playouts 1")).stdout);
    }
}
