#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace bev::sample {

/// A sum of squares to minimise: f(x) * f(x) / 2.
class LeastSquares {
 public:
  virtual ~LeastSquares() = default;

  /// Returns the cost at `x`; NaN or infinity if it is undefined.
  virtual double cost(std::span<const double> x) = 0;

  /// Computes J^T f and J^T J (n rows of n), where J is the Jacobian of f at `x`.
  virtual void derive(std::span<const double> x, std::span<double> gradient,
                      std::span<double> normal) = 0;
};

/// Minimises a sum of squares within bounds, starting at 0, by a trust-region method
/// whose steps are reflected at the bounds.
///
/// @param lower,  upper  bounds of every component; 0 is between them
/// @param x       the result, as long as the bounds
/// @throws Error  invalid_argument if the cost at 0, or a step, is not finite
/// Reference  M. Branch, T. Coleman, Y. Li, "A Subspace, Interior, and Conjugate
///            Gradient Method for Large-Scale Bound-Constrained Minimization Problems",
///            1999, as implemented by scipy.optimize.least_squares (method trf, exact
///            solver, tolerances 1e-8). Takes the same steps, and so ends at the same
///            point.
void fit_bounded(LeastSquares& problem, std::span<const double> lower,
                 std::span<const double> upper, std::vector<double>& x);

}  // namespace bev::sample
