//! Replayed games are the games that a run counted.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::{Desk, rows};

pub const MIND_UP: &str = r#"
name = "mixed"
game = "mind-up"
players = [3, 4]
games = 8
seed = 5
lineups = [["greedy", "random", "random"], ["greedy", "greedy", "greedy"]]
[rules]
objectives = [0, 2]
"#;

pub const THE_MIND: &str = r#"
name = "minds"
game = "the-mind"
players = 2
games = 9
seed = 3
lineups = [["linear", { base = "linear", pace = 1.4 }], ["rank", "rank"], ["random", "linear"]]
groups = ["intuitive", "strangers"]
[rules]
levels = 4
lives = [1, 2]
"#;

pub const EXTREME: &str = r#"
name = "extremes"
game = "the-mind-extreme"
players = 3
games = 10
seed = 3
strategies = ["linear", "power"]
design = "all-vs-all"
groups = ["counting"]
[rules]
levels = 5
lives = 6
mistake = ["continue", "restart-level"]
"#;

/// Line-ups in full serve one number of players; a design serves several.
pub const DESIGN: &str = r#"
name = "design"
game = "mind-up"
players = [2, 3, 5]
games = 6
seed = 5
strategies = ["greedy", "random", "lowest"]
design = "one-vs-rest"
[rules]
objectives = [0, 2]
next_hand = ["tableau", "deal"]
"#;

/// Runs an experiment; returns its folder and its number of games.
fn run(text: &str) -> (Desk, u64) {
    let desk = Desk::new();
    desk.write("x.toml", text);
    desk.ok("run x.toml --out out --quiet --threads 1");
    let manifest: Value = serde_json::from_str(&desk.read("out/manifest.json")).unwrap();
    (desk, manifest["games"].as_u64().unwrap())
}

/// What a replayed game counts for: the row of lineups.csv, by its cell and line-up in the plan.
struct Game {
    lineup: usize,
    seats: Vec<usize>,
    verdict: Value,
}

/// Replays all games, judges them, and finds their place from the manifest's plan.
fn replay_all(desk: &Desk, games: u64) -> Vec<Game> {
    let records: String =
        (0..games).map(|game| desk.ok(&format!("replay out --game {game} --record"))).collect();
    desk.write("records.jsonl", &records);
    let verdicts = desk.ok("referee records.jsonl");
    let mut verdicts = verdicts.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let manifest: Value = serde_json::from_str(&desk.read("out/manifest.json")).unwrap();
    let mut all = Vec::new();
    let mut lineup_number = 0;
    for cell in manifest["resolved"]["cells"].as_array().unwrap() {
        for lineup in cell["lineups"].as_array().unwrap() {
            let seats: Vec<usize> = serde_json::from_value(lineup["seats"].clone()).unwrap();
            let mut rotated = vec![seats.clone()];
            for rotation in 1..seats.len() {
                let mut turned = seats.clone();
                turned.rotate_left(rotation);
                if turned == seats {
                    break;
                }
                rotated.push(turned);
            }
            for _ in 0..lineup["deals"].as_u64().unwrap() {
                for seats in &rotated {
                    let verdict = verdicts.next().unwrap();
                    assert!(verdict.get("error").is_none(), "{verdict}");
                    all.push(Game { lineup: lineup_number, seats: seats.clone(), verdict });
                }
            }
            lineup_number += 1;
        }
    }
    assert!(verdicts.next().is_none());
    all
}

/// Sums and counts by line-up and strategy.
type Sums = BTreeMap<(usize, usize), (Vec<f64>, f64)>;

fn add(sums: &mut Sums, key: (usize, usize), values: &[f64]) {
    let (sum, n) = sums.entry(key).or_insert_with(|| (vec![0.0; values.len()], 0.0));
    for (sum, value) in sum.iter_mut().zip(values) {
        *sum += value;
    }
    *n += 1.0;
}

/// Compares with the means of lineups.csv, whose rows are in the order of line-ups and strategies.
fn compare(desk: &Desk, sums: &Sums, columns: &[&str]) {
    let manifest: Value = serde_json::from_str(&desk.read("out/manifest.json")).unwrap();
    let labels = manifest["resolved"]["strategies"].as_array().unwrap();
    let table = rows(&desk.read("out/lineups.csv"));
    assert_eq!(table.len(), sums.len());
    for row in &table {
        let lineup = row["lineup"].parse::<usize>().unwrap();
        let strategy = labels
            .iter()
            .position(|strategy| strategy["label"] == row["strategy"].as_str())
            .unwrap();
        let (sum, n) = &sums[&(lineup, strategy)];
        for (column, sum) in columns.iter().zip(sum) {
            let mean = row[*column].parse::<f64>().unwrap();
            assert!((mean - sum / n).abs() < 1e-6, "{row:?}: {column} {}", sum / n);
        }
    }
}

