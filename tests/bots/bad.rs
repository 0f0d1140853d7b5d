//! Bots that do wrong: each wrong is counted as what it is, the run goes on, and nothing stays.

use std::process::Command;

use crate::support::{Desk, Done, bot, done, entry, experiment, python};

/// Plays a bot that does something wrong against two that do not, in 12 games of Mind Up!.
fn play(desk: &Desk, before: &str, more: &str) -> Done {
    let file = desk.write("bot.py", &bot(before));
    let mine = entry(&file, &format!(", timeout = 0.7{more}"));
    desk.write("x.toml", &experiment("mind-up", &[&mine, "'lowest'", "'highest'"], 12, ""));
    // In so much memory that what is bounded fits, and what piles up does not.
    let line = "ulimit -v 1500000; exec \"$0\" run x.toml --threads 2 --out out --force --quiet";
    let command = Command::new("sh")
        .args(["-c", line, env!("CARGO_BIN_EXE_mindlab")])
        .current_dir(desk.path())
        .output();
    let done = done(command.unwrap());
    desk.nothing_stays();
    done
}

const KINDS: [&str; 6] = ["late", "malformed", "illegal", "died", "abandoned", "stray"];

/// Wants failures of one kind and of no other, all told at the end.
#[track_caller]
fn fails(kind: &str, before: &str) -> Done {
    let desk = Desk::new();
    let done = play(&desk, before, "");
    assert_eq!(done.status, 0, "{before}: {}", done.stderr);
    let [row] = &desk.rows("out/bots.csv")[..] else { panic!("{before}") };
    for known in KINDS {
        let count: u64 = row[known].parse().unwrap();
        assert_eq!(count > 0, known == kind, "{before}: {known} {count}");
    }
    let forfeits: u64 = row["forfeits"].parse().unwrap();
    assert!((1..=12).contains(&forfeits), "{before}: {forfeits}");
    assert!(done.stderr.contains("note: bot mine: of "), "{before}: {}", done.stderr);
    assert!(done.stderr.contains(&format!(" {kind} (first: ")), "{before}: {}", done.stderr);
    assert!(desk.read("out/manifest.json").contains("\"reproducible\": false"));
    done
}

#[test]
fn late_replies() {
    if !python() {
        return;
    }
    let done = fails("late", "if count == 3: time.sleep(1000)");
    assert!(done.stderr.contains("it did not reply within 0.7 s"), "{}", done.stderr);
    // It comes back with the answer when nobody waits for it any more.
    fails("late", "if count == 3: time.sleep(2)");
    fails("late", "if count == 3: os.kill(os.getpid(), signal.SIGSTOP)");
}

#[test]
fn dead_processes() {
    if !python() {
        return;
    }
    let done = fails("died", "if count == 3: raise KeyError('oh')");
    assert!(done.stderr.contains("exit status: 1; KeyError: 'oh'"), "{}", done.stderr);
    fails("died", "if count == 3: os.kill(os.getpid(), signal.SIGKILL)");
    fails("died", "if count == 3: os.close(1)");
    // Hears no more, but lives.
    fails(
        "died",
        "if count == 3: os.close(0); say({'id': m['id'], 'answers': answers}); time.sleep(1000)",
    );
}

#[test]
fn one_who_always_dies_is_given_up() {
    if !python() {
        return;
    }
    let done = fails("died", "os._exit(9)");
    assert!(done.stderr.contains("12 games forfeited"), "{}", done.stderr);
    let desk = Desk::new();
    let log = desk.path().join("starts").display().to_string();
    let before = format!("open({log:?}, 'a').write('.'); os._exit(9)");
    let done = play(&desk, &before, ", on_failure = 'random'");
    let told = " abandoned (first: it was started 20 times and is not started again)";
    assert!(done.stderr.contains(told), "{}", done.stderr);
    let [row] = &desk.rows("out/bots.csv")[..] else { panic!() };
    let count = |kind: &str| row[kind].parse::<u64>().unwrap();
    assert_eq!(count("died") + count("abandoned"), count("answers"));
    let starts = desk.read("starts").len();
    assert!((20..=120).contains(&starts), "20 starts for each seat of 2 workers at most: {starts}");
}

