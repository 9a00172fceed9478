#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/query.hpp"
#include "core/scene/agent_index.hpp"
#include "core/scene/select_agents.hpp"
#include "core/scene/stored_mask.hpp"

namespace bev {

/// Options that determine the items of an agent data set.
struct AgentIndexOptions {
  scene::SelectionRules rules = {};
  scene::MaskMinima minima = {};
  bool use_stored = true;  ///< use the store's agents_mask/NAME if it exists
};

/// Builds the item index of an agent data set, either from the mask stored for these
/// rules or by selecting agents with one scene in memory at a time. The engine keeps
/// the index and reuses it for queries with the same options.
///
/// build() returns "agents_indices", <i8 (items): rows in `agents`.
///
/// Throws  As Query; also unsupported if the scenes' agents are not in file order.
class AgentIndexQuery final : public Query {
 public:
  AgentIndexQuery(std::shared_ptr<EngineState> state, const AgentIndexOptions& options);

  /// Agents examined so far and in total; both 0 until the metadata is read.
  std::uint64_t agents_done() const noexcept { return agents_done_; }
  std::uint64_t agent_count() const noexcept { return agent_count_; }

  /// Whether the index comes from a stored mask.
  bool from_store() const noexcept { return stored_ && stored_->exists(); }

  /// Agents rejected so far, by reason. Empty if the mask comes from the store.
  const scene::SelectionReport& report() const noexcept { return selector_.report(); }

  /// The index; null until missing() returns an empty list.
  std::shared_ptr<const scene::AgentIndex> index() const noexcept { return index_; }

  // As missing(), for a query that contains this one.
  bool gather(store::Reader& reader) override;

 private:
  void derive(ResultSet& results) override;
  bool read_stored(store::Reader& reader);
  bool select(store::Reader& reader, const scene::ChunkedDataset& dataset);

  std::string name_;  // of the mask
  std::string key_;   // cache key of the index in the engine
  AgentIndexOptions options_;
  scene::AgentIndex work_;
  std::shared_ptr<const scene::AgentIndex> index_;
  std::uint64_t agents_done_ = 0;
  std::uint64_t agent_count_ = 0;
  std::optional<scene::StoredMask> stored_;
  std::vector<std::uint32_t> counts_;
  scene::AgentSelector selector_;
  scene::SceneSelection selection_;
  std::uint64_t next_scene_ = 0;
};

}  // namespace bev
