#include "core/sample/parabola.hpp"

#include <algorithm>
#include <cmath>

#include "core/sample/normal_system.hpp"

namespace bev::sample {

Least least_of_parabola(double a, double b, double low, double high) noexcept {
  Least least{low, low * (a * low + b)};
  const auto look_at = [&](double t) {
    const double value = t * (a * t + b);
    if (value < least.value) least = {t, value};
  };
  look_at(high);
  const double extremum = a != 0 ? -0.5 * b / a : low;
  if (low < extremum && extremum < high) look_at(extremum);
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
