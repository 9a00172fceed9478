#pragma once

#include <span>

namespace bev::sample {

/// The least value of a t^2 + b t on [low, high], and where it is taken.
struct Least {
  double at;
  double value;
};
Least least_of_parabola(double a, double b, double low, double high) noexcept;

/// The greater t at which |x + t s| is the radius, for |x| not above it and an s that
/// is not 0.
double to_radius(std::span<const double> x, std::span<const double> s,
                 double radius) noexcept;

}  // namespace bev::sample
