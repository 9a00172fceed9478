#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/geom/affine.hpp"
#include "core/map/elements.hpp"

namespace bev::map {

/// Return points at equal distances along a line, measured in three dimensions.
///
/// Of coinciding points of the line, the last is used. The line is not modified:
/// repeated calls give equal results (L5Kit modifies its cache).
///
/// Units      Metres.
/// Throws     Errc::invalid_argument for a line without points, a count below 2, or a
///            step that is not positive; Errc::limit_exceeded for more than 16,000,000
///            points.
/// Reference  L5Kit's MapAPI, interpolate, including the end behaviour of NumPy's
///            interp, linspace and arange.
std::vector<geom::Vec3> points_by_count(std::span<const geom::Vec3> line,
                                        std::size_t count);

/// The first point is the line's start. The end is excluded, even if a step falls on
/// it.
std::vector<geom::Vec3> points_by_metres(std::span<const geom::Vec3> line,
                                         double step_m);

/// Both sides of a lane and the line between them. With points_by_metres their lengths
/// differ, as the sides' lengths do.
struct LaneLines {
  std::vector<geom::Vec3> left, right, mid;
};

/// Throws     as above, prefixed with the lane's id
/// Reference  L5Kit's MapAPI, get_lane_as_interpolation
LaneLines lane_by_count(const Lane& lane, std::size_t count);
LaneLines lane_by_metres(const Lane& lane, double step_m);

}  // namespace bev::map
