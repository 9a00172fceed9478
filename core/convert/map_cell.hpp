#pragma once

#include <cstdint>
#include <optional>

#include "core/convert/waymo_map.hpp"

namespace bev::convert {

/// Maximum place of a scenario; the farthest cells are 8,400 km from the origin.
inline constexpr std::uint64_t kMaxPlace = 1'048'575;

/// Distance of two cells.
inline constexpr double kMapCellM = 8192;

/// The cell of a scenario among others that have a map each, so that maps do not overlap.
/// Without a place nothing is moved.
class MapCell {
 public:
  MapCell() = default;

  /// @param centre  of the scenario, which is moved by whole metres to the cell's
  /// Throws  limit_exceeded above kMaxPlace.
  MapCell(std::optional<std::uint64_t> place, const geom::Vec3& centre);

  /// Throws  limit_exceeded if a moved position is more than 3 km from the centre.
  void check_reach(double x, double y) const;

  /// Moves a map to the cell, and gives its ids the prefix.
  ///
  /// Throws  as check_reach().
  void move(SourceMap& map) const;

  const WaymoFrame& frame() const noexcept { return frame_; }

 private:
  WaymoFrame frame_;
};

}  // namespace bev::convert
