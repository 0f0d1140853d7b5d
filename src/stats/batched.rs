//! Figures by batch of deals: means of ratios of sums, and their differences where deals are shared.
//!
//! What a batch adds to a figure's error is its *influence*: for a ratio r = Σy / Σx it is (y − r x) /
//! Σx (W. G. Cochran, Sampling Techniques, 3rd ed., 1977, section 2.11), and a sum or difference of
//! figures has the sum or difference of their influences. The variance of a figure is that of a sum of
//! independent batches. So the difference of two figures on the same deals needs no more than both
//! influences, batch by batch: what the deals have in common cancels. With one deal a batch and the same
//! number of games in each, this is the paired t test.

use super::Student;

/// A figure, and what each batch of deals adds to its error.
#[derive(Debug, Clone, PartialEq)]
pub struct Batched {
    /// The figure, in its unit.
    pub value: f64,
    /// By batch, in the same unit; a power of two of them. Their sum is 0.
    influences: Vec<f64>,
    /// By batch: whether anything was observed in it.
    filled: Vec<bool>,
}

/// Influences below this part of the figures are rounding.
const DUST: f64 = 1e-12;

impl Batched {
    /// The ratio of two sums by batch over `unit`; nothing where the lower sum is 0 or the two differ in
    /// length.
    #[must_use]
    pub fn ratio(above: &[i64], below: &[i64], unit: f64) -> Option<Self> {
        let sum = |all: &[i64]| all.iter().map(|&one| i128::from(one)).sum::<i128>() as f64;
        let (whole, n) = (sum(above), sum(below));
        if n == 0.0 || above.len() != below.len() {
            return None;
        }
        let ratio = whole / n;
        let influence = |(&y, &x): (&i64, &i64)| (y as f64 - ratio * x as f64) / n / unit;
        Some(Batched {
            value: ratio / unit,
            influences: above.iter().zip(below).map(influence).collect(),
            filled: below.iter().map(|&x| x != 0).collect(),
        })
    }

    /// The mean of figures that weigh alike; nothing for none, or for unequal numbers of batches.
    #[must_use]
    pub fn mean(all: &[Batched]) -> Option<Self> {
        let (first, rest) = all.split_first()?;
        let sum = rest.iter().try_fold(first.clone(), |sum, one| sum.plus(one, 1.0))?;
        let count = all.len() as f64;
        Some(sum.map(|value| value / count))
    }

    /// The standard deviation of single observations, from the mean of their squares and their mean.
    #[must_use]
    pub fn deviation(squares: &Batched, mean: &Batched) -> Option<Self> {
        let variance = squares.value - mean.value * mean.value;
        if variance <= 0.0 {
            return None;
        }
        let deviation = variance.sqrt();
        // The derivative of √(s − m²).
        let found = squares.plus(mean, -2.0 * mean.value)?.map(|value| value / (2.0 * deviation));
        Some(Batched { value: deviation, ..found })
    }

    /// The difference `other` - `self` of figures on the same deals.
    #[must_use]
    pub fn to(&self, other: &Batched) -> Option<Self> {
        let count = self.influences.len().min(other.influences.len());
        let (own, other) = (self.folded(count)?, other.folded(count)?);
        let mut difference = other.plus(&own, -1.0)?;
        // Of runs of different length, the shorter tells how well the noise is known.
        let both: Vec<bool> = own.filled.iter().zip(&other.filled).map(|(a, b)| *a && *b).collect();
        if both.iter().filter(|&&both| both).count() >= 2 {
            difference.filled = both;
        }
        Some(difference)
    }

    /// The figure with its standard error. Degrees of freedom are the batches with observations less
    /// one; nothing below two such batches.
    #[must_use]
    pub fn student(&self) -> Option<Student> {
        let filled = self.filled.iter().filter(|&&filled| filled).count() as f64;
        if filled < 2.0 {
            return None;
        }
        let squares: f64 = self.influences.iter().map(|one| one * one).sum();
        Some(Student {
            value: self.value,
            standard_error: (squares * filled / (filled - 1.0)).sqrt(),
            degrees_of_freedom: filled - 1.0,
        })
    }

    /// Batches in which something was observed.
    #[must_use]
    pub fn observed(&self) -> usize {
        self.filled.iter().filter(|&&filled| filled).count()
    }

    /// Whether every batch had the same as every other, but for rounding.
    fn is_dust(influences: &[f64], scale: f64) -> bool {
        influences.iter().all(|one| one.abs() <= DUST * scale)
    }

    /// This plus a figure times a weight.
    fn plus(&self, other: &Batched, weight: f64) -> Option<Self> {
        if self.influences.len() != other.influences.len() {
            return None;
        }
        let pairs = self.influences.iter().zip(&other.influences);
        let mut influences: Vec<f64> = pairs.map(|(one, other)| one + weight * other).collect();
        let scale = self.value.abs().max((weight * other.value).abs());
        if Self::is_dust(&influences, scale) {
            influences.fill(0.0);
        }
        let filled = self.filled.iter().zip(&other.filled).map(|(&one, &other)| one || other);
        Some(Batched {
            value: self.value + weight * other.value,
            influences,
            filled: filled.collect(),
        })
    }

    fn map(self, change: impl Fn(f64) -> f64) -> Self {
        Batched {
            value: change(self.value),
            influences: self.influences.into_iter().map(change).collect(),
            filled: self.filled,
        }
    }

