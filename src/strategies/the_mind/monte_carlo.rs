//! `monte-carlo`: deals the hidden cards many times, as the silence allows, and waits as long as
//! does best.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::belief::Belief;
use super::clock::due;
use super::plan::{self, Plan};
use super::{Draws, Strategy, soonest, within};
use crate::error::InputError;
use crate::games::the_mind::cards::{Card, DECK, Layout, MAX_PILES};
use crate::games::the_mind::player::{Intent, Sight};
use crate::games::the_mind::state::Event;
use crate::games::the_mind::view::View;
use crate::rng::{Rng, shuffle_front};

/// The candidates: so many times the plan's wait; the plan's own is the first.
const FACTORS: [f64; 9] = [1.0, 0.84, 1.19, 0.71, 1.41, 0.5, 2.0, 0.25, 0.0];
/// By how many standard errors a candidate must do better than the plan.
const CAUTION: f64 = 2.0;
/// The least likelihood that the silence leaves a sample, so that none is thrown away in full.
const LEAST: f64 = 1e-9;

/// Believes that all others follow a plan, with errors of its own guess, and answers it best.
///
/// After each event it deals the hidden cards `samples` times, uniformly among the values that may
/// be out. A sample weighs as much as the last silence is likely under it: the product, over the
/// others who did not break it, of the probability that the card that they meant to play would have
/// fallen later. So the longer the silence was, the fewer low cards are believed in other hands.
///
/// Its candidates are its playable cards, each after 9 multiples, 0 to 2, of the plan's own wait.
/// In a sample a candidate costs the probability that this event is a mistake of its own (it plays
/// above a lower card, or its card is passed over) and `price` for each second until the event. No
/// error is drawn: of two moments with normal errors the probability that one is first is known.
/// The plan gives way to the candidate that saves most, where that is twice its standard error.
///
/// The budget of a decision is `samples` deals, each compared with 9 candidates a pile; a card that
/// must be the lowest, and those of one who alone holds any, are played at once without any.
#[derive(Debug, Clone)]
pub struct MonteCarlo {
    parameters: Parameters,
    plan: Plan,
}

/// The parameters of [`MonteCarlo`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Parameters {
    /// Deals of the hidden cards for each decision, 1 to 10,000.
    pub samples: u32,
    /// The believed error that grows with the wait, as a share of it, 0 to 10.
    pub cv: f64,
    /// The believed error in seconds that does not, 0 to 1,000.
    pub jitter: f64,
    /// The probability of a mistake that a second is worth, 0 to 1.
    pub price: f64,
    /// The plan that the others are believed to follow: a family (`linear`, `power`, `exponential`
    /// or `threshold`) with its parameters.
    pub plan: Value,
}

impl Default for Parameters {
    fn default() -> Self {
        Parameters { samples: 128, cv: 0.15, jitter: 0.2, price: 0.002, plan: plan::default() }
    }
}

/// The seats' hidden cards dealt once, and what they do next.
#[derive(Debug, Clone, Copy)]
struct Sample {
    weight: f64,
    /// The shortest wait that one of the others means, and for which card: pile and rank.
    wait: f64,
    pile: usize,
    rank: u8,
    /// The lowest rank in other hands on each pile, 0 for none.
    lowest: [u8; MAX_PILES],
    /// What the plan costs.
    planned: f64,
}

/// Room for the samples of a decision; nothing is remembered.
#[derive(Debug, Clone, Default)]
pub struct Memory(Vec<Sample>);

impl Strategy for MonteCarlo {
    type Parameters = Parameters;
    type Memory = Memory;
    const NAME: &'static str = "monte-carlo";
    const SUMMARY: &'static str =
        "Deals the hidden cards anew as the silence allows, and waits as long as did best";

    fn new(parameters: Parameters) -> Result<Self, InputError> {
        if !(1..=10_000).contains(&parameters.samples) {
            return Err(InputError::new(
                "samples",
                parameters.samples,
                "this must be from 1 to 10000",
            ));
        }
        within("cv", parameters.cv, 0.0, 10.0)?;
        within("jitter", parameters.jitter, 0.0, 1_000.0)?;
        within("price", parameters.price, 0.0, 1.0)?;
        let plan = Plan::from_json(&parameters.plan).map_err(|error| error.under("plan"))?;
        Ok(MonteCarlo { parameters, plan })
    }

