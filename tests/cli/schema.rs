//! Every file that ships fits its schema, and what the command refuses does not.

use std::path::{Path, PathBuf};

use jsonschema::Validator;
use serde_json::{Value, json};

use crate::support::Desk;

fn validator(format: &str) -> Validator {
    let schema: Value = serde_json::from_str(&Desk::new().ok(&format!("schema {format}"))).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

#[track_caller]
fn fits(validator: &Validator, value: &Value, what: &dyn std::fmt::Debug) {
    let errors: Vec<String> = validator
        .iter_errors(value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{what:?}: {errors:#?}");
}

fn toml(text: &str) -> Value {
    toml::from_str(text).unwrap()
}

/// The files of a folder of the package with that ending, its folders' included.
fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    fn collect(folder: &Path, ending: &str, files: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(&path, ending, files);
            } else if path.extension().is_some_and(|own| own == ending) {
                files.push(path);
            }
        }
    }
    let mut all = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), ending, &mut all);
    assert!(!all.is_empty(), "{folder}");
    all
}

#[track_caller]
fn all_fit(format: &str, files: &[PathBuf]) {
    let validator = validator(format);
    for file in files {
        fits(&validator, &toml(&std::fs::read_to_string(file).unwrap()), file);
    }
}

#[test]
fn shipped_files_fit_their_schemas() {
    let (trainings, experiments): (Vec<_>, Vec<_>) = files("experiments", "toml")
        .into_iter()
        .partition(|file| file.parent().is_some_and(|folder| folder.ends_with("train")));
    all_fit("experiment", &experiments);
    all_fit("training", &trainings);
    all_fit("strategy", &files("strategies", "toml"));
    let data = |name: &str| {
        let data = files("src/games", "toml");
        data.into_iter().filter(|file| file.ends_with(name)).collect::<Vec<_>>()
    };
    all_fit("objectives", &data("objectives.toml"));
    all_fit("setup", &data("the-mind.toml"));
    all_fit("setup", &data("the-mind-extreme.toml"));
}

#[test]
fn legal_records_fit_the_schema() {
    let validator = validator("record");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut fit = 0;
    for name in ["mind_up", "more"] {
        let read =
            |what: &str| std::fs::read_to_string(folder.join(format!("{name}_{what}.jsonl")));
        let (records, verdicts) = (read("records").unwrap(), read("verdicts").unwrap());
        for (record, verdict) in records.lines().zip(verdicts.lines()) {
            let verdict: Value = serde_json::from_str(verdict).unwrap();
            if verdict.get("error").is_none() {
                let record: Value = serde_json::from_str(record).unwrap();
                fits(&validator, &record, &verdict["record"]);
                fit += 1;
            }
        }
    }
    assert!(fit > 100, "{fit}");
}

#[test]
fn what_the_command_writes_fits() {
    let desk = Desk::new();
    let experiments = validator("experiment");
    for text in [
        crate::replay::MIND_UP,
        crate::replay::DESIGN,
        crate::replay::THE_MIND,
        crate::replay::EXTREME,
    ] {
        fits(&experiments, &toml(text), &text);
    }
    for (good, bad) in [
        ("lives = { name = 'few', value = 1 }", "lives = { name = 'few', value = 1000 }"),
        ("lives = [1, { name = 'many', value = 9 }]", "lives = [1, { name = '', value = 9 }]"),
        (
            "rewards = [{ name = 'none', star = [], life = [] }, { star = [2] }]",
            "rewards = [{ name = 'none', stars = [] }]",
        ),
        ("blind = [{ name = 'whites', 3 = ['number'] }, 'none']", "blind = [{ name = 3 }, 'none']"),
    ] {
        let text = |rules: &str| crate::replay::THE_MIND.replace("lives = [1, 2]", rules);
        desk.write("y.toml", &text(good));
        desk.ok("run y.toml --dry-run");
        fits(&experiments, &toml(&text(good)), &good);
        assert!(!experiments.is_valid(&toml(&text(bad))), "{bad}");
        desk.write("y.toml", &text(bad));
        assert_eq!(desk.run("run y.toml --dry-run").status, 2, "{bad}");
    }
    for good in [
        "objective_points = [{ name = 'A1 at +3', A1 = 3 }, {}]",
        "scoring_values = [{ name = 'flat', value = [1, 1, 1, 1, 1] }, [1, 2, 3, 4, 5]]",
        "objective_pool = [{ name = 'few', value = ['A1', 'B1', 'C1', 'D1', 'E1'] }, ['A1', 'B1', 'C1', 'D1']]",
    ] {
        let text = crate::replay::MIND_UP.replace("objectives = [0, 2]", good);
        let text = text.replace("[3, 4]", "3");
        desk.write("y.toml", &text);
        desk.ok("run y.toml --dry-run");
        fits(&experiments, &toml(&text), &good);
    }
    desk.write("x.toml", crate::replay::DESIGN);
    desk.ok("run x.toml --out out --quiet");
    let manifest: Value = serde_json::from_str(&desk.read("out/manifest.json")).unwrap();
    fits(&validator("manifest"), &manifest, &"manifest");
    fits(&experiments, &manifest["experiment"], &"experiment in the manifest");
    let records = validator("record");
    for game in ["mind-up --players 3", "the-mind --players 2", "the-mind-extreme --players 2"] {
        let record = desk.ok(&format!("play --game {game} --strategies random --record"));
        fits(&records, &serde_json::from_str(&record).unwrap(), &game);
    }
}

