//! A person at Mind Up!.

use std::fmt::Write;

use super::Console;
use crate::cpu::Portable;
use crate::error::PlayError;
use crate::games::mind_up::player::{Player, Request};
use crate::games::mind_up::tell::{Teller, printable, words};
use crate::games::mind_up::{
    Card, Deck, MAX_PLAYERS, Observer, Outcome, Public, RoundScore, Rules, View,
};
use crate::rng::GameKey;

/// The width that lists are broken at.
const WIDTH: usize = 78;
/// The width of a column of a tableau.
const CELL: usize = 9;

const HELP: &str = "\
Type the number of a card of your hand. All play at once; the lowest card played takes the lowest
card of the row, and so on. A taken card goes on the column of its colour, else on the leftmost
empty one, and counts what that column is worth and its own points. The last card in your hand
goes into your own tableau. q leaves the game.
";

/// A person in a seat.
pub(super) struct Human {
    console: Console,
    names: Vec<String>,
}

impl Human {
    pub(super) fn new(console: Console, names: &[String]) -> Human {
        Human { console, names: names.to_vec() }
    }
}

impl Player for Human {
    fn begin(&mut self, _: &[GameKey]) {}

    fn choose(&mut self, request: Request<'_>) -> Result<(), PlayError> {
        let games = request.public.iter().zip(request.hands).zip(request.plays);
        for ((public, &hand), play) in games {
            let view = View::new(request.rules, public, hand, request.seat, Portable);
            self.console.say(&shown(&view, &self.names));
            let prompt = format!("Your card, seat {}: ", request.seat);
            *play = self.console.ask(&prompt, HELP, |line| card(&view, line))?;
        }
        Ok(())
    }
}

/// The card that a line names.
fn card(view: &View<'_, Portable>, line: &str) -> Result<Card, String> {
    let number = line.parse().ok().and_then(|number| view.deck().card(number));
    match number {
        Some(card) if view.hand() >> card & 1 == 1 => Ok(card),
        _ => {
            let hand = view.deck().numbers(view.hand());
            let hand: Vec<String> = hand.iter().map(u16::to_string).collect();
            Err(format!("Type one of {}", hand.join(", ")))
        }
    }
}

/// What a seat sees.
fn shown(view: &View<'_, Portable>, names: &[String]) -> String {
    let (rules, deck) = (view.rules(), view.deck());
    let turn = rules.hand_size(view.round()) + 1 - view.hand_size() as usize;
    let mut out = format!(
        "\nRound {} of {}, turn {} of {}\n",
        view.round() + 1,
        rules.rounds(),
        turn,
        rules.turns(view.round())
    );
    for &index in view.objectives() {
        let card = rules.card(index);
        let text = card.card().text.clone();
        let text = text.unwrap_or_else(|| words(&card.card().when));
        let (id, text) = (printable(card.id(), 8), printable(&text, 66));
        let _ = writeln!(out, "  {id:<3} {:+}  {text}", card.points());
    }
    let values = &view.scoring()[..rules.scoring_values().len()];
    let cells: String =
        values.iter().map(|value| format!("{:>CELL$}", format!("[{value}]"))).collect();
    let _ = writeln!(out, "  columns are worth\n{cells}");
    for seat in 0..view.players() {
        let name = names.get(seat).map_or("", String::as_str);
        let you = if seat == view.seat() { " (you)" } else { "" };
        let name = printable(name, 24);
        let _ = writeln!(out, "seat {seat} {name}{you}, total {}", view.total(seat));
        tableau(&mut out, view, seat);
        if seat != view.seat() && view.known(seat) != 0 {
            cards(&mut out, "  holds", deck, view.known(seat));
        }
    }
    cards(&mut out, "Row      ", deck, view.row());
    cards(&mut out, "Your hand", deck, view.hand());
    out
}

/// A tableau as columns.
fn tableau(out: &mut String, view: &View<'_, Portable>, seat: usize) {
    let deck = view.deck();
    let count = view.rules().scoring_values().len();
    let columns: Vec<Vec<Card>> = view
        .tableau(seat)
        .column_cards(deck, count)
        .into_iter()
        .map(|mask| Deck::cards(mask).collect())
        .collect();
    let mut line = |cell: &dyn Fn(&Vec<Card>) -> String| {
        let cells: String =
            columns.iter().map(|column| format!("{:>CELL$}", cell(column))).collect();
        let _ = writeln!(out, "{}", cells.trim_end());
    };
    if columns.iter().all(Vec::is_empty) {
        return;
    }
    line(&|column| match column.first() {
        Some(&card) => colour(deck, card),
        None => "-".to_owned(),
    });
    for row in 0..columns.iter().map(Vec::len).max().unwrap_or(0) {
        line(&|column| match column.get(row) {
            Some(&card) => format!("{}{:>3}", deck.number(card), bubble(deck, card)),
            None => String::new(),
        });
    }
}

fn colour(deck: &Deck, card: Card) -> String {
    printable(&deck.colours()[deck.colour_of(card)], CELL - 1)
}

/// Cards with their colours and points behind a label, broken at the width.
fn cards(out: &mut String, label: &str, deck: &Deck, cards: u64) {
    let mut line = label.to_owned();
    for card in Deck::cards(cards) {
        let word = format!(" {} {}{}", deck.number(card), colour(deck, card), bubble(deck, card));
        if line.len() > label.len() && line.chars().count() + word.chars().count() > WIDTH {
            let _ = writeln!(out, "{line}");
            line = " ".repeat(label.len());
        }
        let comma = if line.len() > label.len() { "," } else { "" };
        line += comma;
        line += &word;
    }
    let _ = writeln!(out, "{line}");
}

/// The points on a card; nothing where it has none.
fn bubble(deck: &Deck, card: Card) -> String {
    match deck.points(card) {
        0 => String::new(),
        points => format!("{points:+}"),
    }
}

/// Tells what all see: the plays once they are open, and the scores.
pub(super) struct Watcher<'a> {
    console: Console,
    teller: Teller<'a>,
}

impl<'a> Watcher<'a> {
    pub(super) fn new(console: Console, rules: &'a Rules, names: &[String]) -> Watcher<'a> {
        let mut teller = Teller::new(rules, names, 0);
        console.say(&teller.take());
        Watcher { console, teller }
    }
}

impl Observer for Watcher<'_> {
    fn dealt(&mut self, game: usize, public: &Public, hands: &[u64; MAX_PLAYERS]) {
        self.teller.dealt(game, public, hands);
        // It has told all hands.
        self.teller.take();
    }

    fn turn(&mut self, game: usize, public: &Public, plays: &[Card; MAX_PLAYERS]) {
        self.teller.turn(game, public, plays);
        self.console.say(&self.teller.take());
    }

    fn scored(&mut self, game: usize, public: &Public, scores: &[RoundScore; MAX_PLAYERS]) {
        self.teller.scored(game, public, scores);
        self.console.say(&self.teller.take());
    }

    fn ended(&mut self, game: usize, outcome: &Outcome) {
        self.teller.ended(game, outcome);
        self.console.say(&self.teller.take());
    }
}
