//! How often differences are found where there are none.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::super::{Moments, Student, normal_quantile, welch};
use super::{FULL, TENTH, most, share_of_4};

const ALPHA: f64 = 0.05;
const DEALS: [(u64, u64); 7] = [(2, 2), (5, 5), (10, 10), (2, 10), (5, 10), (10, 100), (100, 100)];

#[track_caller]
fn assert_rare(text: &str, alpha: f64, repetitions: u32, mut p: impl FnMut() -> f64) {
    let found = (0..repetitions).filter(|_| p() < ALPHA).count() as f64 / f64::from(repetitions);
    assert!(found <= most(alpha, repetitions), "{text}: {found}");
}

/// The mean of normal totals with this spread, in millionths.
fn total(rng: &mut Pcg64, deals: u64, spread: f64) -> Student {
    let mut moments = Moments::<1>::new();
    for _ in 0..deals {
        let z = normal_quantile(rng.random_range(1e-12..1.0)).expect("a probability");
        moments.push(&[(1e6 * spread * z) as i64]);
    }
    Student {
        value: moments.mean(0).expect("deals"),
        standard_error: moments.standard_error(0).expect("deals"),
        degrees_of_freedom: deals as f64 - 1.0,
    }
}

fn totals(repetitions: u32) {
    for (n, m) in DEALS {
        for spread in [0.2, 1.0, 5.0] {
            let mut rng = Pcg64::seed_from_u64(n + 100 * m);
            // Two deals may look alike by chance, and then the other run's degrees of freedom count:
            // that is where Welch's approximation is known to be rough.
            let alpha = if n == 2 && m > 2 { 2.0 * ALPHA } else { ALPHA };
            assert_rare(&format!("{n} and {m} deals, spread {spread}"), alpha, repetitions, || {
                let difference = welch(total(&mut rng, n, 1.0), total(&mut rng, m, spread));
                difference.p_two_sided(0.0).unwrap_or_else(|| panic!("{difference:?}"))
            });
        }
    }
}

/// A share with `truth` in 4 games a deal, which are independent or all alike.
fn share(rng: &mut Pcg64, deals: u64, truth: f64, alike: bool) -> Student {
    let mut moments = Moments::<1>::new();
    for _ in 0..deals {
        moments.push(&[match alike {
            true => 4 * i64::from(rng.random_bool(truth)),
            false => (0..4).map(|_| i64::from(rng.random_bool(truth))).sum(),
        }]);
    }
    share_of_4(&moments, 1).student().expect("deals")
}

fn shares(repetitions: u32) {
    for (n, m) in DEALS {
        for truth in [0.003, 0.01, 0.05, 0.25, 0.5] {
            for (one, other) in [(false, false), (true, false), (false, true), (true, true)] {
                let mut rng = Pcg64::seed_from_u64(n + 100 * m);
                let text = format!("{n} and {m} deals, {truth}, {one} and {other}");
                assert_rare(&text, ALPHA, repetitions, || {
                    let (a, b) = (share(&mut rng, n, truth, one), share(&mut rng, m, truth, other));
                    welch(a, b).p_two_sided(0.0).expect("a spread")
                });
            }
        }
    }
}

#[test]
fn welch_rarely_finds_differences_of_totals_that_are_none() {
    totals(TENTH);
}

#[test]
#[ignore = "2,000 repetitions"]
fn welch_rarely_finds_differences_of_totals_that_are_none_in_full() {
    totals(FULL);
}

#[test]
fn welch_rarely_finds_differences_of_shares_that_are_none() {
    shares(TENTH);
}

#[test]
#[ignore = "2,000 repetitions"]
fn welch_rarely_finds_differences_of_shares_that_are_none_in_full() {
    shares(FULL);
}
