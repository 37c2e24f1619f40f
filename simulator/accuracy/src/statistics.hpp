#pragma once

#include <optional>
#include <vector>

/// The numerics of a calibration: problems of a few unknowns, too small for a library.

namespace warpipe {

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b);
double norm(const Vector& a);

/// Solves a system of more equations than unknowns with the least squares.
/// @param columns  the coefficients of one unknown each, in all equations; at least one
/// @param right    the right sides; as many as a column has numbers
/// @return         nothing where the equations leave an unknown open
/// @source modified Gram-Schmidt with column pivoting: G. Golub, C. Van Loan, "Matrix Computations", 5.2.8 and 5.4.2
std::optional<Vector> least_squares(std::vector<Vector> columns, Vector right);

/// The inverse of a symmetric matrix with eigenvalues >= 0, after smaller eigenvalues than `least` are raised to it.
/// @source Jacobi's method: G. Golub, C. Van Loan, "Matrix Computations", 8.5
std::vector<Vector> inverse_of_symmetric(std::vector<Vector> matrix, double least);

/// @param tail     the probability of more than the result; above 0, at most 0.5
/// @param freedom  degrees of freedom; above 0
/// @return         the quantile of Student's t
/// @source the incomplete beta function: W. Press et al., "Numerical Recipes", 6.4
double student_t_quantile(double tail, double freedom);

}  // namespace warpipe
