#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/futures/join.hpp"
#include "core/futures/motion_metrics.hpp"
#include "core/futures/nuscenes_metrics.hpp"
#include "core/futures/recorded_scene.hpp"
#include "core/futures/scene_futures.hpp"

namespace bev::futures {

/// The scores of a scenario of a submission: of its evaluated agents, if not said
/// otherwise. docs/results.md defines them.
///
/// Units  Metres; shares from 0 to 1. Absent: not known.
struct ScenarioScore {
  std::string scenario_id;
  std::uint32_t agents = 0, evaluated = 0, rollouts = 0;
  std::uint64_t mismatches = 0;
  std::optional<double> ade, min_ade, fde, min_fde;
  std::optional<double> collision_rate;       ///< share of rollouts and agents
  std::optional<double> off_lane_rate;        ///< likewise, of agents that are judged
  std::optional<std::uint32_t> best_rollout;  ///< with the least ADE, if joint
  std::vector<RolloutSummary> by_rollout;
};

/// Returns the scores of the measured steps.
///
/// @param departures  null: not known
ScenarioScore score_of(const JoinedFutures& joined, const LaneDepartures* departures);

/// @param is_on_lane  may be empty: not known
ScenarioScore score_of(const JoinedFutures& joined, const RecordedScenario& recorded,
                       const std::function<bool(geom::Vec2)>& is_on_lane);

/// The scores of a whole submission. Mean average precision is pooled over all of it.
class SubmissionScores {
 public:
  /// Joins and scores the futures of a scenario, and adds them.
  ///
  /// @param futures  as read_scenario() returns them
  /// Throws          as join_futures(), naming the scenario
  ScenarioScore add(std::vector<FuturesData> futures, SubmissionKind kind,
                    const RecordedScene& recorded,
                    const std::function<bool(geom::Vec2)>& is_on_lane);

  /// Adds the scores of other scenarios.
  void add(const SubmissionScores& other);

  JoinReport& report() noexcept { return report_; }

  /// Returns counts, means over scenarios, metrics of motion predictions and mismatches
  /// as a JSON object.
  std::string json() const;

 private:
  struct Mean {
    double sum = 0;
    std::uint64_t count = 0;
    void add(const std::optional<double>& value);
  };

  void add_motion(const std::vector<FuturesData>& futures, SubmissionKind kind,
                  const RecordedScenario& recorded);
  void add_means(const ScenarioScore& score);

  std::uint64_t scenarios_ = 0, rollouts_ = 0;
  Mean ade_, min_ade_, fde_, min_fde_, collision_rate_, off_lane_rate_;
  bool has_motion_ = false;
  MotionTotals motion_;
  NuscenesTotals nuscenes_;
  JoinReport report_;
};

}  // namespace bev::futures
