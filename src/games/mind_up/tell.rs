//! A game told to a person at a terminal: plain text of about 80 columns.
//!
//! Names and texts may come from anywhere, so control characters in them are not passed on.

use std::fmt;

use serde_json::Value;

use super::block::Observer;
use super::deck::{Card, Deck};
use super::objectives::Condition;
use super::referee::Reading;
use super::rules::{MAX_PLAYERS, NextHand, Rules};
use super::state::{Outcome, Public, RoundScore};
use crate::games::paint::{FAINT, Paint, width};
use crate::games::record::Illegal;
use crate::safe::steers;

/// The width that lists are broken at.
const WIDTH: usize = 78;
/// The width of a column of a tableau.
const CELL: usize = 9;
/// The longest name of a seat or a colour that is printed in full.
const LONGEST_NAME: usize = 16;

/// Tells a record. Seats that `names` has no name for are called by their number.
///
/// # Errors
/// The first error in reading order, where the record is not legal.
pub fn tell(record: &Value, names: &[String]) -> Result<String, Illegal> {
    tell_painted(record, names, Paint::Plain)
}

/// Tells a record, with its cards in their colours.
///
/// # Errors
/// As [`tell`].
pub fn tell_painted(record: &Value, names: &[String], paint: Paint) -> Result<String, Illegal> {
    let reading = Reading::open(record)?;
    let mut teller = Teller::new(reading.rules(), names, 0);
    teller.paint = paint;
    reading.judge(&mut teller)?;
    Ok(teller.finish())
}

/// Tells one game of a block, or of a record, as it is played.
#[derive(Debug, Clone)]
pub struct Teller<'a> {
    rules: &'a Rules,
    names: Vec<String>,
    width: usize,
    game: usize,
    turn: usize,
    hands: [u64; MAX_PLAYERS],
    paint: Paint,
    text: String,
}

impl<'a> Teller<'a> {
    /// A teller of the block's game of that index.
    pub fn new(rules: &'a Rules, names: &[String], game: usize) -> Self {
        let name = |seat: usize| match names.get(seat).map(|name| printable(name, LONGEST_NAME)) {
            Some(name) if !name.is_empty() => name,
            _ => format!("seat {seat}"),
        };
        let plain: Vec<String> = (0..rules.players()).map(name).collect();
        // Seats that share a name are told apart by their number.
        let shared = |seat: usize| plain.iter().filter(|&name| *name == plain[seat]).count() > 1;
        let numbered = |seat: usize| match shared(seat) {
            true => format!("{seat} {}", plain[seat]),
            false => plain[seat].clone(),
        };
        let names: Vec<String> = (0..plain.len()).map(numbered).collect();
        let width = names.iter().map(|name| name.chars().count()).max();
        let mut teller = Teller {
            rules,
            width: width.unwrap_or(0),
            names,
            game,
            turn: 0,
            hands: [0; MAX_PLAYERS],
            paint: Paint::Plain,
            text: String::new(),
        };
        teller.head(&plain);
        teller
    }

    /// What was told since this was last asked.
    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    /// What was told so far.
    pub fn finish(self) -> String {
        self.text
    }

    fn line(&mut self, line: fmt::Arguments<'_>) {
        self.text.push_str(line.to_string().trim_end());
        self.text.push('\n');
    }

    /// A list of words behind a label, broken at the width and indented below its first word.
    fn list(&mut self, label: &str, words: impl IntoIterator<Item = String>) {
        let indent = label.chars().count();
        let mut line = label.to_owned();
        let mut used = indent;
        for word in words {
            let length = width(&word);
            if used > indent && used + 1 + length > WIDTH {
                self.line(format_args!("{line}"));
                line = " ".repeat(indent);
                used = indent;
            }
            line.push(' ');
            line.push_str(&word);
            used += 1 + length;
        }
        self.line(format_args!("{line}"));
    }

    /// Text in the colour of a card.
    fn painted(&self, card: Card, text: &str) -> String {
        painted(self.rules.deck(), self.paint, card, text)
    }

    /// The numbers of cards, each in its colour.
    fn numbers(&self, cards: u64) -> Vec<String> {
        let number = |card| self.painted(card, &self.rules.deck().number(card).to_string());
        Deck::cards(cards).map(number).collect()
    }

    fn cards(&mut self, label: &str, cards: u64, more: Option<String>) {
        let numbers = self.numbers(cards);
        self.list(label, numbers.into_iter().chain(more));
    }

    /// What is in each hand: the cards that all know of, and in brackets what only its owner sees.
    fn holds(&mut self, public: &Public) {
        let (players, width) = (self.rules.players(), self.width);
        for seat in 0..players {
            let (hand, known) = (self.hands[seat], public.known[seat]);
            let hidden = self.numbers(hand & !known);
            let hidden = (!hidden.is_empty())
                .then(|| format!("{}{}{}", self.faint("("), hidden.join(" "), self.faint(")")));
            let label = format!("  {:<width$}  holds", self.names[seat]);
            self.cards(&label, hand & known, hidden);
        }
    }

