//! The training as a state machine.

use std::path::Path;

use super::judge::Worth;
use super::*;
use crate::experiment::run::{Monitor, run_from};
use crate::strategies::Library;

const MIND_UP: &str = "name = 'x'\ngame = 'mind-up'\nplayers = [3, 4]\nopponents = ['random']\n\
    objective = 'win-share'\nstart = { family = 'linear' }\ngenerations = 2\nrestarts = 2\n\
    population = 4\ngames = 24\nconfirmation = 120\nlearn = { keeps = { sd = 0.2 }, denies = { sd = 0.2 } }";

const EXTREME: &str = "name = 'x'\ngame = 'the-mind-extreme'\nplayers = 2\nobjective = 'levels'\n\
    start = 'linear'\ngenerations = 3\npopulation = 4\ngames = 10\npace = 30.0\n\
    groups = ['intuitive', 'counting']\nmethod = 'cross-entropy'\n\
    rules = { lives = [2, 3] }\nlearn = { pace = { sd = 0.3, scale = 'log' } }";

fn job(text: &str) -> Job {
    let training = Training::from_value(toml::from_str(text).unwrap()).unwrap();
    Job::new(training, Path::new(""), &Library::default()).unwrap()
}

fn play(job: &Job, state: State, threads: usize) -> (State, Vec<State>) {
    let mut kept = Vec::new();
    let monitor = Monitor::default();
    let keep = &mut |state: &State| {
        // As a checkpoint has it.
        let text = serde_json::to_string(state).unwrap();
        kept.push(serde_json::from_str(&text).unwrap());
        Ok(())
    };
    let (last, _) = run_from(&job.plan, &Trainer(job), state, threads, &monitor, keep).unwrap();
    assert_eq!(kept.last(), Some(&last));
    (last, kept)
}

#[test]
fn a_training_goes_on_from_any_of_its_states() {
    // Generations, and for each number of players a selection and a confirmation.
    for (text, stages) in [(MIND_UP, 2 * (2 * 2 + 2)), (EXTREME, 3 + 2)] {
        let job = job(text);
        let (last, kept) = play(&job, Trainer(&job).first(), 2);
        assert_eq!((kept.len(), last.stage), (stages, 1 + stages as u64));
        assert_eq!(last.learned.len(), job.counts.len());
        for (index, state) in kept.iter().enumerate().take(stages - 1) {
            let (again, more) = play(&job, state.clone(), 1 + index % 3);
            assert_eq!(again, last, "after stage {}", index + 1);
            assert_eq!(more[..], kept[index + 1..]);
        }
        let told = file::text(&job, &last, "x.toml");
        assert_eq!(told, file::text(&job, kept.last().unwrap(), "x.toml"));
    }
}

/// A strategy that does not change is as good as itself to the last game: deals, opponents' draws and
/// bodies' errors are the same.
#[test]
fn equals_are_equal() {
    // What is learned plays no part: without objectives on the table it is never looked at.
    let text =
        MIND_UP.replace("keeps = { sd = 0.2 }, denies = { sd = 0.2 }", "objective = { sd = 1 }");
    let job = job(&text.replace("'random'", "'random', { base = 'monte-carlo', playouts = 1 }"));
    let (last, _) = play(&job, Trainer(&job).first(), 2);
    for generation in &last.curve {
        assert_eq!(generation.best, generation.middle);
        let spread = generation.best.unwrap() - generation.mean.unwrap();
        assert!(spread.abs() < 1e-12, "{generation:?}");
    }
    for learned in &last.learned {
        // Of equals the start is chosen, and gains nothing over itself.
        assert_eq!(learned.origin, "the start");
        assert_eq!((learned.gain.mean, learned.gain.interval), (Some(0.0), None));
        assert!(learned.objective.interval.is_some());
    }
}

#[test]
fn cells_weigh_alike_and_the_slowest_has_to_keep_the_pace() {
    let job = job(EXTREME);
    let (last, _) = play(&job, Trainer(&job).first(), 2);
    let [learned] = last.learned.as_slice() else { panic!() };
    let own = |row: &&Row| row.strategy == "x" && row.cell.is_some();
    let rows: Vec<&Row> = learned.rows.iter().filter(own).collect();
    assert_eq!(rows.len(), 4);
    let mean = rows.iter().map(|row| row.objective.mean.unwrap()).sum::<f64>() / 4.0;
    assert!((learned.objective.mean.unwrap() - mean).abs() < 1e-12);
    let slowest = rows.iter().map(|row| row.figures[3].mean.unwrap()).fold(0.0, f64::max);
    assert_eq!(learned.level_seconds.unwrap().mean, Some(slowest));
}

