//! Standard normal draws by the ziggurat method.
//!
//! Our own, since a draw decides play: the tables and the tail come from `libm`, so that the same
//! generator gives the same draw on any CPU. (rand_distr takes std's functions as soon as another
//! crate of the build turns num-traits' `std` on.)

use std::sync::LazyLock;

use rand::Rng as _;

use super::{Rng, unit};

const LAYERS: usize = 256;
/// Where the tail begins, and the area of each layer, for 256 layers. Source: Marsaglia and Tsang,
/// "The Ziggurat Method for Generating Random Variables", J. Stat. Softw. 5(8), 2000.
const TAIL: f64 = 3.654_152_885_361_009;
const AREA: f64 = 0.004_928_673_233_974_658;

/// The right edges of the layers, widest first, and the density there.
struct Ziggurat {
    x: [f64; LAYERS + 1],
    density: [f64; LAYERS + 1],
}

static ZIGGURAT: LazyLock<Ziggurat> = LazyLock::new(|| {
    let mut x = [0.0; LAYERS + 1];
    // The bottom layer includes the tail: a rectangle of the same area is this wide.
    x[0] = AREA / density(TAIL);
    x[1] = TAIL;
    for i in 2..LAYERS {
        x[i] = libm::sqrt(-2.0 * libm::log(AREA / x[i - 1] + density(x[i - 1])));
    }
    let mut densities = [1.0; LAYERS + 1];
    for i in 0..LAYERS {
        densities[i] = density(x[i]);
    }
    Ziggurat { x, density: densities }
});

fn density(x: f64) -> f64 {
    libm::exp(-0.5 * x * x)
}

/// The standard normal distribution, its tables at hand: to be had once for many draws.
#[derive(Clone, Copy)]
pub struct Normal(&'static Ziggurat);

impl Normal {
    /// The distribution.
    #[expect(clippy::new_without_default, reason = "a handle on tables has no default")]
    pub fn new() -> Self {
        Normal(&ZIGGURAT)
    }

    /// A draw from it.
    #[inline(always)]
    pub fn draw(self, rng: &mut Rng) -> f64 {
        let Normal(ziggurat) = self;
        loop {
            // 8 bits choose the layer, the 53 highest give a position in [-1, 1).
            let bits = rng.next_u64();
            let layer = (bits & 0xff) as usize;
            let u = (bits >> 11) as i64 as f64 * (2.0 / (1u64 << 53) as f64) - 1.0;
            let x = u * ziggurat.x[layer];
            if x.abs() < ziggurat.x[layer + 1] {
                return x;
            }
            if let Some(x) = edge(ziggurat, rng, layer, x) {
                return x;
            }
        }
    }
}

/// The rare case: the tail below layer 0, else the wedge between a layer and the density.
#[cold]
fn edge(ziggurat: &Ziggurat, rng: &mut Rng, layer: usize, x: f64) -> Option<f64> {
    if layer == 0 {
        return Some(tail(rng).copysign(x));
    }
    let (low, high) = (ziggurat.density[layer], ziggurat.density[layer + 1]);
    (low + (high - low) * unit(rng) < density(x)).then_some(x)
}

/// Marsaglia's method for the tail (1964).
fn tail(rng: &mut Rng) -> f64 {
    loop {
        // 1 - unit is in (0, 1], so that the logarithm is finite.
        let x = -libm::log(1.0 - unit(rng)) / TAIL;
        let y = -libm::log(1.0 - unit(rng));
        if 2.0 * y > x * x {
            return TAIL + x;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Key;

    const DRAWS: usize = 1_000_000;

    #[test]
    fn layers_close_at_the_top() {
        let z = &*ZIGGURAT;
        // The topmost layer's area: from the density at its edge up to 1.
        let top = z.x[LAYERS - 1] * (1.0 - z.density[LAYERS - 1]);
        assert!((top / AREA - 1.0).abs() < 1e-6, "{top}");
    }

    #[test]
    fn moments_are_those_of_the_normal() {
        let mut rng = Key::root(7).rng();
        let mut sums = [0.0; 4];
        for _ in 0..DRAWS {
            let x = Normal::new().draw(&mut rng);
            sums[0] += x;
            sums[1] += x * x;
            sums[2] += x * x * x;
            sums[3] += x * x * x * x;
        }
        // Variances of the powers: 1, 2, 15, 96. Bounds: 5 standard errors.
        for (sum, (expected, variance)) in
            sums.iter().zip([(0.0, 1.0), (1.0, 2.0), (0.0, 15.0), (3.0, 96.0f64)])
        {
            let error = sum / DRAWS as f64 - expected;
            assert!(error.abs() < 5.0 * (variance / DRAWS as f64).sqrt(), "{error}");
        }
    }

    #[test]
    fn quantiles_are_those_of_the_normal() {
        let mut rng = Key::root(8).rng();
        // Published upper tail probabilities; the last lies beyond the ziggurat's edge.
        let tails = [(0.0, 0.5), (1.0, 0.158_655), (1.959_964, 0.025), (3.7, 0.000_107_8)];
        let mut counts = [0u32; 4];
        for _ in 0..DRAWS {
            let x = Normal::new().draw(&mut rng);
            for (count, (edge, _)) in counts.iter_mut().zip(tails) {
                *count += u32::from(x > edge);
            }
        }
        for (count, (edge, p)) in counts.iter().zip(tails) {
            let sd = (DRAWS as f64 * p * (1.0 - p)).sqrt();
            assert!((f64::from(*count) - DRAWS as f64 * p).abs() < 5.0 * sd, "{edge} {count}");
        }
    }
}
