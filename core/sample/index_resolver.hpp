#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/sample/sampler.hpp"
#include "core/scene/dataset.hpp"
#include "core/scene/intervals.hpp"

namespace bev::sample {

/// Resolves the indices of L5Kit's datasets to samples, either of all scenes or of one
/// scene, as get_scene_dataset. In the latter case, indices of frames and agents count
/// from the scene's first, and it is scene 0.
///
/// Throws         out_of_range beyond the end, invalid_argument for a negative index
///                before the start; corrupt_chunk for invalid intervals.
/// Thread safety  One object belongs to one thread and one dataset.
class IndexResolver {
 public:
  explicit IndexResolver(std::optional<std::uint64_t> only_scene = std::nullopt)
      : only_scene_(only_scene) {}

  /// Resolves EgoDataset[index]; nullopt while requests are pending. A negative index
  /// counts from the end.
  std::optional<SampleId> at_frame(store::Reader& reader,
                                   const scene::ChunkedDataset& dataset,
                                   std::int64_t index);

  /// Resolves the agent in a row of `agents`.
  std::optional<SampleId> at_agent(store::Reader& reader,
                                   const scene::ChunkedDataset& dataset,
                                   std::int64_t row);

  /// Resolves get_frame(scene, frame, track_id).
  SampleId at_track(const SampleId& id) const;

  /// Returns the scene index that the sample reports.
  std::int64_t scene_index(const SampleId& id) const noexcept {
    return only_scene_ ? 0 : static_cast<std::int64_t>(id.scene);
  }

 private:
  bool read_only_scene(store::Reader& reader, const scene::ChunkedDataset& dataset);
  std::optional<SampleId> in_only_scene(store::Reader& reader,
                                        const scene::ChunkedDataset& dataset,
                                        std::int64_t row);

  std::optional<std::uint64_t> only_scene_;
  bool have_scene_ = false;
  std::vector<scene::Interval> scene_frames_;  // one element: the frames of only_scene_
  scene::IntervalSearch scenes_{scene::IntervalSearch::Of::scenes};
  scene::IntervalSearch frames_{scene::IntervalSearch::Of::frames};
  std::vector<std::int64_t> ahead_;
  std::vector<scene::Interval> first_;
};

}  // namespace bev::sample
