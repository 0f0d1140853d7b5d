//! Plays in The Mind and The Mind Extreme: the odds that they were taken at, and the time that they
//! took.

mod text;

use serde::Serialize;
use serde_json::Value;

use crate::games::GameId;
use crate::games::record::Illegal;
use crate::games::the_mind::cards::{Card, Cards, Layout, MAX_SEATS};
use crate::games::the_mind::referee::{judge, rules_of};
use crate::games::the_mind::rules::Rules;
use crate::games::the_mind::state::{Table, Then};
use crate::games::the_mind::view::View;
use crate::strategies::the_mind::belief::{Belief, log_none_within};

/// What was found in a game.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Analysis {
    /// The game.
    pub game: GameId,
    /// The table's own pace, in seconds a number: the median over the record's open plays of the
    /// seconds since the event before, divided by the card's gap. None where no times were taken
    /// down, or no time passed.
    pub pace: Option<f64>,
    /// Every play on an open pile, in the order of the record.
    pub plays: Vec<Play>,
    /// Every mistake on an open pile.
    pub mistakes: Vec<Mistake>,
    /// Each seat's sums.
    pub seats: Vec<Seat>,
}

/// A card that a seat has, seen at the moment of a play.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Moment {
    /// The seat.
    pub seat: usize,
    /// The card as records write it.
    pub card: Value,
    /// Its distance from the top of its pile.
    pub gap: u8,
    /// The probability, by what the seat saw, that another hand held a card that comes before it:
    /// 1 - C(r-l, c) / C(r, c) for c cards in other hands among r that may be there, of which l
    /// come before. Silence is no evidence here.
    pub lower_out: f64,
    /// Seconds that the gap asks for at the table's pace.
    pub fair: Option<f64>,
}

/// A play on an open pile.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Play {
    /// The entry of the record, from 0.
    pub entry: usize,
    /// The level, from 1.
    pub level: u8,
    /// The event of the entry, from 0.
    pub event: usize,
    /// Who played what.
    #[serde(flatten)]
    pub moment: Moment,
    /// Seconds since the event before (the level's start).
    pub waited: Option<f64>,
}

/// A mistake: a card was played while others held lower ones.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Mistake {
    /// The play, as its place in the list of plays.
    pub play: usize,
    /// The lowest card that each other seat had to set aside.
    pub held: Vec<Moment>,
    /// Who was wrong, and how.
    pub fault: Fault,
    /// The seat at fault.
    pub seat: usize,
}

/// How a seat was wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// The seat that played waited too little.
    TooEarly,
    /// A seat that held a lower card waited too long.
    TooLate,
}

/// A seat's sums.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Seat {
    /// The seat.
    pub seat: usize,
    /// Its plays on open piles.
    pub plays: usize,
    /// The mean over them of the probability that a lower card was out; none without a play.
    pub lower_out: Option<f64>,
    /// The median over them of the seconds waited, divided by what was fair.
    pub waited_to_fair: Option<f64>,
    /// Mistakes in which it played too early.
    pub too_early: usize,
    /// Mistakes in which it held its card for too long.
    pub too_late: usize,
}

/// Looks a record over.
///
/// # Errors
/// The first error in reading order.
pub fn analyze(record: &Value) -> Result<Analysis, Illegal> {
    // What follows reads a legal record; whatever it does not find there it passes over.
    judge(record)?;
    let empty = serde_json::Map::new();
    let rules = rules_of(record.as_object().unwrap_or(&empty))?;
    let mut critic = Critic {
        rules: &rules,
        table: Table::new(&rules),
        plays: Vec::new(),
        mistakes: Vec::new(),
    };
    let mut restarts = (0, 0);
    for (index, entry) in items(record, "levels").iter().enumerate() {
        let level = entry.get("level").and_then(Value::as_u64).unwrap_or(0) as u8;
        let attempt = if restarts.0 == level { restarts.1 } else { 0 };
        restarts = (level, attempt + 1);
        critic.entry(entry, index, level, attempt as u8);
    }
    Ok(critic.finish())
}

fn items<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    let list = value.get(key).and_then(Value::as_array);
    list.map_or(&[], Vec::as_slice)
}

/// A card of a legal record.
fn card(layout: Layout, value: &Value) -> Option<Card> {
    match value.as_str() {
        None => layout.from_number(0, value.as_u64()?),
        Some(label) => {
            let pile = usize::from(label.starts_with('r'));
            layout.from_number(pile, label.get(1..)?.parse().ok()?)
        }
    }
}

/// Plays a record again and looks at every play.
struct Critic<'a> {
    rules: &'a Rules,
    table: Table,
    plays: Vec<Play>,
    mistakes: Vec<Mistake>,
}

