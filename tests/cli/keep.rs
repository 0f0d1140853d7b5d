//! What a run must never do: take away what is not its own, or take a wrong request for a right one.

use crate::support::Desk;

const RUN: &str = "name = 'x'\ngame = 'mind-up'\nplayers = 3\ngames = 6\nstrategies = ['random']\n\
                   design = 'self-play'\n";

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("x.toml", RUN);
    desk
}

#[test]
fn force_replaces_results_and_nothing_else() {
    let desk = desk();
    desk.write("thesis/notes.md", "years of work");
    for (out, foreign) in [("thesis", "notes.md"), ("x.toml", "x.toml"), (".", "x.toml")] {
        let done = desk.run(&format!("run x.toml --quiet --force --out {out}"));
        assert_eq!(done.status, 2, "{out}");
        assert!(done.stderr.contains("`--force` replaces only results"), "{out}");
        assert!(done.stderr.contains(foreign), "{out}: {}", done.stderr);
    }
    assert_eq!(desk.read("thesis/notes.md"), "years of work");
    assert_eq!(desk.read("x.toml"), RUN);
    desk.ok("run x.toml --quiet --out mine");
    desk.ok("run x.toml --quiet --out mine --force --seed 2");
    desk.write("mine/notes.md", "mine");
    assert_eq!(desk.run("run x.toml --quiet --out mine --force").status, 2);
    assert_eq!(desk.read("mine/notes.md"), "mine");
}

#[test]
fn what_a_killed_run_left_goes_with_the_next_one() {
    let desk = desk();
    let others = [".mine.too.abc123.draft", ".mine.abc123.old", ".yours.abc123.draft"];
    for name in others.into_iter().chain([".mine.abc123.draft"]) {
        desk.write(&format!("{name}/games.csv"), "half");
    }
    desk.ok("run x.toml --quiet --out mine");
    let files = desk.files();
    let left = |name: &str| files.iter().any(|(path, _)| path.to_string_lossy().contains(name));
    assert!(others.into_iter().all(left));
    assert!(!left(".mine.abc123.draft"));
    assert_eq!(files.iter().filter(|(path, _)| path.ends_with("manifest.json")).count(), 1);
}

#[test]
fn a_folder_of_another_format_is_refused() {
    let desk = desk();
    desk.ok("run x.toml --quiet --out mine");
    let manifest = desk.read("mine/manifest.json");
    desk.write("mine/manifest.json", &manifest.replace("\"format\": 2", "\"format\": 99"));
    assert_eq!(desk.run("run x.toml --quiet --out mine").status, 2);
    let replayed = desk.run("replay mine --game 0");
    assert_eq!(replayed.status, 2);
    assert!(replayed.stderr.contains("has format 99"), "{}", replayed.stderr);
}

#[test]
fn what_is_no_finite_number_is_never_a_default() {
    let desk = desk();
    for key in ["rules.objectives", "rules.deck", "question", "lineups", "games"] {
        for value in ["nan", "inf", "-inf"] {
            let done = desk.run(&format!("run x.toml --quiet --out z --set {key}={value}"));
            assert_eq!(done.status, 2, "{key} = {value}");
            let what = format!("`{key} = nan or inf`: this must be a finite number");
            assert!(done.stderr.contains(&what), "{}", done.stderr);
        }
    }
    let played = desk.run("play --game the-mind --strategies rank,rank --set blind=nan");
    assert_eq!(played.status, 2);
}

#[test]
fn nothing_is_played_twice_under_two_names() {
    let desk = desk();
    for change in ["rules.objectives=[1,1]", "strategies=[\"random\",\"random\"]", "players=[3,3]"]
    {
        let done = desk.run(&format!("run x.toml --quiet --out z --set {change}"));
        assert_eq!(done.status, 2, "{change}");
        assert!(done.stderr.contains("twice"), "{}", done.stderr);
    }
    let lineups = "name = 'x'\ngame = 'mind-up'\nplayers = 3\ngames = 6\nlineups = \
                   [['random', 'lowest', 'lowest'], ['lowest', 'random', 'lowest']]\n";
    desk.write("lineups.toml", lineups);
    let done = desk.run("run lineups.toml --quiet --out z");
    assert_eq!(done.status, 2);
    assert!(
        done.stderr.contains("`lineups[1]`: another line-up has the same strategies"),
        "{}",
        done.stderr
    );
}

#[test]
fn a_saved_record_takes_no_files_place() {
    let desk = desk();
    let play = "play --game the-mind --strategies rank,rank --save";
    desk.ok(&format!("{play} new.jsonl"));
    let saved = desk.read("new.jsonl");
    assert_eq!(desk.run(&format!("{play} new.jsonl --seed 2")).status, 2);
    assert_eq!(desk.read("new.jsonl"), saved);
}

#[cfg(unix)]
#[test]
fn results_go_where_a_link_leads() {
    let desk = desk();
    desk.write("real/.keep", "");
    std::fs::remove_file(desk.path().join("real/.keep")).unwrap();
    std::os::unix::fs::symlink("real", desk.path().join("link")).unwrap();
    desk.ok("run x.toml --quiet --out link");
    assert!(desk.path().join("link").symlink_metadata().unwrap().is_symlink());
    assert!(desk.path().join("real/summary.csv").is_file());
}

#[test]
fn what_another_run_makes_is_left_to_it() {
    let desk = desk();
    std::fs::create_dir(desk.path().join("results")).unwrap();
    let path = desk.path().join("results/.x.lock");
    let file = std::fs::File::create(&path).unwrap();
    file.lock().unwrap();
    for more in ["", "--resume", "--force"] {
        let done = desk.run(&format!("run x.toml --quiet {more}"));
        assert_eq!(done.status, 2, "{more}");
        let told = "error: `--out = results/x`: another mindlab is making these results; wait until \
                    it ends; use `--out DIR` to choose another folder\n";
        assert_eq!(done.stderr, told, "{more}");
    }
    desk.ok("run x.toml --quiet --out elsewhere");
    // A file that was left behind holds nobody up.
    drop(file);
    desk.ok("run x.toml --quiet");
    assert!(!path.exists());
}
