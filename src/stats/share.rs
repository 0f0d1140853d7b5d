//! A win share, which is bounded and clustered by deal.

use super::interval::Interval;
use super::proportion::standard_error;
use super::quantile::beta_quantile;
use super::student::Student;
use super::tail::beta_tail;

/// The mean of a strategy's win share for one seat, clustered by deal.
///
/// A deal gives `most` at most, so the share is looked at as a part won and a part lost. Both ends
/// of the interval come from one formula with won and lost changed about: the interval of the
/// opponents' share is the mirror image. Every p-value is the probability from which the ends are
/// found, never computed back from them.
///
/// The ends are Clopper and Pearson's for an effective number of deals, that is `deals` over the
/// design effect: 1 where deals are won or lost as a whole, less where the games of a deal differ
/// (E. L. Korn and B. I. Graubard, Confidence intervals for proportions with small expected number
/// of positive counts estimated from survey data, Survey Methodology 24, 1998). The project's own is
/// what is done where little was won, or lost: then the design effect is hardly known, so it is
/// averaged with that of one more event, which is 1, the worst there is. How much that event weighs
/// was found by simulation (`src/stats/coverage.rs`), and so that no upper end falls when a win is
/// added, while there are fewer wins than deals.
///
/// With many deals the interval tends to Student's. At a mean of 0 or `most` it is Clopper and
/// Pearson's for the number of deals, which is safe whatever the games of a deal have to do with each
/// other: a share with expectation μ is above 0 in at least the fraction μ of deals, so that n deals
/// without a win are at most as likely as n failures of a trial with probability μ.
///
/// A share that is constant by construction (self-play) has no noise, and is not one for this type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// The mean over deals of the share for one seat, from 0 to `most`.
    pub mean: f64,
    /// Its standard error between deals; not read where `mean` is 0 or `most`.
    pub standard_error: f64,
    /// Deals, or degrees of freedom + 1 where parts have different numbers of them: at least 2, or
    /// at least 1 where `mean` is 0 or `most`.
    pub deals: f64,
    /// The games of a deal over which its share is a mean, at least 1: rotations, in all line-ups.
    pub games: f64,
    /// The most that a deal can give for one seat: 1/k for a strategy with k seats of the table.
    pub most: f64,
}

/// What both ends are made of, in parts of `most`.
#[derive(Debug, Clone, Copy)]
struct Law {
    /// The mean, 0 to 1.
    mean: f64,
    /// The effective number of deals.
    effective: f64,
    /// Of the effective number.
    degrees_of_freedom: f64,
}

impl Share {
    /// The interval at `confidence`, with equal tails; within [0, `most`]. `None` for values outside
    /// the fields' ranges, and for `confidence` outside (0, 1).
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
    /// ([`welch`](super::welch)). The standard error is that of [`Proportion::student`] for the
    /// effective number of deals, so that it is not 0 where nothing was won.
    ///
    /// [`Proportion::student`]: super::Proportion::student
    #[must_use]
    pub fn student(&self) -> Option<Student> {
        let Law { mean, effective, degrees_of_freedom } = self.law()?;
        let standard_error = standard_error(mean * effective, effective) * self.most;
        Some(Student { value: self.mean, standard_error, degrees_of_freedom })
    }

    fn law(&self) -> Option<Law> {
        let Share { mean, standard_error, deals, games, most } = *self;
        let sound = most > 0.0
            && most.is_finite()
            && (0.0..=most).contains(&mean)
            && deals.is_finite()
            && games >= 1.0;
        if !sound {
            return None;
        }
        if mean == 0.0 || mean == most {
            let law = Law {
                mean: mean / most,
                effective: deals,
                degrees_of_freedom: (deals - 1.0).max(1.0),
            };
            return (deals >= 1.0).then_some(law);
        }
        let error = standard_error / most;
        let spread = deals >= 2.0 && error >= 0.0 && error.is_finite();
        spread.then(|| Law::inside(mean / most, error * error, deals, games))
    }
}

impl Law {
    /// From a mean in (0, 1) and its variance.
    fn inside(mean: f64, variance: f64, deals: f64, games: f64) -> Law {
        let both = mean * (1.0 - mean);
        let seen = (variance * deals / both).min(1.0);
        let known = 1.0 / (1.0 + events(deals * both, seen, deals, games));
        let estimated = (1.0 - known) * seen;
        let design_effect = estimated + known;
        // Satterthwaite's, for a variance of which a part is known.
        let part = estimated / design_effect;
        Law {
            mean,
            effective: deals / design_effect,
            degrees_of_freedom: (deals - 1.0) / (part * part),
        }
    }

