#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace bev::sample {

/// A sum of squares to be made small: half of f(x) * f(x).
class LeastSquares {
 public:
  virtual ~LeastSquares() = default;

  /// The cost at `x`; NaN or infinite where it has none.
  virtual double cost(std::span<const double> x) = 0;

  /// With J the derivatives of f at `x`: J^T f, and J^T J, n rows of n.
  virtual void derive(std::span<const double> x, std::span<double> gradient,
                      std::span<double> normal) = 0;
};

/// Finds the x within bounds that makes a sum of squares small, from 0 on, by a trust
/// region whose steps are reflected at the bounds.
///
/// @param lower, upper  bounds of every component; 0 lies between them
/// @param x             the result, as long as the bounds
/// @throws Error        invalid_argument where the cost at 0, or a step, is not finite
///
/// Source  M. Branch, T. Coleman, Y. Li, "A Subspace, Interior, and Conjugate Gradient
///         Method for Large-Scale Bound-Constrained Minimization Problems", 1999, with
///         the choices of scipy.optimize.least_squares (method trf, exact solver,
///         tolerances 1e-8), whose path it follows, so that it also ends where that
///         ends.
void fit_bounded(LeastSquares& problem, std::span<const double> lower,
                 std::span<const double> upper, std::vector<double>& x);

}  // namespace bev::sample
