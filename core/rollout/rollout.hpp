#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bev::rollout {

/// Simulated poses of a scene's road users, in consecutive frames of the data set.
///
/// Shapes  n frames: `ego_x`, `ego_y`, `ego_yaw`, `counts` (agents per frame), and
///         `timestamps`, which may be empty. m agents, the sum of `counts`: all others.
/// Units   Nanoseconds, metres in world, radians.
struct SceneRollout {
  std::uint32_t scene = 0;        ///< number in the data set
  std::uint32_t first_frame = 0;  ///< unused if there are timestamps
  std::vector<std::int64_t> timestamps;
  std::vector<double> ego_x, ego_y, ego_yaw;
  std::vector<std::uint32_t> counts;
  std::vector<std::uint64_t> track_id;
  std::vector<double> x, y, yaw, length, width;
  /// The ego vehicle's length, width, and distance of its centre ahead of its position.
  /// Empty: L5Kit's vehicle, whose position is its centre.
  std::vector<double> ego_box{};

  std::size_t size() const noexcept { return ego_x.size(); }
};

/// A simulation of some scenes of a data set.
struct Rollout {
  std::string name;
  std::vector<SceneRollout> scenes;  ///< ascending by scene, at most one each
};

/// Maximum size of a file of rollouts.
inline constexpr std::size_t kMaxFileBytes = std::size_t{64} << 20U;
/// Maximum distance of a position from the origin, in metres, and of an angle from 0.
inline constexpr double kMaxNumber = 1e9;

/// Reads a file of rollouts; docs/rollouts.md describes it.
///
/// @param where   the file's name in messages
/// @throws Error  limit_exceeded above kMaxFileBytes; invalid_argument for text that is
///                no such file, with the array: "sim.json: scenes[0].ego.y: wrong length
///                (found 3, expected 4)"
Rollout read_rollout(std::string_view json, std::string_view where);

/// Returns a rollout as such a file, which reads as the same numbers.
///
/// @throws Error  invalid_argument as check(), and for time stamps below 0
std::string write_rollout(const Rollout& rollout);

/// Adds a scene to a rollout.
///
/// @throws Error  invalid_argument as check(), and for a scene that it has
void add_scene(Rollout& rollout, SceneRollout scene, std::string_view where);

/// Throws invalid_argument unless the arrays' lengths match and all numbers are finite.
///
/// @param where  begin of messages: "sim.json: scenes[0]"
void check(const SceneRollout& scene, std::string_view where);

}  // namespace bev::rollout
