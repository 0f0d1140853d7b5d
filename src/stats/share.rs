//! A win share, which is bounded and clustered by deal.

use super::interval::Interval;
use super::quantile::{beta_quantile, t_quantile};
use super::student::Student;
use super::tail::{beta_score, normal_tail, t_tail};

/// The mean of a strategy's win share for one seat, clustered by deal.
///
/// The share is one of a whole: where a deal gives at most `most`, it is looked at as the part that
/// was won and the part that was lost, and both ends of the interval come from one formula, with
/// won and lost changed about. So the interval of the opponents' share is the mirror image.
///
/// The ends are Clopper and Pearson's for an effective number of deals: `deals` over the design
/// effect, which is 1 where deals are won or lost as a whole, and less where the games of a deal
/// differ. E. L. Korn and B. I. Graubard, Confidence intervals for proportions with small expected
/// number of positive counts estimated from survey data, Survey Methodology 24 (1998). Where only few
/// deals have something won and something lost, the data cannot tell how much the games of a deal
/// depend on each other. So the design effect is taken together with that of one more event, which
/// is 1, the worst; and no end is closer than it would be had nothing at all been won, or lost. The
/// normal score of the beta distribution is read as Student's t, with Satterthwaite's degrees of
/// freedom for a variance of which that part is known.
///
/// Where every deal gave the same share between 0 and `most`, the ends are exact instead: that n deals
/// give `mean` has probability at most ((most - μ) / (most - mean))ⁿ where the true share μ is above
/// it, and (μ / mean)ⁿ where it is below. A share that is constant by construction has no noise
/// at all, and is not one for this type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// The mean over deals of the share for one seat, from 0 to `most`.
    pub mean: f64,
    /// Its standard error between deals.
    pub standard_error: f64,
    /// Deals, or degrees of freedom + 1 where parts have different numbers of them: at least 2, or at
    /// least 1 where `mean` is 0 or `most`.
    pub deals: f64,
    /// The most that a deal can give for one seat: 1/k for a strategy with k seats of the table.
    pub most: f64,
}

/// What both ends are made of, in parts of `most`.
#[derive(Clone, Copy)]
struct Law {
    /// The mean, 0 to 1.
    mean: f64,
    deals: f64,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    /// All deals gave the same.
    Alike,
    /// An effective number of deals, and the degrees of freedom for reading its scores.
    Effective(f64, f64),
}

impl Share {
    /// The interval at `confidence`, with equal tails; within [0, `most`]. `None` for values
    /// outside the fields' ranges, and for `confidence` outside (0, 1).
    #[must_use]
    pub fn interval(&self, confidence: f64) -> Option<Interval> {
        let inside = confidence > 0.0 && confidence < 1.0;
        let (law, tail) = (self.law().filter(|_| inside)?, 0.5 - 0.5 * confidence);
        let low = 1.0 - law.mirrored().high(tail)?;
        Some(Interval { low: low * self.most, high: law.high(tail)? * self.most })
    }

    /// The one-sided p-value of the true share being at least `against`: small where it is below,
    /// and below (1 - c)/2 where `against` is above the interval at confidence c.
    #[must_use]
    pub fn p_below(&self, against: f64) -> Option<f64> {
        self.law()?.p_below(against / self.most)
    }

    /// The one-sided p-value of the true share being at most `against`: small where it is above,
    /// and below (1 - c)/2 where `against` is below the interval at confidence c.
    #[must_use]
    pub fn p_above(&self, against: f64) -> Option<f64> {
        self.law()?.mirrored().p_below(1.0 - against / self.most)
    }

    /// The two-sided p-value of the true share being `against`: twice the smaller one-sided one,
    /// at most 1.
    #[must_use]
    pub fn p_two_sided(&self, against: f64) -> Option<f64> {
        let least = self.p_below(against)?.min(self.p_above(against)?);
        Some((2.0 * least).min(1.0))
    }

