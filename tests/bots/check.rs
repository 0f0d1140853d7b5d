//! `mindlab check-bot`.

use crate::support::{Desk, Done, bot, python, reference};

fn check(desk: &Desk, file: &str, more: &[&str]) -> Done {
    let mut arguments = vec!["check-bot", "python3", file];
    arguments.extend(more);
    let done = desk.run(&arguments);
    desk.nothing_stays();
    done
}

#[test]
fn reference_bots_are_sound() {
    if !python() {
        return;
    }
    for (game, name) in
        [("mind-up", "mind_up"), ("the-mind", "the_mind"), ("the-mind-extreme", "the_mind_extreme")]
    {
        for players in ["2", "4"] {
            let more = ["--game", game, "--players", players, "--games", "15", "--deterministic"];
            let done = check(&Desk::new(), &reference(name), &more);
            assert_eq!((done.status, done.stderr.as_str()), (0, ""), "{}", done.stdout);
            assert!(done.stdout.contains("protocol 1, many games at once"), "{}", done.stdout);
            assert!(done.stdout.contains("failures  none"), "{}", done.stdout);
            assert!(done.stdout.ends_with("both orders\nsound\n"), "{}", done.stdout);
        }
    }
}

#[test]
fn failures_are_told_with_the_first_line() {
    if !python() {
        return;
    }
    let desk = Desk::new();
    for (before, line) in [
        ("if count == 3: print('oh no', flush=True)", "malformed "),
        (
            "if count == 3: answers[0] = {'play': 0}",
            "illegal   1, first: this card is not in the hand: {\"play\":0}",
        ),
        ("if count == 3: os._exit(7)", "died      "),
        ("if count == 3: time.sleep(1000)", "late      "),
    ] {
        let file = desk.write("bot.py", &bot(before));
        let done = check(&desk, &file, &["--game", "mind-up", "--timeout", "0.5"]);
        assert_eq!(done.status, 1, "{}", done.stdout);
        assert!(done.stdout.contains(&format!("\n{line}")), "{}", done.stdout);
        assert!(done.stdout.ends_with("found wanting\n"), "{}", done.stdout);
    }
}

#[test]
fn a_report_says_what_it_saw() {
    if !python() {
        return;
    }
    let desk = Desk::new();
    let equal = "equal answers in ";
    for (before, wanted, order) in [
        ("os._exit(7)", "abandoned ", "no game without a failure to compare"),
        // 15 games of the process of the first order; 5 of each of the 6 seats of the second.
        ("if count == 3: print(flush=True)", "malformed 45, first: this line is empty", equal),
        ("if count < 3: say({'id': m['id'], 'answers': answers})", "stray     ", equal),
    ] {
        let file = desk.write("bot.py", &bot(before));
        let more = ["--game", "mind-up", "--games", "60", "--deterministic"];
        let done = check(&desk, &file, &more);
        assert_eq!(done.status, 1, "{}", done.stdout);
        assert!(done.stdout.contains(&format!("\n{wanted}")), "{}", done.stdout);
        assert!(done.stdout.contains(&format!("\norder     {order}")), "{}", done.stdout);
        let silent = done.stdout.contains(" 0 reply lines");
        assert_eq!(done.stdout.contains("\ntime "), !silent, "{}", done.stdout);
    }
}

#[test]
fn bots_that_depend_on_order_are_found() {
    if !python() {
        return;
    }
    let desk = Desk::new();
    // By chance, by the number of the request, by the size of the batch, by the game's number.
    for before in [
        "answers = [{'play': __import__('random').choice(game['view']['hand'])} for game in m['games']]",
        "answers = [{'play': game['view']['hand'][-(count % 2)]} for game in m['games']]",
        "answers = [{'play': game['view']['hand'][-(len(answers) % 2)]} for game in m['games']]",
        "answers = [{'play': game['view']['hand'][-(game['game'] % 2)]} for game in m['games']]",
    ] {
        let file = desk.write("bot.py", &bot(before));
        assert_eq!(check(&desk, &file, &["--game", "mind-up"]).status, 0, "{before}");
        let done = check(&desk, &file, &["--game", "mind-up", "--deterministic"]);
        assert_eq!(done.status, 1, "{before}: {}", done.stdout);
        assert!(done.stdout.contains("order     game "), "{}", done.stdout);
        assert!(done.stdout.contains("failures  none"), "{}", done.stdout);
    }
    // By its view and by its seed alone: a bot may.
    let seeded = bot("answers = [{'play': game['view']['hand'][seeds[game['game']] % len(game['view']['hand'])]} for game in m['games']]")
        .replace("count = 0", "count, seeds = 0, {}")
        .replace("    elif m['type'] not in", "    elif m['type'] == 'new_games':\n        seeds.update((new['game'], new['seed']) for new in m['games'])\n    elif m['type'] not in");
    let file = desk.write("bot.py", &seeded);
    let done = check(&desk, &file, &["--game", "mind-up", "--deterministic"]);
    assert_eq!(done.status, 0, "{}", done.stdout);
}

#[test]
fn wrong_requests_are_told_from_wanting_bots() {
    let desk = Desk::new();
    for (arguments, message) in [
        (
            &["nonesuch-program", "--game", "mind-up"][..],
            "`CMD = nonesuch-program`: it can't be started",
        ),
        (&["true", "--game", "mindup"], "did you mean `mind-up`"),
        (&["true", "--game", "mind-up", "--players", "9"], "`--players = 9`"),
        (&["true", "--game", "the-mind", "--players", "1"], "`--players = 1`"),
        (&["true", "--game", "mind-up", "--games", "0"], "`--games = 0`"),
        (&["true", "--game", "mind-up", "--timeout", "0"], "`timeout = 0`"),
    ] {
        let done = desk.run(&[&["check-bot"], arguments].concat());
        assert_eq!((done.status, done.stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(done.stderr.contains(message), "{}", done.stderr);
    }
    for command in ["true", "cat", "sleep 1000"] {
        let done = desk.run(&["check-bot", command, "--game", "the-mind", "--timeout", "0.05"]);
        assert_eq!((done.status, done.stderr.as_str()), (1, ""), "{command}");
        assert!(done.stdout.ends_with("found wanting\n"), "{}", done.stdout);
    }
}
