//! Names, files and entries.

use super::*;
use serde_json::json;

#[test]
fn shipped_files_are_all_good() {
    let library = Library::default();
    for game in GameId::ALL {
        for name in library.names(game) {
            let named = library.get(game, &name).unwrap();
            assert!(families(game).contains(&named.family.as_str()), "{name}");
        }
    }
}

#[test]
fn unknown_names_and_parameters_get_the_nearest() {
    let resolve =
        |entry| Library::default().resolve(GameId::MindUp, &entry).unwrap_err().to_string();
    assert!(resolve(json!("gredy")).contains("did you mean `greedy`"));
    let text = resolve(json!({"base": "greedy", "x": 1}));
    assert!(text.starts_with("`x = 1`: unknown parameter of `greedy`"), "{text}");
    assert!(resolve(json!({"name": "x"})).contains("needs the `base`"));
    assert!(resolve(json!(3)).contains("a name or a table"));
}

/// A library with these files for Mind Up! besides those shipped.
fn with_files(files: &[(&str, &str)]) -> (tempfile::TempDir, Library) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("mind-up")).unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(format!("mind-up/{name}.toml")), text).unwrap();
    }
    let library = Library::new(Some(folder.path()));
    (folder, library)
}

const BY_PLAYERS: (&str, &str) =
    ("x", "family = \"linear\"\n[parameters]\nkeeps = 1.0\n[players.4]\nkeeps = 2.0");

#[test]
fn parameters_hold_at_a_number_of_players() {
    let (_folder, library) = with_files(&[BY_PLAYERS]);
    let resolve = |entry| library.resolve(GameId::MindUp, &entry).unwrap().remove(0);
    let spec = resolve(json!("x"));
    assert_eq!([3, 4, 5].map(|n| spec.at(n)["keeps"].clone()), [1.0, 2.0, 1.0]);
    let spec = resolve(json!({"base": "x", "keeps": 1}));
    assert_eq!((spec.label.as_str(), &spec.at(4)["keeps"]), ("x(keeps=1)", &json!(1)));
    let searcher = resolve(json!({"base": "monte-carlo", "policy": "x"}));
    assert_eq!(searcher.label, "monte-carlo(policy=x)");
    let keeps = |n| searcher.at(n)["policy"]["parameters"]["keeps"].clone();
    assert_eq!([keeps(3), keeps(4)], [1.0, 2.0]);
}

#[test]
fn sections_and_policies_are_checked() {
    let message = |files: &[(&str, &str)], entry| {
        let (_folder, library) = with_files(files);
        library.resolve(GameId::MindUp, &entry).unwrap_err().to_string()
    };
    let wrong = BY_PLAYERS.1.replace("keeps = 2", "kepes = 2");
    let text = message(&[("x", &wrong)], json!("x"));
    assert!(text.contains("`players.4.kepes = 2.0`: unknown parameter"), "{text}");
    let wrong = BY_PLAYERS.1.replace("keeps = 2.0", "keeps = 1e9");
    let text = message(&[("x", &wrong)], json!("x"));
    assert!(text.contains("`players.4.keeps = 1000000000"), "{text}");
    let wrong = BY_PLAYERS.1.replace("keeps = 1.0", "keeps = 1e9");
    let text = message(&[("x", &wrong)], json!("x"));
    assert!(text.contains("`parameters.keeps = 1000000000"), "{text}");
    let text = message(&[], json!({"base": "monte-carlo", "policy": "liner"}));
    assert!(text.contains("did you mean `linear`"), "{text}");
    for bot in [json!("bot"), json!({"base": "bot", "command": ["x"]})] {
        let text = message(&[], json!({"base": "monte-carlo", "policy": bot}));
        assert!(
            text.starts_with("`policy = bot`: a searcher can't use a bot from outside"),
            "{text}"
        );
    }
    let text = message(&[], json!({"base": "monte-carlo", "policy": "duct"}));
    assert!(text.contains("`family = duct`: unknown policy"), "{text}");
    let own = "family = \"best-response\"\n[parameters]\nmodel = \"x\"";
    let text = message(&[("x", own)], json!("x"));
    assert!(text.contains("one of them names itself"), "{text}");
}

