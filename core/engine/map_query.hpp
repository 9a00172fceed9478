#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/result_array.hpp"
#include "core/map/flat_map.hpp"
#include "core/map/lane_lights.hpp"
#include "core/map/semantic_map.hpp"

namespace bev {

/// A semantic map for the two doors. It stands beside Engine, for a map is two objects
/// read whole, of a place and a source of their own, and outlives data sets.
///
/// Lifetime  What build() gives lives as long as this.
/// Errors    The constructor throws what map::parse_meta and map::SemanticMap::parse
///           throw, of which meta.json comes first.
/// Threads   Belongs to one thread.
class MapQuery {
 public:
  /// @param fragment   bytes of semantic_map.pb
  /// @param meta_json  bytes of meta.json
  MapQuery(std::span<const std::byte> fragment, std::span<const std::byte> meta_json);
  MapQuery(const MapQuery&) = delete;  // arrays_ points into flat_
  MapQuery& operator=(const MapQuery&) = delete;

  /// All of the map. Where lines, ids or rows of one lane are several, `offsets` or
  /// `first` has n + 1 places among them:
  ///
  /// lanes.id, lanes.left.points (m, 2), lanes.left.offsets, lanes.right.points,
  /// lanes.right.offsets, lanes.left.divider, lanes.right.divider, lanes.controls,
  /// lanes.controls.first, lanes.ahead (rows), lanes.ahead.first, lanes.in_junction,
  /// lanes.turn, lanes.access, crosswalks.id, crosswalks.points, crosswalks.offsets,
  /// lights.id, lights.position (l, 2), faces.id, faces.colour (0 red, 1 green,
  /// 2 yellow), bounds (2, 2)
  std::span<const ResultArray> build() const { return arrays_; }

  /// Rows of the lanes whose bounds grown by `radius` metres hold the point of world.
  std::vector<std::uint32_t> near(double x, double y, double radius) const {
    return map_.lanes_near(x, y, radius);
  }

  /// One value a lane: 0 none, 1 red, 2 yellow, 3 green.
  ///
  /// @param active  ids of the faces that are lit
  std::vector<std::uint8_t> lane_colours(std::span<const std::string> active) const;

  const map::SemanticMap& map() const { return map_; }

 private:
  map::SemanticMap map_;
  map::LaneLights lights_;
  map::FlatMap flat_;
  std::vector<ResultArray> arrays_;
};

}  // namespace bev
