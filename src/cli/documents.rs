//! The commands that the documents show are commands that there are.

use std::path::{Path, PathBuf};

use clap::Parser;
use clap::error::ErrorKind;

use super::Cli;

/// What stands in a document for something that a reader puts there, and such a thing.
const STANDS_FOR: [(&str, &str); 5] =
    [("N", "1"), ("S", "1"), ("WHAT", "games"), ("COMMAND", "run"), ("NAME", "portable")];

/// The documents for users, with their names.
fn documents() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = std::fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let pages = ["README.md", "CONTRIBUTING.md"].map(|name| root.join(name)).into_iter();
    let markdown = pages.chain(docs).filter(|path| path.extension().is_some_and(|end| end == "md"));
    markdown.map(|path| (path.clone(), std::fs::read_to_string(path).unwrap())).collect()
}

/// The commands of a document, on lines that begin with `$` and between backticks within a line.
fn commands(text: &str) -> Vec<&str> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("$ "));
    let within = text.lines().flat_map(|line| line.split('`').skip(1).step_by(2));
    let program = |command: &'_ str| {
        let own = ["mindlab ", "cargo run --release -- "];
        own.iter().any(|start| command.starts_with(start))
    };
    lines.chain(within).filter(|command| program(command)).collect()
}

/// The arguments as a shell splits them, without its comment and the words that show usage.
fn arguments(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for letter in command.chars() {
        match (quote, letter) {
            (None, '#') if words.last().is_some_and(String::is_empty) => break,
            (None, '\'' | '"') => quote = Some(letter),
            (Some(open), _) if open == letter => quote = None,
            (None, ' ') => words.push(String::new()),
            (None, '[' | ']') => {}
            _ => words.last_mut().unwrap().push(letter),
        }
    }
    let stands_for = |word: String| {
        let thing = STANDS_FOR.iter().find(|(stands, _)| *stands == word);
        thing.map_or(word, |(_, thing)| (*thing).to_owned())
    };
    let words = words.into_iter().filter(|word| !word.is_empty()).map(stands_for);
    let program = if command.starts_with("cargo") { 4 } else { 1 };
    words.skip(program).filter(|word| word != "OPTIONS").collect()
}

#[test]
fn every_command_in_the_documents_can_be_given() {
    let mut count = 0;
    for (path, text) in documents() {
        for command in commands(&text) {
            count += 1;
            let given = std::iter::once("mindlab".to_owned()).chain(arguments(command));
            let Err(error) = Cli::try_parse_from(given) else { continue };
            // A command may be named without what it needs.
            let named = [ErrorKind::MissingRequiredArgument, ErrorKind::DisplayHelp];
            assert!(named.contains(&error.kind()), "{}: `{command}`: {error}", path.display());
        }
    }
    assert!(count > 30, "{count} commands");
}

#[test]
fn arguments_are_split_as_a_shell_does() {
    let given = arguments("mindlab run a.toml [--set 'x=[\"a b\"]'] [OPTIONS]   # a 'comment'");
    assert_eq!(given, ["run", "a.toml", "--set", "x=[\"a b\"]"]);
}