    fn faint(&self, text: &str) -> String {
        self.paint.with(FAINT, text)
    }

    fn head(&mut self, names: &[String]) {
        let names = names.iter().enumerate();
        let mut names: Vec<String> = names.map(|(seat, name)| format!("{seat} {name},")).collect();
        if let Some(last) = names.last_mut() {
            last.pop();
        }
        self.list("Mind Up!, seats:", names);
        if !self.rules.is_official_count() {
            let players = self.rules.players();
            self.line(format_args!(
                "Note: {players} players are unofficial; the published game is for 3 to 6."
            ));
        }
    }

    fn objectives(&mut self, public: &Public) {
        let rules = self.rules;
        for &index in &public.objectives[..rules.objectives()] {
            let card = rules.card(index);
            let text = match &card.card().text {
                Some(text) => text.clone(),
                None => words(&card.card().when),
            };
            let label = format!("  {}  {:+}", printable(card.id(), 8), card.points());
            let text = printable(&text, 400);
            self.list(&format!("{label} "), text.split(' ').map(str::to_owned));
        }
    }

    fn tableau(&mut self, public: &Public, seat: usize) {
        let (deck, paint) = (self.rules.deck(), self.paint);
        let count = self.rules.scoring_values().len();
        let columns: Vec<Vec<Card>> = public.tableaux[seat]
            .column_cards(deck, count)
            .into_iter()
            .map(|mask| Deck::cards(mask).collect())
            .collect();
        let cells = |cell: &dyn Fn(usize) -> String| -> String {
            let cells = (0..count).map(|column| {
                let text = format!("{:>CELL$}", cell(column));
                // A column has one colour.
                match columns[column].first() {
                    Some(&card) => painted(deck, paint, card, &text),
                    None => text,
                }
            });
            cells.collect()
        };
        let worth = cells(&|column| format!("[{}]", public.scoring[column]));
        let colour = cells(&|column| match columns[column].first() {
            Some(&card) => printable(&deck.colours()[deck.colour_of(card)], CELL - 1),
            None => "-".to_owned(),
        });
        self.line(format_args!("{worth}"));
        self.line(format_args!("{colour}"));
        for row in 0..columns.iter().map(Vec::len).max().unwrap_or(0) {
            let cards = cells(&|column| match columns[column].get(row) {
                Some(&card) => format!("{} {:>2}", deck.number(card), bubble(deck, card)),
                None => String::new(),
            });
            self.line(format_args!("{cards}"));
        }
    }

    fn score(&mut self, public: &Public, seat: usize, score: &RoundScore) {
        let rules = self.rules;
        let mut parts =
            format!("  columns {}, bubbles {:+}", score.column_points, score.bonus_points);
        if rules.objectives() > 0 {
            let table = public.objectives[..rules.objectives()].iter();
            let held: Vec<String> = table
                .map(|&index| rules.card(index))
                .filter(|card| {
                    card.holds(rules.deck(), public, rules.players(), seat, &public.tableaux[seat])
                })
                .map(|card| printable(card.id(), 8))
                .collect();
            let held = if held.is_empty() { "none".to_owned() } else { held.join(", ") };
            parts += &format!(", objectives {:+} ({held})", score.objective_points);
        }
        self.line(format_args!("{parts}; round {}, total {}", score.sum(), public.totals[seat]));
    }

    fn end(&mut self, outcome: &Outcome) {
        let (players, width) = (self.rules.players(), self.width);
        self.line(format_args!("\n{}", rule("The end")));
        for seat in 0..players {
            let name = self.names[seat].clone();
            let (total, last) = (outcome.totals[seat], outcome.last_round[seat]);
            let failed = outcome.forfeits >> seat & 1 == 1;
            let note = if failed { "   forfeits" } else { "" };
            self.line(format_args!("  {name:<width$} {total:>6}   last round {last:>5}{note}"));
        }
        let winners = outcome.winners(players);
        let best = winners.first().map_or(0, |&seat| outcome.totals[seat]);
        let tied = outcome.totals[..players].iter().filter(|&&total| total == best).count();
        let names: Vec<&str> = winners.iter().map(|&seat| self.names[seat].as_str()).collect();
        let text = match (names.len(), tied) {
            (1, 1) => format!("{} wins.", names[0]),
            (1, _) => format!("{} wins: the tie goes to the higher last round.", names[0]),
            _ => format!("A shared win: {}.", names.join(", ")),
        };
        self.list("\n ", text.split(' ').map(str::to_owned));
    }
}

