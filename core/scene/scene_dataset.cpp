#include "core/scene/scene_dataset.hpp"

#include <string>
#include <vector>

#include "core/base/error.hpp"

namespace bev::scene {

namespace {

void rebase(std::vector<Interval>& intervals, std::int64_t first) {
  for (auto& interval : intervals) {
    interval.begin -= first;
    interval.end -= first;
  }
}

}  // namespace

bool SceneDataset::read(store::Reader& reader, const ChunkedDataset& dataset,
                        std::uint64_t scene) {
  if (scene >= dataset.scene_count()) {
    fail(Errc::out_of_range, {"scene ", scene, ", there are ", dataset.scene_count()});
  }
  const auto row = static_cast<std::int64_t>(scene);
  if (!dataset.read_scenes(reader, {row, row + 1}, scenes)) return false;
  frame_rows = scenes.frame_index_interval.front();
  check_interval(frame_rows, row, dataset.frames_of_scenes());
  if (!dataset.read_frames(reader, frame_rows, frames)) return false;

  agent_rows = check_intervals(frames.agent_index_interval, frame_rows.begin,
                               dataset.agents_of_frames());
  face_rows = {};
  if (dataset.has_faces()) {
    face_rows = check_intervals(frames.traffic_light_faces_index_interval,
                                frame_rows.begin, dataset.faces_of_frames());
  }
  const bool have_agents = dataset.read_agents(reader, agent_rows, agents);
  const bool have_faces = dataset.read_faces(reader, face_rows, faces);
  if (!have_agents || !have_faces) return false;
  rebase(scenes.frame_index_interval, frame_rows.begin);
  rebase(frames.agent_index_interval, agent_rows.begin);
  rebase(frames.traffic_light_faces_index_interval, face_rows.begin);
  return true;
}

}  // namespace bev::scene
