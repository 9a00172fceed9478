#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/geom/affine.hpp"

namespace bev::convert {

/// A position in whole centimetres, so that the tests below are exact.
struct PointCm {
  std::int64_t x = 0, y = 0;
  bool operator==(const PointCm&) const = default;
};

/// The area between the sides of a lane: a polygon, closed implicitly.
using Area = std::vector<PointCm>;

/// Returns the area between a lane's sides, which have the same direction.
Area area_between(std::span<const geom::Vec3> left, std::span<const geom::Vec3> right);

/// Whether two areas have a point in common; touching edges and corners count.
///
/// Units  Coordinates up to 1e9 cm, so that products fit in 64 bits.
bool areas_touch(const Area& a, const Area& b);

/// Groups areas by contact, also through other areas.
///
/// Returns  For each area its group: the index of the group's first area.
std::vector<std::size_t> groups_of(std::span<const Area> areas);

}  // namespace bev::convert
