#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/engine/engine.hpp"
#include "core/engine/sample_query.hpp"
#include "core/scene/agent_index.hpp"
#include "native/source/source.hpp"

namespace bev::native {

/// The data set, config and options of samples.
struct SampleRequest {
  std::string dataset;
  ReadOptions reading = {};
  SampleOptions options;  ///< with the config as JSON
  /// Directory against which the config's keys are resolved
  std::optional<std::string> root;
  /// The user's mask; otherwise the stored or computed one
  std::optional<std::string> mask;
  scene::MaskMinima minima;  ///< conditions on agents that are items
};

/// Called while a mask is computed, with the agents examined and the total.
using SelectionProgress = std::function<void(std::uint64_t done, std::uint64_t all)>;

/// One of L5Kit's data sets over a store: has a length and returns the sample of an
/// item.
///
/// Throws         The constructor throws errors in config, files and mask; make()
///                throws as SampleQuery.
/// Thread safety  None: use one object from one thread.
class SampleMaker {
 public:
  SampleMaker(const SampleRequest& request, const SelectionProgress& progress);

  /// Number of items: frames, agents, or scenes when evaluating.
  std::uint64_t size() const noexcept { return size_; }

  /// Returns the arrays of item `item`, valid until the next call.
  std::span<const ResultArray> make(std::uint64_t item);

  /// Call after the last item: throws Error if the data set was replaced meanwhile, and
  /// warns of absent chunks.
  void finish();

 private:
  std::shared_ptr<const scene::AgentIndex> find_agents(
      const SampleRequest& request, const SelectionProgress& progress);

  std::unique_ptr<Source> source_;
  Engine engine_;
  std::unique_ptr<SampleQuery> query_;
  std::shared_ptr<const scene::AgentIndex> agents_;  // null: items are frames or scenes
  std::uint64_t size_ = 0;
};

}  // namespace bev::native
