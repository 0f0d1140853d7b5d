//! The same request gives the same bytes, whatever the number of threads; and a request repeated
//! writes nothing.

use std::io::Read;
use std::process::Stdio;

use crate::replay::{DESIGN, EXTREME, MIND_UP, THE_MIND};
use crate::support::Desk;

#[test]
fn results_do_not_depend_on_threads() {
    // Many blocks of deals, so that threads have something to share.
    for text in [&MIND_UP.replace("[3, 4]", "3"), DESIGN, THE_MIND, EXTREME] {
        let desk = Desk::new();
        desk.write("x.toml", text);
        let tables: Vec<_> = [1, 2, 7]
            .into_iter()
            .map(|threads| {
                let out = format!("out{threads}");
                let printed = desk
                    .ok(&format!("run x.toml --games 700 --threads {threads} --out {out} --quiet"));
                let files = desk.files().into_iter();
                let own = files.filter(|(path, _)| {
                    path.parent().is_some_and(|folder| folder.ends_with(&out))
                        && path.extension().is_some_and(|ending| ending == "csv")
                });
                let own: Vec<_> = own
                    .map(|(path, bytes)| (path.file_name().unwrap().to_owned(), bytes))
                    .collect();
                assert!(own.len() >= 2);
                (printed, own)
            })
            .collect();
        assert!(tables.iter().all(|table| *table == tables[0]), "{text}");
    }
}

#[test]
fn a_run_repeated_prints_the_same_table_and_writes_nothing() {
    for text in [DESIGN, THE_MIND] {
        let desk = Desk::new();
        desk.write("x.toml", text);
        let first = desk.ok("run x.toml --quiet");
        let before = desk.files();
        assert_eq!(desk.ok("run x.toml"), first);
        assert_eq!(desk.ok("run x.toml --threads 2 --quiet"), first);
        assert_eq!(desk.files(), before);
    }
}

#[test]
fn a_broken_pipe_is_no_error() {
    let desk = Desk::new();
    desk.write("x.toml", &THE_MIND.replace("[1, 2]", "9"));
    desk.ok("run x.toml --out out --quiet");
    let record = desk.ok("replay out --game 0 --record");
    // More than a pipe holds, so that the writer notices.
    desk.write("records.jsonl", &record.repeat(2_000));
    for words in ["list strategies", "schema", "man", "completions bash", "referee records.jsonl"] {
        let mut child =
            desk.command(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut said = String::new();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0), "{words}: {said}");
        assert_eq!(said, "", "{words}");
    }
}
