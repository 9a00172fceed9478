#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/geom/affine.hpp"
#include "core/map/box_index.hpp"

namespace bev::series {

/// Lines of different lengths as flat arrays.
///
/// Shapes  Line i consists of the points offsets[i] to offsets[i + 1]; (x, y) each.
struct FlatLines {
  std::vector<double> points;
  std::vector<std::uint32_t> offsets;
};

/// Both boundaries of each lane, in the lane's direction. Metres in world.
struct LaneSides {
  FlatLines left, right;
};

/// The nearest lane of a pose.
struct LaneOffset {
  std::size_t lane = 0;
  double metres = 0;  ///< from the centre line, positive to the left
};

/// Centre lines of lanes, and the offsets of poses to them.
///
/// The centre line connects the midpoints of both boundaries, each interpolated with
/// the same number of points: one per metre of the longer one, at least 2 and at most
/// 1000.
///
/// Throws         The constructor throws invalid_argument for inconsistent arrays.
/// Thread safety  One object belongs to one thread: lines are computed on demand.
class CentreLines {
 public:
  /// Greatest distance of a pose to its lane's centre line: half of a wide
  /// lane.
  static constexpr double kMaxOffsetM = 3;
  /// Greatest angle between a pose and its lane: 45 degrees.
  static constexpr double kMaxAngleRad = 0.7853981633974483;
  /// Distance by which a pose may be beyond a line's end.
  static constexpr double kMaxBeyondM = 1;

  CentreLines() = default;
  explicit CentreLines(LaneSides sides);

  std::size_t size() const noexcept { return lines_.size(); }

  /// Returns the points of a lane's centre line; empty if a boundary has none.
  const std::vector<geom::Vec2>& line(std::size_t lane);

  /// Returns the lane whose centre line is nearest to `at`, among those within kMaxOffsetM
  /// that point in the same direction (kMaxAngleRad) and do not end before or begin after
  /// it; nullopt if there is none, or for a NaN pose. Of equally near lanes, the first
  /// counts.
  std::optional<LaneOffset> nearest(geom::Vec2 at, double yaw);

 private:
  LaneSides sides_;
  map::BoxIndex index_;
  std::vector<std::vector<geom::Vec2>> lines_;
  std::vector<bool> known_;
  std::vector<std::uint32_t> found_;
};

}  // namespace bev::series
