//! Just enough linear algebra for ratings: inverting small symmetric matrices.

/// A square matrix, by rows.
pub(super) type Matrix = Vec<Vec<f64>>;

/// The inverse of a symmetric positive definite matrix, through its Cholesky decomposition; `None`
/// if it is not positive definite.
pub(super) fn inverse(matrix: &Matrix) -> Option<Matrix> {
    let side = matrix.len();
    let factor = cholesky(matrix)?;
    let mut inverse = vec![vec![0.0; side]; side];
    for column in 0..side {
        let mut unit = vec![0.0; side];
        unit[column] = 1.0;
        for (row, entry) in solve(&factor, unit).into_iter().enumerate() {
            inverse[row][column] = entry;
        }
    }
    Some(inverse)
}

/// The lower triangular matrix that gives `matrix` when multiplied with its own transpose.
fn cholesky(matrix: &Matrix) -> Option<Matrix> {
    let side = matrix.len();
    let mut factor = vec![vec![0.0; side]; side];
    for row in 0..side {
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

/// Solves for the vector that the decomposed matrix turns into `right`.
fn solve(factor: &Matrix, right: Vec<f64>) -> Vec<f64> {
    let side = factor.len();
    let mut solution = right;
    for row in 0..side {
        let known: f64 = (0..row).map(|k| factor[row][k] * solution[k]).sum();
        solution[row] = (solution[row] - known) / factor[row][row];
    }
    for row in (0..side).rev() {
        let known: f64 = (row + 1..side).map(|k| factor[k][row] * solution[k]).sum();
        solution[row] = (solution[row] - known) / factor[row][row];
    }
    solution
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverts_by_hand() {
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
