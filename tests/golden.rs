//! Golden playthroughs: one game of every game with every shipped strategy, as its record. A change
//! in rules, strategies or seeding shows here first; where it is meant, `BEHAVIOUR` in
//! src/output/folder.rs goes up by one, and `MINDLAB_GOLDEN=write cargo test --test golden` writes
//! the files anew.

use std::path::{Path, PathBuf};

use mindlab::experiment::plan::{Place, Plan};
use mindlab::experiment::replay;
use mindlab::experiment::spec::{Overrides, Spec};
use mindlab::games::GameId;
use mindlab::games::referee::judge_line;
use mindlab::strategies::{Library, mind_up, the_mind};

const WRITES: &str = "`MINDLAB_GOLDEN=write cargo test --test golden` writes";

fn file(game: GameId, name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{game}-{name}.jsonl"))
}

fn takes_playouts(game: GameId, name: &str) -> bool {
    let specs = Library::default().resolve(game, &name.into()).unwrap_or_default();
    specs.iter().any(|spec| spec.parameters.contains_key("playouts"))
}

/// The strategy in every seat, under rules that use what it can use.
fn playthrough(game: GameId, name: &str) -> String {
    let (players, rest) = match game {
        GameId::MindUp => (3, "rules = { objectives = 2 }"),
        _ => (2, "groups = [{ name = 'golden', cv = 0.1, jitter = 0.1, reaction = 0.2 }]"),
    };
    // What takes long is made quick: a golden game shows behaviour, not strength.
    let more = match (game, name) {
        (GameId::MindUp, _) if takes_playouts(game, name) => ", playouts = 4".to_owned(),
        // The reference bot of the game.
        (_, "bot") => {
            let file = game.name().replace('-', "_");
            format!(", command = ['python3', 'strategies/bots/{file}.py']")
        }
        _ => String::new(),
    };
    let strategy = format!("{{ base = '{name}', name = 'x'{more} }}");
    let seats = vec![strategy; players].join(", ");
    let text = format!(
        "name = 'golden'\ngame = '{game}'\nplayers = {players}\ngames = 1\nseed = 7\n\
         lineups = [[{seats}]]\n{rest}\n"
    );
    let spec = Spec::from_toml(&text, Path::new(""), &Overrides::default()).unwrap();
    let plan = Plan::new(&spec, &Library::default()).unwrap();
    let place = Place { cell: 0, lineup: 0, deal: 0, rotation: 0 };
    replay::play(&plan, place).unwrap().line() + "\n"
}

/// Whether bots in Python can be played; CI must be able to.
fn python() -> bool {
    let there = std::process::Command::new("python3").arg("--version").output().is_ok();
    assert!(there || std::env::var_os("CI").is_none(), "CI needs python3");
    there
}

#[test]
fn every_strategy_plays_as_it_did() {
    let write = std::env::var_os("MINDLAB_GOLDEN").is_some_and(|value| value == "write");
    for game in GameId::ALL {
        for name in Library::default().names(game) {
            if name == "bot" && !python() {
                continue;
            }
            let (path, now) = (file(game, &name), playthrough(game, &name));
            judge_line(now.trim()).unwrap_or_else(|error| panic!("{game} {name}: {error}"));
            if write {
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(&path, &now).unwrap();
            }
            let golden = std::fs::read_to_string(&path).unwrap_or_else(|_| {
                panic!("{game}: `{name}` has no golden playthrough; {WRITES} it")
            });
            assert_eq!(golden, now, "{game}: `{name}` plays differently");
        }
    }
}

#[test]
fn no_playthrough_is_left_over() {
    let names =
        |game| Library::default().names(game).into_iter().map(move |name| file(game, &name));
    let known: Vec<PathBuf> = GameId::ALL.into_iter().flat_map(names).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        assert!(known.contains(&path), "{} belongs to no strategy", path.display());
    }
}

#[test]
fn every_family_has_a_strategy_with_a_playthrough() {
    let library = Library::default();
    for game in GameId::ALL {
        let families: Vec<&str> = match game {
            GameId::MindUp => mind_up::FAMILIES.iter().map(|family| family.name).collect(),
            _ => the_mind::FAMILIES.iter().map(|family| family.name).collect(),
        };
        let named = library.names(game).into_iter().map(|name| library.get(game, &name).unwrap());
        let played: Vec<String> = named.map(|named| named.family).collect();
        for family in families {
            assert!(
                played.iter().any(|played| played == family),
                "{game}: no file in strategies/ names the family `{family}`; with one, {WRITES} \
                 its golden playthrough"
            );
        }
    }
}