#[test]
fn slowness_costs_by_the_share_that_is_too_much() {
    let worth = |seconds| Worth { value: Some(0.5), seconds: Some(seconds) };
    assert_eq!(worth(20.0).fitness(Some(20.0), 1.0), 0.5);
    // 10 % too slow: 10 times 0.05, and 12 times as much of 12 levels.
    assert!((worth(22.0).fitness(Some(20.0), 1.0) - 0.0).abs() < 1e-12);
    assert!((worth(22.0).fitness(Some(20.0), 12.0) + 5.5).abs() < 1e-12);
    assert_eq!(worth(22.0).fitness(None, 1.0), 0.5);
    assert!(worth(20.0).keeps(Some(20.0)) && !worth(20.1).keeps(Some(20.0)));
}

/// The search itself is no opponent that a gain is told against.
#[test]
fn gains_are_told_against_named_opponents() {
    let with = |opponents: &str| {
        let job = job(&MIND_UP.replace("['random']", opponents).replace("[3, 4]", "3"));
        let (last, _) = play(&job, Trainer(&job).first(), 2);
        let text = file::text(&job, &last, "x.toml");
        let told = text.lines().find(|line| line.starts_with("# 3 players")).unwrap().to_owned();
        (last.learned[0].clone(), told)
    };
    let row = |learned: &Learned, strategy: &str, against: &str| {
        let found = |row: &&Row| row.strategy == strategy && row.against == against;
        learned.rows.iter().find(found).unwrap().objective.mean.unwrap()
    };
    let (learned, told) = with("['random', 'greedy', 'self']");
    let of = |strategy: &str| {
        (row(&learned, strategy, "random") + row(&learned, strategy, "greedy")) / 2.0
    };
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
    close(learned.objective.mean.unwrap(), of("x"));
    close(learned.gain.mean.unwrap(), of("x") - of("start"));
    close(row(&learned, "x", "all"), of("x"));
    close(learned.own.unwrap().mean.unwrap(), row(&learned, "x", "start"));
    assert!(told.contains(" against random, greedy, gain over the start "), "{told}");
    assert!(told.contains("; among starts (`self`) "), "{told}");
    let (learned, told) = with("['self']");
    close(learned.objective.mean.unwrap(), row(&learned, "x", "start"));
    assert_eq!((learned.gain.mean, learned.own), (None, None));
    assert!(told.contains(" among starts; `self` is the only opponent, so that nothing"), "{told}");
    assert!(!told.contains("gain over"), "{told}");
    let (learned, told) = with("['random']");
    assert!(learned.own.is_none() && !told.contains("self"), "{told}");
}

/// What ships says of itself what a training writes.
#[test]
fn shipped_files_say_what_they_were_learned_under() {
    let library = Library::default();
    let mut seen = 0;
    for game in [crate::games::GameId::MindUp, crate::games::GameId::TheMind] {
        for named in library.names(game).iter().map(|name| library.get(game, name).unwrap()) {
            let (_, text) = library.text(game, &named.name).unwrap().unwrap();
            assert_eq!(
                text.starts_with("# Learned by "),
                named.learned.is_some(),
                "{}",
                named.name
            );
            let Some(learned) = named.learned else { continue };
            let path = Path::new(&learned.training);
            let training = Training::from_file(path, &Default::default()).unwrap();
            let job = Job::new(training, Path::new("experiments/train"), &library).unwrap();
            assert_eq!(job.learned(&learned.training), learned, "{}", named.name);
            assert_eq!(job.training.name, named.name);
            seen += 1;
        }
    }
    assert_eq!(seen, 5);
}

#[test]
fn opponents_off_their_ground_are_known() {
    let text = MIND_UP.replace("['random']", "['random', 'linear', 'monte-carlo']");
    assert!(job(&text).off_ground().is_empty());
    let off = job(&format!("{text}\nrules = {{ next_hand = 'deal' }}")).off_ground();
    assert_eq!(off.len(), 1);
    assert_eq!(off[0].who, ["linear", "monte-carlo's policy linear"]);
}

#[test]
fn a_file_has_what_was_learned_for_each_number_of_players() {
    let job = job(&MIND_UP.replace("{ family = 'linear' }", "'linear'"));
    let (last, _) = play(&job, Trainer(&job).first(), 2);
    let text = file::text(&job, &last, "x.toml");
    let written: toml::Table = text.parse().unwrap();
    // What the start's file has for other numbers of players stays.
    let start = Library::default().get(job.training.game, "linear").unwrap();
    let number = |table: &toml::Value, key: &str| table[key].as_float().unwrap();
    for (players, own) in &start.players {
        let section = &written["players"][players.to_string().as_str()];
        for (key, value) in own {
            let learned = job.counts.iter().position(|count| count.players == *players);
            match (learned, key.as_str()) {
                (Some(place), "keeps") => {
                    assert_eq!(number(section, key), last.learned[place].values[0]);
                }
                (Some(place), "denies") => {
                    assert_eq!(number(section, key), last.learned[place].values[1]);
                }
                _ => assert_eq!(Some(number(section, key)), value.as_f64()),
            }
        }
    }
}