impl Critic<'_> {
    fn entry(&mut self, entry: &Value, index: usize, level: u8, attempt: u8) {
        let layout = self.rules.layout();
        let hand = |hand: &Value| -> Cards {
            let cards = hand.as_array().into_iter().flatten();
            cards.filter_map(|value| card(layout, value)).collect()
        };
        let hands: Vec<Cards> = items(entry, "hands").iter().map(hand).collect();
        self.table.deal(self.rules, level, attempt, &hands);
        let mut before = Some(0.0);
        for (event, value) in items(entry, "events").iter().enumerate() {
            let at = value.get("at").and_then(Value::as_f64);
            let waited = at.zip(before).map(|(at, before): (f64, f64)| at - before);
            before = at;
            let then = match value.get("play").and_then(|value| card(layout, value)) {
                Some(card) => {
                    let seat = value.get("seat").and_then(Value::as_u64).unwrap_or(0) as usize;
                    self.play((index, level, event), seat, card, waited)
                }
                None if value.get("refocus").is_some() => {
                    self.table.refocus();
                    Some(Then::GoesOn)
                }
                None => self.star(value.get("star")),
            };
            if then != Some(Then::GoesOn) {
                return;
            }
        }
    }

    fn star(&mut self, written: Option<&Value>) -> Option<Then> {
        let layout = self.rules.layout();
        let mut choices = [None; MAX_SEATS];
        for (seat, choice) in choices.iter_mut().enumerate().take(self.rules.players()) {
            *choice = match written?.get(seat) {
                Some(value) => card(layout, value),
                None => self.table.hand(seat).first(),
            };
        }
        Some(self.table.star(self.rules, &choices))
    }

    fn play(
        &mut self,
        (entry, level, event): (usize, u8, usize),
        seat: usize,
        card: Card,
        waited: Option<f64>,
    ) -> Option<Then> {
        self.table.may_use(self.rules, seat, card).ok()?;
        let before = self.table;
        let played = self.table.play(self.rules, seat, card);
        let layout = self.rules.layout();
        if View::new(self.rules, &before, seat).is_blind(layout.pile(card)) {
            return Some(played.then);
        }
        if !played.set_aside.is_empty() {
            let held = (0..self.rules.players()).filter_map(|other| {
                let lowest = before.hand(other).and(played.set_aside).first()?;
                Some(self.moment(&before, other, lowest))
            });
            self.mistakes.push(Mistake {
                play: self.plays.len(),
                held: held.collect(),
                fault: Fault::TooEarly,
                seat,
            });
        }
        self.plays.push(Play {
            entry,
            level,
            event,
            moment: self.moment(&before, seat, card),
            waited,
        });
        Some(played.then)
    }

    fn moment(&self, table: &Table, seat: usize, card: Card) -> Moment {
        let (view, layout) = (View::new(self.rules, table, seat), self.rules.layout());
        let out = Belief::may_be_out(&view);
        let lower = out.and(layout.before(card));
        let hidden = u32::from(view.hidden());
        let none = log_none_within(out.len(), lower.len(), hidden);
        let top = view.top(layout.pile(card)).unwrap_or(0);
        Moment {
            seat,
            card: layout.to_json(card),
            gap: layout.rank(card).saturating_sub(top),
            lower_out: none.map_or(1.0, |log| (1.0 - libm::exp(-log)).clamp(0.0, 1.0)),
            fair: None,
        }
    }

    fn finish(mut self) -> Analysis {
        let paces = self
            .plays
            .iter()
            .filter_map(|play| Some(play.waited? / f64::from(play.moment.gap.max(1))));
        let pace = median(paces.collect()).filter(|&pace| pace > 0.0);
        let fair = |moment: &mut Moment| {
            moment.fair = pace.map(|pace| pace * f64::from(moment.gap));
        };
        self.plays.iter_mut().for_each(|play| fair(&mut play.moment));
        for mistake in &mut self.mistakes {
            mistake.held.iter_mut().for_each(fair);
            if let Some(play) = self.plays.get(mistake.play) {
                (mistake.fault, mistake.seat) = fault(play, &mistake.held);
            }
        }
        let seats =
            (0..self.rules.players()).map(|seat| Seat::of(seat, &self.plays, &self.mistakes));
        Analysis {
            game: self.rules.game(),
            pace,
            seats: seats.collect(),
            plays: self.plays,
            mistakes: self.mistakes,
        }
    }
}

/// Who was wrong in a mistake.
///
/// With times, who is further from the fair wait in proportion to it: the seat that played (it
/// waited less than its gap asks for) or the one of those that held lower cards whose gap asked for
/// least (it waited for longer). One of them always is, as lower cards ask for less. Without times,
/// the odds: the seat that played where a lower card was more likely out than not by what it saw,
/// else the seat with the lowest card.
fn fault(play: &Play, held: &[Moment]) -> (Fault, usize) {
    let early = (Fault::TooEarly, play.moment.seat);
    let Some(lowest) = held.iter().min_by_key(|moment| moment.gap) else {
        return early;
    };
    let late = (Fault::TooLate, lowest.seat);
    let (Some(waited), Some(own), Some(theirs)) = (play.waited, play.moment.fair, lowest.fair)
    else {
        return if play.moment.lower_out >= 0.5 { early } else { late };
    };
    // waited / theirs and own / waited, as products: none of them needs to be above 0.
    if waited * waited > own * theirs { late } else { early }
}

impl Seat {
    fn of(seat: usize, plays: &[Play], mistakes: &[Mistake]) -> Seat {
        let own: Vec<&Play> = plays.iter().filter(|play| play.moment.seat == seat).collect();
        let odds: f64 = own.iter().map(|play| play.moment.lower_out).sum();
        let ratio =
            |play: &&Play| Some(play.waited? / play.moment.fair.filter(|&fair| fair > 0.0)?);
        let faults = |fault| {
            let faults = mistakes.iter();
            faults.filter(|found| (found.seat, found.fault) == (seat, fault)).count()
        };
        Seat {
            seat,
            plays: own.len(),
            lower_out: (!own.is_empty()).then(|| odds / own.len() as f64),
            waited_to_fair: median(own.iter().filter_map(ratio).collect()),
            too_early: faults(Fault::TooEarly),
            too_late: faults(Fault::TooLate),
        }
    }
}

/// The median; the mean of the middle two of an even number.
fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        count if count % 2 == 1 => Some(values[middle]),
        _ => Some((values[middle - 1] + values[middle]) / 2.0),
    }
}
