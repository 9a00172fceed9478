#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/geom/affine.hpp"

namespace bev::convert {

/// A path of three arcs or lines, as nuScenes has centre lines.
struct ArcLine {
  std::array<double, 3> start{};    ///< x, y, heading
  std::array<double, 3> lengths{};  ///< of the parts
  std::string shape;                ///< "LSR": left, straight, right
  double radius = 0;
};

/// Maximum length of a path.
inline constexpr double kMaxArcLineM = 10'000;

/// Returns points at equal distances of at most `step_m`, with both ends.
///
/// Throws     invalid_metadata for another shape, a radius that is not positive, and
///            lengths that are negative or above the maximum.
/// Reference  nuscenes-devkit, map_expansion/arcline_path_utils.py: discretize()
std::vector<geom::Vec3> points_of(const ArcLine& path, double step_m);

}  // namespace bev::convert
