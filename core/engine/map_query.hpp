#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/result_array.hpp"
#include "core/map/flat_map.hpp"
#include "core/map/interpolate.hpp"
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

  /// All of the map. Where lines, ids or rows of one element are several, `offsets` or
  /// `first` has n + 1 places among them; a row that is not there is -1:
  ///
  /// lanes.id, lanes.left.points (m, 2), lanes.left.z, lanes.left.offsets, the same of
  /// lanes.right, lanes.left.divider, lanes.right.divider (the first of each),
  /// lanes.left.dividers, lanes.left.dividers.first, lanes.left.changes_cm,
  /// lanes.left.changes_cm.first, the same of lanes.right, lanes.controls,
  /// lanes.controls.first, lanes.ahead (rows), lanes.ahead.first, lanes.adjacent_left,
  /// lanes.adjacent_right, lanes.junction, lanes.segment (rows), lanes.in_junction,
  /// lanes.turn, lanes.access, lanes.orientation, lanes.can_have_parked_cars,
  /// lanes.speed_limit, crosswalks.id, crosswalks.points, crosswalks.z,
  /// crosswalks.offsets, lights.id, lights.position (l, 2), faces.id, faces.colour (0
  /// red, 1 green, 2 yellow), junctions.id, junctions.is_intersection, junctions.lanes
  /// (rows), junctions.lanes.first, segments.id, segments.speed_limit,
  /// segments.speed_limit_backward, bounds (2, 2)
  std::span<const ResultArray> build() const { return arrays_; }

  /// Rows of the lanes whose bounds grown by `radius` metres hold the point of world.
  std::vector<std::uint32_t> near(double x, double y, double radius) const {
    return map_->lanes_near(x, y, radius);
  }
  std::vector<std::uint32_t> crosswalks_near(double x, double y, double radius) const {
    return map_->crosswalks_near(x, y, radius);
  }

  /// The lane's lines at equal distances, `<f8` (k, 3) each: left, right, mid. See
  /// map::lane_by_count and map::lane_by_metres, whose errors these throw, and
  /// out_of_range for a row that is no lane. Valid until the next call.
  std::span<const ResultArray> lane_by_count(std::uint32_t lane, std::uint32_t count);
  std::span<const ResultArray> lane_by_metres(std::uint32_t lane, double step_m);

  /// See map::traffic_light_feature: 4 without a traffic light, else 0 to 3.
  ///
  /// @param active   ids of the faces that are lit; those of no face change nothing
  /// @throws Error   out_of_range, not_found
  int light_feature(std::uint32_t lane, std::span<const std::string> active) const;

  /// Degrees of latitude and longitude and metres of altitude of a point of world.
  std::array<double, 3> geodetic(double x, double y, double z) const;

  /// One value a lane: 0 none, 1 red, 2 yellow, 3 green.
  ///
  /// @param active  ids of the faces that are lit
  std::vector<std::uint8_t> lane_colours(std::span<const std::string> active) const;

  const map::SemanticMap& map() const { return *map_; }

  /// For samples, which draw and vectorize it; it outlives this.
  std::shared_ptr<const map::SemanticMap> shared() const { return map_; }

 private:
  const map::Lane& lane(std::uint32_t row) const;
  std::span<const ResultArray> show(map::LaneLines lines);

  std::shared_ptr<const map::SemanticMap> map_;
  map::LaneLights lights_;
  map::FlatMap flat_;
  std::vector<ResultArray> arrays_;
  map::LaneLines lines_;
  std::vector<ResultArray> line_arrays_;
};

}  // namespace bev