    fn mirrored(&self) -> Law {
        Law { mean: 1.0 - self.mean, ..*self }
    }

    /// The parameters of the upper end's beta distribution.
    fn beta(&self) -> (f64, f64) {
        (self.mean * self.effective + 1.0, (1.0 - self.mean) * self.effective)
    }

    /// The upper end with the probability `tail` above it.
    fn high(&self, tail: f64) -> Option<f64> {
        if self.mean >= 1.0 {
            return Some(1.0);
        }
        let (won, lost) = self.beta();
        Some(1.0 - beta_quantile(tail, lost, won)?)
    }

    /// The p-value of the mean being at least `against`.
    fn p_below(&self, against: f64) -> Option<f64> {
        if against.is_nan() {
            None
        } else if self.mean >= 1.0 || against <= 0.0 {
            Some(1.0)
        } else if against >= 1.0 {
            Some(0.0)
        } else {
            let (won, lost) = self.beta();
            Some(beta_tail(against, won, lost))
        }
    }
}

/// How many events the design effect that was `seen` counts as, against the one that is added;
/// `whole` is how many there were if each were a deal won or lost as a whole.
///
/// Each deal won or lost as a whole would be an event, and games of which only some are won are as
/// many more as the design effect is smaller. Games less alike than independent ones tell no more
/// than those. But while events are few and small they are counted as half of what was won, rising
/// with its cube: as fast as no further win lowers the upper end. With more events than deals, so
/// that deals are no rare events themselves, they count whatever their size; two deals alone cannot
/// tell.
fn events(whole: f64, seen: f64, deals: f64, games: f64) -> f64 {
    let all = whole / seen.max(1.0 / games);
    let few = (2.0 + whole * whole) * whole / 4.0;
    few.min(all).max((all - deals) * (1.0 - 2.0 / deals))
}

#[cfg(test)]
mod tests {
    use super::super::clopper_pearson;
    use super::*;
    use proptest::prelude::*;

    /// The share of deals that gave these numbers of wins in `games` each, in whole numbers as the
    /// tally has them; `most` for a seat.
    fn share_of(wins: &[u32], games: u32, most: f64) -> Share {
        let n = wins.len() as f64;
        let sum: u32 = wins.iter().sum();
        let squares: u32 = wins.iter().map(|wins| wins * wins).sum();
        let centred = f64::from(wins.len() as u32 * squares - sum * sum) / n;
        let whole = f64::from(games);
        let standard_error = (centred / (n * (n - 1.0))).sqrt() / whole * most;
        let mean = f64::from(sum) / (n * whole) * most;
        Share { mean, standard_error, deals: n, games: whole, most }
    }

    fn high(wins: &[u32], games: u32) -> f64 {
        share_of(wins, games, 1.0).interval(0.95).unwrap().high
    }

    #[track_caller]
    fn assert_near(actual: f64, expected: f64) {
        assert!((actual - expected).abs() < 1e-9, "{actual}, expected {expected}");
    }

    #[test]
    fn where_deals_are_won_as_a_whole_it_is_clopper_and_pearsons() {
        for (wins, n) in [(0, 20), (1, 20), (7, 50), (20, 20), (99, 100)] {
            let mut deals = vec![0; n];
            deals[..wins].fill(4);
            let found = share_of(&deals, 4, 0.5).interval(0.95).unwrap();
            let exact = clopper_pearson(wins as u64, n as u64, 0.95).unwrap();
            assert_near(2.0 * found.low, exact.low);
            assert_near(2.0 * found.high, exact.high);
        }
    }

    #[test]
    fn nothing_won_is_clopper_and_pearsons_none_of_the_deals() {
        for n in [1, 2, 5, 20, 100] {
            let none = Share {
                mean: 0.0,
                standard_error: f64::NAN,
                deals: n as f64,
                games: 6.0,
                most: 0.5,
            };
            let (found, exact) =
                (none.interval(0.95).unwrap(), clopper_pearson(0, n, 0.95).unwrap());
            assert_eq!(found.low, 0.0);
            assert_near(found.high / 0.5, exact.high);
            assert_near(none.p_below(0.5 * exact.high).unwrap(), 0.025);
        }
    }

