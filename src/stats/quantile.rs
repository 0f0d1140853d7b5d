//! Quantiles of the normal, Student's t and beta distributions.
//!
//! Every search is bounded: no argument can make one run for ever.

use core::f64::consts::PI;
use statrs::distribution::{ContinuousCDF, Normal};

/// Above this many degrees of freedom Student's t is taken as the standard normal.
///
/// At the limit the normal's 97.5 % quantile is 0.00024 below Student's, 0.012 % of an interval's
/// width.
pub const NORMAL_ABOVE_DEGREES_OF_FREEDOM: f64 = 10_000.0;

/// Newton or bisection steps at most; bisection alone settles a double in fewer.
const MAX_STEPS: u32 = 200;

/// Terms of the continued fraction at most. It takes about as many as the square root of the larger
/// parameter, so this serves for more than 1e10 observations.
const MAX_TERMS: u32 = 1_000_000;

/// The standard normal quantile at `p` in (0, 1); `None` outside.
#[must_use]
pub fn normal_quantile(p: f64) -> Option<f64> {
    is_probability(p).then(|| Normal::standard().inverse_cdf(p))
}

/// The quantile at `p` in (0, 1) of Student's t with `degrees_of_freedom` (at least 1, need not be
/// whole); `None` outside these ranges.
///
/// By the relation with the incomplete beta function, Abramowitz & Stegun 26.5.27; the standard
/// normal above [`NORMAL_ABOVE_DEGREES_OF_FREEDOM`].
#[must_use]
pub fn t_quantile(p: f64, degrees_of_freedom: f64) -> Option<f64> {
    if !is_probability(p) || degrees_of_freedom.is_nan() || degrees_of_freedom < 1.0 {
        return None;
    }
    if degrees_of_freedom > NORMAL_ABOVE_DEGREES_OF_FREEDOM {
        return normal_quantile(p);
    }
    let half = 0.5 * degrees_of_freedom;
    let tail = p.min(1.0 - p);
    if tail == 0.5 {
        return Some(0.0);
    }
    // t² / (df + t²) follows Beta(1/2, df/2). Far out its complement is the one with digits left.
    let odds = if tail < 0.25 {
        let rest = beta_quantile(2.0 * tail, half, 0.5)?;
        (1.0 - rest) / rest
    } else {
        let part = beta_quantile(1.0 - 2.0 * tail, 0.5, half)?;
        part / (1.0 - part)
    };
    let t = (degrees_of_freedom * odds).sqrt();
    Some(if p < 0.5 { -t } else { t })
}

/// The quantile at `p` in (0, 1) of the beta distribution with parameters `a`, `b` > 0 (finite);
/// `None` outside these ranges.
///
/// Newton's method on the regularised incomplete beta function, inside a bracket that is halved
/// wherever a Newton step would leave it.
#[must_use]
pub fn beta_quantile(p: f64, a: f64, b: f64) -> Option<f64> {
    let valid = |shape: f64| shape > 0.0 && shape.is_finite();
    if !is_probability(p) || !valid(a) || !valid(b) {
        return None;
    }
    let (mut low, mut high) = (0.0, 1.0);
    let mut x = a / (a + b);
    for _ in 0..MAX_STEPS {
        let error = beta_cdf(x, a, b) - p;
        if error > 0.0 {
            high = x;
        } else {
            low = x;
        }
        let density = a * beta_front(x, a, b) / (x * (1.0 - x));
        let newton = x - error / density;
        // Before the bracket is asked: at the root, rounding leaves the step on its edge.
        if (newton - x).abs() <= 2.0 * f64::EPSILON * x {
            break;
        }
        let inside = newton > low && newton < high;
        x = if inside { newton } else { 0.5 * (low + high) };
    }
    Some(x)
}

/// The regularised incomplete beta function I_x(a, b), `x` in (0, 1).
///
/// Continued fraction of Abramowitz & Stegun 26.5.8 by Lentz's method, as in Numerical Recipes,
/// 3rd edition, section 6.4.
fn beta_cdf(x: f64, a: f64, b: f64) -> f64 {
    if x < (a + 1.0) / (a + b + 2.0) {
        beta_front(x, a, b) * beta_fraction(x, a, b)
    } else {
        1.0 - beta_front(1.0 - x, b, a) * beta_fraction(1.0 - x, b, a)
    }
}