#[test]
fn malformed_replies() {
    if !python() {
        return;
    }
    for before in [
        "print('what?', flush=True)",
        "print(flush=True)",
        "sys.stdout.buffer.write(b'\\xff\\xfe\\n'); sys.stdout.flush()",
        "print('null', flush=True)",
        "print('[' * 100000, flush=True)",
        "print('{\"id\": 1e999, \"answers\": []}', flush=True)",
        "m['id'] += 7",
        "m['id'] = 'x'",
        "answers.append(answers[0])",
        "answers = None",
        "answers = [{'play': 10**40}]",
        "answers = [{'play': -1} for _ in answers]",
        "answers = [{'play': '7'} for _ in answers]",
        // Lists, whose items are in the order of the fields.
        "answers = [list(answer.values()) for answer in answers]",
        "print([m['id'], [{'play': 1} for _ in answers]], flush=True)",
        "answers = [{'card': 7} for _ in answers]",
        "answers = [dict(answer, why='so') for answer in answers]",
        // Endless lines, and a line without an end.
        "while count == 2: print('rubbish')",
        "while count == 2: sys.stdout.write('x' * 65536)",
    ] {
        fails("malformed", before);
    }
}

#[test]
fn illegal_moves() {
    if !python() {
        return;
    }
    fails("illegal", "answers = [{'play': 61} for _ in answers]");
    let done =
        fails("illegal", "answers = [{'play': game['view']['row'][0]} for game in m['games']]");
    assert!(done.stderr.contains("this card is not in the hand: {\"play\":"), "{}", done.stderr);
}

/// It is told, and harms nobody.
#[test]
fn stray_replies() {
    if !python() {
        return;
    }
    let (quiet, desk) = (Desk::new(), Desk::new());
    play(&quiet, "", "");
    let done = play(&desk, "if count < 4: say({'id': m['id'], 'answers': answers})", "");
    assert!(
        done.stderr.contains(" stray (first: it replied to request 1, but was asked request 2: {"),
        "{}",
        done.stderr
    );
    let [row] = &desk.rows("out/bots.csv")[..] else { panic!() };
    for kind in KINDS {
        assert_eq!(row[kind] == "0", kind != "stray", "{row:?}");
    }
    assert_eq!(row["forfeits"], "0");
    assert_eq!(desk.read("out/summary.csv"), quiet.read("out/summary.csv"));
}

/// The limit is told, not what was left of it after another line.
#[test]
fn late_behind_a_stray_reply() {
    if !python() {
        return;
    }
    let before = "if count == 2: m['id'] -= 1; time.sleep(0.2)";
    let done = play(&Desk::new(), before, "");
    assert!(
        done.stderr.contains(" late (first: it did not reply within 0.7 s)"),
        "{}",
        done.stderr
    );
}

/// What is no answer does not count: it harms nobody.
#[test]
fn noise_and_children_harm_nobody() {
    if !python() {
        return;
    }
    let quiet = Desk::new();
    assert_eq!(play(&quiet, "", "").status, 0);
    for before in [
        "if count == 1: subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(1000)', sys.argv[0]])",
        "if count == 1 and os.fork() == 0: time.sleep(1000)",
        "if count == 1: signal.signal(signal.SIGTERM, signal.SIG_IGN); threading.Thread(target=time.sleep, args=[1000]).start()",
        "if count == 1: threading.Thread(target=lambda: [sys.stderr.write('x' * 65536) for _ in iter(int, 1)], daemon=True).start()",
    ] {
        let desk = Desk::new();
        let done = play(&desk, before, "");
        assert_eq!((done.status, done.stderr.as_str()), (0, ""), "{before}");
        assert_eq!(desk.tables("out"), quiet.tables("out"), "{before}");
    }
}

#[test]
fn a_game_that_is_forfeited_is_lost() {
    if !python() {
        return;
    }
    let desk = Desk::new();
    play(&desk, "answers = [{'play': 0} for _ in answers]", "");
    let rows = desk.rows("out/summary.csv");
    let mine = rows.iter().find(|row| row["strategy"] == "mine").unwrap();
    assert_eq!(mine["rank_3"], "1.000000");
    assert_eq!(mine["win_share"], "0.000000");
    let [row] = &desk.rows("out/bots.csv")[..] else { panic!() };
    // Once it has failed in a game it is not asked there any more.
    assert_eq!((row["answers"].as_str(), row["illegal"].as_str()), ("12", "12"));
    assert_eq!((row["games"].as_str(), row["forfeits"].as_str()), ("12", "12"));
}

