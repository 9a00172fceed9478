#pragma once

#include <array>
#include <memory>
#include <vector>

#include "core/engine/result_set.hpp"
#include "core/map/semantic_map.hpp"
#include "core/sample/sampler.hpp"
#include "core/sample/valid_tracks.hpp"
#include "core/sample/vector_sample.hpp"
#include "core/scene/agent_index.hpp"

namespace bev {

struct SampleOptions;

/// What SampleQuery does for vectorized samples.
class VectorPart {
 public:
  /// @throws Error  as Engine::samples
  VectorPart(const SampleOptions& options, std::shared_ptr<const map::SemanticMap> map);

  sample::Sampler sampler() const;

  /// Whether samples are one a scene.
  bool is_eval() const noexcept { return valid_ != nullptr; }

  /// What is beside the sample; false while chunks are wanted.
  bool gather(store::Reader& reader, const scene::ChunkedDataset& dataset,
              const sample::Sampler& sampler);

  /// Builds what was gathered last; arrays live until the next call.
  void derive(const sample::Sampler& sampler, std::int64_t scene_index,
              ResultSet& results);

 private:
  void emit(ResultSet& results);

  sample::VectorParams params_;
  bool with_ego_;
  std::shared_ptr<const scene::AgentIndex> valid_;
  sample::Vectorizer vectorizer_;
  sample::ValidTracks tracks_;
  sample::VectorSample sample_;
  std::array<float, 3> agent_extent_{};
};

}  // namespace bev
