//! `threshold`: a learned table: when the silence has lasted long enough for a card.

use serde::{Deserialize, Serialize};

use super::belief::Belief;
use super::clock::by_clock;
use super::{Draws, Strategy, soonest, within};
use crate::error::InputError;
use crate::games::the_mind::player::{Intent, Sight};
use crate::games::the_mind::view::View;

/// Waits by a table over the values that may lie between its card and the pile, stretched by how
/// densely cards lie.
///
/// With l values below the card that may be in a hand, and t cards in all hands among r values that
/// may be held (of both piles), let d = (t / 32) / (r / 100): 1 where four players begin level 8.
/// Then x = l d^stretch, and the wait is `table(x) d^density (t / 32)^cards`. The table starts at 0
/// and rises from one step to the next by `e^rise` seconds, in a straight line; beyond the last
/// step it goes on as steeply. So whatever the parameters are, a higher card waits longer, and a
/// card that must be the lowest falls at once; also the cards of one who alone holds any.
///
/// All that it depends on is public but for the card itself. A blind pile goes by the
/// [clock](super::clock).
#[derive(Debug, Clone)]
pub struct Threshold {
    parameters: Parameters,
    /// The table's corners: x, seconds, and the seconds for each x from there on.
    corners: Vec<[f64; 3]>,
}

/// The parameters of [`Threshold`]; any values in their ranges are legal, in any mixture.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Parameters {
    /// Where the table has its corners: 1 to 32 rising numbers, above 0 and at most 100.
    pub steps: Vec<f64>,
    /// As many natural logarithms of the seconds that each step adds, from -20 to 10 each.
    pub rises: Vec<f64>,
    /// The power of the density that stretches the steps, from -5 to 5.
    pub stretch: f64,
    /// The power of the density that the wait is multiplied by, from -5 to 5.
    pub density: f64,
    /// The power of the cards in all hands that the wait is multiplied by, from -5 to 5.
    pub cards: f64,
}

impl Default for Parameters {
    /// Found by a search for 4 players at level 8, bodies with cv 0.15 and jitter 0.2 s, at 60 s a
    /// level.
    fn default() -> Self {
        Parameters {
            steps: vec![1.0, 2.0, 4.0, 7.0, 12.0, 20.0, 33.0, 60.0],
            rises: vec![-0.6, -0.52, 0.58, 1.74, 3.12, 4.55, 3.36, 6.24],
            stretch: 1.18,
            density: -0.87,
            cards: -0.12,
        }
    }
}

impl Strategy for Threshold {
    type Parameters = Parameters;
    type Memory = ();
    const NAME: &'static str = "threshold";
    const SUMMARY: &'static str =
        "Waits by a learned table over the values that may come before its card";

    fn new(parameters: Parameters) -> Result<Self, InputError> {
        parameters.check()?;
        let (mut x, mut seconds) = (0.0, 0.0);
        let mut corners = Vec::new();
        for (&step, &rise) in parameters.steps.iter().zip(&parameters.rises) {
            let rise = libm::exp(rise);
            corners.push([x, seconds, rise / (step - x)]);
            (x, seconds) = (step, seconds + rise);
        }
        Ok(Threshold { parameters, corners })
    }

    #[inline(always)]
    fn intend(&self, view: &View<'_>, _: &mut (), _: &mut Draws<'_>) -> Intent {
        if view.hidden() == 0 {
            return soonest(view, |_, _| Some(0.0));
        }
        let pressure = self.pressure_in(view);
        soonest(view, |pile, rank| {
            Some(match view.is_blind(pile) {
                true => by_clock(view, rank, |gap| self.evenly(view, gap)),
                false => self.seconds(pressure, Belief::between(view, pile, rank)),
            })
        })
    }

    fn plan(&self, view: &View<'_>, _: &(), seen: &Sight) -> Option<f64> {
        // None of a seat's cards lies below the one that it plays, so that the values between are
        // the same for all.
        let between = Belief::between(view, seen.pile(), seen.rank());
        Some(self.seconds(self.pressure_in(view), between))
    }
}

/// What the cards in all hands do to the wait for a card.
#[derive(Clone, Copy)]
pub(super) struct Pressure {
    stretch: f64,
    factor: f64,
}

impl Threshold {
    #[inline(always)]
    fn pressure_in(&self, view: &View<'_>) -> Pressure {
        let cards = f64::from(view.hidden() + view.size(view.seat()));
        self.pressure(cards, f64::from(Belief::may_be_held(view).len()))
    }

