//! How often equals are called different: comparisons of two results, rows of one run, and rungs of a
//! ladder, all of strategies that are one and the same under two names.
//!
//! A tenth of it is in the normal run. The whole study writes results/reference/null-study.csv:
//! `cargo test --release --test null_study -- --ignored`

use std::path::Path;

use mindlab::experiment::lineups::Lineup;
use mindlab::experiment::plan::Plan;
use mindlab::experiment::results::batched::Seating;
use mindlab::experiment::results::lineup_share;
use mindlab::experiment::run::{Fixed, Monitor, Tallies, run};
use mindlab::experiment::spec::{Overrides, Spec};
use mindlab::experiment::sums;
use mindlab::output::compare::{Answer, CellSide, Line, Side, compare};
use mindlab::output::folder::Manifest;
use mindlab::output::tables;
use mindlab::strategies::Library;

const DEALS: [u64; 4] = [5, 10, 30, 100];

fn played(library: &Library, text: &str, seed: u64, deals: u64) -> (Plan, Tallies) {
    let text = format!(
        "name = \"null\"\ngame = \"mind-up\"\nplayers = 4\ngames = {}\nseed = {seed}\n{text}",
        4 * deals
    );
    let spec = Spec::from_toml(&text, Path::new(""), &Overrides::default()).unwrap();
    let plan = Plan::new(&spec, library).unwrap();
    let tallies = run(&plan, &Fixed, 1, &Monitor::default()).unwrap();
    (plan, tallies)
}

/// A run as `compare` reads it from a folder, with the line-ups that are wanted.
fn cells(plan: &Plan, tallies: &Tallies, wanted: impl Fn(&Lineup) -> bool) -> Vec<CellSide> {
    let cell = &plan.cells[0];
    let mut seating = Seating::of(plan, cell);
    let own = cell.lineups.iter().filter(|lineup| wanted(lineup));
    let own: Vec<usize> = own.map(|lineup| lineup.index).collect();
    seating.lineups.retain(|(number, _)| own.contains(number));
    vec![CellSide {
        game: "mind-up".to_owned(),
        options: cell.options.clone(),
        rules: Some(cell.rules.clone()),
        group: None,
        seating,
        sums: sums::of(plan, tallies).remove(0),
    }]
}

fn manifest(seed: u64) -> Manifest {
    serde_json::from_value(serde_json::json!({
        "format": 2, "mindlab": "", "behaviour": 3, "revision": "", "complete": true,
        "reproducible": true, "hash": "", "seed": seed, "games": 1, "experiment": {},
        "resolved": {}, "threads": 1, "host": {}, "started": "", "seconds": 1.0, "files": {},
    }))
    .unwrap()
}

/// What is compared, and how often equals were called different: by a single test of the win share at
/// 5 % (of a rung at 2.5 % one-sided), and by any figure after Holm's correction.
struct Row {
    what: &'static str,
    deals: u64,
    tests: u32,
    single: u32,
    families: u32,
    any: u32,
}

fn single(line: &Line) -> Option<bool> {
    match &line.answer {
        Answer::Tested(tested) if line.measure == "win_share" => Some(tested.p < 0.05),
        _ => None,
    }
}

/// Two results: on the same deals, or of seeds of their own. `it` sits among others in a first and in a
/// second line-up, so that its own draws differ.
fn comparisons(
    library: &Library,
    deals: u64,
    times: u32,
    paired: bool,
    who: &str,
    rest: &str,
) -> Row {
    let what = match (paired, who) {
        (true, _) => "compare, same deals",
        (false, "random") => "compare, other deals, few wins",
        (false, _) => "compare, other deals",
    };
    let mut row = Row { what, deals, tests: 0, single: 0, families: times, any: 0 };
    let first = format!("lineups = [[\"{who}\", \"{rest}\", \"{rest}\", \"{rest}\"]]");
    let second = format!(
        "lineups = [[\"highest\", \"highest\", \"lowest\", \"lowest\"], [\"{who}\", \"{rest}\", \
         \"{rest}\", \"{rest}\"]]"
    );
    for time in 0..u64::from(times) {
        let seeds = [1_000_000 + time, if paired { 1_000_000 + time } else { 9_000_000 + time }];
        let (plan_a, of_a) = played(library, &first, seeds[0], deals);
        let (plan_b, of_b) = played(library, &second, seeds[1], deals);
        let manifests = seeds.map(manifest);
        let folder = Path::new("");
        let a = Side { folder, manifest: &manifests[0], cells: cells(&plan_a, &of_a, |_| true) };
        let own = cells(&plan_b, &of_b, |lineup| lineup.index == 1);
        let b = Side { folder, manifest: &manifests[1], cells: own };
        let found = compare(&a, &b);
        let lines: Vec<&Line> = found.lines().collect();
        let main = lines.iter().filter(|line| line.row == who).filter_map(|line| single(line));
        let main: Vec<bool> = main.collect();
        row.tests += main.len() as u32;
        row.single += main.iter().filter(|&&found| found).count() as u32;
        let differs = |line: &&&Line| matches!(&line.answer, Answer::Tested(one) if one.differs());
        row.any += u32::from(lines.iter().any(|line| differs(&line)));
    }
    row
}

