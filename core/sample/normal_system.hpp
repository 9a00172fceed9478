#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace bev::sample {

/// A quadratic model of a cost: g p + p H p / 2, with H symmetric and positive.
///
/// Thread safety  One object belongs to one thread.
class NormalSystem {
 public:
  /// Sets H (n rows of n) and g (n values).
  void assign(std::span<const double> hessian, std::span<const double> gradient);

  std::size_t size() const noexcept { return gradient_.size(); }
  std::span<double> hessian() noexcept { return hessian_; }
  std::span<double> gradient() noexcept { return gradient_; }
  std::span<const double> gradient() const noexcept { return gradient_; }

  /// Returns the model's value at `step`.
  double value(std::span<const double> step) const noexcept;

  /// Returns u H v.
  double curvature(std::span<const double> u, std::span<const double> v) const noexcept;

  /// Minimises the model within |step| <= radius.
  ///
  /// @param damping  in: initial value of the damping, the smallest multiple of the
  ///                 identity added to H that keeps the step within the radius; out:
  ///                 the damping found
  /// @returns        false if H is not numerically positive
  /// Reference  J. More, "The Levenberg-Marquardt algorithm", 1978.
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

/// The minimum of a t^2 + b t on [low, high], and its position.
struct Minimum {
  double at;
  double value;
};
Minimum parabola_minimum(double a, double b, double low, double high) noexcept;

/// Returns the greater t with |x + t s| == radius, for |x| <= radius and s != 0.
double to_radius(std::span<const double> x, std::span<const double> s,
                 double radius) noexcept;

}  // namespace bev::sample