#[test]
fn a_team_with_one_who_forfeits_loses_its_game() {
    if !python() {
        return;
    }
    for (game, wrong) in [
        ("the-mind", "{'play': 101, 'wait': 1.0}"),
        ("the-mind-extreme", "{'play': 'w51', 'wait': 1.0}"),
        ("the-mind", "{'play': game['view']['hand'][-1], 'wait': -1.0}"),
        ("the-mind", "{'play': game['view']['hand'][-1], 'wait': 1e7}"),
    ] {
        let desk = Desk::new();
        // At level 2 and later.
        let before = format!(
            "answers = [{wrong} if game['view']['level'] > 1 else given for game, given in \
             zip(m['games'], answers)]"
        );
        let file = desk.write("bot.py", &bot(&before));
        let text = experiment(game, &[&entry(&file, ""), "'linear'"], 20, "");
        desk.write("x.toml", &text.replace("games = 20", "games = 20\nrules = { lives = 9 }"));
        let done = desk.run(&["run", "x.toml", "--out", "out", "--quiet"]);
        assert_eq!(done.status, 0, "{}", done.stderr);
        let [team] = &desk.rows("out/summary.csv")[..] else { panic!() };
        assert_eq!(team["win_rate"], "0.000000");
        assert_eq!(team["levels_mean"], "1.000000");
        assert_eq!(team["lives_mean"], "0.000000");
        let [row] = &desk.rows("out/bots.csv")[..] else { panic!() };
        assert_eq!((row["illegal"].as_str(), row["forfeits"].as_str()), ("20", "20"));
    }
}

#[test]
fn a_random_move_may_stand_in() {
    if !python() {
        return;
    }
    // Deterministic where the failure is, so the same for any number of threads.
    let desk = Desk::new();
    let before = "answers = [{'play': 0} if 30 in game['view']['row'] else given for game, given in \
                  zip(m['games'], answers)]";
    let file = desk.write("bot.py", &bot(before));
    let mine = entry(&file, ", on_failure = 'random', deterministic = true");
    desk.write("x.toml", &experiment("mind-up", &[&mine, "'lowest'", "'random'"], 60, ""));
    for threads in ["1", "3"] {
        let done = desk.run(&["run", "x.toml", "--threads", threads, "--out", threads, "--quiet"]);
        assert_eq!(done.status, 0, "{}", done.stderr);
    }
    assert_eq!(desk.tables("1"), desk.tables("3"));
    let [row] = &desk.rows("1/bots.csv")[..] else { panic!() };
    assert!(row["illegal"].parse::<u64>().unwrap() > 20, "{row:?}");
    assert_eq!(row["forfeits"], "0");
    // All cards but the last are asked for, failures or not: 6 + 7 + 8 in a game.
    assert_eq!(row["answers"], (60 * 21).to_string());
}

#[test]
fn the_run_may_stop() {
    if !python() {
        return;
    }
    let desk = Desk::new();
    for (before, message) in [
        ("answers = [{'play': 0} for _ in answers]", "illegal: this card is not in the hand"),
        ("os._exit(4)", "died: it has ended: exit status: 4"),
        ("time.sleep(1000)", "late: it did not reply within 0.7 s"),
    ] {
        let done = play(&desk, before, ", on_failure = 'stop'");
        assert_eq!((done.status, done.stdout.as_str()), (3, ""), "{before}");
        assert!(done.stderr.starts_with("error: strategy `mine` on seat "), "{}", done.stderr);
        assert!(done.stderr.contains(message), "{before}: {}", done.stderr);
        assert!(
            done.stderr.contains("an experiment goes on without the answer if the bot has"),
            "{}",
            done.stderr
        );
        assert!(!desk.path().join("out").exists());
    }
}

#[test]
fn what_cannot_be_started_stops_the_run() {
    let desk = Desk::new();
    for (command, message) in [
        ("['nonesuch-program']", "it can't be started: No such file"),
        ("['true']", "exit status: 0"),
        (
            "['sh', '-c', 'read -r line; echo hi']",
            "this is not a greeting: this is not valid JSON: hi",
        ),
        ("['sleep', '1000']", "it did not reply within 1 s"),
    ] {
        let mine = format!("{{ base = 'bot', name = 'mine', command = {command}, timeout = 0.1 }}");
        for game in ["mind-up", "the-mind"] {
            desk.write("x.toml", &experiment(game, &[&mine, "'random'", "'random'"], 3, ""));
            let done = desk.run(&["run", "x.toml", "--out", "out", "--quiet"]);
            assert_eq!(done.status, 3, "{command}");
            assert!(done.stderr.contains(message), "{command}: {}", done.stderr);
        }
    }
    desk.write("x.toml", &experiment("mind-up", &["'bot'", "'random'", "'random'"], 3, ""));
    let done = desk.run(&["run", "x.toml"]);
    assert_eq!(done.status, 2);
    assert!(
        done.stderr.contains("`lineups[0][0].command = []`: name the program"),
        "{}",
        done.stderr
    );
}

#[test]
fn failures_in_a_single_game_are_told() {
    if !python() {
        return;
    }
    let desk = Desk::new();
    let file = desk.write("bot.py", &bot("answers = [{'play': 0} for _ in answers]"));
    let seats = format!("lowest,bot(command=[\"python3\",\"{file}\"]),lowest");
    let done = desk.run(&["play", "--game", "mind-up", "--strategies", &seats]);
    assert_eq!(done.status, 0);
    let told = "of 1 answers 1 illegal (first: this card is not in the hand: {\"play\":0}); 1 games forfeited\n";
    assert!(done.stderr.ends_with(told), "{}", done.stderr);
}

