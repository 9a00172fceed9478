#pragma once

#include <array>
#include <memory>
#include <vector>

#include "core/engine/result_set.hpp"
#include "core/map/map_source.hpp"
#include "core/sample/sampler.hpp"
#include "core/sample/valid_tracks.hpp"
#include "core/sample/vector_sample.hpp"
#include "core/scene/agent_index.hpp"

namespace bev {

struct SampleOptions;

/// The part of SampleQuery for vectorized samples.
class VectorPart {
 public:
  /// Throws  As Engine::samples
  VectorPart(const SampleOptions& options, map::MapSource map);

  sample::Sampler sampler() const;

  /// Whether there is one sample per scene.
  bool is_eval() const noexcept { return valid_ != nullptr; }

  /// Gathers what the sampler does not read: the valid tracks of an eval sample's scene.
  /// Returns false while requests are pending.
  bool gather(store::Reader& reader, const scene::ChunkedDataset& dataset,
              const sample::Sampler& sampler);

  /// Adds arrays of a sample's shapes, without its values.
  void describe(bool of_agent, ResultSet& results);

  /// Builds the sample last gathered. Arrays are valid until the next call.
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
