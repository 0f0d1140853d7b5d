//! Two results side by side.

use crate::replay::{DESIGN, THE_MIND};
use crate::support::Desk;

/// A run of this experiment in this folder, without a word.
fn run(desk: &Desk, folder: &str, text: &str) {
    desk.write("x.toml", &format!("name = \"x\"\n{text}"));
    desk.ok(&format!("run x.toml --out {folder} --quiet"));
}

#[track_caller]
fn line<'a>(text: &'a str, name: &str) -> &'a str {
    text.lines().find(|line| line.contains(name)).unwrap_or_else(|| panic!("no {name}: {text}"))
}

#[test]
fn a_result_is_equal_to_itself() {
    let desk = Desk::new();
    desk.write("x.toml", THE_MIND);
    desk.ok("run x.toml --out a --quiet --threads 1");
    desk.ok("run x.toml --out b --quiet --threads 2");
    let text = desk.ok("compare a b");
    assert!(text.contains("Both are the same experiment, and their files are equal to the byte."));
    assert!(text.contains("Their rules are identical."), "{text}");
    assert!(text.contains("Nothing differs: "), "{text}");
    assert!(!text.contains("Only in"));
    // The same experiment has to give the same bytes: where it does not, something is wrong.
    let table = desk.read("b/lineups.csv");
    desk.write("b/lineups.csv", &(table + "\n"));
    let done = desk.run("compare a b");
    assert_eq!(done.status, 1);
    assert!(done.stdout.contains("but these files differ: lineups.csv."), "{}", done.stdout);
    std::fs::write(desk.path().join("b/batches.csv.gz"), b"cell\n").unwrap();
    let done = desk.run("compare a b");
    assert_eq!((done.status, done.stdout.as_str()), (2, ""));
    assert!(done.stderr.contains("b/batches.csv.gz: this file was changed"), "{}", done.stderr);
}

const CARDS: &str = "game = \"mind-up\"\nplayers = 4\ngames = 8000\nstrategies = [\"greedy\"]\n\
                     design = \"self-play\"\n[rules]\nobjectives = 1\n";

#[test]
fn a_card_that_is_worth_a_point_more_is_found_in_scores_and_objectives() {
    let desk = Desk::new();
    run(&desk, "a", CARDS);
    run(&desk, "b", &format!("{CARDS}objective_points = {{ A1 = 3 }}"));
    let text = desk.ok("compare a b");
    assert!(text.contains("Both have seed 1, so that they share deals"), "{text}");
    assert!(line(&text, "greedy: score").contains("< 0.0001 *"), "{text}");
    // The win share of self-play is the same whatever happens.
    assert!(line(&text, "greedy: win share").contains("equal"), "{text}");
    assert!(line(&text, "A1 in round 1: points").contains("< 0.0001 *"), "{text}");
    assert!(text.contains("; objective_points: A as published, B A1:+3"), "{text}");
    // Written out, what is published is no change.
    run(&desk, "c", &format!("{CARDS}objective_points = {{ A1 = 2 }}"));
    let text = desk.ok("compare a c");
    assert!(text.contains("Their rules are identical."), "{text}");
    assert!(text.contains("Nothing differs: "), "{text}");
}

#[test]
fn one_weight_changed_by_a_twentieth_is_found_on_the_same_deals_alone() {
    let desk = Desk::new();
    let experiment = |it: &str, seed: u64| {
        format!(
            "game = \"mind-up\"\nplayers = 4\ngames = 48000\nseed = {seed}\n\
             lineups = [[{it}, \"greedy\", \"greedy\", \"greedy\"]]\n"
        )
    };
    let weights = desk.ok("show linear");
    let section = weights.split("with 4 players").nth(1).unwrap();
    let carries = section.lines().find(|line| line.trim().starts_with("carries")).unwrap();
    let carries: f64 = carries.split_whitespace().last().unwrap().parse().unwrap();
    let changed =
        format!("{{ base = \"linear\", name = \"linear\", carries = {} }}", carries * 1.05);
    run(&desk, "a", &experiment("\"linear\"", 1));
    run(&desk, "b", &experiment(&changed, 1));
    run(&desk, "c", &experiment(&changed, 2));
    let width = |text: &str| {
        let ends =
            line(text, "linear: over the others").split(['[', ']']).nth(1).unwrap().to_owned();
        let ends: Vec<f64> = ends.split(", ").map(|end| end.parse().unwrap()).collect();
        ends[1] - ends[0]
    };
    let (paired, apart) = (desk.ok("compare a b"), desk.ok("compare a c"));
    assert!(
        paired.contains("other parameters in B, or are other strategies: `linear`"),
        "{paired}"
    );
    // More than half of the width, three quarters of the games, are saved.
    assert!(width(&paired) * 2.0 < width(&apart), "{paired}\n{apart}");
    assert!(paired.contains("times fewer games than independent runs"), "{paired}");
    assert!(apart.contains("Their seeds differ"), "{apart}");
}

