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

/// A semantic map, for the wasm and native hosts. Separate from Engine because a map
/// consists of two whole objects with a source of their own, and outlives data sets.
///
/// Lifetime       Arrays returned by build() are valid as long as this object.
/// Throws         The constructor throws the errors of map::parse_meta, then those of
///                map::SemanticMap::parse.
/// Thread safety  None: use one object from one thread.
class MapQuery {
 public:
  /// @param fragment   bytes of semantic_map.pb
  /// @param meta_json  bytes of meta.json
  MapQuery(std::span<const std::byte> fragment, std::span<const std::byte> meta_json);

  explicit MapQuery(std::shared_ptr<const map::SemanticMap> map);
  MapQuery(const MapQuery&) = delete;  // arrays_ points into flat_
  MapQuery& operator=(const MapQuery&) = delete;

  /// Returns the whole map. Where an element has several points, ids or rows, `offsets`
  /// or `first` holds n + 1 indices into them. A missing row is -1.
  ///
  /// lanes.id, lanes.left.points (m, 2), lanes.left.z, lanes.left.offsets, the same of
  /// lanes.right and lanes.centre (empty lines in L5Kit's maps), lanes.left.divider, lanes.right.divider (the first of each),
  /// lanes.left.dividers, lanes.left.dividers.first, lanes.left.changes_cm,
  /// lanes.left.changes_cm.first, the same of lanes.right, lanes.controls,
  /// lanes.controls.first, lanes.ahead (rows), lanes.ahead.first, lanes.adjacent_left,
  /// lanes.adjacent_right, lanes.junction, lanes.segment (rows), lanes.in_junction,
  /// lanes.turn, lanes.access, lanes.orientation, lanes.can_have_parked_cars,
  /// lanes.speed_limit, lanes.stop_line (n, 2, 2; see map::stop_lines), crosswalks.id,
  /// crosswalks.points, crosswalks.z, crosswalks.offsets, lights.id, lights.position (l, 2),
  /// lights.from_deg, lights.movements (see map::LightApproach), faces.id, faces.colour (0
  /// red, 1 green, 2 yellow), junctions.id, junctions.is_intersection, junctions.lanes
  /// (rows), junctions.lanes.first, segments.id, segments.speed_limit,
  /// segments.speed_limit_backward, bounds (2, 2)
  std::span<const ResultArray> build() const { return arrays_; }

  /// Returns the rows of the lanes whose bounds, grown by `radius` metres, contain the
  /// world point.
  std::vector<std::uint32_t> near(double x, double y, double radius) const {
    return map_->lanes_near(x, y, radius);
  }
  std::vector<std::uint32_t> crosswalks_near(double x, double y, double radius) const {
    return map_->crosswalks_near(x, y, radius);
  }

  /// Returns the lane's left, right and centre lines (`left`, `right`, `mid`) resampled
  /// at equal distances, each `<f8` (k, 3). See map::lane_by_count and
  /// map::lane_by_metres.
  ///
  /// Lifetime  Valid until the next call.
  /// Throws    As those functions; out_of_range if `lane` is not a lane row.
  std::span<const ResultArray> lane_by_count(std::uint32_t lane, std::uint32_t count);
  std::span<const ResultArray> lane_by_metres(std::uint32_t lane, double step_m);

  /// Returns 4 for a lane without a traffic light, otherwise 0 to 3. See
  /// map::traffic_light_feature.
  ///
  /// @param active  ids of the active faces; unknown ids are ignored
  /// Throws  out_of_range, not_found
  int light_feature(std::uint32_t lane, std::span<const std::string> active) const;

  /// Returns latitude and longitude (degrees) and altitude (metres) of a world point.
  std::array<double, 3> geodetic(double x, double y, double z) const;

  /// Returns one value per lane: 0 none, 1 red, 2 yellow, 3 green.
  ///
  /// @param active  ids of the active faces
  std::vector<std::uint8_t> lane_colours(std::span<const std::string> active) const;

  const map::SemanticMap& map() const { return *map_; }

  /// Returns the map for sample queries, which may outlive this object.
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
