//! What docs/adding-a-strategy.md says is done in a copy of the project: its files are written, its
//! lines added and its commands run, and the tests that every family has to pass are run there.
//!
//! The copy stays in the target folder, so that only what changed since is built again. What is not
//! mindlab itself is taken from the build that this test belongs to.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

const PAGE: &str = include_str!("../docs/adding-a-strategy.md");

/// What of the project is copied: what its build, its tests and the page's commands read.
const SOURCES: [&str; 14] = [
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Cargo.lock",
    "Cargo.toml",
    "README.md",
    "build.rs",
    "clippy.toml",
    "docs",
    "experiments",
    "rustfmt.toml",
    "scripts",
    "src",
    "strategies",
    "tests",
];

/// It runs all of the tests, this one too.
const WHOLE: &str = "scripts/test";

/// Files by their paths within the project.
type Files = BTreeMap<PathBuf, Vec<u8>>;

/// A block of the page.
#[derive(Debug, PartialEq)]
enum Block {
    /// The whole text of a file.
    Whole(PathBuf, String),
    /// Lines that are added to a file.
    Lines(PathBuf, String),
    /// Commands, each behind `$`, with what they print.
    Commands(String),
}

/// The blocks of the page. The words before a file's block end with its path: "..., `PATH`:".
fn blocks() -> Vec<Block> {
    let mut all = Vec::new();
    let mut before = "";
    let mut lines = PAGE.lines();
    while let Some(line) = lines.next() {
        let Some(kind) = line.strip_prefix("```") else {
            before = if line.is_empty() { before } else { line };
            continue;
        };
        let text: String = lines
            .by_ref()
            .take_while(|line| *line != "```")
            .map(|line| format!("{line}\n"))
            .collect();
        let named = before.strip_suffix("`:").and_then(|words| words.rsplit('`').next());
        let file = || PathBuf::from(named.unwrap_or_else(|| panic!("whose block? {before}")));
        all.push(match kind {
            "rust" | "toml" => Block::Whole(file(), text),
            "diff" => Block::Lines(file(), text),
            "console" => Block::Commands(text),
            _ => panic!("a block of {kind}, which is neither a file nor commands"),
        });
    }
    all
}

/// The text with the lines of a block of `+`: where they are missing, at the only place that has the
/// lines around them.
fn with_lines(text: &str, block: &str) -> String {
    let mut text = format!("\n{text}");
    for hunk in block.split_inclusive('\n').collect::<Vec<_>>().split(|line| line.starts_with("@@"))
    {
        let side = |signs: [char; 2]| {
            let lines = hunk.iter().filter_map(|line| line.strip_prefix(signs));
            format!("\n{}", lines.collect::<String>())
        };
        let (old, new) = (side([' ', '-']), side([' ', '+']));
        if text.contains(&new) {
            continue;
        }
        assert_eq!(text.matches(&old).count(), 1, "there is one place with{old}");
        text = text.replacen(&old, &new, 1);
    }
    text.split_off(1)
}

/// The files with those of the page.
fn with_page(mut files: Files) -> Files {
    for block in blocks() {
        match block {
            Block::Whole(path, text) => drop(files.insert(path, text.into_bytes())),
            Block::Lines(path, lines) => {
                let text = files.get_mut(&path).unwrap_or_else(|| panic!("no {}", path.display()));
                *text = with_lines(str::from_utf8(text).unwrap(), &lines).into_bytes();
            }
            Block::Commands(_) => {}
        }
    }
    files
}

/// The page's named strategies.
fn strategies() -> Vec<String> {
    let name = |block: &Block| match block {
        Block::Whole(path, _) if path.starts_with("strategies") => {
            Some(path.file_stem()?.to_str()?.to_owned())
        }
        _ => None,
    };
    blocks().iter().filter_map(name).collect()
}

/// The files below a place of a folder, but for what Python leaves there.
fn read(folder: &Path, place: &Path, files: &mut Files) {
    let path = folder.join(place);
    if path.is_file() {
        files.insert(place.to_owned(), fs::read(path).unwrap());
        return;
    }
    for entry in fs::read_dir(path).unwrap() {
        let name = entry.unwrap().file_name();
        if name != "__pycache__" {
            read(folder, &place.join(name), files);
        }
    }
}