/// Two rows of one run, on the same deals against the same others.
fn rows(library: &Library, deals: u64, times: u32) -> Row {
    let mut row =
        Row { what: "rows of a run", deals, tests: times, single: 0, families: times, any: 0 };
    let alike = ["one", "other"].map(|name| format!("{{ base = \"random\", name = \"{name}\" }}"));
    let lineups = alike.map(|it| format!("[{it}, \"greedy\", \"lowest\", \"highest\"]"));
    let text = format!("lineups = [{}]", lineups.join(", "));
    for time in 0..u64::from(times) {
        let (plan, tallies) = played(library, &text, 2_000_000 + time, deals);
        let cell = cells(&plan, &tallies, |_| true).remove(0);
        let figures = mindlab::experiment::results::batched::summary(&cell.seating, &cell.sums);
        let share = |name: &str| {
            let mut found =
                figures.iter().filter(|one| one.row == name && one.measure == "win_share");
            found.next().and_then(|one| one.figure.clone()).unwrap()
        };
        let difference = share("one").to(&share("other")).and_then(|found| found.student());
        let p = difference.and_then(|found| found.p_two_sided(0.0)).unwrap_or(1.0);
        row.single += u32::from(p < 0.05);
        row.any += u32::from(p < 0.05);
    }
    row
}

/// Rungs of a ladder of equals: each test one-sided at 2.5 %, and whether any rung's test is called
/// significant at 5 % by Holm's correction.
fn rungs(library: &Library, deals: u64, times: u32) -> Row {
    const STRATEGIES: usize = 4;
    let ladders = times.div_ceil(2 * (STRATEGIES as u32 - 1));
    let mut row = Row { what: "rungs", deals, tests: 0, single: 0, families: ladders, any: 0 };
    let alike = (0..STRATEGIES).map(|at| format!("{{ base = \"random\", name = \"r{at}\" }}"));
    let alike: Vec<String> = alike.collect();
    let text = format!("design = \"ladder\"\nstrategies = [{}]", alike.join(", "));
    for time in 0..u64::from(ladders) {
        let (plan, tallies) = played(library, &text, 3_000_000 + time, deals);
        let Tallies::Scores(scores) = &tallies else { unreachable!("Mind Up! gives scores") };
        let layout = plan.cells[0].layout();
        for (lineup, shape) in layout.lineups.iter().enumerate() {
            // The strategy that sits alone, above parity or below.
            let slot = shape.slot_of_seat[0];
            let share = lineup_share(&layout, &scores[0], lineup, slot).unwrap();
            let p = if lineup % 2 == 0 { share.p_above(0.25) } else { share.p_below(0.25) };
            row.tests += 1;
            row.single += u32::from(p.unwrap() < 0.025);
        }
        let tables = tables::all(&plan, &tallies);
        let (_, table) = tables.iter().find(|(name, _)| *name == "rungs.csv").unwrap();
        let below = |row: &Vec<String>| {
            let p = ["one_p_holm", "held_p_holm"].map(|name| table.field(row, name).to_owned());
            p.iter().any(|p| p.parse::<f64>().unwrap() < 0.05)
        };
        row.any += u32::from(table.rows.iter().any(below));
    }
    row
}

fn study(times: u32) -> Vec<Row> {
    let library = Library::default();
    let each = |deals| {
        [
            comparisons(&library, deals, times, true, "random", "lowest"),
            comparisons(&library, deals, times, false, "greedy", "lowest"),
            comparisons(&library, deals, times, false, "random", "greedy"),
            rows(&library, deals, times),
            rungs(&library, deals, times),
        ]
    };
    DEALS.into_iter().flat_map(each).collect()
}

/// No rate above the nominal one by more than so many standard errors.
fn check(rows: &[Row], errors: f64) {
    for row in rows {
        let nominal = if row.what == "rungs" { 0.025 } else { 0.05 };
        for (of, found, nominal) in
            [(row.tests, row.single, nominal), (row.families, row.any, 0.05)]
        {
            if of > 0 {
                let rate = f64::from(found) / f64::from(of);
                let error = (nominal * (1.0 - nominal) / f64::from(of)).sqrt();
                let bound = nominal + errors * error;
                assert!(rate <= bound, "{}, {} deals: {rate} above {bound}", row.what, row.deals);
            }
        }
    }
}

/// Of 40 rates at the bound of 4 standard errors one is above it by chance in 0.1 % of seeds; the seeds
/// are fixed.
#[test]
fn equals_are_seldom_called_different() {
    check(&study(100), 4.0);
}

#[test]
#[ignore = "the whole study; it writes results/reference/null-study.csv"]
fn equals_are_called_different_no_more_often_than_stated() {
    let rows = study(1000);
    let mut text =
        "what,deals,tests,significant,rate,families,any_significant,any_rate\n".to_owned();
    for row in &rows {
        let rate = |found: u32, of: u32| match of {
            0 => String::new(),
            of => format!("{:.4}", f64::from(found) / f64::from(of)),
        };
        text.push_str(&format!(
            "\"{}\",{},{},{},{},{},{},{}\n",
            row.what,
            row.deals,
            row.tests,
            row.single,
            rate(row.single, row.tests),
            row.families,
            row.any,
            rate(row.any, row.families)
        ));
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/reference/null-study.csv");
    std::fs::write(path, text).unwrap();
    check(&rows, 3.0);
}
