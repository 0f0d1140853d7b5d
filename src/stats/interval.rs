//! Intervals for a number of deals fixed in advance; none of them may be used to stop early.
//!
//! `confidence` lies in (0, 1), 0.95 for 95 %; intervals are two-sided with equal tails. Arguments
//! outside their range, NaN among them, have no interval: `None`.

use serde::{Deserialize, Serialize};

use crate::stats::quantile::{beta_quantile, normal_quantile, t_quantile};

/// A closed interval.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end, at least `low`.
    pub high: f64,
}

impl Interval {
    /// Whether `value` lies between the ends.
    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Half the distance of the ends.
    #[must_use]
    pub fn half_width(&self) -> f64 {
        0.5 * (self.high - self.low)
    }

    fn clamped(self, low: f64, high: f64) -> Self {
        Self { low: self.low.clamp(low, high), high: self.high.clamp(low, high) }
    }
}

/// Wilson's score interval of a probability, from `successes` in `n` independent trials; both may
/// be fractional (an effective number). `None` unless 0 ≤ successes ≤ n and n > 0.
///
/// E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22
/// (1927). Only for trials that are 0 or 1, one a deal (a team's win): see [`Share`](super::Share).
#[must_use]
pub fn wilson(successes: f64, n: f64, confidence: f64) -> Option<Interval> {
    if !(n > 0.0 && n.is_finite() && (0.0..=n).contains(&successes)) {
        return None;
    }
    let z = normal_quantile(upper_tail(confidence)?)?;
    let square = z * z;
    let failures = n - successes;
    let centre = (successes + 0.5 * square) / (n + square);
    let half = z / (n + square) * (successes * (failures / n) + 0.25 * square).sqrt();
    // At the edges the formula gives exactly 0 and 1, floats almost.
    let low = if successes == 0.0 { 0.0 } else { centre - half };
    let high = if failures == 0.0 { 1.0 } else { centre + half };
    Some(Interval { low, high }.clamped(0.0, 1.0))
}

/// Clopper and Pearson's interval of a probability, from `successes` in `n` independent trials:
/// covers at least as often as it says, whatever the probability. `None` unless successes ≤ n and
/// n > 0.
///
/// C. J. Clopper and E. S. Pearson, The use of confidence or fiducial limits illustrated in the case
/// of the binomial, Biometrika 26 (1934), by quantiles of the beta distribution.
#[must_use]
pub fn clopper_pearson(successes: u64, n: u64, confidence: f64) -> Option<Interval> {
    let upper = upper_tail(confidence)?;
    if n == 0 || successes > n {
        return None;
    }
    let (wins, losses) = (successes as f64, (n - successes) as f64);
    let low = match successes {
        0 => 0.0,
        _ => beta_quantile(1.0 - upper, wins, losses + 1.0)?,
    };
    let high = match n - successes {
        0 => 1.0,
        _ => beta_quantile(upper, wins + 1.0, losses)?,
    };
    Some(Interval { low, high })
}

/// Student's t interval: `mean` ± t · `standard_error`, in their unit. The standard normal above
/// 10,000 `degrees_of_freedom` (at least 1); for a mean over deals these are deals − 1.
///
/// A standard error of 0 gives an interval of zero width. `None` for values that are not finite and
/// a standard error below 0.
#[must_use]
pub fn mean_interval(
    mean: f64,
    standard_error: f64,
    degrees_of_freedom: f64,
    confidence: f64,
) -> Option<Interval> {
    if !mean.is_finite() || !standard_error.is_finite() || standard_error < 0.0 {
        return None;
    }
    let half = t_quantile(upper_tail(confidence)?, degrees_of_freedom)? * standard_error;
    Some(Interval { low: mean - half, high: mean + half })
}

