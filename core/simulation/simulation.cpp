#include "core/simulation/simulation.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/geom/trig.hpp"

namespace bev::simulation {
namespace {

constexpr double kTurn = 6.283185307179586;
constexpr std::array<std::string_view, kObjectTypes> kNames{
    "vehicle", "pedestrian", "bicycle",       "traffic_cone",
    "barrier", "czone_sign", "generic_object"};

/// Returns an angle from -pi to pi.
double principal(double angle) {
  constexpr double kHalf = kTurn / 2;
  const double rest = std::fmod(angle + kHalf, kTurn);
  return (rest < 0 ? rest + kTurn : rest) - kHalf;
}

}  // namespace

std::string_view to_string(ObjectType type) noexcept {
  return kNames[static_cast<std::size_t>(type)];
}

std::optional<ObjectType> object_type(std::string_view name) noexcept {
  const auto* const found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<ObjectType>(found - kNames.begin());
}

Pose moved_ahead(const Pose& from, double ahead) noexcept {
  const auto [sin, cos] = geom::sincos(from.yaw);
  return {from.x + ahead * cos, from.y + ahead * sin, from.yaw};
}

std::vector<double> unwrapped(std::span<const double> headings) {
  std::vector<double> out(headings.begin(), headings.end());
  double turns = 0;
  for (std::size_t i = 1; i < out.size(); ++i) {
    turns += std::nearbyint((headings[i] - headings[i - 1]) / kTurn);
    out[i] = headings[i] - kTurn * turns;
  }
  return out;
}

std::optional<Pose> planned_at(std::span<const PlanState> plan, const Vehicle& vehicle,
                               std::int64_t time_us) {
  for (std::size_t i = 1; i < plan.size(); ++i) {
    const auto begin = plan[i - 1].time_us, end = plan[i].time_us;
    if (!begin || !end) return std::nullopt;
    if (time_us < *begin || time_us > *end || *begin >= *end) continue;
    const auto a = rear_axle(plan[i - 1].pose, vehicle);
    const auto b = rear_axle(plan[i].pose, vehicle);
    const double share =
        static_cast<double>(time_us - *begin) / static_cast<double>(*end - *begin);
    const double turn = b.yaw - a.yaw - kTurn * std::nearbyint((b.yaw - a.yaw) / kTurn);
    return centre_of({a.x + share * (b.x - a.x), a.y + share * (b.y - a.y),
                      principal(a.yaw + share * turn)},
                     vehicle);
  }
  return std::nullopt;
}

std::uint64_t track_id(std::string_view name, std::size_t index) noexcept {
  constexpr std::size_t kDigits = 16;
  std::uint64_t out = 0;
  bool is_token = !name.empty() && name.size() <= kDigits;
  for (const char c : name) {
    const bool is_digit = c >= '0' && c <= '9', is_letter = c >= 'a' && c <= 'f';
    is_token = is_token && (is_digit || is_letter);
    out = out << 4U | static_cast<std::uint64_t>(is_digit ? c - '0' : c - 'a' + 10);
  }
  return is_token ? out : (std::uint64_t{1} << 63U) + index;
}

}  // namespace bev::simulation
