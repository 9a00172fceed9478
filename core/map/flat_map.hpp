#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/geom/affine.hpp"
#include "core/map/semantic_map.hpp"

namespace bev::map {

/// Strings, one after the other.
struct FlatText {
  std::string utf8;
  std::vector<std::uint32_t> offsets = {0};  ///< n + 1
  void add(std::string_view text);
};

/// Lines, one after the other.
struct FlatLines {
  std::vector<geom::Vec2> points;
  std::vector<double> heights;               ///< z of each point
  std::vector<std::uint32_t> offsets = {0};  ///< n + 1
  void add(const std::vector<geom::Vec3>& line);
};

/// Lists of row numbers, one after the other.
struct FlatRows {
  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> first = {0};  ///< n + 1
};

/// What kinds of line a side of each lane is: the first up to its change, and so on.
struct FlatDividers {
  std::vector<std::uint8_t> kinds;
  std::vector<std::uint32_t> kinds_first = {0};  ///< n + 1
  std::vector<std::int32_t> changes_cm;          ///< along the line
  std::vector<std::uint32_t> changes_first = {0};
  void add(const Boundary& boundary);
};

/// A row that may be none, and what stands for that.
using MaybeRow = std::int32_t;
inline constexpr MaybeRow kNoRow = -1;

/// A semantic map as columns: what a page draws from.
///
/// Shapes  One entry a lane, crosswalk, light, face, junction or segment, in the order
///         of the map's lists.
/// Units   Metres in world; speeds in metres per second, NaN for no limit.
struct FlatMap {
  FlatText lane_id;
  FlatLines left, right;
  std::vector<std::uint8_t> left_divider, right_divider;  ///< the first; 0 for none
  FlatText controls;                                      ///< of all lanes
  std::vector<std::uint32_t> controls_first;  ///< n + 1: where those of a lane begin
  FlatRows ahead;                             ///< those lanes ahead that the map has
  std::vector<MaybeRow> adjacent_left, adjacent_right;  ///< where a change is allowed
  std::vector<MaybeRow> junction, segment;              ///< that it is part of
  std::vector<std::uint8_t> in_junction, turn, access, orientation;
  std::vector<std::uint8_t> can_have_parked_cars;
  std::vector<float> speed_limit;  ///< of its segment, in its direction
  FlatDividers left_dividers, right_dividers;

  FlatText crosswalk_id;
  FlatLines crosswalks;

  FlatText light_id;
  std::vector<geom::Vec2> light_position;

  FlatText face_id;
  std::vector<std::uint8_t> face_colour;

  FlatText junction_id;
  std::vector<std::uint8_t> junction_is_intersection;  ///< one that is not trivial
  FlatRows junction_lanes;                             ///< those that the map has

  FlatText segment_id;
  std::vector<float> segment_speed_limit, segment_speed_limit_backward;

  std::array<double, 4>
      bounds{};  ///< least x, y, then greatest; of no points inf, -inf
};

FlatMap flatten(const SemanticMap& map);

}  // namespace bev::map
