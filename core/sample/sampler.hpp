#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/sample/sample.hpp"
#include "core/scene/dataset.hpp"

namespace bev::sample {

/// Reads what one sample needs and builds it. Its memory is used again for the next.
///
/// Lifetime  Reader and data set are those of one engine and outlive the call.
/// Errors    read() throws out_of_range for a scene or a frame that is not there,
///           corrupt_chunk for intervals that cannot be; build() what build_sample
///           throws.
/// Threads   One object, one thread.
class Sampler {
 public:
  /// Gathers scene, frames and agents of the sample; false while chunks are wanted.
  bool read(store::Reader& reader, const scene::ChunkedDataset& dataset,
            const SampleId& id, const SampleParams& params);

  /// Builds the sample that was read last.
  void build(const SampleParams& params, Sample& out) const;

 private:
  bool read_frames(store::Reader& reader, const scene::ChunkedDataset& dataset,
                   const SampleParams& params);
  bool read_agents(store::Reader& reader, const scene::ChunkedDataset& dataset);

  SampleId id_;
  scene::SceneColumns scene_;
  std::string host_;
  std::size_t current_ = 0;
  scene::FrameColumns frames_;
  std::int64_t first_agent_ = 0;
  scene::PoseColumns poses_;
  scene::AgentColumns current_agents_;
};

}  // namespace bev::sample
