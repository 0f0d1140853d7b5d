//! What cells, strategies and notes are called.

use crate::support::{Desk, rows};

const NAMED: &str = r#"
name = "named"
game = "mind-up"
players = 3
games = 12
seed = 2
strategies = ["greedy", { base = "duct", playouts = 2, policy = [
    "greedy", { base = "linear", temperature = 0.5 }, { base = "linear", keeps = 0.0, name = "short-sighted" },
] }]
design = "one-vs-rest"
[rules]
objectives = 1
objective_points = [{}, { A1 = 3 }, { name = "A1 at +4, B1 at 0", A1 = 4, B1 = 0 }]
"#;

/// The values of a column, each once.
fn distinct(table: &str, column: &str) -> Vec<String> {
    let mut all: Vec<String> = rows(table).iter().map(|row| row[column].clone()).collect();
    all.dedup();
    let mut seen = Vec::new();
    all.retain(|value| {
        !seen.contains(value) && {
            seen.push(value.clone());
            true
        }
    });
    all
}

#[test]
fn values_of_grids_are_told_by_their_names_or_by_what_changed() {
    let desk = Desk::new();
    desk.write("x.toml", NAMED);
    let shown = desk.ok("run x.toml --out out --quiet");
    for title in ["published", "A1:+3", "A1 at +4, B1 at 0"] {
        let heading = format!("mind-up, 3 players, objective_points={title}; parity");
        assert!(shown.contains(&heading), "{heading}: {shown}");
    }
    let summary = desk.read("out/summary.csv");
    assert!(!shown.contains("sha256") && !summary.contains("sha256"));
    let points = ["published", "A1:+3", "A1 at +4, B1 at 0"];
    assert_eq!(distinct(&summary, "objective_points"), points);
    let policies = ["", "greedy", "linear(temperature=0.5)", "short-sighted"];
    assert_eq!(distinct(&summary, "policy"), policies);
    let labels: Vec<String> =
        policies[1..].iter().map(|own| format!("duct(playouts=2, policy={own})")).collect();
    assert_eq!(distinct(&summary, "strategy")[1..], labels);
    // What a grid is called is in the manifest, from which any game is played again.
    assert_eq!(desk.ok("show out"), shown);
    assert!(
        desk.ok("replay out --game 150").contains("Game 150: 3 players, objective_points=A1:+3; ")
    );
    // A strategy may be asked for as tables call it.
    let game = "play --game mind-up --players 3 --seed 3 --strategies";
    let label = "duct(playouts=2,policy=linear(temperature=0.5))";
    assert!(desk.ok(&format!("{game} {label}")).contains("seats: 0 duct(playouts=2,"));
}

/// Names are words about a game: the cards and all choices are those of the game without them.
#[test]
fn names_change_no_game() {
    let desk = Desk::new();
    let plain = NAMED
        .replace("name = \"A1 at +4, B1 at 0\", ", "")
        .replace(", name = \"short-sighted\"", "");
    assert!(plain != NAMED);
    desk.write("x.toml", NAMED).write("y.toml", &plain);
    desk.ok("run x.toml --out x --quiet --set games_csv=true");
    desk.ok("run y.toml --out y --quiet --set games_csv=true");
    let scores = |folder: &str| -> Vec<_> {
        let told = rows(&desk.read(&format!("{folder}/games.csv"))).into_iter();
        told.map(|row| {
            ["game_number", "score_0", "score_1", "score_2"].map(|column| row[column].clone())
        })
        .collect()
    };
    assert_eq!(scores("x"), scores("y"));
}

