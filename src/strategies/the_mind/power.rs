//! `power`: waits by a power of the gap, so that errors that grow with the interval matter less.

use serde::{Deserialize, Serialize};

use super::by_gap::{ByGap, Curve};
use super::{seconds, within};
use crate::error::InputError;

/// Waits `pace * pivot * (gap / pivot)^exponent` seconds: as long as `linear` at the pivot, less
/// for smaller gaps and more for greater ones where the exponent is above 1.
pub type Power = ByGap<Parameters>;

/// The parameters of [`Power`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Parameters {
    /// Seconds a number at the pivot, above 0 and at most 1,000.
    pub pace: f64,
    /// The exponent, above 0 and at most 10; 1 is `linear`.
    pub exponent: f64,
    /// The gap at which the wait is that of `linear`, 1 to 100.
    pub pivot: f64,
}

impl Default for Parameters {
    fn default() -> Self {
        Parameters { pace: 1.0, exponent: 2.0, pivot: 25.0 }
    }
}

impl Curve for Parameters {
    const NAME: &'static str = "power";
    const SUMMARY: &'static str = "Waits by a power of the gap: quick when close, slow when far";

    fn check(&self) -> Result<(), InputError> {
        seconds("pace", self.pace)?;
        if !(self.exponent > 0.0 && self.exponent <= 10.0) {
            return Err(InputError::new(
                "exponent",
                self.exponent,
                "this must be above 0 and at most 10",
            ));
        }
        within("pivot", self.pivot, 1.0, 100.0).map(drop)
    }

    fn wait(&self, gap: f64) -> f64 {
        self.pace * self.pivot * libm::pow(gap / self.pivot, self.exponent)
    }
}
