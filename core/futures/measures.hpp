#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "core/futures/futures.hpp"
#include "core/futures/join.hpp"

// Measures of joint futures that need no map. None of them is the Sim Agents realism
// score or a part of it.

namespace bev::futures {

/// What a displacement measures.
enum class Axes : std::uint8_t { xy, xyz };

/// No limit of the measured steps.
inline constexpr std::size_t kNoStepLimit = std::numeric_limits<std::size_t>::max();

/// A step of an agent in a rollout.
struct AgentStep {
  std::size_t rollout, agent, step;
};

/// Distances from the recording.
///
/// Shapes  R rollouts, A agents, C order. NaN: never valid in both.
/// Units   Metres.
struct Displacements {
  std::size_t agents = 0;
  std::vector<double> ade;  ///< mean over the steps that are valid in both
  std::vector<double> fde;  ///< in the last step that is valid in both

  /// Returns a rollout's mean ADE of some agents, all if empty; nullopt if none has one.
  std::optional<double> mean_ade(std::size_t rollout,
                                 std::span<const std::size_t> of = {}) const;

  /// Returns the rollout with the least mean ADE, the first of equal ones: its value is
  /// the joint minADE.
  std::optional<std::size_t> best_rollout(std::span<const std::size_t> of = {}) const;
};

/// Measures displacements of agents with a track; all others are NaN.
///
/// @param steps  measures the first of the futures only
/// Throws  invalid_argument for another number of rows; invalid_metadata as check_tracks
Displacements displacements(const Futures& futures, const TrackRows& rows,
                            const RecordedScenario& recorded, Axes axes = Axes::xy,
                            std::size_t steps = kNoStepLimit);

/// Returns an agent's distance from the recording in a step; nullopt unless it is valid in
/// both.
std::optional<double> displacement_at(const Futures& futures, const TrackRows& rows,
                                      const RecordedScenario& recorded,
                                      const AgentStep& at, Axes axes = Axes::xy);

/// Returns the agents that the Sim Agents challenge evaluates, sorted by id: the
/// autonomous vehicle and the tracks to predict, as rows of the futures.
std::vector<std::size_t> evaluated_agents(const Futures& futures, const TrackRows& rows,
                                          const RecordedScenario& recorded);

/// Returns lengths, widths and heights of agents in the current step, (A, 3), for futures
/// without sizes; 0 for agents without a track.
std::vector<float> recorded_sizes(const TrackRows& rows,
                                  const RecordedScenario& recorded);

/// First collisions.
///
/// Shapes  R rollouts, A agents, C order; `step` -1 for none.
struct Collisions {
  std::size_t agents = 0;
  std::vector<std::int32_t> step;   ///< first step with one
  std::vector<std::uint32_t> with;  ///< row of the other agent, the first of several

  bool has_any(std::size_t rollout, std::size_t agent) const {
    return step.at(rollout * agents + agent) >= 0;
  }
};

/// Finds the first collision of each agent with any other that is valid in the step:
/// rectangles that overlap or touch, as rollout::first_collision tests them.
///
/// Throws  invalid_argument for futures without yaws or sizes
Collisions collisions(const Futures& futures);

/// Speeds and accelerations, as docs/quantities.md defines them for recorded tracks.
///
/// Shapes  (R, A, T), C order; NaN where unknown.
/// Units   Metres per second, metres per second squared.
struct FutureMotion {
  std::vector<float> speed, acceleration;
};

/// @param seconds_per_frame  between consecutive frames of the scenario; at most 1e3
/// Throws  invalid_argument for seconds_per_frame that is not above 1e-6
FutureMotion motion_of(const Futures& futures, double seconds_per_frame = 0.1);

/// How far apart an agent's rollouts are: the mean distance of all pairs of rollouts.
///
/// Shapes  (A); NaN where no two rollouts are valid in the same step.
/// Units   Metres, in x and y.
struct Diversity {
  std::vector<double> mean_distance;   ///< over all steps
  std::vector<double> final_distance;  ///< in the last step that two rollouts have
};

/// Takes time in proportion to the square of the rollouts.
Diversity diversity(const Futures& futures);

}  // namespace bev::futures