/// The shipped results, against the same deals played with one of a strategy's numbers 5 % larger.
#[test]
fn shipped_results_differ_from_those_with_one_weight_changed_by_a_twentieth() {
    let desk = Desk::new();
    let root = env!("CARGO_MANIFEST_DIR");
    let against = |name: &str, cell: &str| {
        desk.ok(&format!("run {root}/experiments/{name}.toml {cell} --out b --force --quiet"));
        desk.ok(&format!("compare {root}/results/reference/{name} b"))
    };
    let file = format!("{root}/strategies/mind-up/linear.toml");
    let learned = std::fs::read_to_string(file).unwrap();
    let (before, at_four) = learned.split_once("[players.4]").unwrap();
    let changed = at_four.replacen("keeps = 1.175\n", "keeps = 1.23375\n", 1);
    assert_ne!(changed, at_four);
    desk.write("strategies/mind-up/linear.toml", &format!("{before}[players.4]{changed}"));
    let text = against("learned-mind-up", "--set players=4");
    assert!(text.contains("other parameters in B, or are other strategies: `linear`."), "{text}");
    assert!(text.contains("5 figures (*) differ by more than noise, of 149 tested."), "{text}");
    assert!(line(&text, " linear: over the others").contains("0.0045 *"), "{text}");

    let file = std::fs::read_to_string(format!("{root}/strategies/the-mind/linear.toml")).unwrap();
    desk.write("strategies/the-mind/linear.toml", &file.replace("pace = 1.0\n", "pace = 1.05\n"));
    let cell = "--set players=4 --set groups=[\"counting\"] --set strategies=[\"linear\"]";
    let text = against("the-mind-setups", cell);
    assert!(line(&text, " linear: seconds").contains("< 0.0001 *"), "{text}");
    // Who has kept time for long enough keeps it at another pace.
    assert!(!line(&text, " linear: games won").contains('*'), "{text}");
}

#[test]
fn a_difference_without_spread_is_a_difference() {
    let desk = Desk::new();
    let deck = |points: i64| {
        let colours = ["orange", "pink", "blue", "green", "purple"];
        let cards = (1..=60).map(|card| format!("{card},{},{points}\n", colours[card % 5]));
        format!("number,colour,points\n{}", cards.collect::<String>())
    };
    desk.write("zero.csv", &deck(0)).write("one.csv", &deck(1));
    for name in ["zero", "one"] {
        let text = format!(
            "game = \"mind-up\"\nplayers = 4\ngames = 200\nstrategies = [\"random\"]\n\
             design = \"self-play\"\n[rules]\ndeck = \"{name}.csv\"\n\
             scoring_values = [0, 0, 0, 0, 0]\n"
        );
        run(&desk, name, &text);
    }
    // Cards that give a point each, and nothing else gives any: 24 points in every game.
    let text = desk.ok("compare zero one");
    let score = line(&text, "random: score");
    assert!(score.contains("24.000") && score.contains("no spread !"), "{text}");
    assert!(text.contains("by the same on every deal: no noise to compare with."), "{text}");
    assert!(!text.contains("No figure differs"), "{text}");
    // Lives likewise, of teams that never fail.
    let team = |lives: u64| {
        format!(
            "game = \"the-mind\"\nplayers = 2\ngames = 20\nstrategies = [\"linear\"]\n\
             design = \"self-play\"\n[rules]\nlives = {lives}\nlevels = 2\n"
        )
    };
    run(&desk, "four", &team(4));
    run(&desk, "five", &team(5));
    let text = desk.ok("compare four five");
    assert!(line(&text, "linear: lives left").contains("no spread !"), "{text}");
}

