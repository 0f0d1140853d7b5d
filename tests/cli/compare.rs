//! Two results side by side.

use crate::replay::{DESIGN, THE_MIND};
use crate::support::Desk;

#[test]
fn a_result_is_equal_to_itself() {
    let desk = Desk::new();
    desk.write("x.toml", THE_MIND);
    desk.ok("run x.toml --out a --quiet --threads 1");
    desk.ok("run x.toml --out b --quiet --threads 2");
    let text = desk.ok("compare a b");
    assert!(text.contains("Both are the same experiment, and their files are equal to the byte."));
    assert!(text.contains("No figure differs by more than noise, of "), "{text}");
    assert!(!text.contains("Only in"));
    // The same experiment has to give the same bytes: where it does not, something is wrong.
    let table = desk.read("b/lineups.csv");
    desk.write("b/lineups.csv", &(table + "\n"));
    let done = desk.run("compare a b");
    assert_eq!(done.status, 1);
    assert!(done.stdout.contains("but these files differ: lineups.csv."), "{}", done.stdout);
    desk.write("b/summary.csv", "cell\n");
    let done = desk.run("compare a b");
    assert_eq!((done.status, done.stdout.as_str()), (2, ""));
    assert!(done.stderr.contains("b/summary.csv: was changed"), "{}", done.stderr);
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
    assert!(text.contains("Both have seed 1, so that they share deals."), "{text}");
    let line = |name: &str| text.lines().find(|line| line.contains(name)).unwrap();
    assert!(line("it: games won").contains("< 0.0001 *"), "{text}");
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
    let cell = "mind-up, 3 players; A: the published game; B: scoring_values=[0,0,3,6,9]";
    assert!(compared.contains(cell), "{compared}");
    assert!(!compared.contains("Only in"), "{compared}");
    // Where it is not clear which rules belong together, nothing is compared.
    desk.ok("run x.toml --quiet --out c --set rules.objectives=[1,2]");
    let compared = desk.ok("compare a c");
    assert!(compared.contains("Only in A") && compared.contains("Only in B"), "{compared}");
}