    /// The wait for a card at the mean gap as a level begins.
    pub(super) fn evenly(&self, view: &View<'_>, gap: f64) -> f64 {
        let room = f64::from(view.layout().deck().len());
        self.seconds(self.pressure(room / gap, room), gap)
    }

    /// That of so many cards in all hands among so many values that may be held, 1 at least each.
    #[inline(always)]
    pub(super) fn pressure(&self, cards: f64, room: f64) -> Pressure {
        let cards = cards / 32.0;
        let room = room / 100.0;
        let Parameters { stretch, density, cards: power, .. } = self.parameters;
        let cards = libm::log(cards);
        let dense = cards - libm::log(room);
        Pressure {
            stretch: libm::exp(stretch * dense),
            factor: libm::exp(density * dense + power * cards),
        }
    }

    /// The wait for a card with so many values between it and the pile.
    #[inline(always)]
    pub(super) fn seconds(&self, pressure: Pressure, between: f64) -> f64 {
        pressure.factor * self.table(between * pressure.stretch)
    }

    #[inline(always)]
    fn table(&self, x: f64) -> f64 {
        let past = self.corners.iter().rev().find(|corner| x >= corner[0]);
        past.map_or(0.0, |&[from, seconds, slope]| seconds + slope * (x - from))
    }
}

impl Parameters {
    fn check(&self) -> Result<(), InputError> {
        let Parameters { steps, rises, .. } = self;
        if !(1..=32).contains(&steps.len()) {
            return Err(InputError::new(
                "steps",
                steps.len(),
                "this must be a list of 1 to 32 numbers",
            ));
        }
        if rises.len() != steps.len() {
            let what =
                format!("this must have as many numbers as `steps`, which has {}", steps.len());
            return Err(InputError::new("rises", rises.len(), what));
        }
        let mut before = 0.0;
        for (index, &step) in steps.iter().enumerate() {
            if !(step > before && step <= 100.0) {
                let what =
                    format!("this must be above {before} and at most 100, because steps must rise");
                return Err(InputError::new(format!("steps[{index}]"), step, what));
            }
            before = step;
        }
        for (index, &rise) in rises.iter().enumerate() {
            within(&format!("rises[{index}]"), rise, -20.0, 10.0)?;
        }
        for (key, value) in
            [("stretch", self.stretch), ("density", self.density), ("cards", self.cards)]
        {
            within(key, value, -5.0, 5.0)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(change: impl FnOnce(&mut Parameters)) -> String {
        let mut parameters = Parameters::default();
        change(&mut parameters);
        Threshold::new(parameters).err().map_or(String::new(), |error| error.to_string())
    }

    #[test]
    fn the_table_goes_through_its_corners_and_on() {
        let ln = |seconds: f64| libm::log(seconds);
        let parameters = Parameters {
            steps: vec![1.0, 3.0, 4.0],
            rises: vec![ln(2.0), ln(1.0), ln(5.0)],
            ..Parameters::default()
        };
        let threshold = Threshold::new(parameters).unwrap();
        for (x, seconds) in
            [(0.0, 0.0), (0.5, 1.0), (1.0, 2.0), (2.0, 2.5), (3.0, 3.0), (4.0, 8.0), (6.0, 18.0)]
        {
            assert!((threshold.table(x) - seconds).abs() < 1e-12, "{x}");
        }
    }

    #[test]
    fn lists_are_checked() {
        assert!(message(|p| p.steps.clear()).starts_with("`steps = 0`"));
        assert!(
            message(|p| p.rises.truncate(3)).starts_with("`rises = 3`: this must have as many")
        );
        assert!(message(|p| p.steps[1] = 1.0).starts_with("`steps[1] = 1`: this must be above 1"));
        assert!(message(|p| p.steps[0] = f64::NAN).starts_with("`steps[0] = NaN`"));
        assert!(
            message(|p| p.rises[7] = 10.5)
                .starts_with("`rises[7] = 10.5`: this must be from -20 to 10")
        );
        assert!(message(|p| p.rises[0] = f64::NEG_INFINITY).starts_with("`rises[0] = -inf`"));
        assert!(
            message(|p| p.density = 5.5).starts_with("`density = 5.5`: this must be from -5 to 5")
        );
    }
}