    /// The same in fewer batches: those whose numbers are alike modulo `count` become one.
    fn folded(&self, count: usize) -> Option<Self> {
        if count == 0 || !self.influences.len().is_multiple_of(count) {
            return None;
        }
        let mut folded =
            Batched { value: self.value, influences: vec![0.0; count], filled: vec![false; count] };
        for (batch, (influence, filled)) in self.influences.iter().zip(&self.filled).enumerate() {
            folded.influences[batch % count] += influence;
            folded.filled[batch % count] |= filled;
        }
        Some(folded)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Moments;
    use super::*;

    fn singles(values: &[i64]) -> Batched {
        Batched::ratio(values, &vec![1; values.len()], 1.0).unwrap()
    }

    fn moments(values: impl IntoIterator<Item = i64>) -> Moments<1> {
        let mut moments = Moments::new();
        values.into_iter().for_each(|value| moments.push(&[value]));
        moments
    }

    #[test]
    fn one_deal_a_batch_is_the_paired_t_test() {
        let (a, b) = ([3, 1, 4, 1, 5, 9, 2, 6], [2, 7, 1, 8, 2, 8, 1, 8]);
        let found = singles(&a).to(&singles(&b)).unwrap().student().unwrap();
        let wanted = moments(a.iter().zip(&b).map(|(a, b)| b - a));
        assert!((found.value - wanted.mean(0).unwrap()).abs() < 1e-12);
        assert!((found.standard_error - wanted.standard_error(0).unwrap()).abs() < 1e-12);
        assert_eq!(found.degrees_of_freedom, 7.0);
    }

    /// Cochran's example of a ratio (Sampling Techniques, 3rd ed., table 6.1 has the like): checked
    /// against the delete-one jackknife, which agrees to first order.
    #[test]
    fn a_ratios_error_agrees_with_the_jackknife() {
        let above: Vec<i64> = (0..64).map(|at| 40 + at * 37 % 23).collect();
        let below: Vec<i64> = (0..64).map(|at| 100 + at * 13 % 17).collect();
        let found = Batched::ratio(&above, &below, 1.0).unwrap().student().unwrap();
        let (y, x) = (above.iter().sum::<i64>() as f64, below.iter().sum::<i64>() as f64);
        let without = above.iter().zip(&below).map(|(a, b)| (y - *a as f64) / (x - *b as f64));
        let n = above.len() as f64;
        let squares: f64 = without.map(|one| (one - y / x) * (one - y / x)).sum();
        let jackknife = ((n - 1.0) / n * squares).sqrt();
        assert!((found.standard_error / jackknife - 1.0).abs() < 0.02, "{found:?} {jackknife}");
    }

    #[test]
    fn a_difference_without_spread_has_none_left_by_rounding() {
        let above: Vec<i64> = (0..32).map(|at| 17 + at % 7).collect();
        let more: Vec<i64> = above.iter().map(|one| one + 3).collect();
        let (a, b) = (singles(&above), singles(&more));
        let found = a.to(&b).unwrap().student().unwrap();
        assert_eq!(found.standard_error, 0.0);
        assert!((found.value - 3.0).abs() < 1e-12);
        assert_eq!(a.to(&a).unwrap().value, 0.0);
    }

    #[test]
    fn coarser_batches_are_made_where_one_side_has_them() {
        let fine = singles(&[5, 1, 4, 2, 8, 3, 6, 7]);
        let coarse = Batched::ratio(&[13, 4, 10, 9], &[2; 4], 1.0).unwrap();
        let found = fine.to(&coarse).unwrap();
        assert_eq!(found.student().unwrap().standard_error, 0.0);
        assert_eq!(found.student().unwrap().degrees_of_freedom, 3.0);
    }

    #[test]
    fn the_shorter_run_has_the_degrees_of_freedom() {
        let (long, mut deals) = (singles(&[1, 4, 2, 8, 5, 7, 3, 6]), vec![1; 4]);
        deals.extend([0; 4]);
        let short = Batched::ratio(&[1, 4, 2, 8, 0, 0, 0, 0], &deals, 1.0).unwrap();
        assert_eq!(short.to(&long).unwrap().student().unwrap().degrees_of_freedom, 3.0);
    }

    #[test]
    fn nothing_is_said_of_nothing() {
        assert_eq!(Batched::ratio(&[1], &[0], 1.0), None);
        assert_eq!(Batched::ratio(&[1, 2], &[1], 1.0), None);
        assert_eq!(Batched::ratio(&[4], &[2], 1.0).unwrap().student(), None);
        assert_eq!(Batched::mean(&[]), None);
        assert_eq!(Batched::deviation(&singles(&[4, 4]), &singles(&[2, 2])), None);
    }

    /// The derivative of the deviation, against differences of small changes.
    #[test]
    fn a_deviation_has_the_influences_of_its_parts() {
        let values: Vec<i64> = (0..128).map(|at| at * 61 % 97).collect();
        let squares: Vec<i64> = values.iter().map(|value| value * value).collect();
        let found = Batched::deviation(&singles(&squares), &singles(&values)).unwrap();
        let wanted = moments(values.iter().copied()).variance(0).unwrap().sqrt();
        assert!((found.value / wanted - 1.0).abs() < 0.01);
        let deviation = |values: &[i64]| {
            let n = values.len() as f64;
            let mean = values.iter().sum::<i64>() as f64 / n;
            (values.iter().map(|v| (*v as f64 - mean) * (*v as f64 - mean)).sum::<f64>() / n).sqrt()
        };
        let all = deviation(&values);
        let n = values.len() as f64;
        let squares: f64 = (0..values.len())
            .map(|at| {
                let mut rest = values.clone();
                rest.remove(at);
                (deviation(&rest) - all) * (deviation(&rest) - all)
            })
            .sum();
        let jackknife = ((n - 1.0) / n * squares).sqrt();
        let error = found.student().unwrap().standard_error;
        assert!((error / jackknife - 1.0).abs() < 0.03, "{error} {jackknife}");
    }
}
