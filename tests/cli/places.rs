//! Where results go: every folder that can take them, and what is lost where one can't.

use std::path::Path;
use std::process::Command;

use crate::support::{Desk, Done, done, rows};

const RUN: &str = "name = 'x'\ngame = 'mind-up'\nplayers = 3\ngames = 6\nstrategies = ['random']\n\
                   design = 'self-play'\n";

const TRAIN: &str = "name = 'mine'\ngame = 'mind-up'\nplayers = 3\ngames = 4\nmethod = 'cma-es'\n\
                     objective = 'score-difference'\npopulation = 4\ngenerations = 1\n\
                     start = { base = 'soft-greedy', temperature = 0.5 }\nopponents = ['random']\n\
                     [learn.temperature]\nsd = 0.1\nlow = 0.1\nhigh = 2.0\n";

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("x.toml", RUN).write("t.toml", TRAIN);
    desk
}

/// The names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<_> = entries.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names
}

fn run_in(desk: &Desk, folder: &str, words: &str) -> Done {
    done(desk.command(words).current_dir(desk.path().join(folder)).output().unwrap())
}

#[test]
fn experiments_of_one_folder_are_refused_before_a_game() {
    let desk = desk();
    desk.write("same.toml", &RUN.replace("6", "9")).write("y.toml", &RUN.replace("'x'", "'y'"));
    let refused = |files: &str, more: &str| {
        let done = desk.run(&format!("run {files} {more}"));
        assert_eq!((done.status, done.stdout.as_str()), (2, ""), "{files} {more}: {}", done.stderr);
        assert!(done.stderr.contains("its results go to results/"), "{}", done.stderr);
    };
    for more in ["", "--force", "--resume", "--dry-run"] {
        refused("x.toml same.toml", more);
        refused("y.toml x.toml ./x.toml", more);
    }
    assert!(!desk.path().join("results").exists());
    desk.ok("run x.toml y.toml --quiet");
    // What a manifest holds goes to the same folder.
    refused("x.toml results/x/manifest.json", "");
    #[cfg(unix)]
    {
        std::fs::remove_dir_all(desk.path().join("results/y")).unwrap();
        std::os::unix::fs::symlink("x", desk.path().join("results/y")).unwrap();
        refused("y.toml x.toml", "--force");
        assert_eq!(rows(&desk.read("results/x/summary.csv"))[0]["games"], "6");
    }
}

#[test]
fn nothing_is_played_where_a_later_folder_is_not_free() {
    let desk = desk();
    desk.write("y.toml", &RUN.replace("'x'", "'y'")).write("results/y/mine.md", "mine");
    let done = desk.run("run x.toml y.toml");
    assert_eq!((done.status, done.stdout.as_str()), (2, ""), "{}", done.stderr);
    assert_eq!(names(&desk.path().join("results")), ["y"]);
}

#[test]
fn the_current_folder_takes_results() {
    let desk = desk();
    for (folder, out) in [("here", "."), ("there", "./new/.."), ("far/x", "../x")] {
        std::fs::create_dir_all(desk.path().join(folder)).unwrap();
        if out.contains("new") {
            std::fs::create_dir(desk.path().join("there/new")).unwrap();
        }
        let up = "../".repeat(folder.split('/').count());
        let words = format!("run {up}x.toml --quiet --out {out}");
        let first = run_in(&desk, folder, &words);
        if out.contains("new") {
            // It has something in it.
            assert_eq!(first.status, 2);
            continue;
        }
        assert_eq!(first.status, 0, "{}", first.stderr);
        let whole = names(&desk.path().join(folder));
        assert!(whole.contains(&"manifest.json".to_owned()), "{whole:?}");
        assert!(whole.iter().all(|name| !name.starts_with('.')), "{whole:?}");
        let again = run_in(&desk, folder, &words);
        assert_eq!((again.status, again.stdout), (0, first.stdout));
        let other = run_in(&desk, folder, &format!("{words} --seed 2"));
        assert_eq!(other.status, 2);
        let other = run_in(&desk, folder, &format!("{words} --seed 2 --force"));
        assert_eq!(other.status, 0, "{}", other.stderr);
        assert_eq!(names(&desk.path().join(folder)), whole);
        assert!(desk.read(&format!("{folder}/manifest.json")).contains("\"seed\": 2"));
    }
    // A training keeps its state beside it meanwhile.
    std::fs::create_dir(desk.path().join("learned")).unwrap();
    let learned = run_in(&desk, "learned", "train ../t.toml --quiet --out .");
    assert_eq!(learned.status, 0, "{}", learned.stderr);
    assert!(desk.path().join("learned/manifest.json").is_file());
    assert_eq!(
        names(desk.path()),
        ["far", "here", "learned", "t.toml", "there", "x.toml"].map(str::to_owned)
    );
    // Whoever is in the folder finds what a run that is refused has left: nothing.
    assert_eq!(desk.run("run x.toml --out .").status, 2);
    assert_eq!(names(&desk.path().join("there")), ["new"]);
}

