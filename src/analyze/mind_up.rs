//! Choices in Mind Up!, beside what playouts find best.

use std::fmt::Write;

use serde::Serialize;
use serde_json::Value;

use super::Settings;
use crate::cpu::{self, Kernel, Level};
use crate::experiment::ground::{self, OffGround, Table};
use crate::games::GameId;
use crate::games::mind_up::referee::Reading;
use crate::games::mind_up::{Card, Deck, MAX_PLAYERS, Observer, Outcome, Public, Rules, View};
use crate::games::record::Illegal;
use crate::rng::{Key, Rng};
use crate::strategies::Library;
use crate::strategies::mind_up::Strategy;
use crate::strategies::mind_up::monte_carlo::MonteCarlo;
use crate::strategies::mind_up::playout::Search;

/// A difference within this many standard errors of 0 may be noise (95 % of a normal law).
const NOISE: f64 = 1.96;
/// The mistakes that the text's summary shows.
const SHOWN: usize = 10;

/// What was found in a game.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Analysis {
    /// The game.
    pub game: GameId,
    /// Playouts of a card.
    pub playouts: u32,
    /// How the game differs from what the playouts' policy was learned under, where it does.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub off_ground: Vec<String>,
    /// Every choice, in the order of the record.
    pub choices: Vec<Choice>,
    /// Each seat's sums.
    pub seats: Vec<Seat>,
}

/// A choice, and what it was worth.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Choice {
    /// The round, from 0.
    pub round: usize,
    /// The turn, from 0.
    pub turn: usize,
    /// The seat.
    pub seat: usize,
    /// The number of the card played.
    pub played: u16,
    /// The number of the card that playouts find best; the card played where that is one of the
    /// best.
    pub best: u16,
    /// Points of the round, own minus mean of the others: the card played minus the best one.
    ///
    /// The best card is found in one set of playouts and the difference measured in another one,
    /// since the card that did best in a set has been lucky there. So a difference may come out
    /// above 0, and sums are not biased against the seat.
    pub difference: f64,
    /// The standard error of the difference, from playouts paired by their random numbers.
    pub standard_error: f64,
    /// Whether the difference may be noise.
    pub within_noise: bool,
}

/// What a seat gave away.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Seat {
    /// The seat.
    pub seat: usize,
    /// Its choices.
    pub choices: usize,
    /// Choices other than the best card that are beyond noise.
    pub mistakes: usize,
    /// Points given away in all of its choices.
    pub given_away: f64,
    /// The standard error of the points.
    pub standard_error: f64,
    /// Whether it forfeits the game, so that some of its cards may have been played at random for it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub forfeits: bool,
}

/// Looks a record over.
///
/// # Errors
/// The first error in reading order.
pub fn analyze(record: &Value, number: usize, settings: &Settings) -> Result<Analysis, Illegal> {
    let reading = Reading::open(record)?;
    let mut strategy = MonteCarlo::shipped(&Library::default(), reading.rules());
    strategy.playouts = settings.playouts.max(1);
    let mut critic = Critic {
        rules: reading.rules(),
        strategy: &strategy,
        key: Key::root(settings.seed).child(number as u64),
        hands: [0; MAX_PLAYERS],
        turn: 0,
        choices: Vec::new(),
        forfeits: 0,
    };
    reading.judge(&mut critic)?;
    let Critic { choices, forfeits, .. } = critic;
    let seats = (0..reading.rules().players())
        .map(|seat| Seat { forfeits: forfeits >> seat & 1 == 1, ..Seat::of(seat, &choices) });
    Ok(Analysis {
        game: GameId::MindUp,
        playouts: strategy.playouts,
        off_ground: off_ground(reading.rules()),
        seats: seats.collect(),
        choices,
    })
}

/// How a game differs from what the judge's policy was learned under.
fn off_ground(rules: &Rules) -> Vec<String> {
    let judge = Library::default().resolve(GameId::MindUp, &MonteCarlo::NAME.into());
    let options = serde_json::to_value(rules.options()).unwrap_or_default();
    let options = options.as_object().cloned().unwrap_or_default();
    let table = Table { players: rules.players(), options: &options, group: None };
    let seated = judge.iter().flatten().collect();
    ground::off_ground(GameId::MindUp, [(table, seated)]).iter().map(OffGround::told).collect()
}

impl Seat {
    fn of(seat: usize, choices: &[Choice]) -> Seat {
        let own = || choices.iter().filter(|choice| choice.seat == seat);
        let variance: f64 = own().map(|choice| choice.standard_error * choice.standard_error).sum();
        let lost: f64 = own().map(|choice| choice.difference).sum();
        Seat {
            seat,
            choices: own().count(),
            mistakes: own().filter(|choice| choice.is_mistake()).count(),
            // Not `-lost`, which is -0 where nothing was lost.
            given_away: 0.0 - lost,
            standard_error: variance.sqrt(),
            forfeits: false,
        }
    }
}

impl Choice {
    fn is_mistake(&self) -> bool {
        self.difference < 0.0 && !self.within_noise
    }
}

/// Watches a game and judges every choice.
struct Critic<'a> {
    rules: &'a Rules,
    strategy: &'a MonteCarlo,
    key: Key,
    hands: [u64; MAX_PLAYERS],
    turn: usize,
    choices: Vec<Choice>,
    /// The seats that forfeit the game, a bit for each.
    forfeits: u8,
}

