//! Sums by batch of deals: what comparisons need that pair deal by deal, in bounded memory.
//!
//! Deal number d belongs to batch d mod `count`, so that two runs, two line-ups or two strategies
//! that played the same deals have them in the same batches. Where there are no more deals than
//! batches, a batch is a deal.

/// The most batches. Above this number a paired interval would gain less than a hundredth of its
/// width.
pub const MOST: usize = 256;
/// The fewest batches: with 31 degrees of freedom an interval is 4 % wider than with many.
pub const LEAST: usize = 32;
/// The numbers that a plan may keep by batch before it has fewer batches, so that the file of them
/// stays small.
const BUDGET: usize = 1 << 18;

/// The number of batches of a plan that keeps `width` numbers a batch, all cells together: a power of
/// two, so that runs of different plans can be put into batches of the coarser one.
pub fn count_for(width: usize) -> usize {
    let mut count = MOST;
    while count > LEAST && count.saturating_mul(width) > BUDGET {
        count /= 2;
    }
    count
}

/// Sums of some whole numbers by batch of deals.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Batches {
    width: usize,
    /// By batch.
    deals: Vec<u64>,
    /// By batch, then by number.
    sums: Vec<i64>,
}

impl Batches {
    /// No deals, in so many batches (a power of two) of so many numbers.
    pub fn new(count: usize, width: usize) -> Self {
        Batches { width, deals: vec![0; count], sums: vec![0; count * width] }
    }

    /// The number of batches.
    pub fn count(&self) -> usize {
        self.deals.len()
    }

    /// The batch of a deal.
    #[inline]
    pub fn of(&self, deal: u64) -> usize {
        (deal & (self.deals.len() as u64).wrapping_sub(1)) as usize
    }

    /// The sums of a batch.
    pub fn row(&self, batch: usize) -> &[i64] {
        &self.sums[batch * self.width..][..self.width]
    }

    /// The sums of a deal's batch, to be added to.
    #[inline]
    pub fn row_of(&mut self, deal: u64) -> &mut [i64] {
        let batch = self.of(deal);
        &mut self.sums[batch * self.width..][..self.width]
    }

    /// Counts a deal.
    #[inline]
    pub fn count_deal(&mut self, deal: u64) {
        let batch = self.of(deal);
        self.deals[batch] += 1;
    }

    /// The deals of each batch.
    pub fn deals(&self) -> &[u64] {
        &self.deals
    }

    /// Some of its numbers, from `first` on.
    pub fn columns(&self, first: usize, width: usize) -> Batches {
        let rows = (0..self.count()).flat_map(|batch| &self.row(batch)[first..][..width]);
        Batches { width, deals: self.deals.clone(), sums: rows.copied().collect() }
    }

    /// A number by batch.
    pub fn column(&self, number: usize) -> Vec<i64> {
        self.sums.iter().skip(number).step_by(self.width.max(1)).copied().collect()
    }

    /// Sets what a batch has.
    ///
    /// # Panics
    /// Where there is no such batch, or it has another number of sums.
    pub fn set(&mut self, batch: usize, deals: u64, sums: &[i64]) {
        self.deals[batch] = deals;
        self.sums[batch * self.width..][..self.width].copy_from_slice(sums);
    }

    /// The sum of a number over all batches.
    pub fn total(&self, number: usize) -> i128 {
        self.sums.iter().skip(number).step_by(self.width.max(1)).map(|&sum| i128::from(sum)).sum()
    }

    /// Adds other batches of the same shape.
    pub fn merge(&mut self, other: &Self) {
        for (deals, other) in self.deals.iter_mut().zip(&other.deals) {
            *deals += other;
        }
        for (sum, other) in self.sums.iter_mut().zip(&other.sums) {
            *sum += other;
        }
    }

    /// The bytes that so many batches of so many numbers take beside themselves.
    pub const fn bytes(count: usize, width: usize) -> usize {
        count * (1 + width) * size_of::<i64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_plans_have_many_batches_and_large_ones_few() {
        assert_eq!(count_for(10), MOST);
        assert_eq!(count_for(1024), 256);
        assert_eq!(count_for(1025), 128);
        assert_eq!(count_for(usize::MAX), LEAST);
    }

    #[test]
    fn deals_come_to_their_batches_in_any_order() {
        let mut one = Batches::new(4, 2);
        let mut two = one.clone();
        for deal in [0, 5, 2, 9] {
            one.count_deal(deal);
            one.row_of(deal)[1] += deal as i64;
        }
        for deal in [9, 2] {
            two.count_deal(deal);
            two.row_of(deal)[1] += deal as i64;
        }
        let mut rest = Batches::new(4, 2);
        for deal in [5, 0] {
            rest.count_deal(deal);
            rest.row_of(deal)[1] += deal as i64;
        }
        two.merge(&rest);
        assert_eq!(one, two);
        assert_eq!((one.deals(), one.row(1)), (&[1, 2, 1, 0][..], &[0, 14][..]));
        assert_eq!((one.total(0), one.total(1)), (0, 16));
    }
}
