//! Good bots: the same results for any number of threads, like a strategy of the library.

use serde_json::Value;

use crate::support::{Desk, bot, entry, experiment, python, reference};

/// Runs with 1, 2 and 7 threads and wants the same tables; returns the last folder's name.
fn same_for_all_threads(desk: &Desk, text: &str) -> &'static str {
    desk.write("x.toml", text);
    for threads in ["1", "2", "7"] {
        let done = desk.run(&["run", "x.toml", "--threads", threads, "--out", threads, "--quiet"]);
        assert_eq!(done.status, 0, "{}", done.stderr);
    }
    let one = desk.tables("1");
    assert!(one.iter().any(|(name, _)| name.ends_with("bots.csv")));
    for threads in ["2", "7"] {
        assert_eq!(desk.tables(threads), one, "{threads} threads");
    }
    desk.nothing_stays();
    "7"
}

fn reproducible(desk: &Desk, folder: &str) -> bool {
    let text = desk.read(&format!("{folder}/manifest.json"));
    serde_json::from_str::<Value>(&text).unwrap()["reproducible"].as_bool().unwrap()
}

#[test]
fn reference_bots_play_all_games_alike_on_any_number_of_threads() {
    if !python() {
        return;
    }
    let group = "groups = ['intuitive']\n";
    for (game, name, other, more) in [
        ("mind-up", "mind_up", "'random'", "games_csv = true\nrules = { objectives = 1 }\n"),
        ("the-mind", "the_mind", "'linear'", group),
        (
            "the-mind-extreme",
            "the_mind_extreme",
            "{ base = 'rank', star = 'when-risk-above' }",
            group,
        ),
    ] {
        let desk = Desk::new();
        let mine = entry(&reference(name), ", deterministic = true");
        let text = experiment(game, &[&mine, &mine, other], 24, more);
        let out = same_for_all_threads(&desk, &text);
        assert!(reproducible(&desk, out), "{game}");
        let bots = desk.rows(&format!("{out}/bots.csv"));
        assert_eq!(bots.len(), 1);
        let [row] = &bots[..] else { panic!() };
        assert_eq!((row["strategy"].as_str(), row["games"].as_str()), ("mine", "48"));
        for failure in ["late", "malformed", "illegal", "died", "forfeits"] {
            assert_eq!(row[failure], "0", "{game} {failure}");
        }
        // Unless nobody states that it is deterministic.
        desk.write("y.toml", &text.replace(", deterministic = true", ""));
        assert_eq!(desk.run(&["run", "y.toml", "--out", "y", "--quiet"]).status, 0);
        assert!(!reproducible(&desk, "y"), "{game}");
        assert_eq!(desk.read("y/summary.csv"), desk.read("1/summary.csv"));
    }
}

#[test]
fn the_bot_for_mind_up_plays_as_greedy_does() {
    if !python() {
        return;
    }
    let desk = Desk::new();
    let mine = entry(&reference("mind_up"), "");
    desk.write("bot.toml", &experiment("mind-up", &[&mine, "'random'", "'lowest'"], 30, ""));
    let greedy = "{ base = 'greedy', name = 'mine' }";
    desk.write("own.toml", &experiment("mind-up", &[greedy, "'random'", "'lowest'"], 30, ""));
    for name in ["bot", "own"] {
        let file = format!("{name}.toml");
        let done = desk.run(&["run", &file, "--out", name, "--quiet"]);
        assert_eq!(done.status, 0, "{}", done.stderr);
    }
    assert_eq!(desk.read("bot/scores.csv"), desk.read("own/scores.csv"));
}

/// The same bot, asked for one game at a time, plays the same.
#[test]
fn batches_change_nothing() {
    if !python() {
        return;
    }
    let desk = Desk::new();
    let many = bot("");
    for (name, text) in [("many", many.clone()), ("one", many.replace("True}", "False}"))] {
        let file = desk.write(&format!("{name}.py"), &text);
        let lineup = [&entry(&file, "") as &str, "'linear'", "'linear'"];
        desk.write("x.toml", &experiment("the-mind", &lineup, 12, "groups = ['counting']"));
        let done = desk.run(&["run", "x.toml", "--out", name, "--quiet"]);
        assert_eq!(done.status, 0, "{}", done.stderr);
    }
    assert_eq!(desk.tables("many"), desk.tables("one"));
}

