#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/geom/affine.hpp"

// Elements of the semantic map in world coordinates (metres). Enumerations have the map
// schema's numbers; unknown numbers are read as `unknown`.

namespace bev::map {

/// An axis-aligned rectangle in world. Empty by default; nothing is near an empty box.
struct Box {
  double min_x = std::numeric_limits<double>::infinity();
  double min_y = std::numeric_limits<double>::infinity();
  double max_x = -std::numeric_limits<double>::infinity();
  double max_y = -std::numeric_limits<double>::infinity();

  bool operator==(const Box&) const = default;
  bool empty() const noexcept { return min_x > max_x; }
  void add(const Box& other) noexcept {
    min_x = std::min(min_x, other.min_x);
    min_y = std::min(min_y, other.min_y);
    max_x = std::max(max_x, other.max_x);
    max_y = std::max(max_y, other.max_y);
  }
  void add(const geom::Vec3& p) noexcept { add(Box{p.x, p.y, p.x, p.y}); }

  /// Whether a point is inside the box grown by `margin` on every side, edges excluded.
  ///
  /// Reference  L5Kit's indices_in_bounds.
  bool is_near(double x, double y, double margin) const noexcept {
    return x > min_x - margin && y > min_y - margin && x < max_x + margin &&
           y < max_y + margin;
  }
};

enum class Divider : std::uint8_t {
  unknown = 0,
  none = 1,
  single_yellow_solid = 2,
  single_white_solid = 3,
  single_yellow_dashed = 4,
  single_white_dashed = 5,
  double_yellow_solid = 6,
  double_white_solid = 7,
  double_yellow_solid_dashed = 8,  ///< 8 and 9 differ in which line is dashed
  double_yellow_dashed_solid = 9,
  curb_red = 10,
  curb_yellow = 11,
  curb = 12,
};

enum class Access : std::uint8_t {
  unknown = 0,
  no_restriction = 1,
  only_hov = 2,
  only_bus = 3,
  only_bike = 4,
  only_turn = 5,
};

enum class Orientation : std::uint8_t {
  unknown = 0,
  two_way = 1,
  one_way_forward = 2,
  one_way_backward = 3,
  reversible = 4,
};

enum class Turn : std::uint8_t {
  unknown = 0,
  through = 1,
  left = 2,
  sharp_left = 3,
  right = 4,
  sharp_right = 5,
  u_turn = 6,
};

/// One side of a lane, in the direction of its geometry.
struct Boundary {
  std::vector<geom::Vec3> points;
  std::vector<Divider> dividers;  ///< dividers[i] applies until type change i
  std::vector<std::int32_t> type_change_point_cm;
};

/// A lane. Ids that the map does not provide are "".
struct Lane {
  std::string id;
  std::string parent;  ///< its segment or junction
  Boundary left, right;
  std::vector<geom::Vec3> centre;  ///< in maps converted from other data; else empty
  Box bounds;                      ///< of both boundaries
  std::vector<std::string> lanes_ahead, traffic_controls, yield_to_lanes;
  std::string adjacent_left, adjacent_right;  ///< lanes to which changing is allowed
  Access access = Access::unknown;
  Orientation orientation = Orientation::unknown;
  Turn turn = Turn::unknown;
  bool can_have_parked_cars = false;
  bool in_junction = false;  ///< whether the parent is a junction of this map
};

struct Crosswalk {
  std::string id;
  std::vector<geom::Vec3> outline;  ///< open: the first point is not repeated
  Box bounds;
};

/// Colour of a traffic light face when active.
enum class Colour : std::uint8_t { red = 0, green = 1, yellow = 2 };

struct Face {
  std::string id;
  Colour colour = Colour::red;
};

struct TrafficLight {
  std::string id;
  std::vector<std::string> faces;
  geom::Vec3 position;  ///< its first point, or its frame's origin without points
};

struct Junction {
  std::string id;
  std::vector<std::string> lanes, controls;
  bool is_non_trivial_intersection = false;
};

/// A stretch of road between two junctions.
struct Segment {
  std::string id;
  std::vector<std::string> lanes;
  std::optional<float> speed_limit_mps, speed_limit_backward_mps;
};

}  // namespace bev::map
