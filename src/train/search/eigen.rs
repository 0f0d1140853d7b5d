//! Eigenvectors of a symmetric matrix, by Jacobi's rotations.

/// The most sweeps; a handful is enough for any matrix that is met here.
const SWEEPS: usize = 60;

/// The eigenvalues and the matrix whose columns are the eigenvectors (by row), of a symmetric matrix.
/// They are in no order.
///
/// Cyclic Jacobi: G. H. Golub and C. F. Van Loan, Matrix Computations, section 8.5. It takes nothing
/// but the four operations and square roots, so that all CPUs agree to the last bit.
pub(super) fn eigen(matrix: &[Vec<f64>]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = matrix.len();
    let mut a = matrix.to_vec();
    let mut vectors: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| if i == j { 1.0 } else { 0.0 }).collect()).collect();
    for _ in 0..SWEEPS {
        let off: f64 =
            (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|p| sq(a[p.0][p.1])).sum();
        let all: f64 = a.iter().flatten().copied().map(sq).sum();
        if off <= 1e-32 * all {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                rotate(&mut a, &mut vectors, p, q);
            }
        }
    }
    ((0..n).map(|i| a[i][i]).collect(), vectors)
}

fn sq(x: f64) -> f64 {
    x * x
}

/// Makes the entry at (p, q) zero.
fn rotate(a: &mut [Vec<f64>], vectors: &mut [Vec<f64>], p: usize, q: usize) {
    let apq = a[p][q];
    if apq == 0.0 {
        return;
    }
    let tau = (a[q][q] - a[p][p]) / (2.0 * apq);
    let t = if tau >= 0.0 { 1.0 } else { -1.0 } / (tau.abs() + (1.0 + tau * tau).sqrt());
    let c = 1.0 / (1.0 + t * t).sqrt();
    let s = t * c;
    for row in a.iter_mut().chain(vectors.iter_mut()) {
        let (x, y) = (row[p], row[q]);
        (row[p], row[q]) = (c * x - s * y, s * x + c * y);
    }
    for k in 0..a.len() {
        let (x, y) = (a[p][k], a[q][k]);
        (a[p][k], a[q][k]) = (c * x - s * y, s * x + c * y);
    }
    (a[p][q], a[q][p]) = (0.0, 0.0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Key, unit};

    #[test]
    fn vectors_and_values_make_up_the_matrix() {
        let mut rng = Key::root(5).rng();
        for n in 1..12 {
            let mut matrix = vec![vec![0.0; n]; n];
            for i in 0..n {
                for j in 0..=i {
                    let x = unit(&mut rng) - 0.5;
                    (matrix[i][j], matrix[j][i]) = (x, x);
                }
            }
            let (values, vectors) = eigen(&matrix);
            for i in 0..n {
                for j in 0..n {
                    let sum = |f: &dyn Fn(usize) -> f64| (0..n).map(f).sum::<f64>();
                    let again = sum(&|k| vectors[i][k] * values[k] * vectors[j][k]);
                    assert!((again - matrix[i][j]).abs() < 1e-12);
                    let unit = sum(&|k| vectors[i][k] * vectors[j][k]);
                    assert!((unit - if i == j { 1.0 } else { 0.0 }).abs() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn known_values() {
        let (mut values, _) = eigen(&[vec![2.0, 1.0], vec![1.0, 2.0]]);
        values.sort_by(f64::total_cmp);
        assert!((values[0] - 1.0).abs() < 1e-15 && (values[1] - 3.0).abs() < 1e-15);
    }
}
