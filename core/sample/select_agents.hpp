#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/geom/affine.hpp"
#include "core/sample/window.hpp"

namespace bev::sample {

/// When an agent counts. The defaults are L5Kit's.
struct SelectionRules {
  float label_threshold = 0.5F;     ///< see scene::keeps
  float max_yaw_step_deg = 30;      ///< from frame to frame
  float max_extent_ratio = 1.1F;    ///< of areas, from frame to frame
  double max_distance_to_ego = 50;  ///< metres
  bool operator==(const SelectionRules&) const = default;
};

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
/// gap, the same track is to be seen: frame by frame, in order, then finish().
///
/// Shapes    The mask has (n, 2): past and future frames of the scene's n agents.
/// Lifetime  mask() is valid until the next begin_scene().
/// Threads   One object, one thread.
/// Source    L5Kit, dataset/select_agents.py, get_valid_agents.
class AgentSelector {
 public:
  explicit AgentSelector(const SelectionRules& rules) : rules_(rules) {}

  /// Forgets the scene before; the report goes on counting.
  void begin_scene();

  /// The agents of the next frame.
  void add_frame(geom::Vec2 ego_in_world, const AgentRows& agents);

  /// Closes all tracks.
  void finish_scene();

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

  bool passes_alone(geom::Vec2 ego_in_world, const AgentRows& agents, std::size_t i);
  bool follows(const Sight& before, const Sight& now);
  void add_agent(geom::Vec2 ego_in_world, const AgentRows& agents, std::size_t i);
  void extend(Run& run, const Sight& sight);
  void close(Run& run);

  SelectionRules rules_;
  SelectionReport report_;
  std::uint32_t frame_ = 0;
  std::vector<std::uint32_t> mask_;
  std::vector<std::size_t> previous_;  // per row: the row of its run before it
  std::unordered_map<std::uint64_t, Run> runs_;
};

}  // namespace bev::sample
