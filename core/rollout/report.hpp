#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/geom/affine.hpp"
#include "core/map/box_index.hpp"
#include "core/rollout/rollout.hpp"
#include "core/scene/recorded_columns.hpp"

namespace bev::rollout {

/// The recorded frames of the scene.
using Recorded = scene::RecordedColumns;

/// The lanes of a map, to find what is off the road.
///
/// Thread safety  Immutable.
class Roads {
 public:
  /// Lines of different lengths: line i is (x, y) from offsets[i] to offsets[i + 1].
  struct Lines {
    std::vector<double> points;
    std::vector<std::uint32_t> offsets;
  };

  Roads() = default;

  /// Throws invalid_argument for inconsistent arrays.
  Roads(const Lines& left, const Lines& right);

  bool empty() const noexcept { return left_.empty(); }

  /// Returns whether a point is on a lane.
  bool contains(geom::Vec2 at) const;

 private:
  std::vector<std::vector<geom::Vec2>> left_, right_;
  map::BoxIndex index_;
};

/// Whether the ego vehicle's centre is off the road. The numbers are part of the
/// interface.
enum class OffRoad : std::uint8_t { no = 0, yes = 1, unknown = 2 };

/// A simulated scene compared with the recorded one; docs/rollouts.md has the
/// definitions.
///
/// Shapes     n values, one per simulated frame.
/// Units      Metres, radians, metres per second, miles. NaN if unknown.
/// Reference  L5Kit's closed-loop metrics (l5kit.cle.metrics), including their single
///            precision.
struct Report {
  std::uint32_t first_frame = 0;  ///< frame of the data set's scene
  std::vector<double> displacement;
  std::vector<double> reference_distance;  ///< NaN in the last fifth
  std::vector<double> yaw_error;
  std::vector<double> speed_difference;  ///< until the next frame; NaN in the last
  std::vector<double> simulated_miles, recorded_miles;
  std::vector<std::uint8_t> collision;  ///< Side
  std::vector<std::uint64_t> collision_track;
  std::vector<std::uint8_t> off_road;  ///< OffRoad
  std::vector<double> agents_displacement;
  /// Per simulated agent: 1 unless its recorded place is at most kSamePlaceM away.
  std::vector<std::uint8_t> moved;
};

/// Distance up to which a simulated agent is at its recorded place.
inline constexpr double kSamePlaceM = 0.01;

/// Returns the outlines of all boxes, of the ego vehicle in each frame and then of the
/// agents: 7 points each, which form a line from the position (of an agent, the centre) to
/// the front and around.
std::vector<geom::Vec2> outlines(const SceneRollout& scene);

/// Compares a simulated scene with the recorded one.
///
/// @throws Error  invalid_argument if the recorded arrays are inconsistent, if the
///                rollout's time stamps are not those of the scene, or if it has more
///                frames; corrupt_chunk for invalid intervals
Report compare(const SceneRollout& simulated, const Recorded& recorded,
               const Roads& roads);

}  // namespace bev::rollout
