#include "core/scene/scene_selection.hpp"

#include <cstddef>
#include <string>

#include "core/base/error.hpp"

namespace bev::scene {

bool SceneSelection::read(store::Reader& reader, const ChunkedDataset& dataset,
                          std::uint64_t scene) {
  if (scene >= dataset.scene_count()) {
    fail(Errc::out_of_range, {"scene ", scene, ", there are ", dataset.scene_count()});
  }
  const auto row = static_cast<std::int64_t>(scene);
  if (!dataset.read_scene_intervals(reader, {row, row + 1}, scene_)) return false;
  check_interval(scene_.front(), row, dataset.frames_of_scenes());
  if (!dataset.read_frames(reader, scene_.front(), frames_)) return false;
  agent_rows_ = check_intervals(frames_.agent_index_interval, scene_.front().begin,
                                dataset.agents_of_frames());
  return dataset.read_selection_columns(reader, agent_rows_, agents_);
}

void SceneSelection::select(AgentSelector& selector) const {
  selector.begin_scene();
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    const auto& rows = frames_.agent_index_interval[i];
    const auto& ego = frames_.ego_translation[i];
    selector.add_frame({ego[0], ego[1]}, agents_,
                       {rows.begin - agent_rows_.begin, rows.end - agent_rows_.begin});
  }
  selector.finish_scene();
}

}  // namespace bev::scene
