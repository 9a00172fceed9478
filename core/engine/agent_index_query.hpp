#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/query.hpp"
#include "core/scene/agent_index.hpp"
#include "core/scene/scene_selection.hpp"
#include "core/scene/select_agents.hpp"
#include "core/scene/stored_mask.hpp"

namespace bev {

/// Which agents are the items of an agent data set.
struct AgentIndexOptions {
  scene::SelectionRules rules = {};
  scene::MaskMinima minima = {};
  bool use_stored = true;  ///< take agents_mask/NAME of the store where it has one
};

/// Finds the items of an agent data set: from the mask that the store holds for these
/// rules, else by selecting, a scene in memory at a time. The engine keeps the answer
/// for the next who asks with the same options.
///
/// build() gives "agents_indices", <i8 (items): their rows in `agents`.
///
/// Errors  Besides those of Query: unsupported for scenes whose agents are not in
/// order.
class AgentIndexQuery final : public Query {
 public:
  AgentIndexQuery(std::shared_ptr<EngineState> state, const AgentIndexOptions& options);

  /// Agents looked at, of all; 0 of 0 while metadata is wanted.
  std::uint64_t agents_done() const noexcept { return agents_done_; }
  std::uint64_t agent_count() const noexcept { return agent_count_; }

  /// Whether it is from a mask in the store.
  bool from_store() const noexcept { return stored_ && stored_->there(); }

  /// What was left out, and why, of the agents selected so far; nothing where the mask
  /// is from the store.
  const scene::SelectionReport& report() const noexcept { return selector_.report(); }

  /// The index; null until missing() is empty.
  std::shared_ptr<const scene::AgentIndex> index() const noexcept { return index_; }

 private:
  bool gather(store::Reader& reader) override;
  void derive(ResultSet& results) override;
  bool take_stored(store::Reader& reader);
  bool select(store::Reader& reader, const scene::ChunkedDataset& dataset);

  std::string name_;  // of the mask
  std::string key_;   // of the index, for the engine to keep it
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
