#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/convert/object_types.hpp"
#include "core/convert/scenario.hpp"
#include "core/convert/waymo_message.hpp"

namespace bev::convert {

/// The frame and the ids of a scenario's map.
struct WaymoFrame {
  double dx = 0, dy = 0;                ///< whole metres, added to all positions
  std::string prefix;                   ///< of ids
  std::optional<geom::Vec2> cell = {};  ///< as SourceMap's
  /// Ids by feature, if those of features are rows; outlives the frame.
  const std::vector<std::string>* names = nullptr;

  std::string id(std::int64_t feature) const;
  geom::Vec3 moved(const geom::Vec3& p) const { return {p.x + dx, p.y + dy, p.z}; }
};

/// A map and the sides of lanes that are at half the lane's width, at least partly:
/// "12/left".
struct WaymoMap {
  SourceMap map;
  std::vector<std::string> sides_from_width;
};

/// Converts map features. The sides of lanes are their own, or the road lines and edges
/// beside them, where given, otherwise at half the lane's width.
///
/// Lanes of fewer than two points, crosswalks of fewer than three, all other features
/// and what lanes have beyond L5Kit's are counted as lost.
///
/// Throws  invalid_metadata, naming the feature, for an id twice and coordinates that
///         are not finite or above 1e6.
WaymoMap waymo_map(std::span<const waymo::Feature> features, const Tables& tables,
                   const WaymoFrame& frame);

}  // namespace bev::convert
