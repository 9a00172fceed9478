#pragma once

#include <memory>

#include "core/engine/scenes_query.hpp"
#include "core/scene/scene_dataset.hpp"
#include "core/scene/scene_records.hpp"

namespace bev {

/// The scenes of a data set as records, one scene at a time, for copying. Has no result
/// arrays; records() holds the scene once missing() is empty.
class RecordsQuery final : public ScenesQuery {
 public:
  explicit RecordsQuery(std::shared_ptr<EngineState> state)
      : ScenesQuery(std::move(state), "records of scenes") {}

  /// The current scene's records; the caller may modify them.
  scene::SceneRecords& records() noexcept { return records_; }

 private:
  bool read_scene(store::Reader& reader, const scene::ChunkedDataset& dataset,
                  std::uint64_t scene) override {
    if (!columns_.read(reader, dataset, scene)) return false;
    records_ = scene::records_of(columns_, dataset);
    return true;
  }
  void derive(ResultSet&) override {}

  scene::SceneDataset columns_;
  scene::SceneRecords records_;
};

}  // namespace bev
