#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/sample/window.hpp"

namespace bev::test {

/// A track in one frame, at (x, 0), with one label of this probability.
struct Observation {
  std::uint64_t track_id;
  double x;
  std::size_t label = 3;
  float probability = 1;
  float yaw = 0;
};

/// Frames of one scene, oldest first, 100 ns apart. The ego vehicle is at (frame, -3).
class ObservedScene {
 public:
  explicit ObservedScene(const std::vector<std::vector<Observation>>& frames) {
    for (const auto& agents : frames) {
      const auto begin = static_cast<std::int64_t>(poses_.track_id.size());
      for (const auto& agent : agents) add(agent);
      const auto end = static_cast<std::int64_t>(poses_.track_id.size());
      const auto number = static_cast<double>(columns_.timestamp.size());
      columns_.agent_index_interval.push_back({begin, end});
      columns_.ego_translation.push_back({number, -3, 0});
      columns_.timestamp.push_back(100 * static_cast<std::int64_t>(number));
      ego_yaw_.push_back(0);
    }
  }

  sample::Window window(std::size_t current) const {
    return {columns_, ego_yaw_, current, sample::AgentRows(poses_), 0, labels_, 0};
  }

 private:
  void add(const Observation& agent) {
    poses_.centroid.push_back({agent.x, 0});
    poses_.extent.push_back({4, 2, 1});
    poses_.yaw.push_back(agent.yaw);
    poses_.track_id.push_back(agent.track_id);
    sample::Labels labels{};
    labels[agent.label] = agent.probability;
    labels_.push_back(labels);
  }

  scene::FrameColumns columns_;
  scene::PoseColumns poses_;
  std::vector<sample::Labels> labels_;
  std::vector<double> ego_yaw_;
};

}  // namespace bev::test