    /// All ways to win one more game, from nothing on, while there are fewer wins than deals.
    #[test]
    fn no_win_lowers_the_upper_end_of_few_deals() {
        for (n, games) in [(2, 6), (3, 6), (4, 4), (5, 3), (6, 2), (7, 1)] {
            let mut sparse = vec![vec![0; n]];
            for _ in 1..=n {
                let mut more = Vec::new();
                for deals in &sparse {
                    for won in (0..n).filter(|&deal| deals[deal] < games) {
                        let mut with = deals.clone();
                        with[won] += 1;
                        let (before, after) = (high(deals, games), high(&with, games));
                        assert!(after >= before, "{deals:?} {with:?} of {games}: {before} {after}");
                        with.sort_unstable();
                        more.push(with);
                    }
                }
                more.sort_unstable();
                more.dedup();
                sparse = more;
            }
        }
    }

    /// Of 120 games in 20 deals: Student's intervals for 0, 1 and 12 wins have no width, end at 0.0258
    /// and at 0.1392; an exact one of 120 independent games ends at 0.0303, 0.0456 and 0.1681.
    #[test]
    fn few_wins_of_120_games() {
        let with = |wins: usize| {
            let mut deals = [0; 20];
            deals[..wins].fill(1);
            let Interval { low, high } = share_of(&deals, 6, 1.0).interval(0.95).unwrap();
            [low, high].map(|end| (1e4 * end).round() / 1e4)
        };
        assert_eq!(with(0), [0.0, 0.1684]);
        assert_eq!(with(1), [0.0, 0.1734]);
        assert_eq!(with(2), [0.0, 0.1785]);
        assert_eq!(with(12), [0.0363, 0.2089]);
    }

    #[test]
    fn alike_by_chance_is_not_empty() {
        for n in [2, 5, 10, 100, 1000] {
            let alike = share_of(&vec![1; n], 4, 1.0);
            assert_eq!(alike.standard_error, 0.0);
            let interval = alike.interval(0.95).unwrap();
            assert!(interval.low < 0.25 && 0.25 < interval.high, "{interval:?}");
            // As wide as if one event had been seen, with 4 independent games a deal.
            let trials = n as f64 * (1.0 + 0.75 * n as f64);
            let half = 1.96 * (0.1875 / trials).sqrt();
            assert!(
                interval.half_width() > half && interval.half_width() < 2.0 * half + 0.2 / n as f64
            );
        }
    }

    #[test]
    fn with_many_deals_it_is_students() {
        let wins: Vec<u32> = (0..10_000).map(|deal| (deal * deal + deal / 7) % 5).collect();
        let share = share_of(&wins, 4, 1.0);
        let student = Student {
            value: share.mean,
            standard_error: share.standard_error,
            degrees_of_freedom: share.deals - 1.0,
        };
        let (found, limit) = (share.interval(0.95).unwrap(), student.interval(0.95).unwrap());
        assert!((found.low - limit.low).abs() < 0.01 * limit.half_width(), "{found:?} {limit:?}");
        assert!((found.high - limit.high).abs() < 0.01 * limit.half_width(), "{found:?} {limit:?}");
        let of_share = share.student().unwrap();
        assert!((of_share.standard_error / student.standard_error - 1.0).abs() < 1e-3);
    }

    #[test]
    fn far_out_p_values_are_small_but_not_0() {
        let wins: Vec<u32> = (0..10).map(|deal| 5 + deal % 2).collect();
        let share = share_of(&wins, 6, 1.0);
        let p = share.p_above(1.0 / 6.0).unwrap();
        assert!(0.0 < p && p < 1e-4, "{p}");
        let thousand: Vec<u32> = (0..1000).map(|deal| 5 + deal % 2).collect();
        let p = share_of(&thousand, 6, 1.0).p_above(1.0 / 6.0).unwrap();
        assert!(p < 1e-60, "{p}");
    }

    #[test]
    fn a_difference_of_shares_knows_that_nothing_won_is_not_certain() {
        let none = Share { mean: 0.0, standard_error: 0.0, deals: 20.0, games: 4.0, most: 1.0 };
        let student = none.student().unwrap();
        assert_eq!(student.value, 0.0);
        // One win of 22, for the distance between shares of 20.
        assert_near(student.standard_error, (21.0_f64 / 22.0 / 22.0 / 22.0).sqrt() * 22.0 / 20.0);
        assert_eq!(student.degrees_of_freedom, 19.0);
    }

