//! What the command prints, as snapshots: help, lists, pages, games and errors.

use crate::replay::THE_MIND;
use crate::support::{Desk, Done};

/// A command with its status and what it wrote.
fn shown(desk: &Desk, words: &str) -> String {
    let Done { status, stdout, stderr } = desk.run(words);
    let mut text = format!("$ mindlab {words}\n[{status}]\n{stdout}");
    if !stderr.is_empty() {
        text.push_str(&format!("-- standard error\n{stderr}"));
    }
    text
}

/// A snapshot of one or more commands in an empty folder, which stays empty.
#[track_caller]
fn look(name: &str, commands: &[&str]) {
    let desk = Desk::new();
    let texts: Vec<String> = commands.iter().map(|words| shown(&desk, words)).collect();
    insta::assert_snapshot!(name, texts.join("\n"));
    assert!(desk.files().is_empty());
}

#[test]
fn help_of_every_command() {
    look("help", &["--help"]);
    for command in [
        "play",
        "replay",
        "referee",
        "list",
        "show",
        "compare",
        "check-bot",
        "init",
        "schema",
        "train",
        "completions",
    ] {
        look(&format!("help_{command}"), &[&format!("{command} --help")]);
    }
    // All commands have a help, also those whose text still changes.
    for command in ["run", "bench", "man"] {
        assert!(Desk::new().ok(&format!("{command} --help")).contains("Usage: mindlab"));
    }
}

#[test]
fn lists() {
    look(
        "lists",
        &["list games", "list groups", "list setups", "list objectives", "list experiments"],
    );
    // Strategies are many, and more come.
    let strategies = Desk::new().ok("list strategies");
    assert!(strategies.contains("mind-up   greedy"), "{strategies}");
    let linear = strategies.lines().find(|line| line.starts_with("mind-up   linear")).unwrap();
    assert!(linear.ends_with(" (set for 3, 4, 5 and 6 players)"), "{linear}");
}

/// A file that says what won't do is named, and hides no other.
#[test]
fn a_broken_strategy_is_listed_as_such() {
    let desk = Desk::new();
    desk.write("strategies/mind-up/mine.toml", "family = \"liner\"");
    desk.write("strategies/mind-up/torn.toml", "family = \"linear\"\nsummary = \"no end");
    let listed = desk.ok("list strategies");
    let line = |name: &str| listed.lines().find(|line| line.contains(name)).unwrap().to_owned();
    assert!(
        line("mine").contains("(can't be played: strategies/mind-up/mine.toml: `family = liner`")
    );
    assert!(line("torn").contains("torn.toml: line 2 is not valid TOML: "), "{listed}");
    assert!(line("the-mind  rank").contains("Waits by"), "{listed}");
}

/// A strategy at a number of players that it was not set for plays on, and a note says so.
#[test]
fn strategies_away_from_their_players_are_noted() {
    let desk = Desk::new();
    desk.write(
        "x.toml",
        "name = 'x'\ngame = 'mind-up'\nplayers = 2\ngames = 2\n\
                          lineups = [['linear', 'greedy']]",
    );
    let note =
        "note: linear has parameters of its own for 3, 4, 5 and 6 players; with 2 it plays by";
    for (words, noted) in [("--dry-run", true), ("--quiet", false), ("--force", true)] {
        let told = desk.run(&format!("run x.toml {words}")).stderr;
        assert_eq!(told.contains(note), noted, "{words}: {told}");
    }
}

#[test]
fn pages() {
    look("show_names", &["show linear", "show random", "show intuitive", "show B2"]);
    look("show_games", &["show mind-up", "show the-mind-extreme"]);
    let desk = Desk::new();
    desk.write("experiments/minds.toml", THE_MIND);
    let by_name = shown(&desk, "show minds");
    insta::assert_snapshot!("show_experiment", by_name);
    let by_file = desk.ok("show experiments/minds.toml");
    assert!(by_name.ends_with(&by_file));
}