/// A bot may use its seed, and gets another one for each game and seat.
#[test]
fn seeds_make_random_bots_reproducible() {
    if !python() {
        return;
    }
    let desk = Desk::new();
    let text = bot("").replace(
        "    elif m['type'] not in",
        "    elif m['type'] == 'new_games':\n        for new in m['games']:\n            \
         seeds[new['game']] = new['seed']\n        open(sys.argv[1], 'a').write(line)\n    \
         elif m['type'] not in",
    );
    let text = text.replace("count = 0", "count, seeds = 0, {}").replace(
        "        say({'id'",
        "        answers = [{'play': game['view']['hand'][seeds[game['game']] % \
         len(game['view']['hand'])]} for game in m['games']]\n        say({'id'",
    );
    let file = desk.write("bot.py", &text);
    let log = desk.path().join("log").display().to_string();
    let mine = entry(&file, ", deterministic = true");
    let mine =
        mine.replace("'] ", &format!("', '{log}'] ")).replace("'],", &format!("', '{log}'],"));
    same_for_all_threads(&desk, &experiment("mind-up", &[&mine, &mine, "'random'"], 24, ""));
    let mut seeds: Vec<u64> = Vec::new();
    for line in desk.read("log").lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let games = line["games"].as_array().unwrap();
        seeds.extend(games.iter().map(|game| game["seed"].as_u64().unwrap()));
    }
    assert!(seeds.iter().all(|&seed| seed < 1 << 53));
    // Three runs of 24 games with two seats of the bot.
    assert_eq!(seeds.len(), 3 * 48);
    seeds.sort_unstable();
    seeds.dedup();
    assert_eq!(seeds.len(), 48);
}

/// A block of many games reaches a bot that takes many at once in one line.
#[test]
fn many_games_are_asked_at_once() {
    if !python() {
        return;
    }
    let desk = Desk::new();
    let before = "open(os.path.join(os.path.dirname(sys.argv[0]), 'sizes'), 'a').write(f\"{len(answers)}\\n\")";
    let file = desk.write("bot.py", &bot(before));
    let lineup = [&entry(&file, "") as &str, "'lowest'", "'lowest'"];
    desk.write("x.toml", &experiment("mind-up", &lineup, 120, ""));
    let done = desk.run(&["run", "x.toml", "--threads", "1", "--out", "out", "--quiet"]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    let sizes: Vec<u64> = desk.read("sizes").lines().map(|size| size.parse().unwrap()).collect();
    // Blocks double as long as they take less than seconds.
    assert!(*sizes.iter().max().unwrap() >= 4, "{sizes:?}");
    assert_eq!(sizes.iter().sum::<u64>(), 120 * 21);
}

/// One process for each seat of a cell; without isolation one for each worker and strategy.
#[test]
fn a_worker_starts_a_bot_once_for_each_seat() {
    starts("", ".......");
    starts(", isolate = 'none'", ".");
}

fn starts(more: &str, wanted: &str) {
    if !python() {
        return;
    }
    let desk = Desk::new();
    let text = format!("open(__import__('sys').argv[1], 'a').write('.')\n{}", bot(""));
    let file = desk.write("bot.py", &text);
    let log = desk.path().join("starts").display().to_string();
    let command = format!("', '{log}']");
    let mine = entry(&file, more).replacen("']", &command, 1);
    let text = format!(
        "name = 'x'\ngame = 'mind-up'\nplayers = [3, 4]\ngames = 12\nstrategies = [{mine}]\n\
         design = 'self-play'\n"
    );
    desk.write("x.toml", &text);
    let done = desk.run(&["run", "x.toml", "--threads", "1", "--out", "out", "--quiet"]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert_eq!(desk.read("starts"), wanted);
}
