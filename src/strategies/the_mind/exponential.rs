//! `exponential`: waits by an exponential of the gap.

use serde::{Deserialize, Serialize};

use super::by_gap::{ByGap, Curve};
use super::{seconds, within};
use crate::error::InputError;

/// Waits `pace * pivot * (e^(steepness * gap / pivot) - 1) / (e^steepness - 1)` seconds: as long as
/// `linear` at the pivot, less for smaller gaps and more for greater ones.
pub type Exponential = ByGap<Parameters>;

/// The parameters of [`Exponential`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Parameters {
    /// Seconds a number at the pivot, above 0 and at most 1,000.
    pub pace: f64,
    /// The exponent at the pivot, above 0 and at most 20; close to 0 is `linear`.
    pub steepness: f64,
    /// The gap at which the wait is that of `linear`, 1 to 100.
    pub pivot: f64,
}

impl Default for Parameters {
    fn default() -> Self {
        Parameters { pace: 1.0, steepness: 1.5, pivot: 25.0 }
    }
}

impl Curve for Parameters {
    const NAME: &'static str = "exponential";
    const SUMMARY: &'static str = "Waits by an exponential of the gap: far longer when far";

    fn check(&self) -> Result<(), InputError> {
        seconds("pace", self.pace)?;
        if !(self.steepness > 0.0 && self.steepness <= 20.0) {
            return Err(InputError::new(
                "steepness",
                self.steepness,
                "this must be above 0 and at most 20",
            ));
        }
        within("pivot", self.pivot, 1.0, 100.0).map(drop)
    }

    fn wait(&self, gap: f64) -> f64 {
        let Parameters { pace, steepness, pivot } = *self;
        pace * pivot * libm::expm1(steepness * gap / pivot) / libm::expm1(steepness)
    }
}
