#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/geom/affine.hpp"

namespace bev::scene {

/// Half of the time over which velocities are averaged.
inline constexpr double kHalfWindowS = 0.5;
/// Minimum time between the positions of a velocity.
inline constexpr double kMinSpanS = 0.3;
/// Maximum time between consecutive frames of a run.
inline constexpr double kMaxGapS = 1;
/// Speed from which a road user moves.
inline constexpr double kMovingMps = 0.5;
/// Change of heading between frames above which it is an error of perception: 30
/// degrees, as in L5Kit's agent selection.
inline constexpr double kMaxYawStep = 0.5235987755982988;

/// A road user in a frame.
struct Step {
  std::uint32_t frame = 0;  ///< of the scene
  std::int64_t time_ns = 0;
  geom::Vec2 at;
  double yaw = 0;
  std::size_t row = 0;  ///< of the scene's agents; unused for the ego vehicle
};

/// The steps of a road user through a scene, and its motion. A run is a sequence of
/// steps in consecutive frames whose times differ by more than 0 and at most kMaxGapS.
///
/// Shapes     One value per step.
/// Units      Metres per second, metres per second squared, radians.
/// Lifetime   Memory is reused by the next rebuild().
/// Reference  docs/scenarios.md
struct Path {
  std::vector<Step> steps;

  std::vector<std::size_t> run;      ///< first step of the step's run
  std::vector<geom::Vec2> velocity;  ///< mean of the window around the step, or NaN
  std::vector<double> speed;         ///< its length
  std::vector<double> acceleration;  ///< along the path, or NaN
  /// Sum of the changes of heading since the first step, while moving.
  std::vector<double> turned;

  /// Derives the motion from the steps, whose frames ascend.
  void rebuild();

  std::size_t size() const noexcept { return steps.size(); }

  /// Returns the seconds between two steps of the same run.
  double seconds(std::size_t from, std::size_t to) const noexcept;

  /// Returns the first position of a step in this frame or later.
  std::size_t lower_bound(std::uint32_t frame) const noexcept;

  /// Returns the position of the step in a frame; size() if there is none.
  std::size_t find(std::uint32_t frame) const noexcept;

 private:
  void find_runs();
  void find_motion();
  void find_turned();
};

}  // namespace bev::scene