#[test]
fn games() {
    look(
        "play_the_minds",
        &[
            "play --game the-mind --players 3 --strategies linear --group intuitive --set levels=2",
            "play --game the-mind-extreme --strategies rank,linear --group counting --set levels=3",
        ],
    );
    let words = "play --game mind-up --players 3 --strategies lowest --seed 4 --set rounds=2 \
                 --set first_hand=3 --set objectives=2";
    look("play_mind_up", &[words, &format!("{words} --record")]);
}

#[test]
fn tables_and_replays() {
    let desk = Desk::new();
    desk.write("x.toml", &experiment("games = 10", "games = 40"));
    desk.write("y.toml", &THE_MIND.replace("[1, 2]", "1"));
    let commands = [
        "run x.toml --out x --quiet",
        "run y.toml --out y --quiet",
        "replay y --game 12",
        "replay y --game 12 --record",
    ];
    let texts = commands.map(|words| shown(&desk, words)).join("\n");
    insta::assert_snapshot!("tables_and_replays", texts);
    desk.ok("run y.toml --out z --seed 4 --quiet");
    let compared = shown(&desk, "compare y z");
    // The hash changes with whatever a plan resolves to.
    let hash = |line: &str| match line.split_once(", hash ") {
        Some((before, _)) => format!("{before}, hash HASH\n"),
        None => format!("{line}\n"),
    };
    let compared: String = compared.lines().map(hash).collect();
    insta::assert_snapshot!("compare", compared);
}

#[test]
fn verdicts() {
    let desk = Desk::new();
    let legal =
        desk.ok("play --game the-mind --players 2 --strategies rank --set levels=1 --record");
    desk.write("legal.jsonl", &legal);
    desk.write("mixed.jsonl", &format!("{{\n{legal}\n{{\"game\": \"mind-up\"}}\n"));
    let texts = ["referee legal.jsonl", "referee mixed.jsonl", "referee none.jsonl", "referee ."];
    let texts = texts.map(|words| shown(&desk, words)).join("\n");
    insta::assert_snapshot!("referee", texts);
}

/// An experiment that is good but for one thing.
fn experiment(from: &str, to: &str) -> String {
    let good = "name = \"x\"\ngame = \"mind-up\"\nplayers = 4\ngames = 10\nseed = 1\n\
                strategies = [\"greedy\", \"random\"]\ndesign = \"one-vs-rest\"\n\
                [rules]\nobjectives = 1\n";
    assert!(good.contains(from), "{from}");
    good.replace(from, to)
}

/// A deck as its file would be, with a change to its lines.
fn deck(change: impl Fn(&mut Vec<String>)) -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/games/mind_up/data/deck.csv");
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    change(&mut lines);
    lines.join("\n") + "\n"
}

#[test]
fn errors_of_experiments_say_what_would_do() {
    let the_mind = |from: &str, to: &str| {
        assert!(THE_MIND.contains(from), "{from}");
        THE_MIND.replace(from, to)
    };
    let files = [
        ("unknown key", experiment("games = 10", "gmaes = 10")),
        ("unknown option", experiment("objectives = 1", "objectvies = 1")),
        ("unknown strategy", experiment("\"greedy\"", "\"gredy\"")),
        ("unknown parameter", experiment("\"greedy\"", "{ base = \"greedy\", deepth = 1 }")),
        ("unknown game", experiment("\"mind-up\"", "\"mindup\"")),
        ("unknown design", experiment("one-vs-rest", "one-vs-all")),
        ("unknown group", the_mind("\"intuitive\"", "\"intuitiv\"")),
        ("unknown setup", the_mind("levels = 4", "setup = \"the-mindd\"")),
        (
            "unknown objective",
            experiment("objectives = 1", "objectives = 1\nobjective_pool = [\"A1\", \"Z1\"]"),
        ),
        ("seven players", experiment("players = 4", "players = 7")),
        ("a deck of 59", experiment("objectives = 1", "deck = \"short.csv\"")),
        ("a card twice", experiment("objectives = 1", "deck = \"twice.csv\"")),
        ("no such deck", experiment("objectives = 1", "deck = \"none.csv\"")),
        ("too many rounds", experiment("objectives = 1", "rounds = 9")),
        ("negative lives", the_mind("lives = [1, 2]", "lives = -1")),
        ("too many levels", the_mind("levels = 4", "levels = 51")),
        ("no TOML", "name = \n".to_owned()),
        ("a name that is a path", experiment("\"x\"", "\"../x\"")),
    ];
    let mut texts = Vec::new();
    for (what, text) in files {
        let desk = Desk::new();
        desk.write("x.toml", &text);
        let short = deck(|lines| {
            lines.pop();
        });
        let twice = deck(|lines| lines[2] = lines[1].clone());
        desk.write("short.csv", &short).write("twice.csv", &twice);
        let before = desk.files();
        let done = desk.run("run x.toml");
        assert_eq!((done.status, done.stdout.as_str()), (2, ""), "{what}");
        assert_eq!(desk.files(), before, "{what}");
        texts.push(format!("# {what}\n{}", done.stderr));
    }
    insta::assert_snapshot!("errors_of_experiments", texts.join("\n"));
}