/// Makes a folder have these files and no others. What is as it should be is not touched, so that
/// it is not built again.
fn make(folder: &Path, files: &Files) {
    fs::create_dir_all(folder).unwrap();
    let mut there = Files::new();
    read(folder, Path::new(""), &mut there);
    for path in there.keys().filter(|path| !files.contains_key(*path)) {
        fs::remove_file(folder.join(path)).unwrap();
    }
    for (path, text) in files.iter().filter(|(path, text)| there.get(*path) != Some(text)) {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// The copy of the project, and what is run in it.
struct Copy {
    folder: PathBuf,
    built: PathBuf,
    _lock: File,
}

impl Copy {
    /// A copy with what the page adds, and without playthroughs of its strategies.
    fn new() -> Self {
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("adding-a-strategy");
        fs::create_dir_all(&place).unwrap();
        let lock = File::create(place.join("lock")).unwrap();
        lock.lock().unwrap();
        let mut files = Files::new();
        for source in SOURCES {
            read(Path::new(env!("CARGO_MANIFEST_DIR")), Path::new(source), &mut files);
        }
        let names = strategies();
        let played = |path: &Path| {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            path.starts_with("tests/golden")
                && names.iter().any(|name| stem.ends_with(&format!("-{name}")))
        };
        let mut files = with_page(files);
        files.retain(|path, _| !played(path));
        let copy = Copy { folder: place.join("copy"), built: place.join("built"), _lock: lock };
        make(&copy.folder, &files);
        for script in fs::read_dir(copy.folder.join("scripts")).unwrap() {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(script.unwrap().path(), PermissionsExt::from_mode(0o755)).unwrap();
        }
        copy
    }

    /// Runs a command: whether it succeeded, and all that it wrote.
    fn run(&self, command: &str) -> (bool, String) {
        // The release build takes minutes, and says the same.
        let command = format!("exec 2>&1; {}", command.replace(" --release", ""));
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
        let output = Command::new("sh")
            .args(["-c", &command])
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", &self.built)
            .env("CARGO_BUILD_BUILD_DIR", target)
            .env("CARGO_NET_OFFLINE", "true")
            // Few games are played here: what is built soon is done soon.
            .env("CARGO_PROFILE_DEV_OPT_LEVEL", "0")
            .env("CARGO_TERM_QUIET", "true")
            .env("CARGO_TERM_COLOR", "never")
            .env("MINDLAB_PROGRAM", self.built.join("debug/mindlab"))
            .env_remove("MINDLAB_GOLDEN")
            .output()
            .unwrap();
        (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Runs what must succeed.
    #[track_caller]
    fn ok(&self, command: &str) {
        let (done, said) = self.run(command);
        assert!(done, "{command}:\n{said}");
    }

    /// Runs a block of commands; what one prints is as the page has it, where it has something.
    fn follow(&self, block: &str) {
        for part in block.split("$ ").skip(1) {
            let (command, shown) = part.split_once('\n').unwrap();
            match shown {
                _ if command == WHOLE => {}
                "" => self.ok(command),
                shown => {
                    assert_eq!(self.run(command), (!shown.starts_with("error:"), shown.into()))
                }
            }
        }
    }
}

#[test]
fn lines_that_are_there_are_not_added_again() {
    let block = " b\n+c\n@@\n-e\n+f\n";
    let once = with_lines("a\nb\nd\ne\n", block);
    assert_eq!(once, "a\nb\nc\nd\nf\n");
    assert_eq!(with_lines(&once, block), once);
}

#[test]
fn who_does_what_the_page_says_passes_every_test_of_a_family() {
    let copy = Copy::new();
    copy.ok("cargo fmt --check");
    // What was left out is found, and told with the command that the page has too.
    let (done, said) = copy.run("cargo test --locked --test golden");
    assert!(!done && said.contains("`MINDLAB_GOLDEN=write cargo test --test golden`"), "{said}");
    for block in blocks() {
        if let Block::Commands(block) = block {
            copy.follow(&block);
        }
    }
    copy.ok("cargo test --locked --test golden --test mind_up --test levels --test no_allocation \
             --test the_mind_properties --test the_mind_clocks");
    copy.ok("cargo test --locked --lib -- strategies");
    let readme = fs::read_to_string(copy.folder.join("README.md")).unwrap();
    for name in strategies() {
        assert!(readme.contains(&format!("  {name} ")), "{name} is in the README's list");
    }
}