    fn intend(&self, view: &View<'_>, memory: &mut Memory, draws: &mut Draws<'_>) -> Intent {
        if view.hidden() == 0 {
            return soonest(view, |_, _| Some(0.0));
        }
        let waits = Waits::new(&self.plan, view);
        let planned = soonest(view, |pile, rank| Some(waits.now(pile, rank)));
        if matches!(planned, Intent::Play { wait, .. } if wait == 0.0) {
            return planned;
        }
        self.sample(view, &waits, draws.rng(), &mut memory.0);
        self.best(view, &waits, planned, &mut memory.0)
    }

    fn plan(&self, view: &View<'_>, _: &Memory, seen: &Sight) -> Option<f64> {
        self.plan.plan(view, seen)
    }
}

/// The plan's waits for each card that may be out, now and before the last event.
struct Waits {
    layout: Layout,
    now: [f64; 128],
    before: [f64; 128],
    /// The last silence: who broke it, and after how many seconds.
    silence: Option<(usize, f64)>,
}

impl Waits {
    fn new(plan: &Plan, view: &View<'_>) -> Waits {
        let layout = view.layout();
        let cards = f64::from(view.hidden() + view.size(view.seat()));
        let room = f64::from(Belief::may_be_held(view).len());
        let (mut passed, mut silence) = ([0.0; MAX_PILES], None);
        if let Event::Play { seat, pile, gap, .. } = view.last() {
            passed[usize::from(pile)] = f64::from(gap);
            silence = Some((usize::from(seat), view.pause()));
        }
        let pressure = plan.pressure(cards, room);
        let earlier = plan.pressure(cards + 1.0, room + passed[0] + passed[1]);
        let beat = if view.any_blind() { plan.beat(view) } else { 0.0 };
        let mut waits = Waits { layout, now: [0.0; 128], before: [0.0; 128], silence };
        for card in Belief::may_be_out(view).or(view.hand()).iter() {
            let (pile, rank) = (layout.pile(card), layout.rank(card));
            let at = place(pile, rank);
            let Some(top) = view.top(pile) else {
                waits.now[at] = due(view.clock(), beat, rank);
                waits.before[at] = due(view.clock() - view.pause(), beat, rank);
                continue;
            };
            let gap = f64::from(rank.saturating_sub(top));
            let between = Belief::between(view, pile, rank);
            waits.now[at] = plan.seconds(pressure, gap, between);
            let (gap, between) = (gap + passed[pile], between + passed[pile]);
            waits.before[at] = plan.seconds(earlier, gap, between);
        }
        waits
    }

    fn now(&self, pile: usize, rank: u8) -> f64 {
        self.now[place(pile, rank)]
    }

    /// The pile, rank and wait of the card that a seat with these lowest ranks means to play.
    fn soonest(&self, waits: &[f64; 128], lowest: [u8; MAX_PILES]) -> (usize, u8, f64) {
        let mut best = (0, 0, f64::INFINITY);
        for (pile, &rank) in lowest.iter().enumerate().take(self.layout.piles()) {
            let wait = waits[place(pile, rank)];
            if rank > 0 && wait < best.2 {
                best = (pile, rank, wait);
            }
        }
        best
    }
}

const fn place(pile: usize, rank: u8) -> usize {
    pile << 6 & 127 | rank as usize & 127
}

impl MonteCarlo {
    /// Deals the hidden cards and lets the others act.
    fn sample(&self, view: &View<'_>, waits: &Waits, rng: &mut Rng, samples: &mut Vec<Sample>) {
        let layout = view.layout();
        let mut pool = [layout.card(0, 1); DECK];
        let mut size = 0;
        // Who held a card of a blind pile that is overdue is likely to have played it: such cards
        // go to hands where no others are left.
        let due = |card| waits.now(layout.pile(card), layout.rank(card));
        let overdue = |card| view.is_blind(layout.pile(card)) && due(card) == 0.0;
        let out = Belief::may_be_out(view);
        let likely = out.iter().filter(|&card| !overdue(card)).count();
        let all = likely < usize::from(view.hidden());
        for card in out.iter().filter(|&card| all || !overdue(card)) {
            pool[size] = card;
            size += 1;
        }
        let pool = &mut pool[..size];
        let hidden = usize::from(view.hidden()).min(size);
        samples.clear();
        for _ in 0..self.parameters.samples {
            shuffle_front(rng, pool, hidden);
            samples.push(self.deal(view, waits, &pool[..hidden]));
        }
    }

