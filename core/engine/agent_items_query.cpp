#include <numeric>
#include <utility>

#include "core/engine/engine.hpp"
#include "core/engine/state.hpp"
#include "core/scene/intervals.hpp"

namespace bev {

namespace {

class AgentItemsQuery final : public Query {
 public:
  AgentItemsQuery(std::shared_ptr<EngineState> state,
                  std::shared_ptr<const scene::AgentIndex> index,
                  scene::AgentScope scope)
      : Query(std::move(state), "items of " + scene::to_string(scope)),
        index_(std::move(index)),
        scope_(scope) {}

 private:
  bool gather(store::Reader& reader) override {
    const auto* dataset = state().dataset(reader);
    if (dataset == nullptr) return false;
    const auto agents = scene::agents_of(reader, *dataset, scope_);
    if (!agents) return false;
    const auto items = index_->items_in(*agents);
    items_.resize(items.end - items.begin);
    std::iota(items_.begin(), items_.end(), static_cast<std::int64_t>(items.begin));
    return true;
  }

  void derive(ResultSet& results) override { results.add("indices", "<i8", items_); }

  std::shared_ptr<const scene::AgentIndex> index_;
  scene::AgentScope scope_;
  std::vector<std::int64_t> items_;
};

/// Lists the items of an ego data set, which are frames.
class EgoItemsQuery final : public Query {
 public:
  EgoItemsQuery(std::shared_ptr<EngineState> state, scene::AgentScope scope)
      : Query(std::move(state), "frames of " + scene::to_string(scope)),
        scope_(scope) {}

 private:
  bool gather(store::Reader& reader) override {
    const auto* dataset = state().dataset(reader);
    if (dataset == nullptr) return false;
    const auto frames = scene::frames_of(reader, *dataset, scope_);
    if (!frames) return false;
    items_.resize(static_cast<std::size_t>(frames->end - frames->begin));
    std::iota(items_.begin(), items_.end(), frames->begin);
    return true;
  }

  void derive(ResultSet& results) override { results.add("indices", "<i8", items_); }

  scene::AgentScope scope_;
  std::vector<std::int64_t> items_;
};

}  // namespace

std::unique_ptr<Query> Engine::ego_items(scene::AgentScope scope) {
  return std::make_unique<EgoItemsQuery>(state_, scope);
}

std::unique_ptr<Query> Engine::agent_items(
    std::shared_ptr<const scene::AgentIndex> index, scene::AgentScope scope) {
  state_->require_stored("items");
  return std::make_unique<AgentItemsQuery>(state_, std::move(index), scope);
}

}  // namespace bev