/// The labels of an entry.
fn labels(game: GameId, entry: Value) -> Vec<String> {
    let specs = Library::default().resolve(game, &entry).unwrap();
    specs.into_iter().map(|spec| spec.label).collect()
}

#[test]
fn labels_tell_what_changed() {
    let up = |entry| labels(GameId::MindUp, entry).remove(0);
    let mind = |entry| labels(GameId::TheMind, entry).remove(0);
    let within = json!({"base": "duct", "policy": {"base": "linear", "temperature": 0.1}});
    assert_eq!(up(within), "duct(policy=linear(temperature=0.1))");
    let deep = json!({"base": "best-response", "model": {"base": "monte-carlo",
        "policy": {"base": "soft-greedy", "temperature": 2}, "playouts": 9}});
    let told = "best-response(model=monte-carlo(policy=soft-greedy(temperature=2), playouts=9))";
    assert_eq!(up(deep), told);
    let full =
        json!({"base": "duct", "policy": {"family": "linear", "parameters": {"keeps": 0.5}}});
    assert_eq!(up(full), "duct(policy=linear(keeps=0.5))");
    let star = |star: Value| mind(json!({"base": "power", "star": star}));
    assert_eq!(star(json!("learned")), "power(star=learned)");
    let bold = json!({"policy": "learned", "bias": -0.4, "risk": 1.0});
    assert_eq!(star(bold), "power(star=learned(bias=-0.4))");
    let plan = json!({"base": "monte-carlo", "plan": {"family": "linear", "pace": 1.5}});
    assert_eq!(mind(plan), "monte-carlo(plan=linear(pace=1.5))");
    let mut rises =
        Library::default().get(GameId::TheMind, "threshold").unwrap().parameters["rises"].clone();
    rises[3] = json!(2.5);
    assert_eq!(mind(json!({"base": "threshold", "rises": rises})), "threshold(rises=place 4: 2.5)");
    let long = |last: f64| json!({"base": "threshold", "rises": [1.0625, 2.0625, 3.0625, 4.0625, 5.0625, 6.0625, 7.0625, last]});
    let [a, b] = [long(8.0), long(9.0)].map(mind);
    assert!(a != b && a.starts_with("threshold(rises=[1.0625,2.0625,") && a.len() < 60, "{a} {b}");
}

/// What is set to what it is already is no change, however it is written.
#[test]
fn a_parameter_set_to_its_default_is_no_change() {
    let library = Library::default();
    for (game, entry, label) in [
        (GameId::MindUp, json!({"base": "linear", "temperature": 0.0}), "linear"),
        (
            GameId::MindUp,
            json!({"base": "linear", "temperature": 0, "objectives": "play"}),
            "linear",
        ),
        (GameId::MindUp, json!({"base": "greedy"}), "greedy"),
        (
            GameId::MindUp,
            json!({"base": "duct", "policy": {"base": "linear", "temperature": 0}}),
            "duct",
        ),
        (
            GameId::MindUp,
            json!({"base": "public-duct",
            "policy": {"base": "linear", "temperature": 1}}),
            "public-duct",
        ),
        (
            GameId::MindUp,
            json!({"base": "public-duct", "policy": "linear"}),
            "public-duct(policy=linear)",
        ),
        (
            GameId::MindUp,
            json!({"base": "threshold", "rounds": [2, 2, 2]}),
            "threshold(rounds=[2,2,2])",
        ),
        (GameId::TheMind, json!({"base": "power", "star": {"policy": "never"}}), "power"),
        (GameId::TheMind, json!({"base": "monte-carlo", "cv": 0.15}), "monte-carlo"),
    ] {
        let spec = library.resolve(game, &entry).unwrap().remove(0);
        assert_eq!(spec.label, label, "{entry}");
        let base = library.resolve(game, &entry["base"]).unwrap().remove(0);
        assert_eq!(spec.is(&base), label == base.label, "{entry}");
    }
    // Outside of its sections linear keeps nothing; with 3 to 6 players it does.
    assert_eq!(
        labels(GameId::MindUp, json!({"base": "linear", "keeps": 0.0})),
        ["linear(keeps=0.0)"]
    );
    // A grid shows all of its values.
    let grid = labels(GameId::MindUp, json!({"base": "linear", "temperature": [0.0, 1.0]}));
    assert_eq!(grid, ["linear(temperature=0.0)", "linear(temperature=1.0)"]);
}

