//! A proportion of independent trials: Wilson's interval and the score test that it inverts.

use super::interval::{Interval, wilson};
use super::student::Student;
use super::tail::normal_tail;

/// How often each of independent trials, 0 or 1, succeeded: a team's wins where each deal is played
/// once. See [`Share`](super::Share) for what is clustered by deal.
///
/// The interval is [`wilson`]'s; the p-values are those of the score test that it inverts, z =
/// (k/n - p) / √(p (1 - p) / n), so that both agree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Proportion {
    /// From 0 to `trials`; may be fractional.
    pub successes: f64,
    /// Above 0.
    pub trials: f64,
}

impl Proportion {
    /// Wilson's score interval; `None` outside the fields' ranges and for `confidence` outside (0, 1).
    #[must_use]
    pub fn interval(&self, confidence: f64) -> Option<Interval> {
        wilson(self.successes, self.trials, confidence)
    }

    /// The two-sided p-value of the true probability being `against`; `None` outside [0, 1].
    #[must_use]
    pub fn p_two_sided(&self, against: f64) -> Option<f64> {
        self.z(against).map(|z| 2.0 * normal_tail(z.abs()))
    }

    /// The one-sided p-value of the true probability being at most `against`: small where it is
    /// above; `None` outside [0, 1].
    #[must_use]
    pub fn p_above(&self, against: f64) -> Option<f64> {
        self.z(against).map(normal_tail)
    }

    /// The one-sided p-value of the true probability being at least `against`: small where it is
    /// below; `None` outside [0, 1].
    #[must_use]
    pub fn p_below(&self, against: f64) -> Option<f64> {
        self.z(against).map(|z| normal_tail(-z))
    }

    /// The proportion as a mean with a standard error, for the difference of two
    /// ([`welch`](super::welch)). As A. Agresti and B. Caffo do (Simple and effective confidence
    /// intervals for proportions and differences of proportions result from adding two successes and
    /// two failures, The American Statistician 54, 2000), one success and one failure are added, so
    /// that the standard error is not 0 where nothing was won; in units of the proportion that was
    /// seen, which theirs draws closer to 1/2.
    #[must_use]
    pub fn student(&self) -> Option<Student> {
        let Proportion { successes, trials } = *self;
        self.is_sound().then(|| Student {
            value: successes / trials,
            standard_error: standard_error(successes, trials),
            degrees_of_freedom: f64::INFINITY,
        })
    }

    fn is_sound(&self) -> bool {
        let Proportion { successes, trials } = *self;
        trials > 0.0 && trials.is_finite() && (0.0..=trials).contains(&successes)
    }

    /// How many of the standard errors that `against` would have the proportion is above it.
    fn z(&self, against: f64) -> Option<f64> {
        let Proportion { successes, trials } = *self;
        if !self.is_sound() || !(0.0..=1.0).contains(&against) {
            return None;
        }
        let distance = successes / trials - against;
        // At 0 and 1 any distance is beyond doubt, and none is no evidence.
        let error = (against * (1.0 - against) / trials).sqrt();
        Some(if distance == 0.0 { 0.0 } else { distance / error })
    }
}

/// The standard error for differences: see [`Proportion::student`].
pub(super) fn standard_error(successes: f64, trials: f64) -> f64 {
    let more = trials + 2.0;
    let centre = (successes + 1.0) / more;
    (centre * (1.0 - centre) / more).sqrt() * more / trials
}

#[cfg(test)]
mod tests {
    use super::super::welch;
    use super::*;
    use proptest::prelude::*;

    /// 14 of 20 against one half: z = 0.2 / √(0.25 / 20) = 1.788_854, two-sided p 0.073_638, as R's
    /// `prop.test(14, 20, correct = FALSE)` prints.
    #[test]
    fn the_score_test_matches_published_values() {
        let wins = Proportion { successes: 14.0, trials: 20.0 };
        assert!((wins.p_two_sided(0.5).unwrap() - 0.073_638).abs() < 5e-7);
        assert!((wins.p_above(0.5).unwrap() - 0.036_819).abs() < 5e-7);
        assert!((wins.p_below(0.5).unwrap() - 0.963_181).abs() < 5e-7);
    }

    /// Agresti and Caffo's adjusted values for 10 each are 5/12 and 1/12, their standard error 0.1632;
    /// in units of the 4/10 that were seen that is 0.1632 · 12/10.
    #[test]
    fn a_difference_is_agresti_and_caffos_for_equal_numbers() {
        let of = |successes| Proportion { successes, trials: 10.0 }.student().unwrap();
        let found = welch(of(0.0), of(4.0));
        let theirs = (5.0 / 12.0 * 7.0 / 12.0 / 12.0 + 1.0 / 12.0 * 11.0 / 12.0 / 12.0_f64).sqrt();
        assert!((found.standard_error - theirs * 1.2).abs() < 1e-12, "{found:?}");
        let z = (4.0 / 12.0) / theirs;
        assert!((found.p_two_sided(0.0).unwrap() - 2.0 * normal_tail(z)).abs() < 1e-12);
        assert_eq!(Proportion { successes: 3.0, trials: 2.0 }.student(), None);
    }

    #[test]
    fn edges_and_odd_input() {
        let none = Proportion { successes: 0.0, trials: 20.0 };
        assert_eq!(none.p_two_sided(0.0), Some(1.0));
        assert_eq!(none.p_two_sided(1.0), Some(0.0));
        let some = Proportion { successes: 3.0, trials: 20.0 };
        assert_eq!((some.p_above(0.0), some.p_below(0.0)), (Some(0.0), Some(1.0)));
        assert_eq!((some.p_above(-0.1), some.p_above(f64::NAN)), (None, None));
        assert_eq!(Proportion { successes: 3.0, trials: 2.0 }.p_above(0.5), None);
        assert_eq!(Proportion { successes: 0.0, trials: 0.0 }.p_above(0.5), None);
    }

    proptest! {
        #[test]
        fn interval_and_p_values_agree(
            n in 1_u64..2000, part in 0.0_f64..=1.0, against in 0.001_f64..0.999,
            confidence in 0.5_f64..0.999,
        ) {
            let successes = (n as f64 * part).floor();
            let wins = Proportion { successes, trials: n as f64 };
            let (p, alpha) = (wins.p_two_sided(against).unwrap(), 1.0 - confidence);
            prop_assume!((p - alpha).abs() > 1e-9);
            prop_assert_eq!(p >= alpha, wins.interval(confidence).unwrap().contains(against));
        }
    }
}
