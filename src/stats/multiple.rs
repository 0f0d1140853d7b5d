//! Corrections for comparisons made together.
//!
//! A p-value that is not a number counts as 1, no evidence; others are clamped to [0, 1].

/// Holm's adjusted p-values, in the order given: compare each with alpha to control the chance of
/// any false positive. For families that are asserted.
///
/// S. Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of
/// Statistics 6 (1979).
#[must_use]
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut adjusted = vec![0.0; p.len()];
    let mut largest: f64 = 0.0;
    for (rank, (index, value)) in ascending(p).into_iter().enumerate() {
        largest = largest.max(value * (p.len() - rank) as f64).min(1.0);
        adjusted[index] = largest;
    }
    adjusted
}

/// Holm's adjusted p-values over several families together, which share alpha alike however many tests
/// each has: so that a family of a few main figures does not pay for one of hundreds of details.
/// `family` has that of each p-value.
///
/// The weighted form, theorem 2 of the same article, with weight 1/m for each test of a family of m.
#[must_use]
pub fn holm_by_family(p: &[f64], family: &[usize]) -> Vec<f64> {
    let mut sizes = vec![0usize; family.iter().max().map_or(0, |&last| last + 1)];
    family.iter().for_each(|&family| sizes[family] += 1);
    let weight = |index: usize| 1.0 / sizes[family[index]] as f64;
    let scaled: Vec<f64> = p.iter().enumerate().map(|(at, p)| p / weight(at)).collect();
    let mut order: Vec<usize> = (0..p.len()).collect();
    let rank = |at: usize| if scaled[at].is_nan() { f64::INFINITY } else { scaled[at] };
    order.sort_by(|&a, &b| rank(a).total_cmp(&rank(b)));
    let mut left: f64 = (0..p.len()).map(weight).sum();
    let mut adjusted = vec![1.0; p.len()];
    let mut largest: f64 = 0.0;
    for index in order {
        largest = largest.max(rank(index) * left).min(1.0);
        adjusted[index] = largest;
        left -= weight(index);
    }
    adjusted
}

/// Benjamini and Hochberg's adjusted p-values, in the order given: compare each with q to control
/// the expected share of false positives among the positives. For screens.
///
/// Y. Benjamini and Y. Hochberg, Controlling the false discovery rate, Journal of the Royal
/// Statistical Society B 57 (1995).
#[must_use]
pub fn benjamini_hochberg(p: &[f64]) -> Vec<f64> {
    let mut adjusted = vec![0.0; p.len()];
    let mut smallest: f64 = 1.0;
    for (rank, (index, value)) in ascending(p).into_iter().enumerate().rev() {
        // The factor first: it is at least 1, so that rounding leaves nothing below `value`.
        smallest = smallest.min(value * (p.len() as f64 / (rank + 1) as f64));
        adjusted[index] = smallest;
    }
    adjusted
}

/// Indices and p-values, smallest first.
fn ascending(p: &[f64]) -> Vec<(usize, f64)> {
    let clean = |value: f64| {
        if value.is_nan() { 1.0 } else { value.clamp(0.0, 1.0) }
    };
    let mut ranked: Vec<(usize, f64)> = p.iter().map(|&value| clean(value)).enumerate().collect();
    ranked.sort_by(|left, right| left.1.total_cmp(&right.1));
    ranked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_share_alpha_alike() {
        // Of one family it is Holm's own.
        let p = [0.01, 0.04, 0.03, 0.005];
        for (one, other) in holm_by_family(&p, &[0; 4]).iter().zip(holm(&p)) {
            assert!((one - other).abs() < 1e-12);
        }
        // One main figure beside a hundred details is doubled, not multiplied by 101.
        let mut p = vec![0.5; 101];
        p[0] = 0.02;
        let mut family = vec![1; 101];
        family[0] = 0;
        let adjusted = holm_by_family(&p, &family);
        assert!((adjusted[0] - 0.04).abs() < 1e-12);
        assert_eq!(adjusted[1], 1.0);
        assert_eq!(holm_by_family(&[f64::NAN, 0.01], &[0, 0]), [1.0, 0.02]);
        assert!(holm_by_family(&[], &[]).is_empty());
    }
    use proptest::prelude::*;

    /// The 15 p-values of Neuhaus et al. (1992), the example of Benjamini and Hochberg (1995).
    const NEUHAUS: [f64; 15] = [
        0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262,
        0.5719, 0.6528, 0.7590, 1.0,
    ];

    #[track_caller]
    fn assert_close(actual: &[f64], expected: &[f64]) {
        assert_eq!(actual.len(), expected.len());
        let close = |(a, e): (&f64, &f64)| (a - e).abs() < 1e-9;
        assert!(actual.iter().zip(expected).all(close), "{actual:?}, expected {expected:?}");
    }

    /// The example of Wikipedia's article on the Holm-Bonferroni method.
    #[test]
    fn holm_matches_published_example() {
        assert_close(&holm(&[0.01, 0.04, 0.03, 0.005]), &[0.03, 0.06, 0.06, 0.02]);
    }

    /// The paper: at 0.05 the false discovery rate procedure rejects four, Bonferroni-type three.
    #[test]
    fn benjamini_and_hochbergs_example() {
        let rejected = |adjusted: Vec<f64>| adjusted.iter().filter(|&&p| p <= 0.05).count();
        assert_eq!(rejected(benjamini_hochberg(&NEUHAUS)), 4);
        assert_eq!(rejected(holm(&NEUHAUS)), 3);
        // 15 p / rank, and 0.0201, 0.0278, 0.0298 take what 0.0344 has where that is less.
        let expected = [0.0015, 0.003, 0.0095, 0.035_625, 0.0603];
        assert_close(&benjamini_hochberg(&NEUHAUS)[..5], &expected);
        assert_close(
            &benjamini_hochberg(&NEUHAUS)[5..8],
            &[0.063_857_142_857, 0.063_857_142_857, 0.0645],
        );
    }

    #[test]
    fn odd_input_is_no_evidence() {
        assert_eq!(holm(&[]), Vec::<f64>::new());
        assert_close(&holm(&[f64::NAN, 0.01]), &[1.0, 0.02]);
        assert_close(&benjamini_hochberg(&[f64::NAN, -0.1, 7.0]), &[1.0, 0.0, 1.0]);
    }

    proptest! {
        #[test]
        fn adjusting_never_helps_and_keeps_order(p in prop::collection::vec(0.0_f64..=1.0, 1..20)) {
            let (holm, screen) = (holm(&p), benjamini_hochberg(&p));
            for i in 0..p.len() {
                prop_assert!(p[i] <= screen[i] && screen[i] <= holm[i] + 1e-15 && holm[i] <= 1.0);
                for j in 0..p.len() {
                    prop_assert!(p[i] > p[j] || (holm[i] <= holm[j] && screen[i] <= screen[j]));
                }
            }
        }
    }
}
