#include "core/convert/arc_lines.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/error.hpp"
#include "core/geom/trig.hpp"

namespace bev::convert {
namespace {

constexpr double kMinCurvature = 1e-6;

using Pose = std::array<double, 3>;

/// Returns the pose after a length of constant curvature.
Pose moved_along(const Pose& pose, double curvature, double length) {
  const double turn = curvature * length;
  const auto [sin, cos] = geom::sincos(turn);
  const bool is_line = std::abs(curvature) < kMinCurvature;
  const double ahead = is_line ? length : sin / curvature;
  const double left = is_line ? 0 : (1 - cos) / curvature;
  const auto heading = geom::sincos(pose[2]);
  return {pose[0] + heading.cos * ahead - heading.sin * left,
          pose[1] + heading.sin * ahead + heading.cos * left, pose[2] + turn};
}

}  // namespace

std::vector<geom::Vec3> points_of(const ArcLine& path, double step_m) {
  constexpr std::array kShapes = {"LRL", "LSL", "LSR", "RLR", "RSL", "RSR"};
  if (std::find(kShapes.begin(), kShapes.end(), path.shape) == kShapes.end()) {
    fail(Errc::invalid_metadata, {"unknown shape of a path"});
  }
  double length = 0;
  for (const double part : path.lengths) {
    length += part;
    if (part < 0 || !(length <= kMaxArcLineM)) {
      fail(Errc::invalid_metadata, {"length of a path: not a number in its range"});
    }
  }
  if (!(path.radius > 0)) {
    fail(Errc::invalid_metadata, {"radius of a path: not positive"});
  }
  // As the reference, which truncates.
  const auto count =
      static_cast<std::size_t>(std::max(std::ceil(length / step_m) + 1.5, 2.0));
  std::vector<geom::Vec3> out;
  Pose pose = path.start;
  std::size_t part = 0;
  double begin = 0;  // of the part
  for (std::size_t i = 0; i < count; ++i) {
    const double at = length * static_cast<double>(i) / static_cast<double>(count - 1);
    const auto curvature = [&] {
      const char turn = path.shape[part];
      return turn == 'S' ? 0 : (turn == 'L' ? 1 : -1) / path.radius;
    };
    while (part < 2 && at > begin + path.lengths[part]) {
      pose = moved_along(pose, curvature(), path.lengths[part]);
      begin += path.lengths[part++];
    }
    const auto here = moved_along(pose, curvature(), at - begin);
    out.push_back({here[0], here[1], 0});
  }
  return out;
}

}  // namespace bev::convert
