//! The cross-entropy method.

use serde::{Deserialize, Serialize};

use super::{Sampler, dot};

/// How far the middle moves to the elite's: 0.7.
const SMOOTHING: f64 = 0.7;
/// How far the standard deviations move at first: 0.8; with the generations it becomes less.
const FIRST: f64 = 0.8;
/// How fast it becomes less.
const POWER: f64 = 5.0;

/// The cross-entropy method: draws each coordinate by itself from a normal distribution, and moves the
/// middle and the standard deviations to those of the elite.
///
/// P.-T. de Boer, D. P. Kroese, S. Mannor and R. Y. Rubinstein, A Tutorial on the Cross-Entropy Method,
/// Annals of Operations Research 134 (2005), with smoothing by 0.7; the standard deviations are smoothed
/// dynamically, b - b (1 - 1/t)^q in generation t with b = 0.8 and q = 5 (R. Y. Rubinstein and D. P.
/// Kroese, The Cross-Entropy Method, 2004, section 5.2), so that they do not shrink too soon.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CrossEntropy {
    mean: Vec<f64>,
    deviations: Vec<f64>,
    generation: u32,
}

impl CrossEntropy {
    /// Begins around `centre` with standard deviations of 1.
    pub fn new(centre: Vec<f64>) -> Self {
        CrossEntropy { deviations: vec![1.0; centre.len()], mean: centre, generation: 0 }
    }

    pub(super) fn centre(&self) -> &[f64] {
        &self.mean
    }

    pub(super) fn width(&self) -> f64 {
        let n = self.deviations.len().max(1) as f64;
        (dot(&self.deviations, &self.deviations) / n).sqrt()
    }

    pub(super) fn sampler(&self) -> Sampler {
        let n = self.mean.len();
        let row =
            |i: usize| (0..n).map(|j| if i == j { self.deviations[i] } else { 0.0 }).collect();
        Sampler { centre: self.mean.clone(), map: (0..n).map(row).collect() }
    }

    pub(super) fn tell(&mut self, elite: &[&[f64]]) {
        self.generation += 1;
        let count = elite.len().max(1) as f64;
        let age = 1.0 - 1.0 / f64::from(self.generation);
        let smoothing = FIRST - FIRST * libm::pow(age, POWER);
        for i in 0..self.mean.len() {
            let mean = elite.iter().map(|point| point[i]).sum::<f64>() / count;
            let square = |point: &&[f64]| (point[i] - mean) * (point[i] - mean);
            let deviation = (elite.iter().map(square).sum::<f64>() / count).sqrt();
            self.mean[i] += SMOOTHING * (mean - self.mean[i]);
            self.deviations[i] += smoothing * (deviation - self.deviations[i]);
        }
    }
}