/// x^a (1-x)^b / (a B(a, b)), the factor before the continued fraction.
///
/// As a binomial probability in the form of C. Loader, Fast and Accurate Computation of Binomial
/// Probabilities (2000): differences of log-gammas would leave no digits for large parameters.
fn beta_front(x: f64, a: f64, b: f64) -> f64 {
    libm::exp(beta_exponent(x, 1.0 - x, a, b)) * (b / (2.0 * PI * a * (a + b))).sqrt()
}

/// The logarithm of what depends on x in [`beta_front`]; `rest` is 1 - x.
fn beta_exponent(x: f64, rest: f64, a: f64, b: f64) -> f64 {
    let n = a + b;
    stirling_error(n)
        - stirling_error(a)
        - stirling_error(b)
        - deviance(a, n * x)
        - deviance(b, n * rest)
}

/// ln I_x(a, b) where x is below (a + 1) / (a + b + 2), so that the tail is what is computed; `rest`
/// is 1 - x, which has digits of its own where x is close to 1.
pub(super) fn ln_beta_tail(x: f64, rest: f64, a: f64, b: f64) -> f64 {
    let root = 0.5 * libm::log(b / (2.0 * PI * a * (a + b)));
    beta_exponent(x, rest, a, b) + root + libm::log(beta_fraction(x, a, b))
}

/// ln Γ(z + 1) minus Stirling's approximation of it, ln(√(2πz) (z/e)^z).
fn stirling_error(z: f64) -> f64 {
    if z < 16.0 {
        return libm::lgamma(z + 1.0) - (z + 0.5) * libm::log(z) + z - 0.5 * libm::log(2.0 * PI);
    }
    let square = z * z;
    (1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1260.0 - 1.0 / 1680.0 / square) / square) / square) / z
}

/// observed · ln(observed / expected) + expected − observed, without its cancellation.
fn deviance(observed: f64, expected: f64) -> f64 {
    let excess = (expected - observed) / observed;
    // Close to −1 the excess has lost the digits of a small expectation.
    let log = if excess < -0.5 { libm::log(expected / observed) } else { libm::log1p(excess) };
    observed * (excess - log)
}

/// The continued fraction of I_x(a, b); converges fast for x below (a + 1) / (a + b + 2).
fn beta_fraction(x: f64, a: f64, b: f64) -> f64 {
    let away_from_zero = |v: f64| {
        if v.abs() < f64::MIN_POSITIVE { f64::MIN_POSITIVE } else { v }
    };
    let mut c = 1.0;
    let mut d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = d;
    for term in 1..=MAX_TERMS {
        let m = f64::from(term);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / away_from_zero(1.0 + even * d);
        c = away_from_zero(1.0 + even / c);
        fraction *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / away_from_zero(1.0 + odd * d);
        c = away_from_zero(1.0 + odd / c);
        let step = d * c;
        fraction *= step;
        if (step - 1.0).abs() <= f64::EPSILON {
            break;
        }
    }
    fraction
}

