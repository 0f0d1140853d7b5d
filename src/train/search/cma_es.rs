//! The evolution strategy with covariance matrix adaptation.

use serde::{Deserialize, Serialize};

use super::eigen::eigen;
use super::{Sampler, dot};

/// CMA-ES: draws from a normal distribution whose middle, size and shape follow the best points.
///
/// N. Hansen, The CMA Evolution Strategy: A Tutorial, arXiv:1604.00772: its figure 6 with its default
/// constants (table 1), and positive weights alone, ln(m + 1/2) - ln(i) for the i-th of the m best.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CmaEs {
    mean: Vec<f64>,
    sigma: f64,
    covariance: Vec<Vec<f64>>,
    path_sigma: Vec<f64>,
    path_covariance: Vec<f64>,
    generation: u32,
}

/// Eigenvalues are at least this share of the largest: a distribution never falls flat.
const FLATTEST: f64 = 1e-14;

/// The tutorial's constants for n coordinates and so many points that count.
struct Constants {
    weights: Vec<f64>,
    /// The effective number of points, mu_eff.
    effective: f64,
    c_sigma: f64,
    damping: f64,
    c_c: f64,
    c_1: f64,
    c_mu: f64,
    /// The mean length of a standard normal vector.
    chi: f64,
}

impl Constants {
    fn new(n: f64, elite: usize) -> Self {
        let raw: Vec<f64> =
            (1..=elite).map(|i| libm::log(elite as f64 + 0.5) - libm::log(i as f64)).collect();
        let sum: f64 = raw.iter().sum();
        let weights: Vec<f64> = raw.iter().map(|w| w / sum).collect();
        let effective = 1.0 / dot(&weights, &weights);
        let c_sigma = (effective + 2.0) / (n + effective + 5.0);
        let c_1 = 2.0 / ((n + 1.3) * (n + 1.3) + effective);
        let c_mu =
            2.0 * (0.25 + effective + 1.0 / effective - 2.0) / ((n + 2.0) * (n + 2.0) + effective);
        Constants {
            effective,
            c_sigma,
            damping: 1.0 + 2.0 * (((effective - 1.0) / (n + 1.0)).sqrt() - 1.0).max(0.0) + c_sigma,
            c_c: (4.0 + effective / n) / (n + 4.0 + 2.0 * effective / n),
            c_1,
            c_mu: c_mu.clamp(0.0, 1.0 - c_1),
            chi: n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n)),
            weights,
        }
    }
}

impl CmaEs {
    /// Begins around `centre` with the unit matrix.
    pub fn new(centre: Vec<f64>) -> Self {
        let n = centre.len();
        let unit = |i: usize| (0..n).map(|j| if i == j { 1.0 } else { 0.0 }).collect();
        CmaEs {
            sigma: 1.0,
            covariance: (0..n).map(unit).collect(),
            path_sigma: vec![0.0; n],
            path_covariance: vec![0.0; n],
            generation: 0,
            mean: centre,
        }
    }

    pub(super) fn centre(&self) -> &[f64] {
        &self.mean
    }

    pub(super) fn width(&self) -> f64 {
        let n = self.mean.len().max(1) as f64;
        let trace: f64 = (0..self.mean.len()).map(|i| self.covariance[i][i]).sum();
        self.sigma * (trace / n).sqrt()
    }

    /// The roots of the eigenvalues, and the eigenvectors.
    fn axes(&self) -> (Vec<f64>, Vec<Vec<f64>>) {
        let (values, vectors) = eigen(&self.covariance);
        let largest = values.iter().copied().fold(0.0, f64::max);
        let root = |value: &f64| value.max(largest * FLATTEST).sqrt();
        (values.iter().map(root).collect(), vectors)
    }

    pub(super) fn sampler(&self) -> Sampler {
        let (roots, vectors) = self.axes();
        let row =
            |row: &Vec<f64>| row.iter().zip(&roots).map(|(b, d)| self.sigma * b * d).collect();
        Sampler { centre: self.mean.clone(), map: vectors.iter().map(row).collect() }
    }

    pub(super) fn tell(&mut self, elite: &[&[f64]], population: usize) {
        let n = self.mean.len();
        let k = Constants::new(n as f64, elite.len().min(population).max(1));
        let (roots, vectors) = self.axes();
        // The steps of the best points, in units of sigma, and their weighted mean.
        let step = |point: &&[f64]| -> Vec<f64> {
            point.iter().zip(&self.mean).map(|(x, m)| (x - m) / self.sigma).collect()
        };
        let steps: Vec<Vec<f64>> = elite.iter().map(step).collect();
        let mean_step: Vec<f64> =
            (0..n).map(|i| steps.iter().zip(&k.weights).map(|(y, w)| w * y[i]).sum()).collect();
        for (mean, step) in self.mean.iter_mut().zip(&mean_step) {
            *mean += self.sigma * step;
        }
        // The step without the distribution's shape: C^(-1/2) * step.
        let along: Vec<f64> = (0..n)
            .map(|j| (0..n).map(|i| vectors[i][j] * mean_step[i]).sum::<f64>() / roots[j])
            .collect();
        let round: Vec<f64> = vectors.iter().map(|row| dot(row, &along)).collect();
        let gain = (k.c_sigma * (2.0 - k.c_sigma) * k.effective).sqrt();
        for (path, step) in self.path_sigma.iter_mut().zip(&round) {
            *path = (1.0 - k.c_sigma) * *path + gain * step;
        }
        let length = dot(&self.path_sigma, &self.path_sigma).sqrt();
        self.generation += 1;
        let warm = 1.0 - libm::pow(1.0 - k.c_sigma, 2.0 * f64::from(self.generation));
        let steady = length / warm.sqrt() < (1.4 + 2.0 / (n as f64 + 1.0)) * k.chi;
        let gain = (k.c_c * (2.0 - k.c_c) * k.effective).sqrt();
        for (path, step) in self.path_covariance.iter_mut().zip(&mean_step) {
            *path = (1.0 - k.c_c) * *path + if steady { gain * step } else { 0.0 };
        }
        self.adapt(&k, &steps, steady);
        self.sigma *= libm::exp((k.c_sigma / k.damping * (length / k.chi - 1.0)).min(1.0));
    }

    /// The shape follows the path and the best steps.
    fn adapt(&mut self, k: &Constants, steps: &[Vec<f64>], steady: bool) {
        let n = self.mean.len();
        let lost = if steady { 0.0 } else { k.c_1 * k.c_c * (2.0 - k.c_c) };
        let keep = 1.0 + lost - k.c_1 - k.c_mu;
        for i in 0..n {
            for j in 0..=i {
                let path = self.path_covariance[i] * self.path_covariance[j];
                let best: f64 = steps.iter().zip(&k.weights).map(|(y, w)| w * y[i] * y[j]).sum();
                let value = keep * self.covariance[i][j] + k.c_1 * path + k.c_mu * best;
                (self.covariance[i][j], self.covariance[j][i]) = (value, value);
            }
        }
    }
}
