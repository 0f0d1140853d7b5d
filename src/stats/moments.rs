//! Exact moments of integer measures, observed once a deal.

/// Count, sums and sums of products of `K` integer measures, each observed once a deal (the
/// cluster). A share in 1/60 or a time in microseconds is such a measure.
///
/// Everything is an integer, so merging is exact: no partition of the deals into threads, blocks or
/// shards, and no order, changes a bit. Exact while n·x² stays below 2^125 for the largest |x|; 1e10
/// deals of measures up to 1e10 leave a factor of 1e7 to spare.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Moments<const K: usize> {
    n: u64,
    sums: [i128; K],
    /// Sums of products, `[i][j]` for i ≤ j; zero below the diagonal.
    products: [[i128; K]; K],
}

impl<const K: usize> Default for Moments<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const K: usize> Moments<K> {
    /// The moments of no deals.
    #[must_use]
    pub const fn new() -> Self {
        Self { n: 0, sums: [0; K], products: [[0; K]; K] }
    }

    /// The moments with this count, these sums and these sums of products (`[i][j]` for i ≤ j; the
    /// rest is not read), as [`n`](Self::n), [`sum`](Self::sum) and
    /// [`product_sum`](Self::product_sum) gave them: to restore what was stored.
    #[must_use]
    pub fn from_sums(n: u64, sums: [i128; K], mut products: [[i128; K]; K]) -> Self {
        for (i, row) in products.iter_mut().enumerate() {
            row[..i].fill(0);
        }
        Self { n, sums, products }
    }

    /// Adds one deal.
    #[inline]
    pub fn push(&mut self, measures: &[i64; K]) {
        self.n += 1;
        for (i, &measure) in measures.iter().enumerate() {
            let x = i128::from(measure);
            self.sums[i] += x;
            for (product, &other) in self.products[i][i..].iter_mut().zip(&measures[i..]) {
                *product += x * i128::from(other);
            }
        }
    }

    /// Adds the deals of `other`.
    pub fn merge(&mut self, other: &Self) {
        self.n += other.n;
        for i in 0..K {
            self.sums[i] += other.sums[i];
            for j in i..K {
                self.products[i][j] += other.products[i][j];
            }
        }
    }

    /// Number of deals.
    #[must_use]
    pub const fn n(&self) -> u64 {
        self.n
    }

    /// Sum of measure `k`, in its unit.
    ///
    /// # Panics
    /// If `k` is not below `K`, as all that take the number of a measure.
    #[must_use]
    pub const fn sum(&self, k: usize) -> i128 {
        self.sums[k]
    }

    /// Sum of the products of measures `i` and `j`, not centred.
    #[must_use]
    pub fn product_sum(&self, i: usize, j: usize) -> i128 {
        self.products[i.min(j)][i.max(j)]
    }

    /// Mean of measure `k` per deal; `None` without deals.
    #[must_use]
    pub fn mean(&self, k: usize) -> Option<f64> {
        if self.n == 0 {
            return None;
        }
        // Whole part and remainder apart, so that large sums lose no digits.
        let n = i128::from(self.n);
        let (whole, rest) = (self.sums[k].div_euclid(n), self.sums[k].rem_euclid(n));
        Some(whole as f64 + rest as f64 / n as f64)
    }

    /// Sample variance of measure `k` between deals (divisor n − 1); `None` below 2 deals.
    #[must_use]
    pub fn variance(&self, k: usize) -> Option<f64> {
        self.covariance(k, k)
    }

    /// Sample covariance of measures `i` and `j` between deals (divisor n − 1); `None` below 2
    /// deals.
    ///
    /// Sums are shifted by the means rounded to whole numbers, c and d, exactly: Σ(x−c)(y−d) =
    /// Σxy − cΣy − dΣx + ncd. What remains for floats is (Σ(x−c)) (Σ(y−d)) / n. For a variance it is
    /// at most half of the shifted sum (whole numbers have (x−c)² ≥ |x−c|, and |Σ(x−c)| ≤ n/2), so
    /// nothing cancels; a constant measure has exactly 0.
    #[must_use]
    pub fn covariance(&self, i: usize, j: usize) -> Option<f64> {
        if self.n < 2 {
            return None;
        }
        let n = i128::from(self.n);
        let (sum_x, sum_y) = (self.sums[i], self.sums[j]);
        let (c, d) = (rounded_quotient(sum_x, n), rounded_quotient(sum_y, n));
        let shifted = self.product_sum(i, j) - c * sum_y - d * sum_x + n * c * d;
        let (rest_x, rest_y) = (sum_x - n * c, sum_y - n * d);
        let centred = shifted as f64 - rest_x as f64 * (rest_y as f64 / n as f64);
        Some(centred / (n - 1) as f64)
    }

    /// Standard error of the mean of measure `k`, clustered by deal: √(variance / n); `None` below
    /// 2 deals.
    #[must_use]
    pub fn standard_error(&self, k: usize) -> Option<f64> {
        self.variance(k).map(|variance| (variance / self.n as f64).sqrt())
    }
}

