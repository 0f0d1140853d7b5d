//! Tail probabilities of the normal, Student's t and beta distributions.
//!
//! Each is computed as the tail that it is, never as 1 less the rest, so that it keeps its digits
//! however small it is.

use std::f64::consts::FRAC_1_SQRT_2;

use super::quantile::{NORMAL_ABOVE_DEGREES_OF_FREEDOM, ln_beta_tail};

/// The probability that a standard normal variable is above `z`.
#[must_use]
pub fn normal_tail(z: f64) -> f64 {
    0.5 * libm::erfc(z * FRAC_1_SQRT_2)
}

/// The probability that Student's t with `degrees_of_freedom` (at least 1, need not be whole) is
/// above `t`; `None` for fewer, and for NaN.
///
/// By the incomplete beta function, Abramowitz & Stegun 26.5.27 and 26.7.1; the standard normal
/// above [`NORMAL_ABOVE_DEGREES_OF_FREEDOM`], as [`t_quantile`](super::t_quantile).
#[must_use]
pub fn t_tail(t: f64, degrees_of_freedom: f64) -> Option<f64> {
    if t.is_nan() || degrees_of_freedom.is_nan() || degrees_of_freedom < 1.0 {
        return None;
    }
    if degrees_of_freedom > NORMAL_ABOVE_DEGREES_OF_FREEDOM {
        return Some(normal_tail(t));
    }
    if t < 0.0 {
        return t_tail(-t, degrees_of_freedom).map(|tail| 1.0 - tail);
    }
    let ratio = t * t / degrees_of_freedom;
    let (x, rest) = (1.0 / (1.0 + ratio), ratio / (1.0 + ratio));
    let half = 0.5 * degrees_of_freedom;
    Some(if x == 0.0 || rest.is_nan() {
        0.0
    } else if x < (half + 1.0) / (half + 2.5) {
        0.5 * libm::exp(ln_beta_tail(x, rest, half, 0.5))
    } else if rest == 0.0 {
        0.5
    } else {
        0.5 - 0.5 * libm::exp(ln_beta_tail(rest, x, 0.5, half))
    })
}

/// The probability that Student's t with `degrees_of_freedom` is below `t`; see [`t_tail`].
#[must_use]
pub fn t_cdf(t: f64, degrees_of_freedom: f64) -> Option<f64> {
    t_tail(-t, degrees_of_freedom)
}

/// The probability that Student's t with `degrees_of_freedom` is at least as far from 0 as `t`; see
/// [`t_tail`].
#[must_use]
pub fn t_two_sided(t: f64, degrees_of_freedom: f64) -> Option<f64> {
    t_tail(t.abs(), degrees_of_freedom).map(|tail| 2.0 * tail)
}

/// The probability that a beta variable with parameters `a`, `b` > 0 is above `x` in (0, 1).
pub(super) fn beta_tail(x: f64, a: f64, b: f64) -> f64 {
    let (rest, log) = (1.0 - x, |x, rest, a, b| ln_beta_tail(x, rest, a, b).min(0.0));
    if x < (a + 1.0) / (a + b + 2.0) {
        -libm::expm1(log(x, rest, a, b))
    } else {
        libm::exp(log(rest, x, b, a))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{beta_quantile, t_quantile};
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn assert_near(actual: f64, expected: f64, relative: f64) {
        assert!((actual / expected - 1.0).abs() <= relative, "{actual}, expected {expected}");
    }

    /// From the definition with 50 digits; those that tables have (2 with 5 degrees of freedom,
    /// 12.706 with 1, Student's own 10 with 4) agree with them.
    const TAILS: [(f64, f64, f64); 13] = [
        (2.0, 5.0, 0.050_969_739_414_929_18),
        (12.706_204_736_432_095, 1.0, 0.024_999_999_999_495_654),
        (3.0, 2.5, 0.036_288_047_774_515_92),
        (1.0, 1.5, 0.225_567_683_638_355_16),
        (10.0, 4.0, 0.000_281_001_811_357_995_6),
        (50.0, 4.0, 4.787_226_828_484_85e-7),
        (1e6, 3.0, 1.102_657_790_839_614_5e-18),
        (40.0, 99.0, 3.192_542_580_143_613_4e-63),
        (8.0, 9999.0, 6.910_676_719_143_822e-16),
        (0.001, 7.0, 0.499_615_008_622_499_4),
        (0.5, 30.0, 0.310_361_502_442_563_64),
        (25.0, 30.0, 6.045_911_190_643_513e-22),
        (100.0, 9.0, 2.536_544_883_104_281e-15),
    ];

    #[test]
    fn student_matches_published_values_far_out_too() {
        for (t, df, tail) in TAILS {
            assert_near(t_tail(t, df).unwrap(), tail, 1e-12);
            assert_near(t_cdf(-t, df).unwrap(), tail, 1e-12);
            assert_near(t_two_sided(-t, df).unwrap(), 2.0 * tail, 1e-12);
            assert_near(t_cdf(t, df).unwrap(), 1.0 - tail, 1e-12);
        }
        assert_eq!(t_tail(0.0, 3.0), Some(0.5));
        assert_eq!(t_tail(f64::INFINITY, 3.0), Some(0.0));
        assert_eq!(t_tail(1e200, 3.0), Some(0.0));
    }

    #[test]
    fn normal_matches_published_values_far_out_too() {
        assert_near(normal_tail(1.959_963_984_540_054), 0.025, 1e-12);
        assert_near(normal_tail(10.0), 7.619_853_024_160_526e-24, 1e-12);
        assert_eq!(t_tail(10.0, 1e7), Some(normal_tail(10.0)));
    }

    #[test]
    fn impossible_arguments_have_no_tail() {
        for (t, df) in [(f64::NAN, 3.0), (1.0, 0.5), (1.0, f64::NAN)] {
            assert_eq!(t_tail(t, df), None);
            assert_eq!(t_two_sided(t, df), None);
        }
    }

    proptest! {
        #[test]
        fn tails_undo_quantiles(p in 1e-9_f64..0.5, df in 1.0_f64..20_000.0) {
            let t = t_quantile(p, df).unwrap();
            prop_assert!((t_cdf(t, df).unwrap() / p - 1.0).abs() < 1e-8);
        }

        #[test]
        fn beta_tails_undo_quantiles(
            p in 1e-12_f64..0.999_999, log_a in -1.0_f64..6.0, log_b in -1.0_f64..6.0,
        ) {
            let (a, b) = (libm::exp10(log_a), libm::exp10(log_b));
            let x = beta_quantile(p, a, b).unwrap();
            prop_assume!(x > 1e-6 && x < 0.999_999);
            // The tail of the mirror image is the lower tail; 1 - x has lost digits of a small x.
            prop_assert!((beta_tail(1.0 - x, b, a) / p - 1.0).abs() < 1e-6);
            prop_assert!((beta_tail(x, a, b) - (1.0 - p)).abs() < 1e-9);
        }
    }
}