/// The probability below the upper end of a two-sided interval.
fn upper_tail(confidence: f64) -> Option<f64> {
    let valid = confidence > 0.0 && confidence < 1.0;
    valid.then_some(0.5 + 0.5 * confidence)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn assert_ends(interval: Option<Interval>, low: f64, high: f64) {
        let actual = interval.expect("an interval");
        let near = |a: f64, b: f64| (a - b).abs() <= 5.1e-8;
        assert!(near(actual.low, low) && near(actual.high, high), "{actual:?}");
    }

    #[test]
    fn wilson_and_clopper_pearson_match_published_values() {
        assert_ends(wilson(7.0, 50.0, 0.95), 0.069_508_3, 0.261_861_9);
        assert_ends(clopper_pearson(7, 50, 0.95), 0.058_191_7, 0.267_396_0);
        assert_ends(wilson(0.0, 100.0, 0.95), 0.0, 0.036_993_5);
        assert_ends(clopper_pearson(0, 100, 0.95), 0.0, 0.036_216_7);
        assert_ends(clopper_pearson(100, 100, 0.95), 1.0 - 0.036_216_7, 1.0);
    }

    /// Newcombe, Statistics in Medicine 17 (1998), table I, methods 3 and 5: four digits each.
    #[test]
    fn matches_newcombes_table() {
        let rounded = |interval: Option<Interval>| {
            let round = |x: f64| (x * 1e4).round() / 1e4;
            interval.map(|i| (round(i.low), round(i.high)))
        };
        assert_eq!(rounded(wilson(81.0, 263.0, 0.95)), Some((0.2553, 0.3662)));
        assert_eq!(rounded(wilson(15.0, 148.0, 0.95)), Some((0.0624, 0.1605)));
        assert_eq!(rounded(wilson(1.0, 29.0, 0.95)), Some((0.0061, 0.1718)));
        assert_eq!(rounded(wilson(0.0, 20.0, 0.95)), Some((0.0, 0.1611)));
        assert_eq!(rounded(clopper_pearson(81, 263, 0.95)), Some((0.2527, 0.3676)));
        assert_eq!(rounded(clopper_pearson(15, 148, 0.95)), Some((0.0578, 0.1617)));
        assert_eq!(rounded(clopper_pearson(1, 29, 0.95)), Some((0.0009, 0.1776)));
        assert_eq!(rounded(clopper_pearson(0, 20, 0.95)), Some((0.0, 0.1684)));
    }

    #[test]
    fn clopper_pearson_ends_for_large_runs() {
        assert_ends(clopper_pearson(1, 10_000_000, 0.95), 2.5e-9, 5.571_642e-7);
        let half = clopper_pearson(5_000_000_000, 10_000_000_000, 0.95).expect("an interval");
        assert!((half.half_width() / (1.959_964 * 0.5e-5) - 1.0).abs() < 1e-5);
    }

    /// Student's table: 2.262 for 9 degrees of freedom.
    #[test]
    fn mean_interval_is_students() {
        assert_ends(mean_interval(10.0, 2.0, 9.0, 0.95), 5.475_685_68, 14.524_314_32);
        assert_ends(mean_interval(0.0, 1.0, 1e7, 0.95), -1.959_963_98, 1.959_963_98);
        assert_ends(mean_interval(3.0, 0.0, 5.0, 0.95), 3.0, 3.0);
    }

    #[test]
    fn nothing_can_be_said() {
        for confidence in [0.0, 1.0, -0.5, f64::NAN] {
            assert_eq!(wilson(1.0, 2.0, confidence), None);
            assert_eq!(clopper_pearson(0, 2, confidence), None);
            assert_eq!(mean_interval(0.0, 1.0, 5.0, confidence), None);
        }
        for (successes, n) in [(0.0, 0.0), (1.0, -1.0), (3.0, 2.0), (f64::NAN, 2.0)] {
            assert_eq!(wilson(successes, n, 0.95), None);
        }
        assert_eq!(clopper_pearson(0, 0, 0.95), None);
        assert_eq!(clopper_pearson(3, 2, 0.95), None);
        assert_eq!(mean_interval(0.0, -1.0, 5.0, 0.95), None);
        assert_eq!(mean_interval(f64::NAN, 1.0, 5.0, 0.95), None);
        assert_eq!(mean_interval(0.0, 1.0, 0.0, 0.95), None);
    }

    proptest! {
        #[test]
        fn probability_intervals_hold_the_estimate_and_mirror(
            n in 1_u64..100_000, part in 0.0_f64..=1.0, confidence in 0.5_f64..0.999,
        ) {
            let k = (n as f64 * part) as u64;
            let estimate = k as f64 / n as f64;
            let both = |k: u64| [
                wilson(k as f64, n as f64, confidence).expect("valid"),
                clopper_pearson(k, n, confidence).expect("valid"),
            ];
            for (one, other) in both(k).into_iter().zip(both(n - k)) {
                prop_assert!(0.0 <= one.low && one.high <= 1.0 && one.contains(estimate));
                prop_assert!((one.low + other.high - 1.0).abs() < 1e-12);
            }
        }
    }
}
