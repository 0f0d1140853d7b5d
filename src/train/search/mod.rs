//! Searches of a space of real numbers by populations: what is tried next, and what follows from how
//! it did. They know only which of two points did better, nothing of games.
//!
//! The coordinates are the training's own: it starts at 0, and 1 is the standard deviation that the
//! training file gives. A search is serialisable to the last bit, and draws from a generator that it
//! is given, so that it goes on from any generation as if it had never stopped.

mod cma_es;
mod cross_entropy;
mod eigen;
#[cfg(test)]
mod tests;

pub use cma_es::CmaEs;
pub use cross_entropy::CrossEntropy;

use serde::{Deserialize, Serialize};

use crate::rng::Rng;

/// How a search goes about it.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// The evolution strategy with covariance matrix adaptation: see [`CmaEs`].
    #[default]
    CmaEs,
    /// The cross-entropy method: see [`CrossEntropy`].
    CrossEntropy,
}

/// A search under way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Search {
    /// See [`CmaEs`].
    CmaEs(CmaEs),
    /// See [`CrossEntropy`].
    CrossEntropy(CrossEntropy),
}

impl Search {
    /// A search that begins around `centre` with a standard deviation of 1 in each coordinate.
    pub fn new(method: Method, centre: Vec<f64>) -> Self {
        match method {
            Method::CmaEs => Search::CmaEs(CmaEs::new(centre)),
            Method::CrossEntropy => Search::CrossEntropy(CrossEntropy::new(centre)),
        }
    }

    /// The generation's distribution, to draw points from.
    pub fn sampler(&self) -> Sampler {
        match self {
            Search::CmaEs(search) => search.sampler(),
            Search::CrossEntropy(search) => search.sampler(),
        }
    }

    /// Learns from a generation: its best points, best first, of a population of `population`.
    pub fn tell(&mut self, elite: &[&[f64]], population: usize) {
        match self {
            Search::CmaEs(search) => search.tell(elite, population),
            Search::CrossEntropy(search) => search.tell(elite),
        }
    }

    /// The middle of the distribution: the search's own best guess.
    pub fn centre(&self) -> &[f64] {
        match self {
            Search::CmaEs(search) => search.centre(),
            Search::CrossEntropy(search) => search.centre(),
        }
    }

    /// How wide the distribution is: the root of the mean square of the coordinates' standard
    /// deviations; 1 at the start.
    pub fn width(&self) -> f64 {
        match self {
            Search::CmaEs(search) => search.width(),
            Search::CrossEntropy(search) => search.width(),
        }
    }
}

/// Draws points: `centre + map * z`, with `z` standard normal.
#[derive(Debug, Clone)]
pub struct Sampler {
    centre: Vec<f64>,
    /// By row.
    map: Vec<Vec<f64>>,
}

impl Sampler {
    /// A point.
    pub fn draw(&self, rng: &mut Rng) -> Vec<f64> {
        let normal = crate::rng::Normal::new();
        let z: Vec<f64> = self.centre.iter().map(|_| normal.draw(rng)).collect();
        let point = self.centre.iter().zip(&self.map);
        point.map(|(centre, row)| centre + dot(row, &z)).collect()
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
