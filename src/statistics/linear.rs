//! Inversion of small symmetric matrices, for ratings.

/// A square matrix, as rows.
pub(super) type Matrix = Vec<Vec<f64>>;

/// Inverts a symmetric positive definite matrix by Cholesky decomposition; `None` if the matrix is
/// not positive definite.
pub(super) fn inverse(matrix: &Matrix) -> Option<Matrix> {
    let size = matrix.len();
    let factor = cholesky(matrix)?;
    let mut inverse = vec![vec![0.0; size]; size];
    for column in 0..size {
        let mut unit = vec![0.0; size];
        unit[column] = 1.0;
        for (row, entry) in solve(&factor, unit).into_iter().enumerate() {
            inverse[row][column] = entry;
        }
    }
    Some(inverse)
}

/// Returns the lower triangular Cholesky factor L, with L Lᵀ = `matrix`.
fn cholesky(matrix: &Matrix) -> Option<Matrix> {
    let size = matrix.len();
    let mut factor = vec![vec![0.0; size]; size];
    for row in 0..size {
        for column in 0..=row {
            let known: f64 = (0..column).map(|k| factor[row][k] * factor[column][k]).sum();
            let rest = matrix[row][column] - known;
            factor[row][column] = if column < row {
                rest / factor[column][column]
            } else if rest > 0.0 {
                rest.sqrt()
            } else {
                return None;
            };
        }
    }
    Some(factor)
}

/// Solves L Lᵀ x = `right` by forward and back substitution.
fn solve(factor: &Matrix, right: Vec<f64>) -> Vec<f64> {
    let size = factor.len();
    let mut solution = right;
    for row in 0..size {
        let known: f64 = (0..row).map(|k| factor[row][k] * solution[k]).sum();
        solution[row] = (solution[row] - known) / factor[row][row];
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|k| factor[k][row] * solution[k]).sum();
        solution[row] = (solution[row] - known) / factor[row][row];
    }
    solution
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverse_by_hand() {
        // The determinant is 4 * 3 - 2 * 2 = 8.
        let inverted = inverse(&vec![vec![4.0, 2.0], vec![2.0, 3.0]]).unwrap();
        let expected = [[0.375, -0.25], [-0.25, 0.5]];
        for (row, expected) in inverted.iter().zip(expected) {
            for (entry, expected) in row.iter().zip(expected) {
                assert!((entry - expected).abs() < 1e-15, "{inverted:?}");
            }
        }
        assert_eq!(inverse(&vec![vec![1.0, 2.0], vec![2.0, 1.0]]), None);
        assert_eq!(inverse(&vec![vec![1.0, 1.0], vec![1.0, 1.0]]), None);
    }
}