#[test]
fn grids_that_differ_by_a_key_are_matched_and_the_key_is_named() {
    let desk = Desk::new();
    let grid = |last: &str| {
        format!(
            "game = \"mind-up\"\nplayers = 3\ngames = 30\nstrategies = [\"random\", \"greedy\"]\n\
             design = \"one-vs-rest\"\n[rules]\nobjectives = [0, 1]\nscoring_values = {last}\n"
        )
    };
    run(&desk, "a", &grid("[1, 2, 3, 4, 5]"));
    run(&desk, "b", &grid("[1, 2, 3, 4, 6]"));
    let text = desk.ok("compare a b");
    assert!(!text.contains("Only in"), "{text}");
    for objectives in [0, 1] {
        let heading =
            line(&text, &format!("3 players, objectives={objectives}; scoring_values: A "));
        assert!(heading.contains(", B "), "{heading}");
    }
}

#[test]
fn levels_are_compared() {
    let desk = Desk::new();
    let team = |pace: &str| {
        format!(
            "game = \"the-mind\"\nplayers = 2\ngames = 2000\ndesign = \"self-play\"\n\
             groups = [\"intuitive\"]\n\
             strategies = [{{ base = \"linear\", name = \"it\", pace = {pace} }}]\n"
        )
    };
    run(&desk, "a", &team("1"));
    run(&desk, "b", &team("0.2"));
    let text = desk.ok("compare a b --all");
    assert!(line(&text, "it, level 9: survival").contains("< 0.0001 *"), "{text}");
}

#[test]
fn strategies_of_other_names_are_matched_where_asked() {
    let desk = Desk::new();
    let of = |it: &str| {
        format!(
            "game = \"mind-up\"\nplayers = 3\ngames = 600\nstrategies = [{it}, \"random\"]\n\
             design = \"one-vs-rest\"\n"
        )
    };
    run(&desk, "a", &of("\"greedy\""));
    run(&desk, "b", &of("{ base = \"greedy\", name = \"new (x=1)\" }"));
    let text = desk.ok("compare a b");
    assert!(text.contains("Only in A:\n  mind-up, 3 players: greedy"), "{text}");
    let compare = |name: &str| {
        let mut command = desk.command("compare a b --match");
        let done = command.arg(name).output().unwrap();
        (done.status.code(), String::from_utf8(done.stdout).unwrap(), done.stderr)
    };
    let (status, text, _) = compare("new (x=1)=greedy");
    assert!(status == Some(0) && text.contains("Nothing differs: "), "{text}");
    assert!(!text.contains("Only in"), "{text}");
    for wrong in ["new=greedy", "greedy", "new (x=1)=random"] {
        let (status, _, error) = compare(wrong);
        let error = String::from_utf8(error).unwrap();
        assert!(status == Some(2) && error.contains("--match"), "{wrong}: {error}");
    }
}

#[test]
fn a_margin_is_held_or_not() {
    let desk = Desk::new();
    let of = |seed: u64, games: u64| {
        format!(
            "game = \"mind-up\"\nplayers = 3\ngames = {games}\nseed = {seed}\n\
             strategies = [\"greedy\", \"random\"]\ndesign = \"one-vs-rest\"\n"
        )
    };
    run(&desk, "a", &of(1, 30_000));
    run(&desk, "b", &of(2, 30_000));
    let held = desk.run("compare a b --margin 0.03 --margin score_difference=1");
    assert_eq!(held.status, 0, "{}", held.stdout);
    assert!(held.stdout.contains("Equivalence: every win share is within 0.03"), "{}", held.stdout);
    let open = desk.run("compare a b --margin 0.0001");
    assert_eq!(open.status, 1, "{}", open.stdout);
    assert!(open.stdout.contains("Equivalence: not shown that every win share"), "{}", open.stdout);
    // Where nothing differs, what the data leave open stands beside it.
    assert!(open.stdout.contains("No figure differs by more than noise"), "{}", open.stdout);
    assert!(open.stdout.contains("leave open differences of at most: win share 0.0"));
    for wrong in ["0", "win_shre=0.1", "x"] {
        assert_eq!(desk.run(&format!("compare a b --margin {wrong}")).status, 2, "{wrong}");
    }
}

#[test]
fn two_deals_prove_nothing() {
    let desk = Desk::new();
    for seed in 1..=2 {
        let text = format!(
            "game = \"mind-up\"\nplayers = 4\ngames = 8\nseed = {seed}\n\
             lineups = [[\"random\", \"lowest\", \"lowest\", \"lowest\"]]\n"
        );
        run(&desk, &format!("s{seed}"), &text);
    }
    let text = desk.ok("compare s1 s2");
    assert!(text.contains("No figure differs by more than noise"), "{text}");
}

