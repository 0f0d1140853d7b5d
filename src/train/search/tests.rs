//! Functions whose least point is known; seeds are fixed.

use super::*;
use crate::rng::{Key, Normal};

/// Looks for the least value; returns the middle, and how wide the distribution is in the end.
fn least(
    method: Method,
    start: &[f64],
    (population, elite, generations): (usize, usize, u64),
    f: impl Fn(&[f64], &mut Rng) -> f64,
) -> (Vec<f64>, f64) {
    let mut search = Search::new(method, start.to_vec());
    for generation in 0..generations {
        let mut rng = Key::root(11).child(generation).rng();
        let sampler = search.sampler();
        let mut points: Vec<(f64, Vec<f64>)> = (0..population)
            .map(|_| {
                let point = sampler.draw(&mut rng);
                (f(&point, &mut rng), point)
            })
            .collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let elite: Vec<&[f64]> =
            points[..elite].iter().map(|(_, point)| point.as_slice()).collect();
        search.tell(&elite, population);
        // Kept and read again, it is the same to the last bit.
        let text = serde_json::to_string(&search).unwrap();
        assert_eq!(search, serde_json::from_str(&text).unwrap());
    }
    (search.centre().to_vec(), search.width())
}

fn sphere(x: &[f64], _: &mut Rng) -> f64 {
    dot(x, x)
}

fn rosenbrock(x: &[f64], _: &mut Rng) -> f64 {
    let term = |pair: &[f64]| {
        let (a, b) = (pair[1] - pair[0] * pair[0], 1.0 - pair[0]);
        100.0 * a * a + b * b
    };
    x.windows(2).map(term).sum()
}

/// The axes' weights go from 1 to a million.
fn ellipsoid(x: &[f64], _: &mut Rng) -> f64 {
    let last = (x.len() - 1) as f64;
    x.iter().enumerate().map(|(i, x)| libm::pow(10.0, 6.0 * i as f64 / last) * x * x).sum()
}

fn far(found: &[f64], wanted: f64) -> f64 {
    found.iter().map(|x| (x - wanted).abs()).fold(0.0, f64::max)
}

#[test]
fn the_middle_of_a_sphere() {
    let (found, width) = least(Method::CmaEs, &[3.0; 10], (10, 5, 200), sphere);
    assert!(far(&found, 0.0) < 1e-5 && width < 1e-5, "{found:?} {width}");
    let (found, width) = least(Method::CrossEntropy, &[3.0; 10], (60, 12, 100), sphere);
    assert!(far(&found, 0.0) < 5e-2 && width < 1e-1, "{found:?} {width}");
}

#[test]
fn the_bent_valley_of_rosenbrock() {
    let (found, _) = least(Method::CmaEs, &[0.0; 6], (16, 8, 400), rosenbrock);
    assert!(far(&found, 1.0) < 1e-6, "{found:?}");
}

#[test]
fn a_flat_ellipsoid() {
    let (found, _) = least(Method::CmaEs, &[3.0; 8], (12, 6, 500), ellipsoid);
    assert!(far(&found, 0.0) < 1e-4, "{found:?}");
}

/// Noise of standard deviation 1 hides distances below about 1 from two single looks. The middle of
/// many looks is far nearer: the bound is what half of a look's noise allows.
#[test]
fn a_sphere_in_noise() {
    let noisy = |x: &[f64], rng: &mut Rng| sphere(x, rng) + Normal::new().draw(rng);
    for method in [Method::CmaEs, Method::CrossEntropy] {
        let (found, _) = least(method, &[3.0; 5], (40, 12, 80), noisy);
        assert!(sphere(&found, &mut Key::root(1).rng()) < 0.5, "{method:?} {found:?}");
    }
}

#[test]
fn the_first_generation_is_as_wide_as_asked_for() {
    for method in [Method::CmaEs, Method::CrossEntropy] {
        let search = Search::new(method, vec![5.0, -5.0]);
        assert_eq!(search.width(), 1.0);
        let mut rng = Key::root(2).rng();
        let draws: Vec<f64> =
            (0..4_000).map(|_| search.sampler().draw(&mut rng)[1] + 5.0).collect();
        // The variance of a standard normal's mean of squares over 4,000 is 2 / 4,000; 5 sd.
        let square = dot(&draws, &draws) / 4_000.0;
        assert!((square - 1.0).abs() < 5.0 * (2.0f64 / 4_000.0).sqrt(), "{square}");
    }
}