/// By the strategy's name, the seat, the game's number in the run, the kind, and what would do.
#[test]
fn the_game_that_stops_a_run_is_told() {
    if !python() {
        return;
    }
    let desk = Desk::new();
    // The fourth game of a process is the fourth deal, on one of the seats.
    let before = "answers = [{'play': 0} if game['game'] == 3 else given for game, given in \
                  zip(m['games'], answers)]";
    let file = desk.write("bot.py", &bot(before));
    let mine = entry(&file, ", on_failure = 'stop'");
    desk.write("x.toml", &experiment("mind-up", &["'lowest'", &mine, "'highest'"], 12, ""));
    let done = desk.run(&["run", "x.toml", "--threads", "1", "--out", "out", "--quiet"]);
    assert_eq!(done.status, 3);
    let told = "error: strategy `mine` on seat 1 of game 9: illegal: this card is not in the hand: \
                {\"play\":0}; use `mindlab check-bot` to test it; an experiment goes on without the answer if the bot has \
                `on_failure = \"forfeit\"` or `\"random\"`\n";
    assert_eq!(done.stderr, told);
    let stop = format!("bot(command=[\"python3\",\"{file}\"],on_failure=\"stop\")");
    std::fs::write(&file, bot("answers = [{'play': 0} for _ in answers]")).unwrap();
    let seats = format!("lowest,random,{stop}");
    let done = desk.run(&["play", "--game", "mind-up", "--strategies", &seats]);
    assert_eq!(done.status, 3);
    assert!(done.stderr.contains("` on seat 2 of game 0: illegal: "), "{}", done.stderr);
}

#[test]
fn a_bot_on_several_seats_has_one_note() {
    if !python() {
        return;
    }
    let desk = Desk::new();
    let file = desk.write("bot.py", &bot("answers = [{'play': 0} for _ in answers]"));
    let seat = format!("bot(command=[\"python3\",\"{file}\"])");
    let arguments = ["play", "--game", "mind-up", "--players", "3", "--strategies", &seat];
    let done = desk.run(&arguments);
    assert_eq!(done.stderr.matches("note: ").count(), 1, "{}", done.stderr);
    assert!(done.stderr.contains(" of 3 answers 3 illegal "), "{}", done.stderr);
}

/// Nothing is started to tell what would be played.
#[test]
fn a_dry_run_needs_no_bot() {
    let desk = Desk::new();
    for command in ["['sleep', '1000']", "['nonesuch-program']"] {
        let mine = format!("{{ base = 'bot', command = {command} }}");
        desk.write("x.toml", &experiment("mind-up", &[&mine, "'random'", "'random'"], 3, ""));
        let done = desk.run(&["run", "x.toml", "--dry-run"]);
        assert_eq!((done.status, done.stderr.as_str()), (0, ""), "{command}");
        assert!(done.stdout.contains("1 cells, 1 line-ups, 3 games"), "{}", done.stdout);
        assert!(done.stdout.contains("time unknown: bots from outside play"), "{}", done.stdout);
    }
}

/// A process that is started anew is told of the games that go on, by their seeds.
#[test]
fn games_go_on_with_a_new_process() {
    if !python() {
        return;
    }
    let desk = Desk::new();
    let text = bot("if count == 30: os._exit(1)").replace(
        "    elif m['type'] not in",
        "    elif m['type'] == 'new_games':\n        open(os.path.join(os.path.dirname(sys.argv[0]), \
         'log'), 'a').write(line)\n    elif m['type'] not in",
    );
    let file = desk.write("bot.py", &text);
    let mine = entry(&file, ", on_failure = 'random'");
    desk.write("x.toml", &experiment("mind-up", &[&mine, "'lowest'", "'highest'"], 12, ""));
    let done = desk.run(&["run", "x.toml", "--threads", "1", "--out", "out", "--quiet"]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    let [row] = &desk.rows("out/bots.csv")[..] else { panic!() };
    assert_eq!((row["answers"].as_str(), row["forfeits"].as_str()), ("252", "0"));
    let mut seeds: Vec<u64> = Vec::new();
    for line in desk.read("log").lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let games = line["games"].as_array().unwrap();
        seeds.extend(games.iter().map(|game| game["seed"].as_u64().unwrap()));
    }
    let told = seeds.len();
    seeds.sort_unstable();
    seeds.dedup();
    assert_eq!(seeds.len(), 12);
    assert!(told > 12, "told anew of games that go on: {told}");
}
