#pragma once

#include <bevscope/samples.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/engine/sample_query.hpp"
#include "core/scene/agent_index.hpp"
#include "library/dataset_impl.hpp"
#include "library/stack.hpp"

namespace bev {

/// The queries of a data set's samples.
struct Samples::Impl {
  Impl(std::shared_ptr<Dataset::Impl> from, const SampleConfig& config,
       SampleOptions with);

  /// Selects an item in a query.
  void select(SampleQuery& selected, std::int64_t index) const;

  /// Builds what the first query has selected.
  Arrays answer();

  std::shared_ptr<Dataset::Impl> dataset;
  SampleOptions options;
  map::MapSource map;
  std::shared_ptr<const map::AerialImage> aerial;
  std::optional<std::uint32_t> channel;  ///< that rgba images show

  /// The first builds single samples; the others, for threads, are created when needed.
  std::vector<std::shared_ptr<SampleQuery>> queries;
  std::shared_ptr<const scene::AgentIndex> agents;  ///< null: frames or scenes
  std::size_t size = 0;
  std::shared_ptr<const library::Stack::Layout> layout;  ///< of the last owned sample
};

}  // namespace bev
