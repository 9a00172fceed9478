#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/geom/affine.hpp"
#include "core/map/semantic_map.hpp"

namespace bev::map {

/// Concatenated strings.
struct FlatText {
  std::string utf8;
  std::vector<std::uint32_t> offsets = {0};  ///< n + 1
  void add(std::string_view text);
};

/// Concatenated lines.
struct FlatLines {
  std::vector<geom::Vec2> points;
  std::vector<double> heights;               ///< z of each point
  std::vector<std::uint32_t> offsets = {0};  ///< n + 1
  void add(const std::vector<geom::Vec3>& line);
};

/// Concatenated lists of row numbers.
struct FlatRows {
  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> first = {0};  ///< n + 1
};

/// Line kinds along one side of each lane: the first applies until the first change,
/// and so on.
struct FlatDividers {
  std::vector<std::uint8_t> kinds;
  std::vector<std::uint32_t> kinds_first = {0};  ///< n + 1
  std::vector<std::int32_t> changes_cm;          ///< distance along the line
  std::vector<std::uint32_t> changes_first = {0};
  void add(const Boundary& boundary);
};

/// A row number, or kNoRow.
using MaybeRow = std::int32_t;
inline constexpr MaybeRow kNoRow = -1;

/// A semantic map as columns, for drawing in the page.
///
/// Shapes  One entry per lane, crosswalk, light, face, junction or segment, in the
///         order of the map's lists.
/// Units   Metres in world; speeds in metres per second, NaN for no limit.
struct FlatMap {
  FlatText lane_id;
  FlatLines left, right;
  FlatLines centre;  ///< as the map has them; empty lines in L5Kit's
  std::vector<std::uint8_t> left_divider, right_divider;  ///< the first; 0 for none
  FlatText controls;                                      ///< of all lanes
  std::vector<std::uint32_t> controls_first;  ///< n + 1: first control of each lane
  FlatRows ahead;                             ///< lanes ahead that exist in the map
  std::vector<MaybeRow> adjacent_left, adjacent_right;  ///< where changing is allowed
  std::vector<MaybeRow> junction, segment;              ///< that contains the lane
  std::vector<std::uint8_t> in_junction, turn, access, orientation;
  std::vector<std::uint8_t> can_have_parked_cars;
  std::vector<float> speed_limit;  ///< of the lane's segment, in the lane's direction
  /// The ends, left and right, of each lane's part of its stop line; NaN without one.
  std::vector<std::array<geom::Vec2, 2>> stop_line;
  FlatDividers left_dividers, right_dividers;

  FlatText crosswalk_id;
  FlatLines crosswalks;

  FlatText light_id;
  std::vector<geom::Vec2> light_position;
  std::vector<float> light_from_deg;  ///< see LightApproach
  std::vector<std::uint8_t> light_movements;

  FlatText face_id;
  std::vector<std::uint8_t> face_colour;

  FlatText junction_id;
  std::vector<std::uint8_t> junction_is_intersection;  ///< non-trivial intersection
  FlatRows junction_lanes;                             ///< lanes that exist in the map

  FlatText segment_id;
  std::vector<float> segment_speed_limit, segment_speed_limit_backward;

  /// Min x, y, max x, y; inf, -inf if there are no points.
  std::array<double, 4> bounds{};
};

FlatMap flatten(const SemanticMap& map);

}  // namespace bev::map
