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
  std::vector<std::uint32_t> offsets = {0};  ///< n + 1
  void add(const std::vector<geom::Vec3>& line);
};

/// Lists of row numbers, one after the other.
struct FlatRows {
  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> first = {0};  ///< n + 1
};

/// A semantic map as columns: what a page draws from. Heights are left out.
///
/// Shapes  One entry a lane, crosswalk, light or face, in the order of the map's lists.
/// Units   Metres in world.
struct FlatMap {
  FlatText lane_id;
  FlatLines left, right;
  std::vector<std::uint8_t> left_divider, right_divider;  ///< the first; 0 for none
  FlatText controls;                                      ///< of all lanes
  std::vector<std::uint32_t> controls_first;  ///< n + 1: where those of a lane begin
  FlatRows ahead;                             ///< those lanes ahead that the map has
  std::vector<std::uint8_t> in_junction, turn, access;

  FlatText crosswalk_id;
  FlatLines crosswalks;

  FlatText light_id;
  std::vector<geom::Vec2> light_position;

  FlatText face_id;
  std::vector<std::uint8_t> face_colour;

  std::array<double, 4>
      bounds{};  ///< least x, y, then greatest; of no points inf, -inf
};

FlatMap flatten(const SemanticMap& map);

}  // namespace bev::map
