//! The difference of two independent estimates of which no more is known than their intervals.

use super::interval::Interval;
use super::quantile::normal_quantile;

/// The difference of two estimates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// The second estimate less the first.
    pub value: f64,
    /// Its interval, at the confidence of the two.
    pub interval: Interval,
    /// The two-sided p-value of no difference: below 1 − confidence where the interval leaves out 0.
    pub p: f64,
}

/// The difference `b` − `a` of independent estimates with intervals of the same `confidence`, which
/// need not be symmetric. Where the two are in truth positively correlated (played on the same
/// deals), the interval is too wide and the p-value too large, never the other way about.
///
/// R. G. Newcombe, Interval estimation for the difference between independent proportions,
/// Statistics in Medicine 17 (1998), method 10; for any estimates, G. Y. Zou and A. Donner,
/// Construction of confidence limits about effect measures, Statistics in Medicine 27 (2008). The
/// p-value takes the half of the interval that lies towards 0 as normal.
///
/// `None` for values that are not finite or outside their interval, and where both intervals have
/// no width although the values differ: then nothing is known of the noise.
#[must_use]
pub fn difference(
    (a, around_a): (f64, Interval),
    (b, around_b): (f64, Interval),
    confidence: f64,
) -> Option<Difference> {
    let sound = |value: f64, around: Interval| {
        value.is_finite()
            && around.low.is_finite()
            && around.high.is_finite()
            && around.contains(value)
    };
    if !(sound(a, around_a) && sound(b, around_b) && confidence > 0.0 && confidence < 1.0) {
        return None;
    }
    let value = b - a;
    let half = |one: f64, other: f64| (one * one + other * other).sqrt();
    let below = half(b - around_b.low, around_a.high - a);
    let above = half(around_b.high - b, a - around_a.low);
    let towards_0 = if value > 0.0 { below } else { above };
    let z = normal_quantile(0.5 + 0.5 * confidence)?;
    let p = match (value == 0.0, towards_0 == 0.0) {
        (true, _) => 1.0,
        (false, true) => return None,
        (false, false) => libm::erfc(value.abs() / towards_0 * z * std::f64::consts::FRAC_1_SQRT_2),
    };
    Some(Difference { value, interval: Interval { low: value - below, high: value + above }, p })
}

#[cfg(test)]
mod tests {
    use super::super::interval::{mean_interval, wilson};
    use super::*;

    /// Newcombe's first example: 56 of 70 less 48 of 80, method 10.
    #[test]
    fn newcombes_example() {
        let a = (0.6, wilson(48.0, 80.0, 0.95).unwrap());
        let b = (0.8, wilson(56.0, 70.0, 0.95).unwrap());
        let found = difference(a, b, 0.95).unwrap();
        assert!((found.value - 0.2).abs() < 1e-12);
        assert!((found.interval.low - 0.0524).abs() < 5e-5, "{found:?}");
        assert!((found.interval.high - 0.3339).abs() < 5e-5, "{found:?}");
        assert!(found.p < 0.05);
        let turned = difference(b, a, 0.95).unwrap();
        assert_eq!(turned.interval.low, -found.interval.high);
        assert_eq!(turned.p, found.p);
    }

    #[test]
    fn of_normal_means_it_is_the_z_test() {
        let mean = |value, error| (value, mean_interval(value, error, 1e9, 0.95).unwrap());
        let found = difference(mean(1.0, 3.0), mean(9.0, 4.0), 0.95).unwrap();
        // z = 8 / 5; the two-sided p of 1.6 is 0.1096.
        assert!((found.p - 0.109_598_6).abs() < 1e-6, "{found:?}");
        assert!((found.interval.high - (8.0 + 5.0 * 1.959_964)).abs() < 1e-5);
    }

    #[test]
    fn the_interval_and_the_p_value_agree() {
        for step in 0..200 {
            let b = 0.3 + f64::from(step) * 0.002;
            let wins = (b * 200.0).round();
            let found = difference(
                (0.5, wilson(50.0, 100.0, 0.95).unwrap()),
                (wins / 200.0, wilson(wins, 200.0, 0.95).unwrap()),
                0.95,
            )
            .unwrap();
            assert_eq!(found.p < 0.05, !found.interval.contains(0.0), "{found:?}");
        }
    }

    #[test]
    fn without_noise_nothing_is_said_but_of_equals() {
        let exact = |value| (value, Interval { low: value, high: value });
        assert_eq!(difference(exact(0.25), exact(0.25), 0.95).unwrap().p, 1.0);
        assert_eq!(difference(exact(0.25), exact(0.5), 0.95), None);
        let odd = (f64::NAN, Interval { low: 0.0, high: 1.0 });
        assert_eq!(difference(odd, exact(0.5), 0.95), None);
    }
}
