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

/// Which samples are made of what.
struct SampleRequest {
  std::string dataset;
  ReadOptions reading = {};
  SampleOptions options;            ///< the config in it is JSON already
  std::optional<std::string> root;  ///< of the keys in the config
  std::optional<std::string> mask;  ///< of the user's; else stored, else computed
  scene::MaskMinima minima;         ///< which agents are items
};

/// How many agents were looked at while a mask is computed, of how many.
using SelectionProgress = std::function<void(std::uint64_t done, std::uint64_t all)>;

/// One of L5Kit's data sets over a store on this machine: it has a length, and gives
/// the sample of an item.
///
/// Errors    The constructor throws what is wrong with config, files and mask; make()
///           what SampleQuery throws.
/// Threads   Belongs to one thread.
class SampleMaker {
 public:
  SampleMaker(const SampleRequest& request, const SelectionProgress& progress);

  /// Frames; of agents the items; of scenes to evaluate the scenes.
  std::uint64_t size() const noexcept { return size_; }

  /// The arrays of item `item`, valid until the next call.
  std::span<const ResultArray> make(std::uint64_t item);

  /// After the last item: throws Error if the data set was replaced meanwhile, and warns
  /// of absent chunks.
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
