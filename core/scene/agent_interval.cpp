#include "core/scene/agent_interval.hpp"

#include <vector>

#include "core/base/error.hpp"

namespace bev::scene {

std::optional<Interval> frames_of(store::Reader& reader, const ChunkedDataset& dataset,
                                  const AgentScope& scope) {
  const bool is_scene = scope.kind == AgentScope::Kind::scene;
  const auto length = is_scene ? dataset.scene_count() : dataset.frame_count();
  if (scope.number >= length) {
    fail(Errc::out_of_range, {to_string(scope), ", there are ", length});
  }
  const auto row = static_cast<std::int64_t>(scope.number);
  if (!is_scene) return Interval{row, row + 1};
  std::vector<Interval> scene;
  if (!dataset.read_scene_intervals(reader, {row, row + 1}, scene)) return std::nullopt;
  check_interval(scene.front(), row, dataset.frames_of_scenes());
  return scene.front();
}

std::string to_string(const AgentScope& scope) {
  return (scope.kind == AgentScope::Kind::scene ? "scene " : "frame ") +
         std::to_string(scope.number);
}

std::optional<Interval> agents_of(store::Reader& reader, const ChunkedDataset& dataset,
                                  const AgentScope& scope) {
  const auto frames = frames_of(reader, dataset, scope);
  if (!frames) return std::nullopt;
  FrameColumns columns;
  if (!dataset.read_frames(reader, *frames, columns)) return std::nullopt;
  return check_intervals(columns.agent_index_interval, frames->begin,
                         dataset.agents_of_frames());
}

}  // namespace bev::scene
