#include "core/sample/normal_system.hpp"

#include <algorithm>
#include <cmath>

namespace bev::sample {

double dot(std::span<const double> a, std::span<const double> b) noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double length(std::span<const double> a) noexcept {
  return std::sqrt(dot(a, a));
}

void scale(std::span<double> a, double by) noexcept {
  for (auto& value : a) value *= by;
}

void NormalSystem::assign(std::span<const double> hessian,
                          std::span<const double> gradient) {
  hessian_.assign(hessian.begin(), hessian.end());
  gradient_.assign(gradient.begin(), gradient.end());
}

double NormalSystem::value(std::span<const double> step) const noexcept {
  return 0.5 * curvature(step, step) + dot(gradient_, step);
}

double NormalSystem::curvature(std::span<const double> u,
                               std::span<const double> v) const noexcept {
  const auto n = size();
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    sum += u[i] * dot(std::span(hessian_).subspan(i * n, n), v);
  }
  return sum;
}

bool NormalSystem::minimise(double radius, double& damping, std::vector<double>& step) {
  if (!factor(0)) return false;
  solve(step);
  double reach = length(step);
  if (reach <= radius) {
    damping = 0;
    return true;
  }
  double upper = length(gradient_) / radius;
  double lower = -(reach - radius) / slope(step, reach);
  const auto restart = [&] {
    return std::max(0.001 * upper, std::sqrt(lower * upper));
  };
  double alpha = damping;
  for (int turn = 0; turn < 10; ++turn) {
    if (alpha < lower || alpha > upper) alpha = restart();
    if (!factor(alpha)) return false;
    solve(step);
    reach = length(step);
    const double excess = reach - radius;
    if (excess < 0) upper = alpha;
    const double ratio = excess / slope(step, reach);
    lower = std::max(lower, alpha - ratio);
    alpha -= reach * ratio / radius;
    if (std::fabs(excess) < 0.01 * radius) break;
  }
  damping = alpha;
  if (!factor(alpha)) return false;
  solve(step);
  scale(step, radius / length(step));
  return true;
}

bool NormalSystem::factor(double damping) {
  const auto n = size();
  factor_.resize(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    auto* const row = &factor_[i * n];
    for (std::size_t j = 0; j <= i; ++j) {
      const auto* const other = &factor_[j * n];
      double value = hessian_[i * n + j] + (i == j ? damping : 0);
      for (std::size_t k = 0; k < j; ++k) value -= row[k] * other[k];
      if (i == j && !(value > 0)) return false;
      row[j] = i == j ? std::sqrt(value) : value / other[j];
    }
  }
  return true;
}

// Solves for the step at which the model's gradient is zero.
void NormalSystem::solve(std::vector<double>& step) {
  const auto n = size();
  step.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    double value = -gradient_[i];
    for (std::size_t k = 0; k < i; ++k) value -= factor_[i * n + k] * step[k];
    step[i] = value / factor_[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    double value = step[i];
    for (std::size_t k = i + 1; k < n; ++k) value -= factor_[k * n + i] * step[k];
    step[i] = value / factor_[i * n + i];
  }
}

// Returns the derivative of the step's length by the damping.
double NormalSystem::slope(std::span<const double> step, double reach) {
  const auto n = size();
  scratch_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    double value = step[i];
    for (std::size_t k = 0; k < i; ++k) value -= factor_[i * n + k] * scratch_[k];
    scratch_[i] = value / factor_[i * n + i];
  }
  return -dot(scratch_, scratch_) / reach;
}

Minimum parabola_minimum(double a, double b, double low, double high) noexcept {
  Minimum least{low, low * (a * low + b)};
  const auto consider = [&](double t) {
    const double value = t * (a * t + b);
    if (value < least.value) least = {t, value};
  };
  consider(high);
  const double extremum = a != 0 ? -0.5 * b / a : low;
  if (low < extremum && extremum < high) consider(extremum);
  return least;
}

double to_radius(std::span<const double> x, std::span<const double> s,
                 double radius) noexcept {
  const double a = dot(s, s);
  const double b = dot(x, s);
  const double c = std::min(dot(x, x) - radius * radius, 0.0);
  // The root of larger magnitude first: the other follows without cancellation.
  const double q = -(b + std::copysign(std::sqrt(b * b - a * c), b));
  return q == 0 ? 0 : std::max(q / a, c / q);
}

}  // namespace bev::sample
