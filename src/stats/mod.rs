//! Statistics: pure functions, each with its source and a test against a published number.
//!
//! The unit of evidence is the deal: it is played in every seating of the design, and whatever is
//! observed in it is one cluster. Counts and sums are integers ([`Moments`]); floats appear once,
//! at the end, in a fixed order of operations. Where nothing can be said a function returns `None`,
//! never 0, NaN or infinity in its place.
//!
//! # Same bytes on any CPU
//!
//! Quantiles are the only transcendental functions here. Those of the beta distribution and of
//! Student's t are computed in [`quantile`] on the `libm` crate, which does not differ between
//! machines; the normal quantile is `statrs`'. That crate is built without its `std` feature, so it
//! takes its logarithms from `libm` too, as long as no other dependency turns on `num-traits/std`
//! (development dependencies do so, in test builds only). Output is rounded to 6 decimals besides.
//!
//! `statrs` 0.19.1 serves for the normal distribution alone: its Student's t is wrong with many
//! degrees of freedom, its beta distribution function is wrong for large counts, and the inverse
//! of the latter may never return (`Beta(1, 1e7)` at 0.9).

pub mod batched;
pub mod interval;
pub mod jackknife;
pub mod moments;
pub mod multiple;
pub mod proportion;
pub mod quantile;
pub mod sample_size;
pub mod share;
pub mod student;
pub mod tail;

#[cfg(test)]
mod coverage;

pub use batched::Batched;
pub use interval::{Interval, clopper_pearson, mean_interval, wilson};
pub use jackknife::{Jackknife, Mergeable, jackknife};
pub use moments::Moments;
pub use multiple::{benjamini_hochberg, holm, holm_by_family};
pub use proportion::Proportion;
pub use quantile::{beta_quantile, normal_quantile, t_quantile};
pub use sample_size::deals_needed;
pub use share::Share;
pub use student::{Student, satterthwaite, welch};
pub use tail::{normal_tail, t_cdf, t_tail, t_two_sided};
