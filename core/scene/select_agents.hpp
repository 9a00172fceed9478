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

namespace bev::scene {

/// When an agent counts. The defaults are L5Kit's; an infinity is no limit.
struct SelectionRules {
  double label_threshold = 0.5;     ///< see scene::keeps, which takes it as a float32
  double max_yaw_step_deg = 30;     ///< from frame to frame, not reached
  double max_extent_ratio = 1.1;    ///< of areas, from frame to frame, not reached
  double max_distance_to_ego = 50;  ///< metres, not reached
  bool operator==(const SelectionRules&) const = default;
};

/// @throws Error  invalid_argument for a rule that is not a number
void check_rules(const SelectionRules& rules);

/// A name that no other rules have: "0.5" where only the threshold is not L5Kit's
/// default, which is what L5Kit names its mask; else "0.5_y30.0_e1.1_d50.0".
std::string mask_name(const SelectionRules& rules);

/// How many agents failed each rule (the first that fails counts), and in all.
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

/// Counts for every agent of a scene in how many frames before and after, without a
/// gap, the same track is to be seen: frame by frame, in order, then finish_scene().
///
/// An agent that fails a rule by itself (label, distance) is not seen. One that does
/// not follow its last sight (gap, yaw, extent) begins anew.
///
/// Shapes    The mask has (n, 2): past and future frames of the scene's n agents.
/// Lifetime  mask() is valid until the next begin_scene().
/// Errors    The constructor throws what check_rules does; nothing else throws. What
///           is NaN in an agent fails the rule that looks at it.
/// Threads   One object, one thread.
/// Source    L5Kit, dataset/select_agents.py, get_valid_agents: yaws are subtracted
///           and areas multiplied in float32, the rest is float64.
class AgentSelector {
 public:
  explicit AgentSelector(const SelectionRules& rules);

  /// Forgets the scene before; the report goes on counting.
  void begin_scene();

  /// The agents of the next frame: these rows of `agents`.
  void add_frame(geom::Vec2 ego_in_world, const SightColumns& agents, Interval rows);

  /// Closes all tracks.
  void finish_scene();

  const SelectionRules& rules() const noexcept { return rules_; }
  std::span<const std::uint32_t> mask() const noexcept { return mask_; }
  const SelectionReport& report() const noexcept { return report_; }

 private:
  /// One sight of a track.
  struct Sight {
    std::uint32_t frame;
    std::size_t row;
    float yaw_rad;
    float area;
  };
  /// A track since its last gap: its rows are linked from the last one backwards.
  struct Run {
    std::uint32_t count = 0;
    Sight last{};
  };

  bool passes_alone(geom::Vec2 ego_in_world, const SightColumns& agents, std::size_t i);
  bool follows(const Sight& before, const Sight& now);
  void add_agent(geom::Vec2 ego_in_world, const SightColumns& agents, std::size_t i);
  void extend(Run& run, const Sight& sight);
  void close(Run& run);

  SelectionRules rules_;
  SelectionReport report_;
  std::uint32_t frame_ = 0;
  std::size_t row_ = 0;  // of the scene
  std::vector<std::uint32_t> mask_;
  std::vector<std::size_t> previous_;  // per row: the row of its run before it
  std::unordered_map<std::uint64_t, Run> runs_;
};

/// How many agents have at least so many frames before and after them.
///
/// Source  L5Kit, the table that select_agents prints.
class PastFutureTable {
 public:
  static constexpr std::array<std::uint32_t, 4> kSteps{0, 10, 30, 50};

  /// Counts the agents of a mask of shape (n, 2).
  void add(std::span<const std::uint32_t> mask) noexcept;

  /// Agents with at least kSteps[past] and kSteps[future] frames.
  std::uint64_t count(std::size_t past, std::size_t future) const noexcept {
    return counts_[past][future];
  }

 private:
  std::array<std::array<std::uint64_t, kSteps.size()>, kSteps.size()> counts_{};
};

}  // namespace bev::scene
