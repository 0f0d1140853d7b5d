//! How large a run must be.

use crate::stats::quantile::normal_quantile;

/// Number of deals after which a difference of the size `difference` is found with probability
/// `power` by a two-sided test at `confidence` (normal approximation).
///
/// `standard_deviation_per_deal` is that of the difference within a deal, in the same unit. With
/// power 0.5 it is the number of deals at which the interval's half-width is `difference`.
/// n = ((z + z') σ / δ)², z and z' the normal quantiles at (1 + confidence) / 2 and at power: the
/// formula behind R. Lehr, Sixteen S-squared over D-squared, Statistics in Medicine 11 (1992).
///
/// At least 2, since fewer have no standard error. `None` for a difference of 0, a standard
/// deviation below 0, or `confidence` or `power` outside (0, 1).
#[must_use]
pub fn deals_needed(
    difference: f64,
    standard_deviation_per_deal: f64,
    confidence: f64,
    power: f64,
) -> Option<u64> {
    let sigma = standard_deviation_per_deal;
    let valid = difference != 0.0 && difference.is_finite() && sigma >= 0.0 && sigma.is_finite();
    if !valid {
        return None;
    }
    let two_sided = normal_quantile(0.5 + 0.5 * confidence).filter(|&z| z > 0.0)?;
    let z = (two_sided + normal_quantile(power)?).max(0.0);
    let root = z * sigma / difference.abs();
    // Saturates where it is beyond any run.
    Some(((root * root).ceil() as u64).max(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The familiar factors: 7.849 for 95 % and a power of 80 % (half of Lehr's 16, which is for two
    /// samples), 10.507 for 90 %.
    #[test]
    fn matches_published_numbers() {
        assert_eq!(deals_needed(0.1, 1.0, 0.95, 0.90), Some(1051));
        assert_eq!(deals_needed(-0.001, 1.0, 0.95, 0.80), Some(7_848_880));
        assert_eq!(deals_needed(0.5, 1.0, 0.95, 0.80), Some(32));
    }

    #[test]
    fn half_power_is_the_half_width() {
        assert_eq!(deals_needed(0.01, 0.5, 0.95, 0.5), Some(9604));
    }

    #[test]
    fn odd_input() {
        assert_eq!(deals_needed(0.1, 0.0, 0.95, 0.8), Some(2));
        assert_eq!(deals_needed(1e-300, 1.0, 0.95, 0.8), Some(u64::MAX));
        for bad in [(0.0, 1.0, 0.95, 0.8), (f64::NAN, 1.0, 0.95, 0.8), (1.0, -1.0, 0.95, 0.8)] {
            assert_eq!(deals_needed(bad.0, bad.1, bad.2, bad.3), None);
        }
        for outside in [0.0, 1.0, -0.2, f64::NAN] {
            assert_eq!(deals_needed(1.0, 1.0, outside, 0.8), None);
            assert_eq!(deals_needed(1.0, 1.0, 0.95, outside), None);
        }
    }
}