#[test]
fn a_folder_that_can_not_be_made_is_refused_before_a_game() {
    let desk = desk();
    desk.write("file", "");
    let long = "n".repeat(245);
    for out in ["file/x", "file/a/x", long.as_str(), "/proc/mindlab/x"] {
        for command in ["run x.toml", "train t.toml"] {
            let done = desk.run(&format!("{command} --out {out}"));
            let what = format!("{command} --out {out}: {}", done.stderr);
            assert_eq!((done.status, done.stdout.as_str()), (2, ""), "{what}");
            assert!(done.stderr.contains("`--out DIR` to choose another"), "{what}");
        }
    }
    assert_eq!(names(desk.path()), ["file", "t.toml", "x.toml"]);
    desk.write("results", "");
    let done = desk.run("run x.toml");
    assert_eq!(done.status, 2);
    assert!(done.stderr.contains("mindlab can't make its folder"), "{}", done.stderr);
}

#[cfg(unix)]
#[test]
fn what_is_written_obeys_the_umask() {
    use std::os::unix::fs::PermissionsExt;
    for (umask, folder, file) in
        [("022", 0o755, 0o644), ("077", 0o700, 0o600), ("002", 0o775, 0o664), ("027", 0o750, 0o640)]
    {
        let desk = desk();
        let mindlab = env!("CARGO_BIN_EXE_mindlab");
        let script = format!(
            "umask {umask}; M={mindlab}; $M run x.toml --quiet --set games_csv=true && \
             $M train t.toml --quiet && $M init new.toml && \
             $M play --game mind-up --strategies random,random,random --save game.jsonl"
        );
        let output = Command::new("sh").args(["-c", &script]).current_dir(desk.path()).output();
        let done = done(output.unwrap());
        assert_eq!(done.status, 0, "{}", done.stderr);
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        let made = desk.files().into_iter().map(|(path, _)| path);
        let made = made.filter(|path| !path.ends_with("x.toml") && !path.ends_with("t.toml"));
        for path in made {
            let wanted = if path.is_dir() { folder } else { file };
            assert_eq!(mode(&path), wanted, "umask {umask}: {}", path.display());
        }
    }
}

/// A disk of its own, as long as it is held.
struct Disk<'a>(&'a Path);

impl<'a> Disk<'a> {
    /// None where the system does not let one be made, which is said.
    fn mount(folder: &'a Path, arguments: &[&str]) -> Option<Self> {
        std::fs::create_dir_all(folder).unwrap();
        let mount = Command::new("mount").args(arguments).arg(folder).output();
        let mounted = mount.is_ok_and(|output| output.status.success());
        if !mounted {
            eprintln!("skipped: no disk can be mounted here");
        }
        mounted.then_some(Disk(folder))
    }

    fn of_size(folder: &'a Path, size: &str) -> Option<Self> {
        Disk::mount(folder, &["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"])
    }
}

impl Drop for Disk<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0).output();
    }
}

#[test]
fn a_disk_takes_results_where_it_begins() {
    let desk = desk();
    let (disk, bound) = (desk.path().join("disk"), desk.path().join("bound"));
    std::fs::create_dir(desk.path().join("real")).unwrap();
    let real = desk.path().join("real");
    let Some(_disk) = Disk::of_size(&disk, "4m") else { return };
    let Some(_bound) = Disk::mount(&bound, &["--bind", real.to_str().unwrap()]) else { return };
    for out in ["disk", "bound"] {
        let folder = desk.path().join(out);
        let first = desk.ok(&format!("run x.toml --quiet --out {out}"));
        let whole = names(&folder);
        assert_eq!(desk.ok(&format!("run x.toml --quiet --out {out}")), first);
        desk.ok(&format!("run x.toml --quiet --out {out} --seed 2 --force"));
        assert_eq!(names(&folder), whole);
        assert!(whole.iter().all(|name| !name.starts_with('.')), "{whole:?}");
        assert!(desk.read(&format!("{out}/manifest.json")).contains("\"seed\": 2"));
        assert_eq!(desk.run(&format!("train t.toml --quiet --out {out}")).status, 2);
        std::fs::remove_dir_all(desk.path().join("strategies")).unwrap_or_default();
        let learned = desk.run(&format!("train t.toml --quiet --out {out} --force"));
        assert_eq!(learned.status, 0, "{}", learned.stderr);
        assert!(names(&folder).contains(&"strategy.toml".to_owned()), "{:?}", names(&folder));
    }
    let left = ["bound", "disk", "real", "strategies", "t.toml", "x.toml"];
    assert_eq!(names(desk.path()), left);
}

#[test]
fn a_full_disk_takes_no_table_away() {
    let desk = desk();
    let disk = desk.path().join("disk");
    let Some(_disk) = Disk::of_size(&disk, "64k") else { return };
    let whole = desk.ok("run x.toml --quiet --games 3000 --out whole");
    for out in ["disk", "disk/x"] {
        let change = "--games 3000 --set games_csv=true";
        let done = desk.run(&format!("run x.toml --quiet {change} --out {out}"));
        assert_eq!(done.status, 3, "{}", done.stderr);
        assert_eq!(done.stdout, whole);
        let (what, kept) = done.stderr.trim_end().rsplit_once(" is in ").unwrap();
        assert!(what.starts_with("error: ") && what.contains("games.csv"), "{what}");
        let (kept, why) = kept.split_once(": ").unwrap();
        assert!(why.contains("No space left"), "{why}");
        let games = rows(&desk.read(&format!("{kept}/games.csv")).replace('\0', ""));
        assert!(!games.is_empty() && games.len() < 3000);
        assert!(!desk.path().join(out).join("manifest.json").exists());
        std::fs::remove_dir_all(desk.path().join(kept)).unwrap();
    }
}