#[test]
fn values_of_parameters_may_be_named() {
    let grid = json!({"base": "duct", "policy": [
        "greedy", {"base": "linear", "temperature": 1.0, "name": "soft"},
        {"name": "own", "value": "soft-greedy"},
    ]});
    let specs = Library::default().resolve(GameId::MindUp, &grid).unwrap();
    let told: Vec<_> = specs.iter().map(|spec| spec.label.as_str()).collect();
    assert_eq!(told, ["duct(policy=greedy)", "duct(policy=soft)", "duct(policy=own)"]);
    assert_eq!(bare(&specs[1].varied[0].1), "soft");
    assert_eq!(specs[2].parameters["policy"]["family"], "soft-greedy");
    // Without a grid too, in the Minds as well.
    let one = json!({"base": "power", "exponent": {"name": "square", "value": 2.5}});
    assert_eq!(labels(GameId::TheMind, one), ["power(exponent=square)"]);
    let star = json!({"base": "power", "star": {"policy": "learned", "name": "bold"}});
    assert_eq!(labels(GameId::TheMind, star), ["power(star=bold)"]);
    let joined = json!({"base": "power", "exponent": {"name": "a+b", "value": 2.5}});
    let text = Library::default().resolve(GameId::TheMind, &joined).unwrap_err().to_string();
    assert!(text.starts_with("`exponent.name = a+b`: a name has"), "{text}");
}

#[test]
fn what_was_learned_is_known_of_strategies_within_others_too() {
    let grounds = |entry: Value| {
        let spec = Library::default().resolve(GameId::MindUp, &entry).unwrap().remove(0);
        let who = |ground: &Ground| (ground.who.clone(), ground.name.clone(), ground.blind);
        spec.grounds.iter().map(who).collect::<Vec<_>>()
    };
    let own = |who: &str, blind| vec![(who.to_owned(), "linear".to_owned(), blind)];
    assert_eq!(grounds(json!("greedy")), []);
    assert_eq!(grounds(json!("linear")), own("linear", false));
    assert_eq!(grounds(json!("monte-carlo")), own("monte-carlo's policy linear", false));
    let blind = json!({"base": "duct", "objectives": "ignore"});
    assert_eq!(grounds(blind), own("duct(objectives=ignore)'s policy linear", true));
    let within = "best-response(model=duct)'s model duct's policy linear";
    assert_eq!(grounds(json!({"base": "best-response", "model": "duct"}))[0].0, within);
    // Where all of it was changed nothing of it is learned.
    let (_folder, library) = with_files(&[LEARNED]);
    let spec = |entry: Value| library.resolve(GameId::MindUp, &entry).unwrap().remove(0);
    assert_eq!(spec(json!({"base": "x", "denies": 1})).grounds.len(), 1);
    assert!(spec(json!({"base": "x", "keeps": 1})).grounds.is_empty());
}

const LEARNED: (&str, &str) = (
    "x",
    "family = \"linear\"\n[learned]\ngame = \"mind-up\"\nplayers = [4]\nparameters = [\"keeps\"]\n\
     training = \"x.toml\"\nseed = 1\nmindlab = \"0.1.0\"\n[parameters]\nkeeps = 1.0",
);

#[test]
fn sections_on_learning_are_checked() {
    for (from, to, wanted) in [
        (
            "\"keeps\"",
            "\"kepes\"",
            "`learned.parameters = kepes`: unknown parameter; did you mean `keeps`?",
        ),
        ("[4]", "[]", "`learned.players = []`: there must be at least one number of players"),
        (
            "\"mind-up\"",
            "\"the-mind\"",
            "`learned.game = the-mind`: this is a strategy for mind-up",
        ),
        ("seed = 1", "sede = 1", "`learned.sede`: unknown key; did you mean `seed`?"),
    ] {
        let (_folder, library) = with_files(&[("x", &LEARNED.1.replace(from, to))]);
        let text = library.resolve(GameId::MindUp, &json!("x")).unwrap_err().to_string();
        assert!(text.contains(wanted), "{text}");
    }
}
