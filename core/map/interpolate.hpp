#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/geom/affine.hpp"
#include "core/map/elements.hpp"

namespace bev::map {

/// Points along a line at equal distances, measured along it in three dimensions.
///
/// Where points of the line coincide, the last of them is taken. The line is only read:
/// asking twice, or in two ways, gives the same (L5Kit changes what it has cached).
///
/// Units   Metres.
/// Errors  Errc::invalid_argument for a line of no points, a count below 2 and a step
///         that is not above 0; Errc::out_of_memory for more than 16,000,000 points.
/// Source  L5Kit's MapAPI, interpolate, with what NumPy's interp, linspace and arange
///         do at the ends.
std::vector<geom::Vec3> points_by_count(std::span<const geom::Vec3> line,
                                        std::size_t count);

/// The first at the line's start; the end is no point, not even where a step falls on
/// it.
std::vector<geom::Vec3> points_by_metres(std::span<const geom::Vec3> line,
                                         double step_m);

/// Both sides of a lane and the line between them. By metres they are of different
/// lengths, as the sides are.
struct LaneLines {
  std::vector<geom::Vec3> left, right, mid;
};

/// @throws Error  as above, the lane's id in front
/// Source         L5Kit's MapAPI, get_lane_as_interpolation
LaneLines lane_by_count(const Lane& lane, std::size_t count);
LaneLines lane_by_metres(const Lane& lane, double step_m);

}  // namespace bev::map
