#include "core/map/light_approach.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/geom/trig.hpp"

namespace bev::map {
namespace {

constexpr std::uint32_t kMaxControlled = 64;
constexpr std::uint32_t kNone = ~std::uint32_t{0};
/// Largest change of heading of a lane straight ahead, and smallest of a U-turn.
constexpr double kStraight = 35 * std::numbers::pi / 180;
constexpr double kUTurn = 150 * std::numbers::pi / 180;
/// Smallest mean of the unit vectors of directions that count as one.
constexpr double kAgreed = 0.7;
/// Length in metres over which north is determined.
constexpr double kAhead = 10;

/// A unit vector on the ground; without a direction zero.
struct Way {
  double x = 0, y = 0;

  bool is_known() const noexcept { return x != 0 || y != 0; }
};

/// What the lanes of a light add up to.
struct Sum {
  Way way;
  double ways = 0;
  std::uint32_t lanes = 0;
  std::uint32_t last = kNone;  ///< row of the last lane
  std::uint8_t movements = 0;
};

Way unit(double x, double y) {
  const double length = geom::hypot(x, y);
  if (!(length > 0) || !std::isfinite(length)) return {};
  return {x / length, y / length};
}

/// Returns the driving direction at an end of the lane, across its sides.
Way direction(const Lane& lane, bool at_end) {
  const auto &left = lane.left.points, &right = lane.right.points;
  if (left.empty() || right.empty()) return {};
  const auto& l = at_end ? left.back() : left.front();
  const auto& r = at_end ? right.back() : right.front();
  return unit(l.y - r.y, r.x - l.x);
}

/// Returns the same direction as parts to the north (x) and to the east (y).
Way compass(const SemanticMap& map, const Lane& lane, bool at_end) {
  const auto way = direction(lane, at_end);
  if (!way.is_known()) return {};
  const auto& at = at_end ? lane.left.points.back() : lane.left.points.front();
  const auto here = map.geodetic(at);
  const auto there = map.geodetic({at.x + kAhead * way.x, at.y + kAhead * way.y, at.z});
  const double north = there.latitude_deg - here.latitude_deg;
  // Across the date line, the difference is a whole turn more or less.
  const double turned = there.longitude_deg - here.longitude_deg;
  const double east = turned - 360 * std::round(turned / 360);
  const double shrunk = geom::cos(here.latitude_deg * std::numbers::pi / 180);
  return unit(north, east * shrunk);
}

std::uint8_t movement_of(const Lane& lane) {
  switch (lane.turn) {
    case Turn::through: return kThroughBit;
    case Turn::left:
    case Turn::sharp_left: return kLeftBit;
    case Turn::right:
    case Turn::sharp_right: return kRightBit;
    case Turn::u_turn: return kUTurnBit;
    case Turn::unknown: break;
  }
  const auto from = direction(lane, false), to = direction(lane, true);
  if (!from.is_known() || !to.is_known()) return 0;
  const double angle =
      geom::atan2(from.x * to.y - from.y * to.x, from.x * to.x + from.y * to.y);
  if (std::abs(angle) < kStraight) return kThroughBit;
  if (std::abs(angle) > kUTurn) return kUTurnBit;
  return angle > 0 ? kLeftBit : kRightBit;
}

/// Returns the movements that a lane leads to.
std::uint8_t movements_of(const SemanticMap& map, const Lane& lane) {
  if (lane.in_junction) return movement_of(lane);
  std::uint8_t out = 0;
  std::uint32_t count = 0;
  for (const auto& id : lane.lanes_ahead) {
    if (count++ == kMaxControlled) break;
    const auto row = map.lane_row(id);
    if (row && map.lanes()[*row].in_junction) out |= movement_of(map.lanes()[*row]);
  }
  return out;
}

void add(Sum& sum, const SemanticMap& map, std::uint32_t row) {
  if (sum.last == row || sum.lanes == kMaxControlled) return;
  sum.last = row;
  ++sum.lanes;
  const Lane& lane = map.lanes()[row];
  sum.movements |= movements_of(map, lane);
  const auto way = compass(map, lane, !lane.in_junction);
  if (!way.is_known()) return;
  sum.way.x += way.x;
  sum.way.y += way.y;
  ++sum.ways;
}

LightApproach approach_of(const Sum& sum) {
  LightApproach out;
  out.movements = sum.movements;
  const auto& [x, y] = sum.way;
  if (sum.ways == 0 || geom::hypot(x, y) < kAgreed * sum.ways) return out;
  // The vehicles come from where they do not drive to.
  const double angle = geom::atan2(-y, -x) * 180 / std::numbers::pi;
  out.from_deg = static_cast<float>(angle < 0 ? angle + 360 : angle);
  return out;
}

}  // namespace

std::vector<LightApproach> light_approaches(const SemanticMap& map) {
  const auto lights = map.lights();
  std::vector<std::uint32_t> light_of_face(map.faces().size(), kNone);
  for (std::uint32_t light = 0; light < lights.size(); ++light) {
    for (const auto& id : lights[light].faces) {
      if (const auto face = map.face_row(id)) light_of_face[*face] = light;
    }
  }
  std::vector<Sum> sums(lights.size());
  for (std::uint32_t row = 0; row < map.lanes().size(); ++row) {
    for (const auto& id : map.lanes()[row].traffic_controls) {
      auto light = map.light_row(id).value_or(kNone);
      if (const auto face = map.face_row(id)) light = light_of_face[*face];
      if (light != kNone) add(sums[light], map, row);
    }
  }
  std::vector<LightApproach> out(sums.size());
  std::transform(sums.begin(), sums.end(), out.begin(), approach_of);
  return out;
}

}  // namespace bev::map