#[test]
fn runs_of_different_length_share_the_deals_of_the_shorter() {
    let desk = Desk::new();
    for (name, games) in [("a", 400), ("b", 4000)] {
        let text = format!(
            "game = \"mind-up\"\nplayers = 4\ngames = {games}\n\
             lineups = [[\"greedy\", \"random\", \"random\", \"random\"]]\n"
        );
        run(&desk, name, &text);
    }
    let text = desk.ok("compare a b");
    for name in ["greedy: win share", "greedy: score", "random: over the others"] {
        assert!(!line(&text, name).ends_with('*'), "{text}");
    }
}

#[test]
fn what_differs_is_told_from_noise() {
    let desk = Desk::new();
    let start = "name = \"x\"\ngame = \"the-mind\"\nplayers = 2\ndesign = \"self-play\"\n";
    let experiment = |strategies: &str| format!("{start}strategies = {strategies}\n");
    let slow = "[{ base = \"linear\", name = \"it\", pace = 2 }, \"rank\"]";
    let quick = "[{ base = \"linear\", name = \"it\", pace = 0.2 }, \"power\"]";
    let body = "games = 2000\ngroups = [\"intuitive\"]\n";
    desk.write("a.toml", &(experiment(slow) + body));
    desk.write("b.toml", &(experiment(quick) + body));
    desk.ok("run a.toml --out a --quiet");
    desk.ok("run b.toml --out b --quiet");
    desk.ok("run a.toml --out c --quiet --seed 2");
    let text = desk.ok("compare a b");
    assert!(line(&text, "it: games won").contains("< 0.0001 *"), "{text}");
    let only = "Only in A:\n  the-mind, 2 players, group intuitive: rank\n\n\
                Only in B:\n  the-mind, 2 players, group intuitive: power\n";
    assert!(text.ends_with(only), "{text}");
    let text = desk.ok("compare a c");
    assert!(text.contains("Their seeds differ"), "{text}");
    assert!(text.contains("No figure differs by more than noise"), "{text}");
}

#[test]
fn what_one_name_means_twice_is_noted() {
    let desk = Desk::new();
    let experiment = |pace: &str, other: &str| {
        let it = format!("{{ base = \"linear\", name = \"it\", pace = {pace} }}");
        format!(
            "name = \"x\"\ngame = \"the-mind\"\nplayers = 2\ngames = 8\n\
             lineups = [[\"rank\", \"rank\"], [{it}, \"{other}\"]]\n"
        )
    };
    for (name, text) in [
        ("a", experiment("1", "rank")),
        ("b", experiment("2", "rank")),
        ("c", experiment("1", "power")),
    ] {
        desk.write("x.toml", &text);
        desk.ok(&format!("run x.toml --out {name} --quiet"));
    }
    let (other, met) = ("other parameters in B, or are other strategies: `it`.", "line-ups differ");
    for (b, has_other, has_met) in [("a", false, false), ("b", true, false), ("c", false, true)] {
        let text = desk.ok(&format!("compare a {b}"));
        assert_eq!(text.contains(other), has_other, "{text}");
        assert_eq!(text.contains(met), has_met, "{text}");
    }
}

#[test]
fn other_games_have_nothing_in_common() {
    let desk = Desk::new();
    desk.write("x.toml", THE_MIND).write("y.toml", DESIGN);
    desk.ok("run x.toml --out a --quiet");
    desk.ok("run y.toml --out b --quiet");
    let text = desk.ok("compare a b");
    assert!(text.contains("They have no cell and strategy or team in common."), "{text}");
}

#[test]
fn a_change_of_rules_is_compared() {
    let desk = Desk::new();
    desk.write(
        "x.toml",
        "name = 'x'\ngame = 'mind-up'\nplayers = 3\ngames = 60\nstrategies = ['random', 'greedy']\n\
         design = 'self-play'\n",
    );
    desk.ok("run x.toml --quiet --out a");
    desk.ok("run x.toml --quiet --out b --set rules.scoring_values=[0,0,3,6,9]");
    let compared = desk.ok("compare a b");
    let cell = "mind-up, 3 players; scoring_values: A as published, B ";
    assert!(compared.contains(cell), "{compared}");
    assert!(!compared.contains("Only in"), "{compared}");
    // Where it is not clear which rules belong together, nothing is compared.
    desk.ok("run x.toml --quiet --out c --set rules.objectives=[1,2]");
    let compared = desk.ok("compare a c");
    assert!(compared.contains("Only in A") && compared.contains("Only in B"), "{compared}");
}