#[test]
fn bad_files_do_not_fit() {
    let experiments = validator("experiment");
    let bad = |from: &str, to: &str| {
        let text = crate::replay::THE_MIND;
        assert!(text.contains(from), "{from}");
        assert!(!experiments.is_valid(&toml(&text.replace(from, to))), "{to}");
    };
    bad("games = 9", "gmaes = 9");
    bad("games = 9", "games = 0");
    bad("name = \"minds\"", "name = \"../x\"");
    bad("seed = 3", "design = \"self-play\"");
    bad("seed = 3", "seed = -3");
    bad("players = 2", "players = 1");
    bad("levels = 4", "levels = [4, 51]");
    bad("lives = [1, 2]", "lives = []");
    bad("levels = 4", "lifes = 4");
    bad("levels = 4", "next_hand = \"deal\"");
    bad("levels = 4", "blind = { 3 = [\"blue\"] }");
    bad("\"strangers\"", "{ cv = -1 }");
    bad("base = \"linear\", pace", "bsae = \"linear\", pace");
    let groups = crate::replay::MIND_UP.replace("games = 8", "games = 8\ngroups = [\"ideal\"]");
    assert!(!experiments.is_valid(&toml(&groups)));
    let trainings = validator("training");
    assert!(trainings.is_valid(&toml(crate::train::MIND)));
    for (from, to) in [
        ("generations", "generatoins"),
        ("sd = 0.4", "sd = 0"),
        ("sd = 0.4\nlow", "low"),
        ("scale = \"log\"", "scale = \"lin\""),
        ("\"clean\"", "\"win-share\""),
        ("seed = 3", "opponents = [\"rank\"]"),
        ("pace = 60.0", "pace = 0.0"),
        ("family = \"power\", pace", "pace"),
    ] {
        assert!(crate::train::MIND.contains(from), "{from}");
        assert!(!trainings.is_valid(&toml(&crate::train::MIND.replacen(from, to, 1))), "{to}");
    }
    let strategies = validator("strategy");
    assert!(!strategies.is_valid(&json!({"family": "linear", "parameters": {"pase": 1}})));
    assert!(!strategies.is_valid(&json!({"family": "lineal"})));
    assert!(!validator("setup").is_valid(&json!({"name": "x", "game": "the-mind", "count": []})));
    let card =
        json!({"objective": [{"id": "X", "points": 100, "when": {"kind": "colours", "in": [1]}}]});
    assert!(!validator("objectives").is_valid(&card));
    let record = |play: Value| {
        json!({"game": "the-mind", "players": 2, "levels": [
            {"level": 1, "hands": [[1], [2]], "events": [{"seat": 0, "play": play}]}]})
    };
    let records = validator("record");
    assert!(records.is_valid(&record(json!(1))));
    assert!(!records.is_valid(&record(json!("w1"))));
    assert!(!records.is_valid(&record(json!(101))));
}

#[test]
fn all_schemas_are_printed_at_once() {
    let all: Value = serde_json::from_str(&Desk::new().ok("schema")).unwrap();
    let names: Vec<_> = all.as_object().unwrap().keys().collect();
    assert_eq!(
        names,
        ["experiment", "training", "strategy", "record", "setup", "objectives", "manifest", "bot"]
    );
}