impl Observer for Teller<'_> {
    fn dealt(&mut self, game: usize, public: &Public, hands: &[u64; MAX_PLAYERS]) {
        if game != self.game {
            return;
        }
        self.turn = 0;
        let (rules, width) = (self.rules, self.width);
        let title = format!("Round {} of {}", public.round + 1, rules.rounds());
        self.line(format_args!("\n{}", rule(&title)));
        let values = &public.scoring[..rules.scoring_values().len()];
        self.list("Columns are worth", values.iter().map(i8::to_string));
        if rules.objectives() > 0 {
            self.line(format_args!("Objectives"));
            self.objectives(public);
        }
        self.line(format_args!("Hands"));
        let drawn = public.round > 0 && rules.next_hand() == NextHand::Tableau;
        for seat in 0..rules.players() {
            let label = format!("  {:<width$} ", self.names[seat]);
            let known = if drawn { public.known[seat] } else { hands[seat] };
            let more = self.numbers(hands[seat] & !known);
            let more = more.first().map(|card| format!("and draws {card}"));
            self.cards(&label, known, more);
        }
        self.hands = *hands;
    }

    fn turn(&mut self, game: usize, public: &Public, plays: &[Card; MAX_PLAYERS]) {
        if game != self.game {
            return;
        }
        self.turn += 1;
        let (rules, deck, width) = (self.rules, self.rules.deck(), self.width);
        let players = rules.players();
        self.cards(&format!("\nTurn {}, row", self.turn), public.row, None);
        // In the first round, and where hands are dealt anew, nobody knows a card of another.
        if public.known[..players].iter().any(|&known| known != 0) && self.turn > 1 {
            self.holds(public);
        }
        let names = deck.colours().iter();
        let colours = names.map(|name| printable(name, LONGEST_NAME).chars().count());
        let colours = colours.max().unwrap_or(0);
        for seat in 0..players {
            let card = plays[seat];
            let rank = plays[..players].iter().filter(|&&other| other < card);
            // As many cards lie in the row as were played.
            let Some(prize) = Deck::cards(public.row).nth(rank.count()) else {
                continue;
            };
            let colour = deck.colour_of(prize);
            let column = public.tableaux[seat].column_for(colour);
            let worth = public.tableaux[seat].worth(deck, &public.scoring, prize);
            let name = self.names[seat].clone();
            let played = self.painted(card, &format!("{:>3}", deck.number(card)));
            let taken = format!(
                "{:>3} {:<colours$} {:>3}",
                deck.number(prize),
                printable(&deck.colours()[colour], LONGEST_NAME),
                bubble(deck, prize),
            );
            self.line(format_args!(
                "  {name:<width$}  {played} takes {}  on column {} [{}]: {worth:+}",
                self.painted(prize, &taken),
                column + 1,
                public.scoring[column],
            ));
            self.hands[seat] &= !(1 << card);
        }
    }

    fn scored(&mut self, game: usize, public: &Public, scores: &[RoundScore; MAX_PLAYERS]) {
        if game != self.game {
            return;
        }
        self.line(format_args!("\nEach last card in hand goes into the own tableau."));
        for seat in 0..self.rules.players() {
            let name = self.names[seat].clone();
            self.line(format_args!("\n{name}"));
            self.tableau(public, seat);
            self.score(public, seat, &scores[seat]);
        }
    }

    fn ended(&mut self, game: usize, outcome: &Outcome) {
        if game == self.game {
            self.end(outcome);
        }
    }
}

/// Text in the colour of a card.
fn painted(deck: &Deck, paint: Paint, card: Card, text: &str) -> String {
    let colour = deck.colour_of(card);
    paint.card(&deck.colours()[colour], colour, text)
}

/// The bubble of a card; nothing where it has none.
fn bubble(deck: &Deck, card: Card) -> String {
    match deck.points(card) {
        0 => String::new(),
        points => format!("{points:+}"),
    }
}

/// A title in a rule across the page.
fn rule(title: &str) -> String {
    format!("{:-<WIDTH$}", format!("-- {title} "))
}

/// A text without control characters, cut at a length.
pub(crate) fn printable(text: &str, longest: usize) -> String {
    let plain = |c: char| if c.is_control() || steers(c) { ' ' } else { c };
    text.chars().map(plain).take(longest).collect()
}

