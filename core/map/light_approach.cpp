#include "core/map/light_approach.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "core/geom/trig.hpp"

namespace bev::map {
namespace {

using Rows = std::vector<std::uint32_t>;

constexpr std::size_t kMaxControlled = 64;
/// Largest change of heading of a lane straight ahead, and smallest of a U-turn.
constexpr double kStraight = 35 * std::numbers::pi / 180;
constexpr double kUTurn = 150 * std::numbers::pi / 180;
/// Smallest mean of the unit vectors of directions that count as one.
constexpr double kAgreed = 0.7;
/// Length in metres over which north is determined.
constexpr double kAhead = 10;

/// A vector on the ground.
struct Way {
  double x = 0, y = 0;
};

/// Returns the unit vector of (x, y); nullopt if it has no direction.
std::optional<Way> unit(double x, double y) {
  const double length = geom::hypot(x, y);
  if (!(length > 0) || !std::isfinite(length)) return std::nullopt;
  return Way{x / length, y / length};
}

/// Returns the driving direction at an end of the lane, across its sides.
std::optional<Way> direction(const Lane& lane, bool at_end) {
  const auto &left = lane.left.points, &right = lane.right.points;
  if (left.empty() || right.empty()) return std::nullopt;
  const auto& l = at_end ? left.back() : left.front();
  const auto& r = at_end ? right.back() : right.front();
  return unit(l.y - r.y, r.x - l.x);
}

/// Returns the same direction as parts to the north (x) and to the east (y).
std::optional<Way> compass(const SemanticMap& map, const Lane& lane, bool at_end) {
  const auto way = direction(lane, at_end);
  if (!way) return std::nullopt;
  const auto& at = at_end ? lane.left.points.back() : lane.left.points.front();
  const auto here = map.geodetic(at);
  const auto there =
      map.geodetic({at.x + kAhead * way->x, at.y + kAhead * way->y, at.z});
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
  if (!from || !to) return 0;
  const double angle =
      geom::atan2(from->x * to->y - from->y * to->x, from->x * to->x + from->y * to->y);
  if (std::abs(angle) < kStraight) return kThroughBit;
  if (std::abs(angle) > kUTurn) return kUTurnBit;
  return angle > 0 ? kLeftBit : kRightBit;
}

/// Returns the movements that a lane leads to.
std::uint8_t movements_of(const SemanticMap& map, const Lane& lane) {
  if (lane.in_junction) return movement_of(lane);
  std::uint8_t out = 0;
  const auto count = std::min(lane.lanes_ahead.size(), kMaxControlled);
  for (std::size_t i = 0; i < count; ++i) {
    const auto row = map.lane_row(lane.lanes_ahead[i]);
    if (row && map.lanes()[*row].in_junction) out |= movement_of(map.lanes()[*row]);
  }
  return out;
}

/// Returns the lanes of each light, each once, at most kMaxControlled.
std::vector<Rows> lanes_by_light(const SemanticMap& map) {
  const auto lights = map.lights();
  std::vector<std::optional<std::uint32_t>> light_of_face(map.faces().size());
  for (std::uint32_t light = 0; light < lights.size(); ++light) {
    for (const auto& id : lights[light].faces) {
      if (const auto face = map.face_row(id)) light_of_face[*face] = light;
    }
  }
  std::vector<Rows> out(lights.size());
  for (std::uint32_t row = 0; row < map.lanes().size(); ++row) {
    for (const auto& id : map.lanes()[row].traffic_controls) {
      auto light = map.light_row(id);
      if (const auto face = map.face_row(id)) light = light_of_face[*face];
      if (!light) continue;
      Rows& rows = out[*light];
      const bool is_new = rows.empty() || rows.back() != row;
      if (is_new && rows.size() < kMaxControlled) rows.push_back(row);
    }
  }
  return out;
}

LightApproach approach_of(const SemanticMap& map, const Rows& rows) {
  LightApproach out;
  Way sum;
  double count = 0;
  for (const auto row : rows) {
    const Lane& lane = map.lanes()[row];
    out.movements |= movements_of(map, lane);
    const auto way = compass(map, lane, !lane.in_junction);
    if (!way) continue;
    sum.x += way->x;
    sum.y += way->y;
    ++count;
  }
  if (count == 0 || geom::hypot(sum.x, sum.y) < kAgreed * count) return out;
  // The vehicles come from where they do not drive to.
  const double angle = geom::atan2(-sum.y, -sum.x) * 180 / std::numbers::pi;
  out.from_deg = static_cast<float>(angle < 0 ? angle + 360 : angle);
  return out;
}

}  // namespace

std::vector<LightApproach> light_approaches(const SemanticMap& map) {
  std::vector<LightApproach> out;
  for (const Rows& rows : lanes_by_light(map)) out.push_back(approach_of(map, rows));
  return out;
}

}  // namespace bev::map
