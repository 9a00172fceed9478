#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/geom/affine.hpp"
#include "core/geom/rectangle.hpp"

namespace bev::futures {

/// A view of values with four axes, each with a stride in values. Values that are equal
/// along an axis are stored once: its stride is 0.
template <class T>
struct Strided {
  std::span<const T> values{};
  std::array<std::size_t, 4> strides{};

  bool empty() const noexcept { return values.empty(); }

  /// Returns a value. The caller has checked the indices, and check() the strides.
  T at(std::size_t a, std::size_t b, std::size_t c = 0,
       std::size_t d = 0) const noexcept {
    return values[a * strides[0] + b * strides[1] + c * strides[2] + d * strides[3]];
  }
};

/// The values of a pose, and of a size.
inline constexpr std::size_t kX = 0, kY = 1, kZ = 2, kYaw = 3;
inline constexpr std::size_t kLength = 0, kWidth = 1, kHeight = 2;

/// Alternative futures of the same agents of a scenario: the rollouts of a simulation, or
/// the modes of a prediction. A view: the arrays belong to the caller.
///
/// Shapes    R rollouts, A agents, T steps. `ids` (A). Axes of `poses`: rollout, agent,
///           step, value: x, y, z, yaw of the box's centre, or x, y. `sizes`, the same
///           with length, width, height, or length, width; per agent with strides 0 of
///           rollout and step. `valid`: rollout, agent, step; empty if all poses are.
///           `scores`: rollout, agent; stride 0 of agent if a rollout has one score.
/// Units     Metres, radians (not wrapped). World is `origin` plus x, y, z, so that
///           float32 is exact enough far from the origin, and joined maps can be moved.
///           Step t is frame `first_step` + t * `step_stride` of the scenario.
///
/// The rollout of one ego vehicle (rollout::SceneRollout) is the case R = 1: an agent is
/// the ego vehicle, the others are its `track_id`, not valid in frames without them, with
/// sizes per step.
struct Futures {
  std::string_view scenario_id;
  std::span<const std::uint64_t> ids{};
  std::size_t rollouts = 0, steps = 0;
  std::int64_t first_step = 0;
  std::uint32_t step_stride = 1;
  std::size_t pose_values = 4;  ///< 4, or 2: x and y
  std::size_t size_values = 3;  ///< 3, or 2: length and width
  Strided<float> poses{};
  Strided<float> sizes{};         ///< empty: unknown
  Strided<std::uint8_t> valid{};  ///< empty: all
  Strided<float> scores{};        ///< empty: none. Raw; need not be probabilities
  geom::Vec3 origin{};
  bool is_joint = true;  ///< rollout r of all agents is one future

  std::size_t agents() const noexcept { return ids.size(); }
  bool has_yaw() const noexcept { return pose_values == 4; }
  std::int64_t frame(std::size_t step) const noexcept {
    return first_step + static_cast<std::int64_t>(step * step_stride);
  }
  bool is_valid(std::size_t rollout, std::size_t agent,
                std::size_t step) const noexcept {
    return valid.empty() || valid.at(rollout, agent, step) != 0;
  }

  /// Returns a position in world; z is the origin's if poses have none.
  geom::Vec3 position(std::size_t rollout, std::size_t agent,
                      std::size_t step) const noexcept;

  /// Returns an agent's box in world. Requires yaws and sizes.
  geom::Rectangle box(std::size_t rollout, std::size_t agent,
                      std::size_t step) const noexcept;

  /// Returns the row of an agent.
  std::optional<std::size_t> row_of(std::uint64_t id) const noexcept;
};

/// Maximum futures. A view of 1,024 rollouts of 2,000 agents in 1,000 steps is not
/// accepted: `values` limits their product.
struct Limits {
  std::size_t rollouts = 1'024;
  std::size_t agents = 2'000;
  std::size_t steps = 1'000;
  std::size_t values = std::size_t{64} << 20U;  ///< of poses
};

/// Maximum distance of a position from the origin, in metres, and of an angle from 0.
inline constexpr float kMaxValue = 1e9F;
/// Maximum distance of the first step from frame 0, and stride.
inline constexpr std::int64_t kMaxFirstStep = 1'000'000'000;
inline constexpr std::uint32_t kMaxStride = 1'000'000;

/// Checks a view before its values are read.
///
/// @param where   begin of messages: "submission.binproto"
/// @throws Error  limit_exceeded above `limits`; invalid_argument for no rollouts, agents
///                or steps, a first step or stride outside, arrays that are shorter than strides and shape require, and
///                values that are not finite or above kMaxValue, where they are valid.
///                Messages name scenario, rollout, agent and step.
void check(const Futures& futures, std::string_view where, const Limits& limits = {});

/// Owns the arrays of futures.
///
/// Shapes  `poses` (R, A, V, T), C order: the steps of a value are consecutive, as
///         submissions store them. `sizes` (A, V) or (R, A, V, T). `valid` (R, A, T).
///         `scores` (R) or (R, A).
struct FuturesData {
  std::string scenario_id;
  std::vector<std::uint64_t> ids;
  /// Ids that are texts, which `ids` numbers from 0 on; empty if ids are numbers.
  std::vector<std::string> names;
  std::size_t rollouts = 0, steps = 0;
  std::int64_t first_step = 0;
  std::uint32_t step_stride = 1;
  std::size_t pose_values = 4, size_values = 3;
  std::vector<float> poses, sizes, scores;
  std::vector<std::uint8_t> valid;
  geom::Vec3 origin;
  bool is_joint = true;

  /// Returns a view of the arrays, whose lengths tell their axes.
  ///
  /// Lifetime  Valid while this object is neither changed nor destroyed.
  Futures view() const&;
  Futures view() const&& = delete;
};

}  // namespace bev::futures