impl Observer for Critic<'_> {
    fn dealt(&mut self, _: usize, _: &Public, hands: &[u64; MAX_PLAYERS]) {
        self.hands = *hands;
        self.turn = 0;
    }

    fn ended(&mut self, _: usize, outcome: &Outcome) {
        self.forfeits = outcome.forfeits;
    }

    fn turn(&mut self, _: usize, public: &Public, plays: &[Card; MAX_PLAYERS]) {
        for seat in 0..self.rules.players() {
            let path = [u64::from(public.round), self.turn as u64, seat as u64];
            let judged = cpu::run(Judge {
                rules: self.rules,
                public,
                hand: self.hands[seat],
                seat,
                played: plays[seat],
                strategy: self.strategy,
                rng: path.iter().fold(self.key, |key, &word| key.child(word)).rng(),
            });
            let deck = self.rules.deck();
            self.choices.push(Choice {
                round: usize::from(public.round),
                turn: self.turn,
                seat,
                played: deck.number(plays[seat]),
                best: deck.number(judged.best),
                difference: judged.difference,
                standard_error: judged.standard_error,
                within_noise: judged.difference.abs() <= NOISE * judged.standard_error,
            });
        }
        for seat in 0..self.rules.players() {
            self.hands[seat] &= !(1 << plays[seat]);
        }
        self.turn += 1;
    }
}

struct Judged {
    best: Card,
    difference: f64,
    standard_error: f64,
}

struct Judge<'a> {
    rules: &'a Rules,
    public: &'a Public,
    hand: u64,
    seat: usize,
    played: Card,
    strategy: &'a MonteCarlo,
    rng: Rng,
}

impl Kernel for Judge<'_> {
    type Output = Judged;

    #[inline(always)]
    fn run<L: Level>(mut self, level: L) -> Judged {
        let view = View::new(self.rules, self.public, self.hand, self.seat, level);
        let cards: Vec<Card> = Deck::cards(self.hand).collect();
        let own = cards.iter().position(|&card| card == self.played).unwrap_or(0);
        let mut sums = vec![0.0; cards.len()];
        // Both sets of playouts, one call: playouts are compiled once for each level.
        let mut pairs = Pairs::default();
        let (mut best, mut values) = (None, vec![0.0; cards.len()]);
        let count = self.strategy.playouts;
        let mut left = count as usize * cards.len();
        let search = Search::new(&view, &self.strategy.playouts());
        search.each_card(count.saturating_mul(2), &mut self.rng, |place, value| {
            if left > 0 {
                sums[place] += value;
                left -= 1;
                return;
            }
            let best = *best.get_or_insert_with(|| highest(&sums, own));
            values[place] = value;
            if place + 1 == values.len() {
                pairs.add(values[own] - values[best]);
            }
        });
        let others = self.rules.players() as f64 - 1.0;
        let best = best.unwrap_or(own);
        Judged {
            best: cards.get(best).copied().unwrap_or(self.played),
            difference: pairs.mean() / others,
            standard_error: pairs.standard_error() / others,
        }
    }
}

/// The place of the highest sum; the own one where it is one of the highest.
fn highest(sums: &[f64], own: usize) -> usize {
    let mut best = own;
    for (place, sum) in sums.iter().enumerate() {
        if *sum > sums[best] {
            best = place;
        }
    }
    best
}

/// Differences of whole numbers, summed exactly.
#[derive(Default)]
struct Pairs {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Pairs {
    fn add(&mut self, difference: f64) {
        self.count += 1.0;
        self.sum += difference;
        self.squares += difference * difference;
    }

    fn mean(&self) -> f64 {
        self.sum / self.count.max(1.0)
    }

    /// 0 from fewer than 2.
    fn standard_error(&self) -> f64 {
        if self.count < 2.0 {
            return 0.0;
        }
        let variance = (self.squares - self.sum * self.mean()) / (self.count - 1.0);
        (variance.max(0.0) / self.count).sqrt()
    }
}

impl Analysis {
    /// The findings for a person.
    pub fn text(&self) -> String {
        let mut out = format!(
            "mind-up, {} players, {} playouts a card.\n\
             Differences are points of the round, own minus mean of the others, +- their error.\n",
            self.seats.len(),
            self.playouts
        );
        for off in &self.off_ground {
            let _ =
                writeln!(out, "The playouts' policy was learned\n  {}", off.replace("; ", "\n  "));
        }
        let mut turn = None;
        for choice in &self.choices {
            if turn.replace((choice.round, choice.turn)) != Some((choice.round, choice.turn)) {
                let _ = writeln!(out, "\nRound {}, turn {}", choice.round + 1, choice.turn + 1);
            }
            let _ = writeln!(out, "  {}", choice.line());
        }
        out += "\nThe costliest choices\n";
        let mut worst: Vec<_> = self.choices.iter().filter(|choice| choice.is_mistake()).collect();
        worst.sort_by(|a, b| a.difference.total_cmp(&b.difference));
        for choice in worst.iter().take(SHOWN) {
            let (round, turn) = (choice.round + 1, choice.turn + 1);
            let _ = writeln!(out, "  round {round}, turn {turn}: {}", choice.line());
        }
        if worst.is_empty() {
            out += "  none beyond noise\n";
        }
        out += "\nSeats\n";
        for seat in &self.seats {
            let _ = writeln!(
                out,
                "  seat {} gave away {:.1} points (+-{:.1}) in {} choices, {} of them clear mistakes",
                seat.seat, seat.given_away, seat.standard_error, seat.choices, seat.mistakes
            );
            if seat.forfeits {
                out += "    it forfeits the game: some of these cards may have been played for it, at random\n";
            }
        }
        out
    }
}

impl Choice {
    fn line(&self) -> String {
        let head = format!("seat {} plays {:>3}", self.seat, self.played);
        if self.played == self.best {
            return format!("{head}, the best");
        }
        let note = if self.within_noise { ", within noise" } else { "" };
        format!(
            "{head}, best is {:>3}: {:+6.2} +-{:.2}{note}",
            self.best, self.difference, self.standard_error
        )
    }
}