fn is_probability(p: f64) -> bool {
    p > 0.0 && p < 1.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use statrs::distribution::{Beta, StudentsT};

    #[track_caller]
    fn assert_near(actual: Option<f64>, expected: f64, tolerance: f64) {
        let actual = actual.expect("a quantile");
        assert!((actual - expected).abs() <= tolerance, "{actual}, expected {expected}");
    }

    /// The values of every table of the normal distribution, to 12 digits.
    #[test]
    fn normal_matches_published_values() {
        assert_near(normal_quantile(0.5), 0.0, 1e-15);
        assert_near(normal_quantile(0.8), 0.841_621_233_573, 1e-12);
        assert_near(normal_quantile(0.975), 1.959_963_984_540, 1e-12);
        assert_near(normal_quantile(0.995), 2.575_829_303_549, 1e-12);
        assert_near(normal_quantile(0.000_5), -3.290_526_731_492, 1e-12);
    }

    /// One degree of freedom is Cauchy's tan(π(p − 1/2)), two have t = (2p − 1) / √(2p(1 − p)); the
    /// others were computed from the definition with 40 digits, and round to the printed tables.
    #[test]
    fn student_matches_published_values() {
        assert_near(t_quantile(0.975, 1.0), libm::tan(0.475 * PI), 1e-12);
        assert_near(t_quantile(0.999_999, 1.0), 318_309.886_182_7, 1e-4);
        assert_near(t_quantile(0.9, 2.0), 0.8 / 0.18_f64.sqrt(), 1e-14);
        T_TABLE.iter().for_each(|&(p, df, t)| {
            assert_near(t_quantile(p, df), t, 1e-9);
            assert_near(t_quantile(1.0 - p, df), -t, 1e-9);
        });
        assert_eq!(t_quantile(0.5, 7.0), Some(0.0));
    }

    const T_TABLE: [(f64, f64, f64); 7] = [
        (0.975, 3.0, 3.182_446_305_284),
        (0.975, 10.0, 2.228_138_851_986),
        (0.995, 10.0, 3.169_272_672_617),
        (0.95, 19.0, 1.729_132_811_521),
        (0.975, 63.0, 1.998_340_542_521),
        (0.975, 999.0, 1.962_341_461_133),
        (0.975, 10_000.0, 1.960_201_239_891),
    ];

    #[test]
    fn student_is_normal_with_many_degrees_of_freedom() {
        assert_near(t_quantile(0.975, 1e7), 1.959_963_984_5, 1e-9);
        let (below, above) = (t_quantile(0.975, 10_000.0), t_quantile(0.975, 10_000.5));
        let gap = below.expect("valid") - above.expect("valid");
        assert!((0.0..0.000_25).contains(&gap), "{gap}");
    }

    /// Beta(1, b) has the closed form 1 − (1 − p)^(1/b); statrs' inverse never returns here.
    #[test]
    fn beta_is_right_and_ends_for_huge_parameters() {
        for b in [1.0, 50.0, 1e5, 1e7, 1e10] {
            let exact = -libm::expm1(libm::log1p(-0.9) / b);
            assert_near(beta_quantile(0.9, 1.0, b), exact, 2e-16);
        }
        assert_near(beta_quantile(0.5, 1e10, 1e10), 0.5, 1e-15);
        assert_near(beta_quantile(0.5, 1e6, 1e6), 0.5, 1e-15);
    }

    #[test]
    fn impossible_arguments_have_no_quantile() {
        for p in [0.0, 1.0, -0.1, 1.1, f64::NAN] {
            assert_eq!(normal_quantile(p), None);
            assert_eq!(t_quantile(p, 5.0), None);
            assert_eq!(beta_quantile(p, 2.0, 3.0), None);
        }
        for bad in [0.0, -1.0, f64::NAN] {
            assert_eq!(t_quantile(0.9, bad), None);
            assert_eq!(beta_quantile(0.9, bad, 1.0), None);
            assert_eq!(beta_quantile(0.9, 1.0, bad), None);
        }
    }

    proptest! {
        #[test]
        fn agrees_with_statrs_where_that_is_right(
            p in 0.01_f64..0.99, a in 1.0_f64..300.0, b in 1.0_f64..300.0,
        ) {
            let beta = Beta::new(a, b).expect("valid").cdf(beta_quantile(p, a, b).expect("valid"));
            prop_assert!((beta - p).abs() < 1e-10, "{beta}");
            let student = StudentsT::new(0.0, 1.0, a).expect("valid");
            let t = student.cdf(t_quantile(p, a).expect("valid"));
            prop_assert!((t - p).abs() < 1e-10, "{t}");
        }

        #[test]
        fn quantile_undoes_distribution_function(
            p in 1e-6_f64..1.0, log_a in -1.0_f64..10.0, log_b in -1.0_f64..10.0,
        ) {
            let (a, b) = (libm::exp10(log_a), libm::exp10(log_b));
            let x = beta_quantile(p, a, b).expect("valid");
            prop_assert!((0.0..=1.0).contains(&x));
            // One unit in the last place of x, or of 1 − x, in units of probability.
            let grain = f64::EPSILON * a * beta_front(x, a, b) / (x * (1.0 - x)).max(1e-300);
            let back = beta_cdf(x, a, b);
            prop_assert!(x == 1.0 || (back - p).abs() <= 1e-8 + 4.0 * grain, "{x} {back}");
        }
    }
}
