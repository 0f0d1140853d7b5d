//! What helps to begin: an experiment to start from, completions, the manual page.

use crate::support::Desk;

#[test]
fn a_fresh_experiment_runs_as_it_is() {
    for game in ["mind-up", "the-mind", "the-mind-extreme"] {
        let desk = Desk::new();
        desk.ok(&format!("init first-look.toml --game {game}"));
        let table = desk.ok("run first-look.toml --games 12 --quiet");
        assert!(table.starts_with("first-look: "), "{table}");
        assert!(desk.path().join("results/first-look/summary.csv").is_file());
    }
}

#[test]
fn nothing_is_overwritten() {
    let desk = Desk::new();
    desk.ok("init");
    let before = desk.files();
    let again = desk.run("init --game the-mind");
    assert_eq!((again.status, again.stdout.as_str()), (2, ""));
    assert!(again.stderr.starts_with("error: my-experiment.toml: this file exists already"));
    assert_eq!(desk.run("init no/such/folder.toml").status, 2);
    let unknown = desk.run("init other.toml --game the-mnd");
    assert_eq!(unknown.status, 2);
    assert!(unknown.stderr.contains("did you mean `the-mind`?"));
    assert_eq!(desk.files(), before);
    // Printed, it is the same text, and nothing is written.
    let printed = desk.ok("init -");
    assert_eq!(printed, desk.read("my-experiment.toml"));
    assert_eq!(desk.files(), before);
}

#[test]
fn completions_and_manual_pages_know_all_commands() {
    let desk = Desk::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = desk.ok(&format!("completions {shell}"));
        assert!(script.contains("referee") && script.contains("replay"), "{shell}");
    }
    assert_eq!(desk.run("completions tcsh").status, 2);
    let page = desk.ok("man");
    assert!(page.contains(".TH mindlab 1") && page.contains("mindlab\\-replay"), "{page}");
    assert!(desk.ok("man run").contains(".TH mindlab-run 1"));
    let unknown = desk.run("man rnu");
    assert_eq!(unknown.status, 2);
    assert!(unknown.stderr.contains("did you mean `run`?"), "{}", unknown.stderr);
}

/// Each best response sits with others of its own: a ranking of them says nothing.
#[test]
fn best_responses_are_not_ranked_in_notes() {
    let desk = Desk::new();
    let experiment = |design: &str| {
        format!(
            "name = \"x\"\ngame = \"mind-up\"\nplayers = 3\ngames = 12\n{design}\n\
             strategies = [\"random\", \"lowest\", \"highest\"]\n"
        )
    };
    let searcher = "design = \"best-response\"\n\
                    searcher = { base = \"best-response\", deals = 1, playouts = 1 }";
    for (design, ranked) in [("design = \"one-vs-rest\"", true), (searcher, false)] {
        desk.write("x.toml", &experiment(design));
        let done = desk.run("run x.toml --force");
        assert_eq!(done.status, 0, "{}", done.stderr);
        assert_eq!(done.stderr.contains("note: mind-up, 3 players: "), ranked, "{}", done.stderr);
    }
}