/// A condition in words, for cards that have no text.
pub fn words(condition: &Condition) -> String {
    fn any<T: ToString>(numbers: &[T]) -> String {
        let numbers: Vec<String> = numbers.iter().map(T::to_string).collect();
        numbers.join(" or ")
    }
    match condition {
        Condition::Count { colour, r#in } => format!("you have {} {colour}", any(r#in)),
        Condition::ColumnValue { colour, r#in } => {
            format!("you have {colour}, and its column is worth {}", any(r#in))
        }
        Condition::Rightmost { colour } => {
            format!("you have {colour}, and no colour stands to the right of it")
        }
        Condition::Fewest { colour } => format!("no player has fewer {colour} than you"),
        Condition::Most { colour } => format!("no player has more {colour} than you"),
        Condition::AtLeast { colour, than } => {
            let than = than.join(", ");
            format!("you have at least as many {colour} as each of: {than}")
        }
        Condition::Colours { r#in } => format!("you have {} colours", any(r#in)),
        Condition::SomeColour { exactly } => {
            format!("some colour of yours has exactly {exactly} cards")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// The small game that tests/mind_up_by_hand.rs works through.
    fn small() -> Value {
        json!({"game": "mind-up", "players": 2,
            "rules": {"rounds": 1, "first_hand": 2, "objectives": 1, "objective_points": {"F2": 5}},
            "rounds": [{"scoring": [2, 5, 1, 3, 4], "objectives": ["F2"],
                "hands": [[1, 10], [22, 8]], "row": [60, 4], "turns": [[1, 22]]}]})
    }

    #[test]
    fn a_small_game_is_told() {
        let names = ["Ann".to_owned(), "B\u{1b}[2J".to_owned()];
        insta::assert_snapshot!(tell(&small(), &names).unwrap());
    }

    #[test]
    fn colours_change_nothing_but_colours() {
        use crate::games::paint::plain;
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/mind_up_records.jsonl");
        for line in std::fs::read_to_string(path).unwrap().lines().take(30) {
            let record = serde_json::from_str(line).unwrap();
            let painted = tell_painted(&record, &[], Paint::Ansi).unwrap();
            assert!(painted.contains('\u{1b}'));
            // A cell that is empty is painted as well, so that its blanks stand before an escape.
            let lines: Vec<_> = painted.lines().map(|l| plain(l).trim_end().to_owned()).collect();
            let told = tell(&record, &[]).unwrap();
            assert_eq!(lines, told.lines().collect::<Vec<_>>());
        }
    }

    #[test]
    fn later_rounds_show_what_is_known_of_each_hand() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/mind_up_records.jsonl");
        let text = std::fs::read_to_string(path).unwrap();
        let record = text.lines().next().unwrap();
        let told = tell(&serde_json::from_str(record).unwrap(), &[]).unwrap();
        let (first, later) = told.split_once("-- Round 2").unwrap();
        assert!(!first.contains("holds"), "{first}");
        assert!(later.contains("  seat 0  holds "), "{later}");
        assert!(later.contains('('), "{later}");
    }

    #[test]
    fn nameless_seats_are_numbered() {
        let text = tell(&small(), &[]).unwrap();
        assert!(text.starts_with("Mind Up!, seats: 0 seat 0, 1 seat 1\n"), "{text}");
    }

    #[test]
    fn seats_that_share_a_name_are_told_apart() {
        let text = tell(&small(), &["Ann".to_owned(), "Ann".to_owned()]).unwrap();
        assert!(text.starts_with("Mind Up!, seats: 0 Ann, 1 Ann\n"), "{text}");
        assert!(text.contains("  1 Ann  ") && text.contains("  0 Ann wins."), "{text}");
    }

    #[test]
    fn a_seat_that_forfeits_comes_last() {
        let mut record = small();
        let by_cards = tell(&record, &[]).unwrap();
        assert!(by_cards.ends_with("  seat 0 wins.\n"), "{by_cards}");
        record["forfeits"] = json!([0]);
        let text = tell(&record, &[]).unwrap();
        assert!(text.ends_with("  seat 1 wins.\n"), "{text}");
        assert_eq!(text.matches("forfeits").count(), 1, "{text}");
    }

    #[test]
    fn an_illegal_record_is_not_told() {
        let mut record = small();
        record["players"] = json!(3);
        assert!(tell(&record, &[]).is_err());
    }

    #[test]
    fn lines_fit_the_page() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/mind_up_records.jsonl");
        let names = vec!["x".repeat(40); 6];
        for line in std::fs::read_to_string(path).unwrap().lines() {
            let text = tell(&serde_json::from_str(line).unwrap(), &names).unwrap();
            for line in text.lines() {
                assert!(line.chars().count() <= 80, "{line}");
            }
        }
    }

    #[test]
    fn every_published_card_reads_as_its_condition() {
        let rules = Rules::new(3, &super::super::Options::default()).unwrap();
        for card in rules.cards() {
            assert!(!words(&card.card().when).is_empty());
        }
        let count = Condition::Count { colour: "blue".to_owned(), r#in: vec![0, 2] };
        assert_eq!(words(&count), "you have 0 or 2 blue");
    }
}
