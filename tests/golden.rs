//! Golden playthroughs: one game of every game with every strategy family, as its record. A change
//! in rules, strategies or seeding shows here first; where it is meant, `BEHAVIOUR` in
//! src/output/folder.rs goes up by one, and `MINDLAB_GOLDEN=write cargo test --test golden` writes
//! the files anew.

use std::path::{Path, PathBuf};

use mindlab::experiment::plan::{Place, Plan};
use mindlab::experiment::replay;
use mindlab::experiment::spec::{Overrides, Spec};
use mindlab::games::GameId;
use mindlab::games::referee::judge_line;
use mindlab::strategies::Library;
use mindlab::strategies::library::families;

fn file(game: GameId, family: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{game}-{family}.jsonl"))
}

/// The family in every seat, under rules that use what it can use.
fn playthrough(game: GameId, family: &str) -> String {
    let (players, rest) = match game {
        GameId::MindUp => (3, "rules = { objectives = 2 }"),
        _ => (2, "groups = [{ name = 'golden', cv = 0.1, jitter = 0.1, reaction = 0.2 }]"),
    };
    // What takes long is made quick: a golden game shows behaviour, not strength.
    let quick = match (game, family) {
        (GameId::MindUp, "monte-carlo") => ", playouts = 2",
        _ => "",
    };
    let strategy = format!("{{ base = '{family}', name = 'x'{quick} }}");
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

#[test]
fn every_family_plays_as_it_did() {
    let write = std::env::var_os("MINDLAB_GOLDEN").is_some_and(|value| value == "write");
    for game in GameId::ALL {
        for family in families(game) {
            let (path, now) = (file(game, family), playthrough(game, family));
            judge_line(now.trim()).unwrap_or_else(|error| panic!("{game} {family}: {error}"));
            if write {
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(&path, &now).unwrap();
            }
            let golden = std::fs::read_to_string(&path)
                .unwrap_or_else(|_| panic!("{game}: `{family}` has no golden playthrough"));
            assert_eq!(golden, now, "{game}: `{family}` plays differently");
        }
    }
}

#[test]
fn no_playthrough_is_left_over() {
    let known: Vec<PathBuf> = GameId::ALL
        .into_iter()
        .flat_map(|game| families(game).into_iter().map(move |family| file(game, family)))
        .collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        assert!(known.contains(&path), "{} belongs to no family", path.display());
    }
}