    /// Sums of floats may end close to the edges instead of at them.
    #[test]
    fn a_hair_from_the_edge_it_is_as_at_the_edge() {
        let at =
            |mean: f64| Share { mean, standard_error: 0.0, deals: 30.0, games: 4.0, most: 1.0 };
        for (edge, near) in [(0.0, 1e-17), (0.0, 1e-300), (1.0, 1.0 - f64::EPSILON)] {
            let (edge, near) = (at(edge), at(near));
            let (one, two) = (edge.interval(0.95).unwrap(), near.interval(0.95).unwrap());
            assert!((one.low - two.low).abs() < 1e-9, "{one:?} {two:?}");
            assert!((one.high - two.high).abs() < 1e-9, "{one:?} {two:?}");
            assert_near(edge.p_below(0.1).unwrap(), near.p_below(0.1).unwrap());
            assert_near(edge.p_above(0.9).unwrap(), near.p_above(0.9).unwrap());
        }
        let many = Share { mean: 0.25, standard_error: 1e-6, deals: 1e10, games: 4.0, most: 1.0 };
        let half = many.interval(0.95).unwrap().half_width();
        assert!((half / 1.959_964e-6 - 1.0).abs() < 1e-3, "{half}");
    }

    #[test]
    fn nothing_can_be_said() {
        let sound = Share { mean: 0.2, standard_error: 0.1, deals: 5.0, games: 4.0, most: 0.5 };
        assert!(sound.interval(0.95).is_some());
        for odd in [
            Share { mean: 0.6, ..sound },
            Share { mean: f64::NAN, ..sound },
            Share { standard_error: f64::NAN, ..sound },
            Share { standard_error: -0.1, ..sound },
            Share { deals: 1.5, ..sound },
            Share { deals: f64::NAN, ..sound },
            Share { games: 0.5, ..sound },
            Share { games: f64::NAN, ..sound },
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

    fn deals() -> impl Strategy<Value = Vec<u32>> {
        let wins = prop_oneof![2 => Just(0), 1 => Just(12), 1 => 0_u32..=12];
        proptest::collection::vec(wins, 2..40)
    }

    proptest! {
        #[test]
        fn the_others_interval_is_the_mirror_image(wins in deals(), n in 2_u32..=6) {
            // One seat, and n - 1 others.
            let own = share_of(&wins, 12, 1.0);
            let rest = f64::from(n - 1);
            let lost: Vec<u32> = wins.iter().map(|wins| 12 - wins).collect();
            let others = share_of(&lost, 12, 1.0 / rest);
            let (one, two) = (own.interval(0.95).unwrap(), others.interval(0.95).unwrap());
            prop_assert!((two.low - (1.0 - one.high) / rest).abs() < 1e-9);
            prop_assert!((two.high - (1.0 - one.low) / rest).abs() < 1e-9);
            prop_assert!(0.0 <= one.low && one.low <= own.mean);
            prop_assert!(own.mean <= one.high && one.high <= 1.0 && one.low < one.high);
            let parity = 1.0 / f64::from(n);
            let (of_own, of_others) = (own.p_above(parity).unwrap(), others.p_below(parity).unwrap());
            prop_assert!((of_own - of_others).abs() < 1e-9);
        }

        #[test]
        fn interval_and_p_values_agree(
            wins in deals(), against in 0.001_f64..0.999, confidence in 0.5_f64..0.999,
        ) {
            let share = share_of(&wins, 12, 1.0);
            let (interval, alpha) = (share.interval(confidence).unwrap(), 1.0 - confidence);
            let (below, above) = (share.p_below(against).unwrap(), share.p_above(against).unwrap());
            prop_assert_eq!(share.p_two_sided(against).unwrap(), (2.0 * below.min(above)).min(1.0));
            prop_assume!((2.0 * below - alpha).abs() > 1e-7 && (2.0 * above - alpha).abs() > 1e-7);
            prop_assert_eq!(2.0 * below < alpha, interval.high < against);
            prop_assert_eq!(2.0 * above < alpha, against < interval.low);
        }

        /// One win after another, in any deals and rotations, while there are fewer than deals.
        #[test]
        fn no_win_lowers_the_upper_end_of_sparse_data(
            n in 2_usize..120, games in 1_u32..=6, places in proptest::collection::vec(any::<u32>(), 120),
        ) {
            let mut wins = vec![0; n];
            let mut before = high(&wins, games);
            for place in &places[..n] {
                let deal = *place as usize % n;
                if wins[deal] < games {
                    wins[deal] += 1;
                    let after = high(&wins, games);
                    prop_assert!(after >= before, "{wins:?} of {games}: {before} {after}");
                    before = after;
                }
            }
        }
    }
}
