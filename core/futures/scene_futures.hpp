#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/futures/join.hpp"
#include "core/futures/measures.hpp"
#include "core/futures/submission.hpp"

namespace bev::futures {

/// Returns all futures of a scenario as one: those of single agents side by side, not
/// joint, with as many rollouts and steps as any has; what an agent lacks is not valid.
///
/// Throws  invalid_argument for none; invalid_metadata for different first steps or
///         strides, and arrays that do not match
FuturesData merged(std::vector<FuturesData> futures);

/// The rules of the challenge that futures were submitted to. Sim Agents and scenario
/// generation differ in the first step.
JoinRules rules_of(SubmissionKind kind, const FuturesData& futures) noexcept;

/// When agents leave the lanes.
///
/// Shapes  (R, A), C order.
struct LaneDepartures {
  /// First step outside all lanes; -1: none. kNotJudged: see lane_departures().
  std::vector<std::int32_t> step;
};

inline constexpr std::int32_t kNotJudged = -2;

/// Finds the first step in which an agent's centre is on no lane. Judged are vehicles and
/// cyclists whose recorded place in the current step is on a lane, so that neither parked
/// ones nor pedestrians count.
LaneDepartures lane_departures(const Futures& futures, const TrackRows& rows,
                               const RecordedScenario& recorded,
                               const std::function<bool(geom::Vec2)>& is_on_lane);

/// The futures of a scenario, joined with its recording, and their measures.
struct JoinedFutures {
  FuturesData futures;  ///< merged; in world; with recorded sizes if they had none
  TrackRows rows;
  std::vector<std::size_t>
      evaluated;  ///< rows of the agents that a challenge evaluates
  JoinReport report;
  std::size_t measured_steps = kNoStepLimit;  ///< the first; see measure_until()
  Displacements displacements;                ///< in x and y, of the measured steps
  std::optional<Collisions> collisions;       ///< in all steps; absent: no headings

  /// Returns whether any step is measured.
  bool has_measures() const noexcept { return measured_steps > 0; }

  /// Returns whether an event, a step or negative, is in a measured step.
  bool is_measured(std::int32_t step) const noexcept {
    return step >= 0 && static_cast<std::size_t>(step) < measured_steps;
  }
};

/// @param futures   of one scenario, as read_scenario() returns them
/// @param moved_by  from the scenario's positions to those of `recorded`
/// Throws           as merged() and check_tracks()
JoinedFutures join_futures(std::vector<FuturesData> futures, SubmissionKind kind,
                           const RecordedScenario& recorded, geom::Vec3 moved_by = {});

/// Like join_futures(), without displacements and collisions, which take longer.
JoinedFutures join_unmeasured(std::vector<FuturesData> futures, SubmissionKind kind,
                              const RecordedScenario& recorded,
                              geom::Vec3 moved_by = {});

/// Finds the collisions, unless they are known or there are no headings.
void find_collisions(JoinedFutures& joined);

/// Returns the time from the current step to the last one that is recorded, in seconds; 0 if
/// none is.
double seconds_ahead(const JoinedFutures& joined, const RecordedScenario& recorded);

/// Limits the measures to the steps up to so many seconds after the current one, by the
/// recorded times. Measures none if the futures end before.
///
/// @param seconds  nullopt: no limit
void measure_until(JoinedFutures& joined, const RecordedScenario& recorded,
                   std::optional<double> seconds);

/// Distances of the evaluated agents from the recording by step.
///
/// Shapes  R rollouts, T steps. NaN: not recorded.
/// Units   Metres, in x and y.
struct DisplacementCurves {
  std::vector<double> mean;  ///< (R, T): of the agents
  std::vector<double>
      least;  ///< (T): of joint rollouts; else the mean of the agents' own
};

DisplacementCurves displacement_curves(const JoinedFutures& joined,
                                       const RecordedScenario& recorded);

/// What a rollout does in the measured steps: means and counts of agents.
struct RolloutSummary {
  std::optional<double> ade, fde;   ///< means of the evaluated agents
  std::uint32_t colliding = 0;      ///< agents, of all
  std::uint32_t leaving_lanes = 0;  ///< agents, of those judged
};

/// Returns a summary per rollout.
///
/// @param departures  null without a map
std::vector<RolloutSummary> summaries(const JoinedFutures& joined,
                                      const LaneDepartures* departures);

}  // namespace bev::futures
