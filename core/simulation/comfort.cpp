#include "core/simulation/comfort.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/geom/trig.hpp"
#include "core/simulation/savitzky_golay.hpp"

namespace bev::simulation {
namespace {

/// Windows of nuPlan's filters. Those of turns are not passed on there, so that they are
/// the default of another function.
constexpr std::size_t kAccelerationWindow = 8, kJerkWindow = 15, kTurnWindow = 5;
constexpr std::size_t kMinFrames = 4;  // a polynomial of degree 3

/// nuPlan's bounds, which no value may reach.
constexpr double kMinLonAcceleration = -4.05, kMaxLonAcceleration = 2.40;
constexpr double kMaxLatAcceleration = 4.89, kMaxLonJerk = 4.13, kMaxJerk = 8.37;
constexpr double kMaxYawRate = 0.95, kMaxYawAcceleration = 1.93;

std::vector<double> filtered(const std::vector<double>& values, Smoothing how) {
  how.window = std::min(how.window, values.size());
  auto out = smoothed(values, how);
  constexpr double kDecimals = 1e8;
  for (auto& value : out) value = std::nearbyint(value * kDecimals) / kDecimals;
  return out;
}

bool is_within(const std::vector<double>& values, double min, double max) {
  return std::all_of(values.begin(), values.end(),
                     [=](double value) { return value > min && value < max; });
}

}  // namespace

bool Comfort::is_comfortable() const {
  const auto is_below = [](const std::vector<double>& values, double max) {
    return is_within(values, -max, max);
  };
  return is_within(lon_acceleration, kMinLonAcceleration, kMaxLonAcceleration) &&
         is_below(lat_acceleration, kMaxLatAcceleration) &&
         is_below(lon_jerk, kMaxLonJerk) && is_below(jerk, kMaxJerk) &&
         is_below(yaw_rate, kMaxYawRate) &&
         is_below(yaw_acceleration, kMaxYawAcceleration);
}

std::optional<Comfort> comfort(const Simulation& from) {
  const auto& frames = from.frames;
  if (frames.size() < kMinFrames) return std::nullopt;
  std::vector<double> lon, lat, magnitude, headings;
  for (const auto& frame : frames) {
    if (!frame.motion) return std::nullopt;
    const auto& m = *frame.motion;
    const double ahead = from.vehicle.centre_ahead;
    // Both terms along x, as nuPlan shifts them.
    lon.push_back(m.acceleration_x + ahead * m.yaw_rate * m.yaw_rate +
                  ahead * m.yaw_acceleration);
    lat.push_back(m.acceleration_y);
    magnitude.push_back(geom::hypot(m.acceleration_x, m.acceleration_y));
    headings.push_back(frame.ego.yaw);
  }
  // Differences of seconds since 1970, with the rounding that nuPlan's have.
  const auto seconds = [](const Frame& frame) {
    return static_cast<double>(frame.time_us) / 1e6;
  };
  const double interval = (seconds(frames.back()) - seconds(frames.front())) /
                          static_cast<double>(frames.size() - 1);
  const Smoothing acceleration{kAccelerationWindow, 2, 0, interval};
  const Smoothing jerk{kJerkWindow, 2, 1, interval};
  const auto turned = unwrapped(headings);
  Comfort out;
  out.lon_acceleration = filtered(lon, acceleration);
  out.lat_acceleration = filtered(lat, acceleration);
  out.lon_jerk = filtered(out.lon_acceleration, jerk);
  out.jerk = filtered(filtered(magnitude, acceleration), jerk);
  out.yaw_rate = filtered(turned, {kTurnWindow, 2, 1, interval});
  out.yaw_acceleration = filtered(turned, {kTurnWindow, 3, 2, interval});
  return out;
}

}  // namespace bev::simulation
