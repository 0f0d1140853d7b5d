//! A person at The Mind or The Mind Extreme: time is said, not lived through.
//!
//! At each event the person says which card it means to play and after how many seconds. Bots do
//! the same behind their screens, and the earliest card falls. The person's own body is a perfect
//! clock.

use std::fmt::Write;

use super::Console;
use crate::error::PlayError;
use crate::games::the_mind::block::Observer;
use crate::games::the_mind::cards::{Card, Cards, Layout};
use crate::games::the_mind::player::{Batch, Intent, LONGEST, Player};
use crate::games::the_mind::rules::Rules;
use crate::games::the_mind::state::{Table, Then};
use crate::games::the_mind::view::View;
use crate::rng::GameKey;

const HELP: &str = "\
Type how many seconds you wait, from now, before you play your lowest card: 12.5
With two piles, name the card or its pile first: w 12.5, red 8, r33 8
w   wait until something happens; afterwards you are asked again
s   agree to a star, where you are asked for one; all must agree
refocus 3   ask all to start anew after 3 seconds, where the rules allow it
q   leave the game
Whatever happens before your time is up, you are asked again.
";

/// A person in a seat.
pub(super) struct Human {
    console: Console,
    /// What was already said with a refused star, by slot.
    meant: Vec<Option<Intent>>,
}

/// An answer where a star may be had.
enum Said {
    Star,
    Means(Intent),
}

impl Human {
    pub(super) fn new(console: Console) -> Human {
        Human { console, meant: Vec::new() }
    }
}

/// Puts the same question in each game that the batch asks about, until one has no answer.
fn each<A>(
    batch: &mut Batch<'_, A>,
    mut ask: impl FnMut(usize, &View<'_>) -> Result<A, PlayError>,
) -> Result<(), PlayError> {
    let mut failed = Ok(());
    batch.each(|slot, _, view, answer| {
        if failed.is_ok() {
            match ask(slot, view) {
                Ok(given) => *answer = given,
                Err(error) => failed = Err(error),
            }
        }
    });
    failed
}

impl Player for Human {
    fn begin(&mut self, _: &Rules, keys: &[GameKey]) -> Result<(), PlayError> {
        self.meant = vec![None; keys.len()];
        Ok(())
    }

    fn uses_stars(&self) -> bool {
        true
    }

    /// One question for the star and for what is meant without one.
    fn vote(&mut self, batch: &mut Batch<'_, bool>) -> Result<(), PlayError> {
        let Human { console, meant } = self;
        each(batch, |slot, view| {
            // As bots do: who holds nothing is in nobody's way.
            if view.hand().is_empty() {
                return Ok(true);
            }
            console.say(&shown(view));
            let prompt = format!("Your wait, seat {}, or s for a star: ", view.seat());
            let said = console.ask(&prompt, HELP, |line| match line {
                "s" | "star" => Ok(Said::Star),
                line => intent(view, line).map(Said::Means),
            })?;
            meant[slot] = match said {
                Said::Star => None,
                Said::Means(intent) => Some(intent),
            };
            Ok(meant[slot].is_none())
        })
    }

    fn discard(&mut self, batch: &mut Batch<'_, u8>) -> Result<(), PlayError> {
        let help = "A star is used: name the card that you discard, or its pile.\n";
        let console = &self.console;
        each(batch, |_, view| {
            let playable = playable(view);
            if let [(pile, _)] = playable[..] {
                return Ok(pile);
            }
            if playable.is_empty() {
                return Ok(0);
            }
            let prompt = format!("Your discard, seat {}, {}: ", view.seat(), choices(view));
            console.ask(&prompt, help, |line| named(view, line))
        })
    }

    fn intend(&mut self, batch: &mut Batch<'_, Intent>) -> Result<(), PlayError> {
        let Human { console, meant } = self;
        each(batch, |slot, view| {
            if let Some(intent) = meant[slot].take() {
                return Ok(intent);
            }
            console.say(&shown(view));
            let prompt = format!("Your wait, seat {}: ", view.seat());
            console.ask(&prompt, HELP, |line| match line {
                "s" | "star" => {
                    Err("No star now: none is left, or another seat refuses".to_owned())
                }
                line => intent(view, line),
            })
        })
    }
}

/// The piles that the hand has a card for, with the card.
fn playable(view: &View<'_>) -> Vec<(u8, Card)> {
    let piles = 0..view.layout().piles();
    piles.filter_map(|pile| Some((pile as u8, view.playable(pile)?))).collect()
}

/// The playable cards, for a prompt.
fn choices(view: &View<'_>) -> String {
    let cards = playable(view);
    let cards = cards.iter().map(|&(_, card)| view.layout().label(card));
    cards.collect::<Vec<_>>().join(" or ")
}

/// The pile that a word names, by a playable card, its name or the name's first letter.
fn named(view: &View<'_>, word: &str) -> Result<u8, String> {
    let layout = view.layout();
    let fits = |&&(pile, card): &&(u8, Card)| {
        let name = layout.names()[usize::from(pile)].name();
        word == layout.label(card) || word == name || word == &name[..1]
    };
    match playable(view).iter().find(fits) {
        Some(&(pile, _)) => Ok(pile),
        None => Err(format!("Name {}", choices(view))),
    }
}

/// What a line means to do.
fn intent(view: &View<'_>, line: &str) -> Result<Intent, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (pile, wait) = match words[..] {
        ["w" | "wait"] => return Ok(Intent::Wait),
        ["refocus", _] if view.refocuses() == 0 => {
            return Err("No refocus now: the level allows no more".to_owned());
        }
        ["refocus", after] => return Ok(Intent::Refocus { wait: seconds(after)? }),
        [wait] => match playable(view)[..] {
            [(pile, _)] => (pile, wait),
            _ => return Err(format!("Name the card too: {}", choices(view))),
        },
        [word, wait] => (named(view, word)?, wait),
        _ => return Err("Type the seconds that you wait, or w".to_owned()),
    };
    Ok(Intent::Play { pile, wait: seconds(wait)? })
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(wait) if (0.0..=LONGEST).contains(&wait) => Ok(wait),
        _ => Err(format!("`{}` is not a number of seconds, 0 or more", text.escape_debug())),
    }
}

