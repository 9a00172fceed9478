#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/geom/affine.hpp"
#include "core/scene/columns.hpp"
#include "core/scene/dataset.hpp"

namespace bev::scene {

/// Rules of agent selection. The defaults are L5Kit's; infinity disables a limit.
struct SelectionRules {
  double label_threshold = 0.5;     ///< see scene::keeps; converted to float32
  double max_yaw_step_deg = 30;     ///< between two frames, exclusive
  double max_extent_ratio = 1.1;    ///< of areas, between two frames, exclusive
  double max_distance_to_ego = 50;  ///< metres, exclusive
  bool operator==(const SelectionRules&) const = default;
};

/// @throws Error  invalid_argument for a rule that is NaN
void check_rules(const SelectionRules& rules);

/// Returns a name that identifies the rules: "0.5" (L5Kit's name) if all but the
/// threshold are defaults, else "0.5_y30.0_e1.1_d50.0".
std::string mask_name(const SelectionRules& rules);

/// Number of agents that failed each rule (only the first failed rule counts), and
/// totals.
struct SelectionReport {
  std::uint64_t agent_filter_probability_threshold = 0;
  std::uint64_t av_distance = 0;
  std::uint64_t hole = 0;
  std::uint64_t yaw = 0;
  std::uint64_t extent = 0;
  std::uint64_t total_reject = 0;
  std::uint64_t total_agent_frames = 0;
  bool operator==(const SelectionReport&) const = default;
};

/// For each agent of a scene, counts the past and future frames in which its track is
/// visible without a gap. Call add_frame() for every frame in order, then
/// finish_scene().
///
/// An agent that fails a rule by itself (label, distance) is not visible. An agent that
/// does not continue its track (gap, yaw, extent) starts a new run.
///
/// Shapes         The mask is (n, 2): past and future frames of the scene's n agents.
/// Lifetime       mask() is valid until the next begin_scene().
/// Throws         The constructor throws as check_rules; nothing else throws. A NaN
///                field fails the rule that reads it.
/// Thread safety  One object belongs to one thread.
/// Reference      L5Kit, dataset/select_agents.py, get_valid_agents: yaws are
///                subtracted and areas multiplied in float32, the rest is float64.
class AgentSelector {
 public:
  explicit AgentSelector(const SelectionRules& rules);

  /// Resets the scene; the report accumulates.
  void begin_scene();

  /// Adds the next frame, whose agents are these rows of `agents`.
  void add_frame(geom::Vec2 ego_in_world, const SelectionColumns& agents,
                 Interval rows);

  /// Closes all runs.
  void finish_scene();

  const SelectionRules& rules() const noexcept { return rules_; }
  std::span<const std::uint32_t> mask() const noexcept { return mask_; }
  const SelectionReport& report() const noexcept { return report_; }

 private:
  /// One observation of a track.
  struct Observation {
    std::uint32_t frame;
    std::size_t row;
    float yaw_rad;
    float area;
  };
  /// A track since its last gap. Its rows are linked backwards from the last one.
  struct Run {
    std::uint32_t count = 0;
    Observation last{};
  };

  bool passes_rules(geom::Vec2 ego_in_world, const SelectionColumns& agents,
                    std::size_t i);
  bool follows(const Observation& before, const Observation& now);
  void add_agent(geom::Vec2 ego_in_world, const SelectionColumns& agents,
                 std::size_t i);
  void extend(Run& run, const Observation& observation);
  void close(Run& run);

  SelectionRules rules_;
  SelectionReport report_;
  std::uint32_t frame_ = 0;
  std::size_t row_ = 0;  // within the scene
  std::vector<std::uint32_t> mask_;
  std::vector<std::size_t> previous_;  // per row: the previous row of its run
  std::unordered_map<std::uint64_t, Run> runs_;
};

/// Number of agents by minimum past and future frames.
///
/// Reference  L5Kit, the table that select_agents prints.
class PastFutureTable {
 public:
  static constexpr std::array<std::uint32_t, 4> kSteps{0, 10, 30, 50};

  /// Adds the agents of a mask of shape (n, 2).
  void add(std::span<const std::uint32_t> mask) noexcept;

  /// Returns the number of agents with at least kSteps[past] past and kSteps[future]
  /// future frames.
  std::uint64_t count(std::size_t past, std::size_t future) const noexcept {
    return counts_[past][future];
  }

 private:
  std::array<std::array<std::uint64_t, kSteps.size()>, kSteps.size()> counts_{};
};

/// A scene's data for agent selection. Reuses memory from scene to scene.
///
/// Throws  read() throws out_of_range for a scene that does not exist, corrupt_chunk
///         for invalid intervals.
class SceneSelection {
 public:
  /// Reads frames and agents of scene `scene`; returns false while requests are
  /// pending.
  bool read(store::Reader& reader, const ChunkedDataset& dataset, std::uint64_t scene);

  /// Feeds the scene to `selector`, which then holds its mask.
  void select(AgentSelector& selector) const;

  /// Returns the scene's rows of `agents`.
  Interval agent_rows() const noexcept { return agent_rows_; }

 private:
  std::vector<Interval> scene_;
  FrameColumns frames_;
  Interval agent_rows_;
  SelectionColumns agents_;
};

}  // namespace bev::scene