    /// One deal: `cards` go to the other seats in order.
    fn deal(&self, view: &View<'_>, waits: &Waits, mut cards: &[Card]) -> Sample {
        let layout = view.layout();
        let mut sample = Sample {
            weight: 1.0,
            wait: f64::INFINITY,
            pile: 0,
            rank: 0,
            lowest: [0; MAX_PILES],
            planned: 0.0,
        };
        for seat in (0..view.rules().players()).filter(|&seat| seat != view.seat()) {
            let (hand, rest) = cards.split_at(usize::from(view.size(seat)).min(cards.len()));
            cards = rest;
            let mut lowest = [0; MAX_PILES];
            for &card in hand {
                lower(&mut lowest[layout.pile(card)], layout.rank(card));
            }
            let (pile, rank, wait) = waits.soonest(&waits.now, lowest);
            if rank == 0 {
                continue;
            }
            for (all, own) in sample.lowest.iter_mut().zip(lowest) {
                lower(all, own);
            }
            if wait < sample.wait {
                sample = Sample { wait, pile, rank, ..sample };
            }
            if let Some((_, seconds)) = waits.silence.filter(|&(by, _)| by != seat) {
                let (_, _, meant) = waits.soonest(&waits.before, lowest);
                sample.weight *= later(meant - seconds, self.variance(meant));
            }
        }
        if sample.weight < LEAST {
            sample.weight = LEAST;
        }
        sample
    }

    /// The variance of the moment of what is meant after `wait`.
    fn variance(&self, wait: f64) -> f64 {
        let Parameters { cv, jitter, .. } = self.parameters;
        cv * wait * (cv * wait) + jitter * jitter
    }

    /// The plan's intent, or the candidate that saves most against it, less twice the standard error
    /// of what it saves: the best of many estimates would be one that chance flatters, and where all
    /// depart from the plan for little, none of them has answered what the others do.
    fn best(
        &self,
        view: &View<'_>,
        waits: &Waits,
        planned: Intent,
        samples: &mut [Sample],
    ) -> Intent {
        let Intent::Play { pile, wait } = planned else {
            return planned;
        };
        let layout = view.layout();
        let mut own = [0; MAX_PILES];
        for (pile, own) in own.iter_mut().enumerate().take(layout.piles()) {
            *own = view.playable(pile).map_or(0, |card| layout.rank(card));
        }
        for sample in &mut *samples {
            sample.planned = self.cost(sample, &own, usize::from(pile), wait);
        }
        let (mut best, mut least) = (planned, 0.0);
        for factor in FACTORS {
            for (pile, &rank) in own.iter().enumerate().filter(|(_, rank)| **rank > 0) {
                let wait = factor * waits.now(pile, rank);
                let (mut saved, mut squares) = (0.0, 0.0);
                for sample in &*samples {
                    let more = self.cost(sample, &own, pile, wait) - sample.planned;
                    saved += more;
                    squares += more * more;
                }
                let cost = saved + CAUTION * libm::sqrt(squares);
                if cost < least {
                    (best, least) = (Intent::Play { pile: pile as u8, wait }, cost);
                }
            }
        }
        best
    }

    /// What meaning to play a pile's card after `wait` seconds costs in a sample.
    fn cost(&self, sample: &Sample, own: &[u8; MAX_PILES], pile: usize, wait: f64) -> f64 {
        let lower = sample.lowest[pile];
        let above = lower > 0 && lower < own[pile];
        let passed = own[sample.pile] > 0 && own[sample.pile] < sample.rank;
        let apart = sample.wait - wait;
        let variance = self.variance(wait) + self.variance(sample.wait);
        let mistake = match (above, passed) {
            (true, true) => 1.0,
            (false, false) => 0.0,
            (true, false) => later(apart, variance),
            (false, true) => later(-apart, variance),
        };
        let seconds = if apart > 0.0 { wait } else { sample.wait };
        sample.weight * (mistake + self.parameters.price * seconds)
    }
}

/// The probability that a normal variable of this mean and variance is above 0.
fn later(mean: f64, variance: f64) -> f64 {
    if variance == 0.0 {
        return if mean > 0.0 { 1.0 } else { 0.0 };
    }
    0.5 * libm::erfc(-mean / libm::sqrt(variance) * std::f64::consts::FRAC_1_SQRT_2)
}