    /// The share as a mean with a standard error, for the difference of two shares
    /// ([`welch`](super::welch)). The standard error is that of the interval: one win and one loss are
    /// added to the effective number, so that it is not 0 where nothing was won, as A. Agresti and
    /// B. Caffo do for differences of proportions (The American Statistician 54, 2000).
    #[must_use]
    pub fn student(&self) -> Option<Student> {
        let law = self.law()?;
        let (effective, degrees_of_freedom) = match law.kind {
            Kind::Alike => (law.deals, f64::INFINITY),
            Kind::Effective(effective, df) => (effective, df),
        };
        let trials = effective + 2.0;
        let centre = (law.mean * effective + 1.0) / trials;
        let standard_error = (centre * (1.0 - centre) / trials).sqrt() * self.most;
        Some(Student { value: self.mean, standard_error, degrees_of_freedom })
    }

    fn law(&self) -> Option<Law> {
        let Share { mean, standard_error, deals, most } = *self;
        let ranges = most > 0.0 && most.is_finite() && (0.0..=most).contains(&mean);
        if !ranges || !deals.is_finite() {
            return None;
        }
        if mean == 0.0 || mean == most {
            return (deals >= 1.0).then_some(Law { mean: mean / most, deals, kind: Kind::Alike });
        }
        if deals < 2.0 || standard_error.is_nan() || standard_error < 0.0 {
            return None;
        }
        let mean = mean / most;
        let error = standard_error / most;
        let kind = match error == 0.0 {
            true => Kind::Alike,
            false => effective(mean, error * error, deals),
        };
        Some(Law { mean, deals, kind })
    }
}

/// The effective number of deals, from the mean and its variance.
fn effective(mean: f64, variance: f64, deals: f64) -> Kind {
    let both = mean * (1.0 - mean);
    let design_effect = (variance * deals / both).min(1.0);
    // Wholly won or lost deals that would tell as much of the mean.
    let events = deals * both / design_effect;
    let known = 1.0 / (events + 1.0);
    let estimated = (1.0 - known) * design_effect;
    let ratio = (estimated + known) / estimated;
    Kind::Effective(deals / (estimated + known), (deals - 1.0) * ratio * ratio)
}

impl Law {
    fn mirrored(&self) -> Law {
        Law { mean: 1.0 - self.mean, ..*self }
    }

    /// The upper end with the probability `tail` above it.
    fn high(&self, tail: f64) -> Option<f64> {
        let Law { mean, deals, kind } = *self;
        if mean >= 1.0 {
            return Some(1.0);
        }
        // 1 - tail^(1/n).
        let distance = -libm::expm1(libm::log(tail) / deals);
        Some(match kind {
            Kind::Alike => mean + (1.0 - mean) * distance,
            Kind::Effective(effective, df) => {
                let score = t_quantile(1.0 - tail, df)?;
                let (won, lost) = (mean * effective + 1.0, (1.0 - mean) * effective);
                // Without a probability the tail is beyond doubles.
                let below = beta_quantile(normal_tail(score), lost, won);
                below.map_or(1.0, |lost| (1.0 - lost).max(distance))
            }
        })
    }

