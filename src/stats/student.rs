//! Means that are known by a standard error, their tests, and the difference of two.
//!
//! The interval and every p-value of a mean come from the same three numbers, so that they agree: a
//! value outside the interval at confidence c has a two-sided p below 1 - c, and the other way about.

use super::interval::{Interval, mean_interval};
use super::tail::{t_tail, t_two_sided};

/// A mean known by a standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Student {
    /// The mean.
    pub value: f64,
    /// Its standard error, in the same unit. 0 where no spread was seen, and then nothing is known of
    /// the noise: there is no interval, and no p-value but that of equality.
    pub standard_error: f64,
    /// At least 1, need not be whole; for a mean over deals, deals - 1. Infinite where the standard
    /// error is known.
    pub degrees_of_freedom: f64,
}

impl Student {
    /// Student's t interval; `None` without spread, and for `confidence` outside (0, 1).
    #[must_use]
    pub fn interval(&self, confidence: f64) -> Option<Interval> {
        let spread = self.standard_error > 0.0;
        spread.then(|| {
            let Student { value, standard_error, degrees_of_freedom } = *self;
            mean_interval(value, standard_error, degrees_of_freedom, confidence)
        })?
    }

    /// The two-sided p-value of the true mean being `against`. Without spread 1 where the mean is
    /// just that, else `None`.
    #[must_use]
    pub fn p_two_sided(&self, against: f64) -> Option<f64> {
        match self.t(against) {
            Some(t) => t_two_sided(t, self.degrees_of_freedom),
            None => (self.standard_error == 0.0 && self.value == against).then_some(1.0),
        }
    }

    /// The one-sided p-value of the true mean being at most `against`: small where it is above.
    /// Without spread 1 where the mean is just that, else `None`.
    #[must_use]
    pub fn p_above(&self, against: f64) -> Option<f64> {
        match self.t(against) {
            Some(t) => t_tail(t, self.degrees_of_freedom),
            None => (self.standard_error == 0.0 && self.value == against).then_some(1.0),
        }
    }

    /// The one-sided p-value of the true mean being at least `against`: small where it is below.
    /// Without spread 1 where the mean is just that, else `None`.
    #[must_use]
    pub fn p_below(&self, against: f64) -> Option<f64> {
        self.mirrored().p_above(-against)
    }

    /// The p-value of the true mean being `margin` or more away from 0: small where it is surely
    /// closer. The larger of the two one-sided tests' (D. J. Schuirmann, A comparison of the two
    /// one-sided tests procedure and the power approach for assessing the equivalence of average
    /// bioavailability, Journal of Pharmacokinetics and Biopharmaceutics 15, 1987): below α where the
    /// interval at confidence 1 - 2α lies within the margin. `None` without spread.
    #[must_use]
    pub fn p_equivalent(&self, margin: f64) -> Option<f64> {
        let inside = self.standard_error > 0.0 && margin >= 0.0;
        inside.then(|| Some(self.p_above(-margin)?.max(self.p_below(margin)?)))?
    }

    /// The same of the mean's negative.
    fn mirrored(self) -> Student {
        Student { value: -self.value, ..self }
    }

    /// How many standard errors the mean is above `against`.
    fn t(&self, against: f64) -> Option<f64> {
        let t = (self.value - against) / self.standard_error;
        (self.standard_error > 0.0 && self.standard_error.is_finite() && !t.is_nan()).then_some(t)
    }
}

/// The difference `b` - `a` of two independent means, which need not have the same spread or number
/// of deals. Where the two are in truth positively correlated (played on the same deals) the
/// standard error is too large, never the other way about.
///
/// Where only one of the two has spread, the difference has its degrees of freedom.
///
/// B. L. Welch, The generalization of "Student's" problem when several different population variances
/// are involved, Biometrika 34 (1947); degrees of freedom by [`satterthwaite`].
#[must_use]
pub fn welch(a: Student, b: Student) -> Student {
    let parts = [a, b].map(|mean| {
        let error = mean.standard_error;
        (error * error, mean.degrees_of_freedom)
    });
    let [of_a, of_b] = parts;
    // Without any spread the degrees of freedom serve for nothing.
    let degrees_of_freedom = satterthwaite(&parts).unwrap_or(of_a.1 + of_b.1);
    Student {
        value: b.value - a.value,
        standard_error: (of_a.0 + of_b.0).sqrt(),
        degrees_of_freedom,
    }
}

