//! `--dry-run`: what it will take, told in bounded time.

use crate::support::Desk;

/// A line-up of quick games among many of slow ones, and games that last longer than the probe.
#[test]
fn the_time_comes_with_how_sure_it_is() {
    let desk = Desk::new();
    let experiment = |strategies: &str, games: u64| {
        format!(
            "name = \"x\"\ngame = \"mind-up\"\nplayers = 4\ngames = {games}\n\
             strategies = [{strategies}]\ndesign = \"one-vs-rest\"\n"
        )
    };
    let last = |strategies, games| {
        desk.write("x.toml", &experiment(strategies, games));
        desk.ok("run x.toml --dry-run").lines().last().unwrap().to_owned()
    };
    let quick = last("\"random\", \"lowest\"", 4_000);
    assert!(quick.starts_with("expected time ") && quick.contains(", from "), "{quick}");
    let slow = "{ base = \"monte-carlo\", playouts = 100_000 }, { base = \"monte-carlo\", name = \"b\", playouts = 99_999 }";
    let slow = last(slow, 4_000_000);
    assert!(slow.contains("since no game ended in 2 s"), "{slow}");
}

#[test]
fn nothing_is_written() {
    let desk = Desk::new();
    desk.ok("init x.toml");
    let before = desk.files();
    desk.ok("run x.toml --dry-run");
    assert_eq!(desk.files(), before);
}
