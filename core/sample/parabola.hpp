#pragma once

#include <span>

namespace bev::sample {

/// The minimum of a t^2 + b t on [low, high], and its position.
struct Least {
  double at;
  double value;
};
Least least_of_parabola(double a, double b, double low, double high) noexcept;

/// Returns the greater t with |x + t s| == radius, for |x| <= radius and s != 0.
double to_radius(std::span<const double> x, std::span<const double> s,
                 double radius) noexcept;

}  // namespace bev::sample
