//! What tables say of games that were played: figures of the same games agree wherever they stand.

use std::path::Path;

use mindlab::experiment::plan::Plan;
use mindlab::experiment::run::{Fixed, Monitor, run};
use mindlab::experiment::spec::{Overrides, Spec};
use mindlab::output::{Table, tables};
use mindlab::strategies::Library;

/// The tables of an experiment.
fn played(text: &str) -> Vec<(&'static str, Table)> {
    let text = format!("name = \"figures\"\n{text}");
    let spec = Spec::from_toml(&text, Path::new(""), &Overrides::default()).unwrap();
    let plan = Plan::new(&spec, &Library::default()).unwrap();
    let tallies = run(&plan, &Fixed, 2, &Monitor::default()).unwrap();
    tables::all(&plan, &tallies)
}

fn table<'a>(tables: &'a [(&'static str, Table)], name: &str) -> &'a Table {
    &tables.iter().find(|(known, _)| *known == name).unwrap().1
}

/// The rows in which the columns have these fields.
fn rows<'a>(table: &'a Table, wanted: &'a [(&str, &str)]) -> impl Iterator<Item = &'a Vec<String>> {
    let has =
        |row: &&Vec<String>| wanted.iter().all(|(name, field)| table.field(row, name) == *field);
    table.rows.iter().filter(has)
}

const FIGURES: [&str; 12] = [
    "deals",
    "win_share",
    "win_share_se",
    "win_share_low",
    "win_share_high",
    "score_mean",
    "score_se",
    "score_low",
    "score_high",
    "score_difference_se",
    "score_difference_low",
    "score_difference_high",
];

#[test]
fn one_set_of_games_has_one_interval_in_every_table() {
    // The line-ups have 37, 19 and 10 deals.
    let tables = played(
        "game = \"mind-up\"\nplayers = 4\ngames = 37\nlineups = [[\"random\", \"random\", \"random\", \
         \"random\"], [\"lowest\", \"highest\", \"lowest\", \"highest\"], [\"greedy\", \"random\", \
         \"lowest\", \"highest\"]]\n",
    );
    let (summary, lineups) = (table(&tables, "summary.csv"), table(&tables, "lineups.csv"));
    let wanted = [("strategy", "greedy")];
    let (one, other) = (rows(summary, &wanted).next(), rows(lineups, &wanted).next());
    for column in FIGURES {
        let (one, other) =
            (summary.field(one.unwrap(), column), lineups.field(other.unwrap(), column));
        assert!(!one.is_empty(), "{column}");
        assert_eq!(one, other, "{column}");
    }
    // Of several line-ups with 37 and 10 deals: Satterthwaite's degrees of freedom are no more than
    // those of all deals, so that the interval is no shorter than theirs.
    let random = rows(summary, &[("strategy", "random")]).next().unwrap();
    let number = |name: &str| summary.field(random, name).parse::<f64>().unwrap();
    let half = (number("score_high") - number("score_low")) / 2.0;
    assert_eq!(number("deals"), 37.0);
    assert!(half / number("score_se") > 2.028, "Student's t with 36 degrees of freedom is 2.0281");
}

#[test]
fn line_ups_that_differ_by_a_single_deal_have_intervals() {
    // 10 deals of 4 rotations, and 11 of 3 with as many games asked for: a segment of one deal.
    let tables = played(
        "game = \"mind-up\"\nplayers = 4\ngames = 11\nlineups = [[\"greedy\", \"random\", \"greedy\", \
         \"random\"], [\"greedy\", \"random\", \"random\", \"random\"], [\"random\", \"random\", \
         \"random\", \"random\"]]\n",
    );
    let summary = table(&tables, "summary.csv");
    for row in &summary.rows {
        for column in FIGURES {
            assert!(!summary.field(row, column).is_empty(), "{column}: {row:?}");
        }
    }
}

#[test]
fn the_share_of_the_others_is_the_mirror_image() {
    let tables = played(
        "game = \"mind-up\"\nplayers = 4\ngames = 40\nlineups = [[\"random\", \"linear\", \"linear\", \
         \"linear\"]]\n",
    );
    let lineups = table(&tables, "lineups.csv");
    let number = |strategy: &str, column: &str| {
        let wanted = [("strategy", strategy)];
        let row = rows(lineups, &wanted).next().unwrap();
        lineups.field(row, column).parse::<f64>().unwrap()
    };
    for (low, high) in [("low", "high"), ("high", "low")] {
        let one = number("random", &format!("win_share_{low}"));
        let rest = number("linear", &format!("win_share_{high}"));
        assert!((3.0 * rest - (1.0 - one)).abs() < 3e-6, "{one} {rest}");
    }
}

#[test]
fn objectives_are_told_by_strategy() {
    let tables = played(
        "game = \"mind-up\"\nplayers = 3\ngames = 6000\nlineups = [[\"greedy\", \"random\", { base = \
         \"greedy\", objectives = \"ignore\" }]]\n[rules]\nobjectives = 1\n",
    );
    let objectives = table(&tables, "objectives.csv");
    let number =
        |row: &Vec<String>, name: &str| objectives.field(row, name).parse::<f64>().unwrap();
    let mut gained = 0.0;
    for whole in rows(objectives, &[("strategy", "")]) {
        let key = ["objective", "round"].map(|name| objectives.field(whole, name));
        let wanted = [("objective", key[0]), ("round", key[1])];
        let own: Vec<_> = rows(objectives, &wanted).filter(|row| *row != whole).collect();
        assert_eq!(own.len(), 3, "{key:?}");
        let held: f64 = own.iter().map(|row| number(row, "triggered")).sum();
        assert_eq!(held, number(whole, "triggered"), "{key:?}");
        for row in own {
            assert_eq!(number(row, "games"), number(whole, "games"));
            let aware = match objectives.field(row, "strategy") {
                "greedy" => "1",
                _ => "0",
            };
            assert_eq!(objectives.field(row, "aware"), aware);
            match objectives.field(row, "strategy") {
                "greedy" => gained += number(row, "points_mean"),
                "random" => {}
                _ => gained -= number(row, "points_mean"),
            }
        }
    }
    // Over 42 cards and rounds, whoever plays for them gets more than his blind twin.
    assert!(gained > 4.0, "{gained}");
}

#[test]
fn few_deals_of_equals_prove_no_rungs() {
    // 12 strategies that are one and the same, at 10 deals: of 22 one-sided tests at 2.5 % each, 0.55
    // are expected below the bound by chance and 4 or more in 0.2 % of such ladders. By Holm none.
    let alike: Vec<String> =
        (0..12).map(|at| format!("{{ base = \"greedy\", name = \"g{at}\" }}")).collect();
    let tables = played(&format!(
        "game = \"mind-up\"\nplayers = 4\ngames = 40\nseed = 3\ndesign = \"ladder\"\nstrategies = [{}]\n",
        alike.join(", ")
    ));
    let rungs = table(&tables, "rungs.csv");
    assert_eq!(rungs.rows.len(), 11);
    for row in &rungs.rows {
        assert_eq!(rungs.field(row, "proven"), "0");
        // The p-values come from the law that gives the interval: a corrected one is never below it.
        for way in ["one", "held"] {
            let number =
                |name: &str| rungs.field(row, &format!("{way}_{name}")).parse::<f64>().unwrap();
            if number("p_holm") < 0.05 {
                assert!(!(number("share_low")..=number("share_high")).contains(&0.25), "{row:?}");
            }
        }
    }
}