/// What a seat sees.
fn shown(view: &View<'_>) -> String {
    let layout = view.layout();
    let mut out = format!("\n{:.1} s", view.clock());
    for (pile, name) in layout.names().iter().enumerate() {
        let top = match view.top(pile) {
            None => "blind".to_owned(),
            Some(0) => "empty".to_owned(),
            Some(rank) => layout.label(layout.card(pile, rank)),
        };
        let _ = write!(out, "  {name} pile {top}");
    }
    let _ = write!(out, "  lives {}  stars {}", view.lives(), view.stars());
    if view.rules().refocuses() > 0 {
        let _ = write!(out, "  refocuses {}", view.refocuses());
    }
    out.push_str("  hands");
    for seat in 0..view.rules().players() {
        let _ = write!(out, " {}", view.size(seat));
    }
    let _ = writeln!(out, "\nseat {} holds {}", view.seat(), labels(layout, view.hand()));
    if !view.played_blind().is_empty() {
        let _ = writeln!(out, "you played blind: {}", labels(layout, view.played_blind()));
    }
    out
}

fn labels(layout: Layout, cards: Cards) -> String {
    let labels = cards.iter().map(|card| layout.label(card));
    labels.collect::<Vec<_>>().join(" ")
}

/// Tells what all see.
pub(super) struct Watcher<'a> {
    console: Console,
    rules: &'a Rules,
    names: Vec<String>,
    /// The table as it would be after what was seen: it says what a play did.
    table: Table,
}

impl<'a> Watcher<'a> {
    pub(super) fn new(console: Console, rules: &'a Rules, names: &[String]) -> Watcher<'a> {
        Watcher { console, rules, names: names.to_vec(), table: Table::new(rules) }
    }

    fn seat(&self, seat: usize) -> String {
        let name = self.names.get(seat).map_or("", String::as_str);
        format!("seat {seat} {name}")
    }

    fn then(&self, then: Then) {
        let layout = self.rules.layout();
        let turned = |turned: &[Option<u8>]| {
            let piles = layout.names().iter().zip(turned);
            let piles = piles.filter_map(|(name, out)| {
                Some(format!("  the {name} pile is turned over: {} out of order\n", (*out)?))
            });
            piles.collect::<String>()
        };
        let view = View::new(self.rules, &self.table, 0);
        let text = match then {
            Then::GoesOn => return,
            Then::Restart => "  the level is dealt again\n".to_owned(),
            Then::Lost(piles) => turned(&piles) + "  the game is lost\n",
            Then::Done(piles) if view.level() == self.rules.levels() => {
                turned(&piles) + "  the game is won\n"
            }
            Then::Done(piles) => turned(&piles) + "  the level is done\n",
        };
        self.console.say(&text);
    }
}

impl Observer for Watcher<'_> {
    fn deal(&mut self, _: usize, table: &Table) {
        self.table = *table;
        let view = View::new(self.rules, table, 0);
        let text = format!(
            "\nLevel {} of {}, lives {}, stars {}\n",
            view.level(),
            self.rules.levels(),
            view.lives(),
            view.stars()
        );
        self.console.say(&text);
    }

    fn play(&mut self, _: usize, seat: usize, card: Card, clock: f64) {
        let layout = self.rules.layout();
        let pile = layout.pile(card);
        let blind = View::new(self.rules, &self.table, seat).is_blind(pile);
        let what = match blind {
            true => format!("a card face down on the {} pile", layout.names()[pile]),
            false => layout.label(card),
        };
        let mut text = format!("{clock:>8.1} s {} plays {what}\n", self.seat(seat));
        let played = self.table.play(self.rules, seat, card);
        if !played.set_aside.is_empty() {
            let aside = labels(layout, played.set_aside);
            let _ = writeln!(text, "  a mistake, a life is lost; set aside: {aside}");
        }
        self.console.say(&text);
        self.then(played.then);
    }

    fn star(&mut self, _: usize, choices: &[Option<Card>], clock: f64) {
        let layout = self.rules.layout();
        let mut text = format!("{clock:>8.1} s a star\n");
        for (seat, choice) in choices.iter().enumerate().take(self.rules.players()) {
            if let Some(card) = choice {
                let _ = writeln!(text, "  {} discards {}", self.seat(seat), layout.label(*card));
            }
        }
        let then = self.table.star(self.rules, choices);
        self.console.say(&text);
        self.then(then);
    }

    fn refocus(&mut self, _: usize, clock: f64) {
        self.table.refocus();
        self.console.say(&format!("{clock:>8.1} s a refocus is over: all start anew\n"));
    }

    fn forfeit(&mut self, _: usize, seat: usize) {
        let seat = self.seat(seat);
        self.console.say(&format!("{seat} forfeits: the game is lost\n"));
    }
}