/// `sum / n` to the nearest whole number, for n > 0.
fn rounded_quotient(sum: i128, n: i128) -> i128 {
    (sum + n / 2).div_euclid(n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn moments<const K: usize>(rows: &[[i64; K]]) -> Moments<K> {
        let mut moments = Moments::new();
        rows.iter().for_each(|row| moments.push(row));
        moments
    }

    /// Anscombe's quartet, first set (1973), in hundredths: mean of y 7.50, variances 11.0 and
    /// 4.127, correlation 0.816.
    #[test]
    fn matches_anscombes_first_set() {
        let x = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5];
        let y = [804, 695, 758, 881, 833, 996, 724, 426, 1084, 482, 568];
        let rows: Vec<[i64; 2]> = x.into_iter().zip(y).map(|(x, y)| [x, y]).collect();
        let m = moments(&rows);
        assert_eq!((m.n(), m.sum(0), m.sum(1)), (11, 99, 8251));
        assert_eq!((m.mean(0), m.variance(0)), (Some(9.0), Some(11.0)));
        let (vy, cov) = (m.variance(1).unwrap(), m.covariance(1, 0).unwrap());
        assert!((vy / 1e4 - 4.127_269).abs() < 1e-6, "{vy}");
        assert!((cov / (11.0 * vy).sqrt() - 0.816_420_5).abs() < 1e-7, "{cov}");
        assert_eq!(m.standard_error(0), Some(1.0));
    }

    #[test]
    fn says_nothing_without_enough_deals() {
        let mut m = Moments::<1>::default();
        assert_eq!((m.mean(0), m.variance(0)), (None, None));
        m.push(&[7]);
        assert_eq!((m.mean(0), m.variance(0), m.standard_error(0)), (Some(7.0), None, None));
    }

    /// At least 1e10 deals, half at 1e10 and half at 1e10 − 1 (as NIST's NumAcc sets, but larger). The
    /// variance is n/4/(n−1), of which a sum of squared floats would leave nothing.
    #[test]
    fn large_counts_and_values_neither_overflow_nor_cancel() {
        for sign in [1, -1] {
            let mut m = moments(&[[sign * 10_000_000_000, 3], [sign * 9_999_999_999, 3]]);
            while m.n() < 10_000_000_000 {
                let half = m;
                m.merge(&half);
            }
            let n = m.n() as f64;
            assert_eq!(m.mean(0), Some(sign as f64 * 9_999_999_999.5));
            let exact = n / 4.0 / (n - 1.0);
            assert!((m.variance(0).unwrap() / exact - 1.0).abs() < 1e-15);
            assert_eq!((m.variance(1), m.covariance(0, 1)), (Some(0.0), Some(0.0)));
        }
    }

    #[test]
    fn opposite_extremes_neither_overflow_nor_cancel() {
        let mut m = moments(&[[10_000_000_000], [-10_000_000_000]]);
        for _ in 0..33 {
            let half = m;
            m.merge(&half);
        }
        let n = m.n() as f64;
        assert!((m.variance(0).unwrap() / (1e20 * n / (n - 1.0)) - 1.0).abs() < 1e-15);
    }

    fn rows() -> impl Strategy<Value = Vec<([i64; 3], usize)>> {
        let value = -10_000_000_000_i64..=10_000_000_000;
        proptest::collection::vec(([value.clone(), value.clone(), value], 0..5_usize), 0..60)
    }

    proptest! {
        #[test]
        fn any_partition_and_order_merge_to_the_same(rows in rows(), turn in 0..5_usize) {
            let mut whole = Moments::<3>::new();
            let mut parts = [Moments::<3>::new(); 5];
            for (row, _) in &rows {
                whole.push(row);
            }
            for (row, part) in rows.iter().rev() {
                parts[*part].push(row);
            }
            parts.rotate_left(turn);
            let mut merged = Moments::new();
            parts.iter().for_each(|part| merged.merge(part));
            prop_assert_eq!(whole, merged);
            let sums = core::array::from_fn(|k| whole.sum(k));
            let products =
                core::array::from_fn(|i| core::array::from_fn(|j| whole.product_sum(i, j)));
            prop_assert_eq!(whole, Moments::from_sums(whole.n(), sums, products));
        }

        #[test]
        fn covariance_matches_two_passes(rows in rows()) {
            let rows: Vec<[i64; 3]> = rows.iter().map(|(row, _)| row.map(|x| x / 1000)).collect();
            let m = moments(&rows);
            prop_assume!(m.n() >= 2);
            let (mx, my) = (m.mean(0).unwrap(), m.mean(2).unwrap());
            let products = rows.iter().map(|r| (r[0] as f64 - mx) * (r[2] as f64 - my));
            let naive = products.sum::<f64>() / (m.n() - 1) as f64;
            let scale = (m.variance(0).unwrap() * m.variance(2).unwrap()).sqrt();
            prop_assert!((m.covariance(2, 0).unwrap() - naive).abs() <= 1e-12 * (scale + 1.0));
        }
    }
}
