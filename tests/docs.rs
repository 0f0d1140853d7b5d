//! The documents say what the program does: tables that repeat its data are held against it, and
//! links lead somewhere.

use std::fs;
use std::path::{Path, PathBuf};

use mindlab::experiment::spec::{Overrides, Spec};
use mindlab::games::mind_up::deck::{Deck, OFFICIAL};
use mindlab::games::mind_up::objectives::{self, ObjectiveFile};
use mindlab::games::record::Code;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The text between `<!-- name -->` and `<!-- end name -->`.
fn marked(file: &str, name: &str) -> String {
    let text = fs::read_to_string(root().join(file)).unwrap();
    let (start, end) = (format!("<!-- {name} -->\n"), format!("<!-- end {name} -->"));
    let rest = text.split_once(&start).expect("the start is marked").1;
    rest.split_once(&end).expect("the end is marked").0.to_owned()
}

fn table(head: &[&str], rows: impl IntoIterator<Item = String>) -> String {
    let mut text = format!("| {} |\n|{}\n", head.join(" | "), " --- |".repeat(head.len()));
    text.extend(rows);
    text
}

#[test]
fn every_code_is_documented_with_its_meaning() {
    let rows = Code::ALL.iter().map(|(code, meaning)| format!("| `{code}` | {meaning} |\n"));
    assert_eq!(marked("docs/records.md", "codes"), table(&["code", "meaning"], rows));
}

#[test]
fn the_deck_is_documented() {
    let deck = Deck::from_csv(OFFICIAL).unwrap();
    let card = |card| match deck.points(card) {
        0 => deck.number(card).to_string(),
        points => format!("{} [{points:+}]", deck.number(card)),
    };
    let row = |(colour, name): (usize, &String)| {
        let cards: Vec<String> = Deck::cards(deck.colour_mask(colour)).map(card).collect();
        format!("| {name} | {} |\n", cards.join(", "))
    };
    let rows = deck.colours().iter().enumerate().map(row);
    assert_eq!(marked("docs/rules.md", "deck"), table(&["colour", "cards"], rows));
}

#[test]
fn objectives_are_documented() {
    let file = ObjectiveFile::from_toml(objectives::OFFICIAL).unwrap();
    let rows = file.objective.into_iter().map(|card| {
        let when = serde_json::to_value(&card.when).unwrap();
        let kind = when["kind"].as_str().unwrap().to_owned();
        let text = card.text.unwrap();
        format!("| {} | {:+} | {text} | `{kind}` |\n", card.id, card.points)
    });
    assert_eq!(
        marked("docs/rules.md", "objectives"),
        table(&["id", "points", "when", "kind"], rows)
    );
}

/// The documents, those of the folder `docs/` included.
fn documents() -> Vec<PathBuf> {
    let markdown = |folder: PathBuf| {
        fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
    };
    let mut all: Vec<PathBuf> = markdown(root().to_owned()).collect();
    all.extend(markdown(root().join("docs")));
    all
}

#[test]
fn links_lead_somewhere() {
    let mut count = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        for link in text.split("](").skip(1) {
            let target = link.split([')', '#']).next().unwrap();
            if target.is_empty() || target.contains("://") {
                continue;
            }
            count += 1;
            let path = document.parent().unwrap().join(target);
            assert!(path.exists(), "{}: {target}", document.display());
        }
    }
    assert!(count > 10, "{count} links");
}

/// The blocks of a kind in a document.
fn blocks<'a>(text: &'a str, kind: &str) -> Vec<&'a str> {
    let start = format!("\n```{kind}\n");
    let rest = text.split(&start).skip(1);
    rest.map(|rest| rest.split_once("\n```").expect("a block ends").0).collect()
}

#[test]
fn whole_experiments_are_read_as_they_stand() {
    let mut count = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        for block in blocks(&text, "toml") {
            let place = format!("{}:\n{block}", document.display());
            let table: toml::Table =
                toml::from_str(block).unwrap_or_else(|error| panic!("{error} in {place}"));
            // Most show a few keys of what is in a file.
            if ["name", "game", "players"].iter().all(|key| table.contains_key(*key)) {
                count += 1;
                let read = Spec::from_toml(block, root(), &Overrides::default());
                assert!(read.is_ok(), "{} in {place}", read.unwrap_err());
            }
        }
    }
    assert!(count > 1, "{count} experiments");
}