/// The degrees of freedom of a variance that is the sum of independent `parts`, each with its own:
/// (Σ v)² / Σ (v² / df). They lie between the fewest of a part that is above 0 and the sum of all.
///
/// F. E. Satterthwaite, An approximate distribution of estimates of variance components, Biometrics
/// Bulletin 2 (1946). `None` where no part is above 0, and for a part below 0, one that is not
/// finite, or degrees of freedom of 0 or less.
#[must_use]
pub fn satterthwaite(parts: &[(f64, f64)]) -> Option<f64> {
    let sound = |&(part, df): &(f64, f64)| part >= 0.0 && part.is_finite() && df > 0.0;
    let largest = parts.iter().map(|&(part, _)| part).fold(0.0, f64::max);
    if !parts.iter().all(sound) || largest == 0.0 {
        return None;
    }
    // In units of the largest, whose square can't run out of the range of doubles.
    let used = || parts.iter().filter(|part| part.0 > 0.0).map(|&(v, df)| (v / largest, df));
    let sum: f64 = used().map(|(part, _)| part).sum();
    let squares: f64 = used().map(|(part, df)| part * part / df).sum();
    // Rounding must not leave the bounds.
    let fewest = used().map(|(_, df)| df).fold(f64::INFINITY, f64::min);
    let most: f64 = used().map(|(_, df)| df).sum();
    Some((sum * sum / squares).clamp(fewest, most))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn mean(value: f64, standard_error: f64, degrees_of_freedom: f64) -> Student {
        Student { value, standard_error, degrees_of_freedom }
    }

    #[track_caller]
    fn assert_near(actual: Option<f64>, expected: f64) {
        let actual = actual.expect("a value");
        assert!((actual - expected).abs() < 5e-7, "{actual}, expected {expected}");
    }

    /// Student's own data (The probable error of a mean, Biometrika 6, 1908): the additional sleep
    /// of 10 patients, difference of two drugs: mean 1.58, t = 4.0621, p = 0.002833, interval
    /// [0.7001142, 2.4598858].
    #[test]
    fn students_sleep() {
        let hours = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4];
        let sum: f64 = hours.iter().sum();
        let squares: f64 = hours.iter().map(|x| (x - sum / 10.0) * (x - sum / 10.0)).sum();
        let sleep = mean(sum / 10.0, (squares / 90.0).sqrt(), 9.0);
        assert_near(sleep.p_two_sided(0.0), 0.002_832_890);
        assert_near(sleep.p_above(0.0), 0.001_416_445);
        assert_near(sleep.p_below(0.0), 1.0 - 0.001_416_445);
        let interval = sleep.interval(0.95).unwrap();
        assert_near(Some(interval.low), 0.700_114_2);
        assert_near(Some(interval.high), 2.459_885_8);
    }

    /// The same data taken as two groups of 10: Welch's t = 1.8608 with 17.776 degrees of freedom,
    /// p = 0.07939, interval [-0.2054832, 3.3654832], as R prints it for `sleep`.
    #[test]
    fn welch_on_students_sleep() {
        let group = |hours: [f64; 10]| {
            let centre = hours.iter().sum::<f64>() / 10.0;
            let squares: f64 = hours.iter().map(|x| (x - centre) * (x - centre)).sum();
            mean(centre, (squares / 90.0).sqrt(), 9.0)
        };
        let found = welch(
            group([0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]),
            group([1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]),
        );
        assert!((found.degrees_of_freedom - 17.776).abs() < 5e-4, "{found:?}");
        assert!((found.p_two_sided(0.0).unwrap() - 0.079_39).abs() < 5e-6);
        let interval = found.interval(0.95).unwrap();
        assert_near(Some(interval.low), -0.205_483_2);
        assert_near(Some(interval.high), 3.365_483_2);
    }

    #[test]
    fn two_deals_prove_nothing() {
        // What the normal distribution would call p < 0.0001 is 0.028 with 2 degrees of freedom.
        let found = welch(mean(1.0, 3.0, 1.0), mean(26.0, 3.0, 1.0));
        assert_eq!(found.degrees_of_freedom, 2.0);
        assert!((found.p_two_sided(0.0).unwrap() - 0.027_7).abs() < 1e-4, "{found:?}");
    }

    #[test]
    fn satterthwaites_bounds_are_reached() {
        assert_eq!(satterthwaite(&[(2.0, 9.0), (2.0, 9.0)]), Some(18.0));
        assert_eq!(satterthwaite(&[(2.0, 9.0), (0.0, 1.0)]), Some(9.0));
        assert_eq!(satterthwaite(&[(1e-170, 3.0), (1e-170, 3.0)]), Some(6.0));
        let known = f64::INFINITY;
        assert_eq!(satterthwaite(&[(2.0, known), (2.0, 9.0)]), Some(36.0));
        assert_eq!(satterthwaite(&[(2.0, known), (2.0, known)]), Some(known));
        assert_eq!(satterthwaite(&[(0.0, 3.0)]), None);
        assert_eq!(satterthwaite(&[]), None);
        for bad in [(-1.0, 3.0), (f64::NAN, 3.0), (1.0, 0.0), (f64::INFINITY, 3.0)] {
            assert_eq!(satterthwaite(&[(1.0, 3.0), bad]), None);
        }
    }

    #[test]
    fn without_spread_in_one_the_other_counts() {
        let found = welch(mean(0.25, 0.0, 4.0), mean(0.5, 0.1, 9.0));
        assert_eq!(found, mean(0.25, 0.1, 9.0));
    }

    #[test]
    fn without_spread_nothing_is_said_but_of_equals() {
        let found = welch(mean(0.25, 0.0, 4.0), mean(0.5, 0.0, 4.0));
        assert_eq!(found, mean(0.25, 0.0, 8.0));
        assert_eq!((found.interval(0.95), found.p_equivalent(1.0)), (None, None));
        for p in [Student::p_two_sided, Student::p_above, Student::p_below] {
            assert_eq!((p(&found, 0.0), p(&found, 0.25)), (None, Some(1.0)));
        }
    }

    #[test]
    fn odd_input_has_no_p() {
        for odd in [mean(f64::NAN, 1.0, 3.0), mean(1.0, f64::NAN, 3.0), mean(1.0, -1.0, 3.0)] {
            assert_eq!((odd.interval(0.95), odd.p_two_sided(0.0)), (None, None));
            assert_eq!((odd.p_above(0.0), odd.p_equivalent(0.5)), (None, None));
        }
        assert_eq!(mean(1.0, 1.0, 0.5).p_two_sided(0.0), None);
        assert_eq!(mean(1.0, 1.0, 5.0).p_equivalent(-0.5), None);
    }

    proptest! {
        #[test]
        fn intervals_and_p_values_agree(
            value in -5.0_f64..5.0, error in 0.1_f64..3.0, df in 1.0_f64..50.0,
            confidence in 0.5_f64..0.999, against in -9.0_f64..9.0, margin in 0.0_f64..20.0,
        ) {
            let mean = mean(value, error, df);
            let interval = mean.interval(confidence).unwrap();
            let (p, alpha) = (mean.p_two_sided(against).unwrap(), 1.0 - confidence);
            prop_assume!((p - alpha).abs() > 1e-9);
            prop_assert_eq!(p >= alpha, interval.contains(against));
            let (above, below) = (mean.p_above(against).unwrap(), mean.p_below(against).unwrap());
            prop_assert!((above + below - 1.0).abs() < 1e-12);
            prop_assert!((2.0 * above.min(below) - p).abs() < 1e-12);
            let equivalent = mean.p_equivalent(margin).unwrap();
            prop_assume!((2.0 * equivalent - alpha).abs() > 1e-9);
            let inside = -margin < interval.low && interval.high < margin;
            prop_assert_eq!(2.0 * equivalent < alpha, inside);
        }

        #[test]
        fn welch_turns_with_its_arguments(
            a in 0.0_f64..3.0, b in 0.01_f64..3.0, m in 1.0_f64..99.0, n in 1.0_f64..99.0,
        ) {
            let (one, other) = (mean(1.0, a, m), mean(3.0, b, n));
            let (there, back) = (welch(one, other), welch(other, one));
            prop_assert_eq!(there.value, -back.value);
            prop_assert!((there.degrees_of_freedom / back.degrees_of_freedom - 1.0).abs() < 1e-12);
            prop_assert!(there.degrees_of_freedom <= (m + n) * (1.0 + 1e-12));
            let fewest = if a > 0.0 { m.min(n) } else { n };
            prop_assert!(there.degrees_of_freedom >= fewest);
        }
    }
}