#[test]
fn notes_say_the_cell_as_headings_do() {
    let desk = Desk::new();
    desk.write(
        "x.toml",
        "name = 'x'\ngame = 'the-mind'\nplayers = 2\ngames = 20\nstrategies = ['power', 'rank']\n\
         design = 'self-play'\ngroups = ['intuitive', { base = 'ideal', cv = 0.3 }]\n\
         [rules]\nlives = [1, 2]",
    );
    let told = desk.run("run x.toml");
    let headings: Vec<&str> =
        told.stdout.lines().filter(|line| line.starts_with("the-mind, ")).collect();
    assert_eq!(headings.len(), 4, "{}", told.stdout);
    let notes: Vec<&str> =
        told.stderr.lines().filter_map(|line| line.strip_prefix("note: ")).collect();
    assert!(!notes.is_empty(), "{}", told.stderr);
    for note in notes {
        assert!(headings.iter().any(|heading| note.starts_with(&format!("{heading}: "))), "{note}");
    }
}

#[test]
fn strategies_off_their_ground_are_noted() {
    let desk = Desk::new();
    desk.write(
        "x.toml",
        "name = 'x'\ngame = 'mind-up'\nplayers = 3\ngames = 3\nstrategies = ['linear', 'greedy']\n\
         design = 'one-vs-rest'\n[rules]\nnext_hand = ['tableau', 'deal']",
    );
    let note = "note: linear was learned with next_hand as published, here deal; `mindlab train \
                experiments/train/mind-up-linear.toml --set name=my-linear --set \
                rules.next_hand=deal` learns it for this\n";
    for (words, noted) in [("--dry-run", true), ("--quiet", false), ("--force", true)] {
        let told = desk.run(&format!("run x.toml {words}")).stderr;
        assert_eq!(told.contains(note), noted, "{words}: {told}");
    }
    let play =
        "play --game mind-up --players 3 --strategies linear,greedy,monte-carlo --set rounds=2";
    let told = desk.run(play).stderr;
    assert!(
        told.starts_with("note: linear and monte-carlo's policy linear were learned "),
        "{told}"
    );
    assert_eq!(desk.run(&play.replace("rounds=2", "objectives=1")).stderr, "");
    // The judge of records plays by a policy too.
    desk.write(
        "game.jsonl",
        &desk.ok(&format!("{} --record", play.replace("monte-carlo", "greedy"))),
    );
    let judged = desk.ok("analyze game.jsonl --playouts 5");
    let line = "The playouts' policy was learned\n  with rounds as published, here 2\n";
    assert!(judged.contains(line), "{judged}");
    let json = desk.ok("analyze game.jsonl --playouts 5 --json");
    assert!(json.contains("\"off_ground\":[\"with rounds as published, here 2\"]"), "{json}");
}

#[test]
fn errors_of_a_single_game_name_its_arguments() {
    let desk = Desk::new();
    desk.write("strategies/mind-up/bad.toml", "family = \"linear\"\n[parameters]\nkepes = 1");
    let up = "--game mind-up";
    for (words, wanted) in [
        (
            format!("{up} --strategies greedy,gredy,greedy"),
            "--strategies, seat 1: `gredy`: unknown strategy",
        ),
        (
            format!("{up} --strategies random,random,duct(playouts=0)"),
            "--strategies, seat 2: `playouts = 0`: ",
        ),
        (
            format!("{up} --players 4 --strategies greedy,random"),
            "--strategies: `2 strategies`: a line-up",
        ),
        (format!("{up} --players 9 --strategies greedy"), "--players: `9`: mind-up is for"),
        (format!("{up} --strategies greedy"), "--strategies: `1`: mind-up is for"),
        (format!("{up} --players 3 --strategies greedy --set rounds=99"), "--set: `rounds = 99`: "),
        (
            "--game the-mind --players 2 --strategies linear --group idael".into(),
            "--group: `idael`: unknown group",
        ),
        // In a file the place is the file's.
        (
            format!("{up} --players 3 --strategies bad"),
            "strategies/mind-up/bad.toml: `parameters.kepes = 1`: unknown parameter",
        ),
    ] {
        let done = desk.run(&format!("play {words}"));
        assert_eq!(done.status, 2, "{}", done.stderr);
        assert!(done.stderr.starts_with(&format!("error: {wanted}")), "{words}: {}", done.stderr);
    }
}
