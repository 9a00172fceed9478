#include "core/scan/known_tags.hpp"

#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "core/scene/dataset.hpp"
#include "core/store/plan.hpp"

namespace bev {

std::shared_ptr<const reader::SceneTags> known_tags(EngineState& state,
                                                    store::Reader& reader) {
  if (state.tags) return state.tags;
  const auto scenes = reader.array(scene::kScenes, false);
  const bool has_attributes = reader.catalogue().version3() || reader.known(".zattrs");
  if (!scenes || !has_attributes) return nullptr;
  const auto count = *scenes == nullptr ? 0 : (*scenes)->length();
  state.tags = std::make_shared<const reader::SceneTags>(
      reader::SceneTags::parse(reader.catalogue().attrs(), count));
  return state.tags;
}

std::shared_ptr<const reader::SceneTags> known_tags(EngineState& state) {
  store::Plan plan(state.store, "tags");
  plan.begin();
  store::Reader reader(state.store, plan);
  if (auto tags = known_tags(state, reader)) return tags;
  fail(Errc::internal, {"tags: the metadata is not read"});
}

std::shared_ptr<const reader::SceneTags> Engine::tags() {
  return known_tags(*state_);
}

}  // namespace bev