/// Keeps the lower of two ranks, 0 standing for none.
fn lower(kept: &mut u8, rank: u8) {
    if rank > 0 && (*kept == 0 || rank < *kept) {
        *kept = rank;
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::error::read;
    use crate::games::GameId;
    use crate::games::the_mind::cards::Cards;
    use crate::games::the_mind::rules::Rules;
    use crate::games::the_mind::state::Table;
    use crate::rng::Key;

    /// The belief that another hand holds a number up to 34, where seat 1 has just played 30 as the
    /// first card of level 5, so many seconds after the deal.
    fn near(blind: &str, pause: f64) -> f64 {
        let options = read(&json!({"blind": blind})).unwrap();
        let rules = Rules::new(GameId::TheMind, 3, &options).unwrap();
        let layout = rules.layout();
        let hand = |numbers: [u8; 5]| numbers.map(|n| layout.card(0, n)).into_iter().collect();
        let hands: [Cards; 3] =
            [hand([50, 60, 70, 80, 90]), hand([30, 35, 45, 55, 65]), hand([40, 41, 42, 43, 44])];
        let mut table = Table::new(&rules);
        table.deal(&rules, 5, 0, &hands);
        table.play(&rules, 1, layout.card(0, 30));
        table.set_pause(pause);
        let view = View::new(&rules, &table, 0);
        let player =
            MonteCarlo::new(Parameters { samples: 4_000, ..Parameters::default() }).unwrap();
        let waits = Waits::new(&player.plan, &view);
        let mut samples = Vec::new();
        player.sample(&view, &waits, &mut Key::root(1).rng(), &mut samples);
        let weight = |near: bool| -> f64 {
            let found = samples.iter().filter(|sample| (sample.lowest[0] <= 34) == near);
            found.map(|sample| sample.weight).sum()
        };
        weight(true) / (weight(true) + weight(false))
    }

    #[test]
    fn the_longer_the_silence_the_fewer_low_cards_are_believed() {
        // Without silence 9 cards among 65 values: 1 - C(61, 9) / C(65, 9) = 0.4575; 4 standard
        // errors of 4,000 samples are 0.032.
        let none = near("none", 0.0);
        assert!((none - 0.4575).abs() < 0.032, "{none}");
        // Seat 1 broke the silence itself, so that its other four cards stay in doubt:
        // 1 - C(61, 4) / C(65, 4) = 0.2292.
        let [some, long] = [near("none", 70.0), near("none", 130.0)];
        assert!(none > some && some > long && (long - 0.2292).abs() < 0.1, "{some} {long}");
    }

    #[test]
    fn silence_over_a_blind_pile_tells_as_much() {
        // 9 cards among 95 values, 30 being unseen: 1 - C(61, 9) / C(95, 9) = 0.9853.
        let none = near("all", 0.0);
        assert!((none - 0.9853).abs() < 0.008, "{none}");
        // Its 15 cards lie 6.67 apart, for which the plan waits 3.79 s: 34 is due after 19.3 s.
        let [some, long] = [near("all", 15.0), near("all", 20.0)];
        assert!(none > some && some > 0.1 && long == 0.0, "{some} {long}");
    }

    #[test]
    fn moments_with_normal_errors_come_in_order_as_often_as_known() {
        // Published: the upper tail of the standard normal beyond 1 is 0.158655.
        assert!((later(-2.0, 4.0) - 0.158_655).abs() < 1e-6);
        assert!((later(2.0, 4.0) - 0.841_345).abs() < 1e-6);
        assert_eq!([later(1.0, 0.0), later(-1.0, 0.0)], [1.0, 0.0]);
    }

    #[test]
    fn parameters_have_ranges() {
        let message = |parameters: Parameters| {
            MonteCarlo::new(parameters).err().map_or(String::new(), |error| error.to_string())
        };
        let good = Parameters::default();
        assert_eq!(message(good.clone()), "");
        let text = message(Parameters { samples: 0, ..good.clone() });
        assert_eq!(text, "`samples = 0`: this must be from 1 to 10000");
        for (plan, wanted) in [
            (json!("linear"), ""),
            (json!({"family": "linear", "pace": 0}), "`plan.pace = 0`: this must be above 0"),
            (
                json!({"family": "linear", "pase": 1}),
                "`plan.pase`: unknown key; did you mean `pace`?",
            ),
            (json!({"family": "linear", "pace": "x"}), "`plan.pace = \"x\"`: "),
            (
                json!({"family": "lineal"}),
                "`plan.family = lineal`: unknown plan; did you mean `linear`?",
            ),
            (json!("rank"), "`plan = rank`: unknown plan; "),
            (json!({"pace": 1}), "`plan = {\"pace\":1}`: a plan must be one of linear, power, "),
            (json!(3), "`plan = 3`: a plan must be one of linear, power, "),
        ] {
            let text = message(Parameters { plan, ..good.clone() });
            assert!(text.starts_with(wanted) && text.is_empty() == wanted.is_empty(), "{text}");
        }
    }
}