fn mind_up(text: &str) {
    let (desk, games) = run(text);
    let mut sums = Sums::new();
    for game in replay_all(&desk, games) {
        let totals = game.verdict["totals"].as_array().unwrap();
        let winners = game.verdict["winners"].as_array().unwrap();
        for (seat, &strategy) in game.seats.iter().enumerate() {
            let share = match winners.iter().any(|winner| *winner == seat) {
                true => 1.0 / winners.len() as f64,
                false => 0.0,
            };
            let total = totals[seat].as_f64().unwrap();
            add(&mut sums, (game.lineup, strategy), &[share, total]);
        }
    }
    compare(&desk, &sums, &["win_share", "score_mean"]);
}

fn the_minds(text: &str) {
    let (desk, games) = run(text);
    let mut sums = Sums::new();
    for game in replay_all(&desk, games) {
        let won = f64::from(game.verdict["result"] == "won");
        let levels = game.verdict["levels_done"].as_f64().unwrap();
        let lives =
            game.verdict["levels"].as_array().unwrap().last().unwrap()["lives"].as_f64().unwrap();
        let mut strategies = game.seats.clone();
        strategies.sort_unstable();
        strategies.dedup();
        for strategy in strategies {
            add(&mut sums, (game.lineup, strategy), &[won, levels, lives]);
        }
    }
    compare(&desk, &sums, &["win_rate", "levels_mean", "lives_mean"]);
}

#[test]
fn replayed_games_of_mind_up_add_up_to_the_tables() {
    mind_up(&MIND_UP.replace("[3, 4]", "3"));
    mind_up(DESIGN);
}

#[test]
fn replayed_games_of_the_minds_add_up_to_the_tables() {
    the_minds(THE_MIND);
    the_minds(EXTREME);
}

#[test]
fn a_told_game_says_which_it_is() {
    let (desk, games) = run(&MIND_UP.replace("[3, 4]", "3"));
    assert_eq!(games, 2 * (9 + 8));
    let told = desk.ok("replay out --game 4");
    let head =
        "Game 4: 3 players, objectives=0; greedy+random+random, deal 1, rotation 1\n\nMind Up!";
    assert!(told.starts_with(head), "{told}");
    assert!(!told.contains('\u{1b}'));
    let beyond = desk.run("replay out --game 34");
    assert_eq!(beyond.status, 2);
    let what = "error: `--game = 34`: this run has 34 games, 0 to 33\n";
    assert_eq!(beyond.stderr, what);
}

#[test]
fn results_that_this_binary_would_not_give_are_refused() {
    let (desk, _) = run(&THE_MIND.replace("[1, 2]", "1"));
    let manifest = desk.read("out/manifest.json");
    let refused = |from: &str, to: &str| {
        assert!(manifest.contains(from), "{from}");
        desk.write("out/manifest.json", &manifest.replace(from, to));
        let done = desk.run("replay out --game 0");
        assert_eq!((done.status, done.stdout.as_str()), (2, ""));
        done.stderr
    };
    let behaviour = format!("\"behaviour\": {},", mindlab::output::folder::BEHAVIOUR);
    let text = refused(&behaviour, "\"behaviour\": 0,");
    assert!(
        text.contains("out/manifest.json: `behaviour = 0`: these games were played by mindlab"),
        "{text}"
    );
    let text = refused("\"hash\": \"", "\"hash\": \"0");
    assert!(text.contains("does not resolve to what was played"), "{text}");
    let text =
        refused("\"game\": \"the-mind\",\n    \"players\"", "\"game\": \"hex\",\n    \"players\"");
    assert!(text.contains("`experiment.game = \"hex\"`"), "{text}");
    let text = refused("{\n  \"format\"", "[");
    assert!(text.contains("is not a manifest of this version"), "{text}");
    let none = desk.run("replay nowhere --game 0");
    assert_eq!(none.status, 2);
    assert!(
        none.stderr.contains("nowhere/manifest.json: mindlab can't read this"),
        "{}",
        none.stderr
    );
}

#[test]
fn a_strategy_that_has_changed_is_noticed() {
    let desk = Desk::new();
    desk.write("strategies/the-mind/own.toml", "family = \"linear\"\n[parameters]\npace = 2.0\n");
    let text = THE_MIND.replace("[\"rank\", \"rank\"]", "[\"own\", \"own\"]");
    desk.write("x.toml", &text);
    desk.ok("run x.toml --out out --quiet");
    desk.ok("replay out --game 0");
    desk.write("strategies/the-mind/own.toml", "family = \"linear\"\n[parameters]\npace = 3.0\n");
    let done = desk.run("replay out --game 0");
    assert_eq!(done.status, 2);
    assert!(done.stderr.contains("strategy's file has changed"), "{}", done.stderr);
}