#[test]
fn errors_of_arguments_say_what_would_do() {
    let desk = Desk::new();
    desk.write("x.toml", &experiment("seed = 1", "seed = 1"));
    desk.write("y.toml", &experiment("seed = 1", "seed = 2"));
    desk.write("broken.toml", "name = ");
    desk.ok("run x.toml --out out --quiet");
    let before = desk.files();
    let commands = [
        "run none.toml",
        "run x.toml --set objectives",
        "run x.toml --set rules.objectives=6",
        "run x.toml --set name.x=1",
        "run x.toml y.toml --out out",
        "run y.toml --out out",
        "run x.toml --threads 0",
        "run x.toml --games 0",
        "run",
        "rnu x.toml",
        "list strategy",
        "show lineer",
        "show out/summary.csv",
        "show nowhere/out",
        "show broken.toml",
        "play --game mind-up --strategies greedy,random,greedy,random,greedy,random,greedy",
        "play --game mind-up --players 3 --strategies gredy",
        "play --game the-mind --players 2 --strategies linear(pace=0)",
        "play --game the-mind --players 2 --strategies linear(pace",
        "play --game the-mind --players 2 --strategies linear --group idael",
        "play --game mind-up --players 3 --strategies greedy --set rounds=[1,2]",
        "replay out --game 99",
        "replay x.toml --game 0",
        "compare out",
        "compare out nowhere",
        "schema experiments",
    ];
    let mut texts = Vec::new();
    for words in commands {
        let text = shown(&desk, words);
        assert!(text.contains("\n[2]\n-- standard error\nerror: "), "{text}");
        texts.push(text);
    }
    assert_eq!(desk.files(), before);
    insta::assert_snapshot!("errors_of_arguments", texts.join("\n"));
}

#[test]
fn values_without_end_are_not_shown_in_full() {
    let desk = Desk::new();
    desk.write("x.toml", &experiment("seed = 1", "seed = 1"));
    let digits = "9".repeat(300);
    for words in [
        "run x.toml --seed N",
        "run x.toml --set games=N",
        "run x.toml --set rules.objectives=N",
        "play --game the-mind --players 2 --strategies linear(pace=-N.0)",
        "play --game the-mind --players 2 --strategies linear(N)",
        "play --game the-mind --players 2 --strategies N",
        "show N",
    ] {
        let done = desk.run(&words.replace('N', &digits));
        assert_eq!(done.status, 2, "{words}: {}", done.stderr);
        assert!(done.stderr.contains("..."), "{words}: {}", done.stderr);
        assert!(!done.stderr.contains(&digits[..100]), "{words}: {}", done.stderr);
        // Of a number in figures the zeros.
        assert!(!done.stderr.contains(&"0".repeat(100)), "{words}: {}", done.stderr);
    }
}
