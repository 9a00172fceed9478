#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace bev::sample {

/// A quadratic model of a cost: g p + p H p / 2, H symmetric and positive.
///
/// Threads  One object, one thread.
class NormalSystem {
 public:
  /// n rows of n; the gradient has n.
  void assign(std::span<const double> hessian, std::span<const double> gradient);

  std::size_t size() const noexcept { return gradient_.size(); }
  std::span<double> hessian() noexcept { return hessian_; }
  std::span<double> gradient() noexcept { return gradient_; }
  std::span<const double> gradient() const noexcept { return gradient_; }

  /// The value of the model at `step`.
  double value(std::span<const double> step) const noexcept;

  /// u H v.
  double curvature(std::span<const double> u, std::span<const double> v) const noexcept;

  /// Minimises the model within |step| <= radius.
  ///
  /// @param damping  in: a guess at the least multiple of 1 that, added to H, keeps the
  ///                 step within; out: the one that was found
  /// @returns        false where H is not positive in floating point
  /// Source          J. More, "The Levenberg-Marquardt algorithm", 1978
  bool minimise(double radius, double& damping, std::vector<double>& step);

 private:
  bool factor(double damping);
  void solve(std::vector<double>& step);
  double slope(std::span<const double> step, double length);

  std::vector<double> hessian_;
  std::vector<double> gradient_;
  std::vector<double> factor_;  // lower triangle of the Cholesky factor
  std::vector<double> scratch_;
};

double dot(std::span<const double> a, std::span<const double> b) noexcept;
double length(std::span<const double> a) noexcept;
void scale(std::span<double> a, double by) noexcept;

}  // namespace bev::sample
