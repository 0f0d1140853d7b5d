//! A game told to a person at a terminal.

use std::fmt::Write;

use super::cards::{Card, Cards, Layout};
use super::record::{Entry, Move, Record};
use super::rules::Rules;
use super::verdict::{Level, Outcome, Verdict};

/// A record, with the verdict on it, as readable text. Seats count from 0, as everywhere.
pub fn tell(record: &Record, verdict: &Verdict) -> String {
    let mut out = String::new();
    let rules = Rules::new(record.game, record.players, &record.rules).ok();
    let (lives, stars) = rules.as_ref().map_or((0, 0), |rules| (rules.lives(), rules.stars()));
    let levels = rules.as_ref().map_or(0, Rules::levels);
    line(
        &mut out,
        format_args!(
            "{}, {} players, {}, {}, {}",
            record.game,
            record.players,
            count(levels.into(), "level", "levels"),
            count(lives.into(), "life", "lives"),
            count(stars.into(), "star", "stars")
        ),
    );
    for (entry, judged) in record.levels.iter().zip(&verdict.levels) {
        let blind = |pile| rules.as_ref().is_some_and(|rules| rules.is_blind(entry.level, pile));
        level(&mut out, entry, judged, &blind);
    }
    let done = count(verdict.levels_done.into(), "level", "levels");
    let result = match verdict.result {
        Outcome::Won => "The team has won",
        Outcome::Lost => "The team has lost",
        _ => "The game is not finished",
    };
    out.push('\n');
    for seat in &record.forfeits {
        line(&mut out, format_args!("Seat {seat} forfeits the game."));
    }
    line(&mut out, format_args!("{result}: {done} done."));
    out
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string can't fail.
    let _ = writeln!(out, "{text}");
}

fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

fn cards(layout: Layout, cards: Cards) -> String {
    cards.iter().map(|card| layout.label(card)).collect::<Vec<_>>().join(" ")
}

fn level(out: &mut String, entry: &Entry, judged: &Level, blind: &dyn Fn(usize) -> bool) {
    let layout = entry.layout;
    let names = layout.names().iter().enumerate().filter(|&(pile, _)| blind(pile));
    let names: Vec<&str> = names.map(|(_, name)| name.name()).collect();
    let note = match names.is_empty() {
        true => String::new(),
        false => format!(" (blind: {})", names.join(", ")),
    };
    line(out, format_args!("\nLevel {}{note}", entry.level));
    for (seat, &hand) in entry.hands.iter().enumerate() {
        line(out, format_args!("  seat {seat} holds {}", cards(layout, hand)));
    }
    events(out, entry, judged, blind);
    for pile in &judged.blind {
        let wrong = match pile.out_of_order {
            0 => "in order".to_owned(),
            n => format!("{} out of order", count(n.into(), "card", "cards")),
        };
        line(out, format_args!("  the {} pile is turned over: {wrong}", pile.pile));
    }
    let (lives, stars) = (usize::from(judged.lives), usize::from(judged.stars));
    let held = format!("{}, {}", count(lives, "life", "lives"), count(stars, "star", "stars"));
    let outcome = match judged.outcome {
        Outcome::Done | Outcome::Won => "done",
        Outcome::Restarted => "to be dealt again",
        Outcome::Lost => "lost",
        Outcome::Unfinished => "not finished",
    };
    line(out, format_args!("  level {} {outcome}: {held}", entry.level));
}

fn events(out: &mut String, entry: &Entry, judged: &Level, blind: &dyn Fn(usize) -> bool) {
    let layout = entry.layout;
    for (index, event) in entry.events.iter().enumerate() {
        let at = clock(event.at());
        match event {
            Move::Refocus { .. } => line(out, format_args!("{at}a refocus: all start anew")),
            Move::Play { seat, card, .. } => {
                let face = if blind(layout.pile(*card)) { ", face down" } else { "" };
                let label = layout.label(*card);
                line(out, format_args!("{at}seat {seat} plays {label}{face}"));
            }
            Move::Star { choices, .. } => {
                line(out, format_args!("{at}a star: {}", discards(layout, choices)));
            }
        }
        if let Some(mistake) = judged.mistakes.iter().find(|mistake| mistake.event == index) {
            let aside = cards(layout, mistake.set_aside);
            line(out, format_args!("{:>11}a mistake: {aside} set aside", ""));
        }
    }
}

fn discards(layout: Layout, choices: &[Option<Card>]) -> String {
    let seats = choices.iter().enumerate();
    let parts = seats.filter_map(|(seat, choice)| {
        Some(format!("seat {seat} discards {}", layout.label((*choice)?)))
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// The time in a column of its own, blank where none was taken down.
fn clock(at: Option<i64>) -> String {
    match at {
        Some(at) => format!("{:>8.1} s ", at as f64 / 1e6),
        None => format!("{:>11}", ""),
    }
}
