#include "core/engine/engine.hpp"

#include <utility>

#include "core/engine/agent_index_query.hpp"
#include "core/engine/records_query.hpp"
#include "core/engine/sample_query.hpp"
#include "core/engine/scene_arrays_query.hpp"
#include "core/engine/select_query.hpp"
#include "core/engine/state.hpp"

// The other functions that create queries are defined beside their query, in
// *_query.cpp.

namespace bev {

namespace {

store::MissingPolicy policy_of(std::optional<store::Missing> missing) {
  if (missing) return {*missing, {}};
  return {store::Missing::fill, scene::kCompleteArrays};
}

}  // namespace

Engine::Engine(std::size_t byte_budget, std::optional<store::Missing> missing)
    : state_(std::make_shared<EngineState>(byte_budget, policy_of(missing))) {}

Engine::Engine(std::shared_ptr<EngineState> state) noexcept
    : state_(std::move(state)) {}

Engine Engine::with(std::shared_ptr<const scene::Overlay> overlay) const {
  return Engine(std::make_shared<EngineState>(*state_, std::move(overlay)));
}

bool Engine::has_overlay() const noexcept {
  return state_->overlay != nullptr;
}

void Engine::set_version(ObjectVersion version) {
  state_->version = std::move(version);
}

std::unique_ptr<SelectQuery> Engine::select(const scene::SelectionRules& rules,
                                            std::uint64_t first) {
  state_->require_stored("selection");
  return std::make_unique<SelectQuery>(state_, rules, first);
}

std::unique_ptr<RecordsQuery> Engine::scene_records() {
  return std::make_unique<RecordsQuery>(state_);
}

std::unique_ptr<SceneArraysQuery> Engine::scene_arrays(std::uint64_t scene) {
  return std::make_unique<SceneArraysQuery>(state_, scene);
}

std::unique_ptr<AgentIndexQuery> Engine::agent_index(const AgentIndexOptions& options) {
  state_->require_stored("items");
  return std::make_unique<AgentIndexQuery>(state_, options);
}

std::unique_ptr<SampleQuery> Engine::samples(
    const SampleOptions& options, map::MapSource map,
    std::shared_ptr<const map::AerialImage> aerial) {
  return std::make_unique<SampleQuery>(state_, options,
                                       ImageMaps{std::move(map), std::move(aerial)});
}

void Engine::supply(const store::Request& request, OwnedBytes bytes) {
  state_->store.supply(request, std::move(bytes));
}

void Engine::supply_absent(std::string_view key) {
  state_->store.supply_absent(key);
}

std::vector<std::string> Engine::forget_failures(std::string_view key) {
  return state_->store.forget_failures(key);
}

store::CacheStats Engine::cache() const {
  return state_->store.cache();
}

std::vector<std::string> Engine::absent_chunks() const {
  return state_->store.absent_chunks();
}

std::size_t Engine::absent_count() const {
  return state_->store.absent_count();
}

}  // namespace bev
