#include "core/convert/reference_line.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/geom/trig.hpp"

namespace bev::convert {
namespace {

using geom::Vec2;

// Steps of integration, within which five points are exact to 1e-9 m for the tightest
// turns of roads.
constexpr double kIntegrationStepM = 1;
constexpr std::array<double, 5> kNodes = {-0.9061798459386640, -0.5384693101056831, 0,
                                          0.5384693101056831, 0.9061798459386640};
constexpr std::array<double, 5> kWeights = {0.2369268850561891, 0.4786286704993665,
                                            0.5688888888888889, 0.4786286704993665,
                                            0.2369268850561891};

double cubic_at(const std::array<double, 4>& f, double p) {
  return f[0] + p * (f[1] + p * (f[2] + p * f[3]));
}

double slope_at(const std::array<double, 4>& f, double p) {
  return f[1] + p * (2 * f[2] + p * 3 * f[3]);
}

/// Follows a part from its start on.
class PartWalk {
 public:
  explicit PartWalk(const RoadGeometry& part)
      : part_(part), turn_(geom::sincos(part.heading_rad)) {}

  /// Returns the place at `ds`, not before that of the last call.
  RoadPlace at(double ds) {
    using Kind = RoadGeometry::Kind;
    switch (part_.kind) {
      case Kind::line: return placed({ds, 0}, {1, 0});
      case Kind::arc: return arc_at(ds);
      case Kind::spiral: return spiral_at(ds);
      case Kind::poly3: return poly3_at(ds);
      case Kind::param_poly3: break;
    }
    const double p = part_.is_normalized && part_.length > 0 ? ds / part_.length : ds;
    return placed({cubic_at(part_.u, p), cubic_at(part_.v, p)},
                  {slope_at(part_.u, p), slope_at(part_.v, p)});
  }

 private:
  /// Turns what is in the frame of the part's start.
  RoadPlace placed(Vec2 at, Vec2 along) const {
    const double length = geom::hypot(along.x, along.y);
    if (length > 0) along = {along.x / length, along.y / length};
    if (length == 0) along = {1, 0};
    const auto turned = [&](Vec2 v) {
      return Vec2{turn_.cos * v.x - turn_.sin * v.y, turn_.sin * v.x + turn_.cos * v.y};
    };
    const auto moved = turned(at);
    return {{part_.x + moved.x, part_.y + moved.y}, turned(along)};
  }

  RoadPlace arc_at(double ds) const {
    const double k = part_.curvature_start, angle = k * ds;
    if (std::abs(angle) < 1e-9) return placed({ds, angle * ds / 2}, {1, angle});
    const auto turn = geom::sincos(angle);
    const double half = geom::sin(angle / 2);
    return placed({turn.sin / k, 2 * half * half / k}, {turn.cos, turn.sin});
  }

  double angle_at(double ds) const {
    const double change =
        part_.length > 0 ? (part_.curvature_end - part_.curvature_start) / part_.length
                         : 0;
    return ds * (part_.curvature_start + ds * change / 2);
  }

  RoadPlace spiral_at(double ds) {
    integrate(ds, [&](double begin, double step) {
      for (std::size_t i = 0; i < kNodes.size(); ++i) {
        const auto turn = geom::sincos(angle_at(begin + step * (kNodes[i] + 1) / 2));
        local_.x += kWeights[i] * step / 2 * turn.cos;
        local_.y += kWeights[i] * step / 2 * turn.sin;
      }
    });
    const auto turn = geom::sincos(angle_at(ds));
    return placed(local_, {turn.cos, turn.sin});
  }

  /// The parameter u is no length: du/ds = 1 / sqrt(1 + v'(u)^2), by Runge and Kutta.
  RoadPlace poly3_at(double ds) {
    const auto rate = [&](double u) {
      return 1 / geom::hypot(1, slope_at(part_.v, u));
    };
    integrate(ds, [&](double, double step) {
      const double a = rate(local_.x), b = rate(local_.x + step * a / 2),
                   c = rate(local_.x + step * b / 2), d = rate(local_.x + step * c);
      local_.x += step * (a + 2 * b + 2 * c + d) / 6;
    });
    local_.y = cubic_at(part_.v, local_.x);
    return placed(local_, {1, slope_at(part_.v, local_.x)});
  }

  template <class Step>
  void integrate(double ds, Step step) {
    const double all = ds - done_;
    const auto count = std::max(1.0, std::ceil(all / kIntegrationStepM));
    for (double i = 0; i < count; ++i) step(done_ + all * i / count, all / count);
    done_ = ds;
  }

  const RoadGeometry& part_;
  geom::SinCos turn_;
  Vec2 local_;       // in the frame of the start, of spirals and poly3
  double done_ = 0;  // to which local_ is integrated
};

}  // namespace

double value_at(std::span<const Cubic> cubics, double s) noexcept {
  const auto after = std::upper_bound(
      cubics.begin(), cubics.end(), s,
      [](double value, const Cubic& cubic) { return value < cubic.s; });
  return after == cubics.begin() ? 0 : std::prev(after)->at(s);
}

double value_before(std::span<const Cubic> cubics, double s) noexcept {
  const auto after = std::lower_bound(
      cubics.begin(), cubics.end(), s,
      [](const Cubic& cubic, double value) { return cubic.s < value; });
  return after == cubics.begin() ? 0 : std::prev(after)->at(s);
}

std::vector<RoadPlace> places_along(std::span<const RoadGeometry> parts,
                                    std::span<const double> stations) {
  std::vector<RoadPlace> out;
  out.reserve(stations.size());
  std::optional<PartWalk> walk;
  std::size_t i = 0;
  for (const double s : stations) {
    for (; i + 1 < parts.size() && parts[i + 1].s <= s; ++i) walk.reset();
    if (!walk) walk.emplace(parts[i]);
    out.push_back(walk->at(std::max(0.0, s - parts[i].s)));
  }
  return out;
}

}  // namespace bev::convert