    fn p_below(&self, against: f64) -> Option<f64> {
        let Law { mean, deals, kind } = *self;
        if against.is_nan() {
            return None;
        }
        if mean >= 1.0 || against <= 0.0 {
            return Some(1.0);
        }
        if against >= 1.0 {
            return Some(0.0);
        }
        Some(match kind {
            Kind::Alike => libm::pow(((1.0 - against) / (1.0 - mean)).min(1.0), deals),
            Kind::Effective(effective, df) => {
                let (won, lost) = (mean * effective + 1.0, (1.0 - mean) * effective);
                let score = beta_score(against, won, lost);
                t_tail(score, df)?.max(libm::pow(1.0 - against, deals))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::clopper_pearson;
    use super::*;
    use proptest::prelude::*;

    /// The share of deals that gave these parts of `most`.
    fn share_of(parts: &[f64], most: f64) -> Share {
        let n = parts.len() as f64;
        let mean = parts.iter().sum::<f64>() / n;
        let squares: f64 = parts.iter().map(|part| (part - mean) * (part - mean)).sum();
        let standard_error = (squares / (n * (n - 1.0))).sqrt();
        Share { mean: mean * most, standard_error: standard_error * most, deals: n, most }
    }

    #[test]
    fn nothing_won_is_clopper_and_pearsons_none_of_the_deals() {
        for n in [1, 2, 5, 20, 100] {
            let none = Share { mean: 0.0, standard_error: 0.0, deals: n as f64, most: 0.5 };
            let (found, exact) =
                (none.interval(0.95).unwrap(), clopper_pearson(0, n, 0.95).unwrap());
            assert_eq!(found.low, 0.0);
            assert!((found.high / 0.5 - exact.high).abs() < 1e-12, "{found:?} {exact:?}");
        }
    }

    /// 0 wins of 120 in 20 deals, 1 win, 2 wins in as many deals.
    #[test]
    fn the_first_wins_do_not_lower_the_upper_end() {
        let mut deals = [0.0; 20];
        let mut last = 0.0;
        for wins in 0..15 {
            let high = share_of(&deals, 1.0).interval(0.95).unwrap().high;
            assert!(high >= last, "{wins} wins: {high} after {last}");
            (deals[wins], last) = (1.0 / 6.0, high);
        }
    }

    #[test]
    fn alike_by_chance_is_not_empty() {
        let alike = Share { mean: 0.25, standard_error: 0.0, deals: 10.0, most: 1.0 };
        let interval = alike.interval(0.95).unwrap();
        // 3/4 to the 10th root of 0.025 lost at the least, and 1/4 to it won.
        let root = libm::exp(libm::log(0.025) / 10.0);
        assert!((interval.low - 0.25 * root).abs() < 1e-12, "{interval:?}");
        assert!((interval.high - (1.0 - 0.75 * root)).abs() < 1e-12, "{interval:?}");
    }

    #[test]
    fn nothing_can_be_said() {
        let sound = Share { mean: 0.2, standard_error: 0.1, deals: 5.0, most: 0.5 };
        assert!(sound.interval(0.95).is_some());
        for odd in [
            Share { mean: 0.6, ..sound },
            Share { mean: f64::NAN, ..sound },
            Share { standard_error: f64::NAN, ..sound },
            Share { standard_error: -0.1, ..sound },
            Share { deals: 1.5, ..sound },
            Share { deals: f64::NAN, ..sound },
            Share { most: 0.0, ..sound },
            Share { mean: 0.0, deals: 0.5, ..sound },
        ] {
            assert_eq!((odd.interval(0.95), odd.p_below(0.3)), (None, None), "{odd:?}");
            assert_eq!((odd.p_above(0.3), odd.student()), (None, None), "{odd:?}");
        }
        for confidence in [0.0, 1.0, f64::NAN] {
            assert_eq!(sound.interval(confidence), None);
        }
        assert_eq!(sound.p_below(f64::NAN), None);
    }

    fn deals() -> impl Strategy<Value = Vec<f64>> {
        let part = prop_oneof![Just(0.0), Just(1.0), (0_u8..=12).prop_map(|k| f64::from(k) / 12.0)];
        proptest::collection::vec(part, 2..40)
    }

    proptest! {
        #[test]
        fn the_others_interval_is_the_mirror_image(deals in deals(), n in 2.0_f64..=6.0) {
            // One seat, and n - 1 others.
            let own = share_of(&deals, 1.0);
            let others = Share {
                mean: (1.0 - own.mean) / (n - 1.0),
                standard_error: own.standard_error / (n - 1.0),
                most: 1.0 / (n - 1.0),
                ..own
            };
            // Sums of floats may be an ulp above what is possible.
            let others = Share { mean: others.mean.min(others.most), ..others };
            let (one, two) = (own.interval(0.95).unwrap(), others.interval(0.95).unwrap());
            prop_assert!((two.low - (1.0 - one.high) / (n - 1.0)).abs() < 1e-9);
            prop_assert!((two.high - (1.0 - one.low) / (n - 1.0)).abs() < 1e-9);
            prop_assert!(0.0 <= one.low && one.low <= own.mean);
            prop_assert!(own.mean <= one.high && one.high <= 1.0 && one.low < one.high);
        }

        #[test]
        fn interval_and_p_values_agree(
            deals in deals(), against in 0.001_f64..0.999, confidence in 0.5_f64..0.999,
        ) {
            let share = share_of(&deals, 1.0);
            let (interval, alpha) = (share.interval(confidence).unwrap(), 1.0 - confidence);
            let (below, above) = (share.p_below(against).unwrap(), share.p_above(against).unwrap());
            prop_assume!((2.0 * below - alpha).abs() > 1e-7 && (2.0 * above - alpha).abs() > 1e-7);
            prop_assert_eq!(2.0 * below < alpha, interval.high < against);
            prop_assert_eq!(2.0 * above < alpha, against < interval.low);
        }
    }
}
