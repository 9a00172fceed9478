#include "core/scan/patched_scenes.hpp"

#include <optional>
#include <string_view>

#include "core/base/error.hpp"
#include "core/engine/scene_arrays_query.hpp"
#include "core/patch/apply.hpp"
#include "core/scene/dataset.hpp"

namespace bev {

void check_patch(const Engine& engine, const patch::Patch& patch) {
  if (engine.has_overlay()) {
    fail(
        Errc::invalid_argument,
        {"patch: the data set has edited scenes (expected one as stored: put all edits "
         "into one patch)"});
  }
  const auto rows = [&](std::string_view path) -> std::optional<std::uint64_t> {
    const auto* const array = engine.array(path);
    if (array == nullptr) return std::nullopt;
    return array->length();
  };
  patch::check_data(patch,
                    {rows(scene::kScenes), rows(scene::kFrames), rows(scene::kAgents)});
}

std::shared_ptr<const scene::Overlay> patched_scenes(Engine& engine, Source& source,
                                                     const patch::Patch& patch) {
  run(engine, *engine.open(), source);
  check_patch(engine, patch);
  auto out = std::make_shared<scene::Overlay>();
  for (const auto scene : patch::scenes_of(patch)) {
    const auto query = engine.scene_arrays(scene);
    run(engine, *query, source);
    query->build();
    auto arrays = std::make_shared<scene::SceneArrays>(query->take());
    patch::apply(patch, scene, *arrays);
    out->put(scene, std::move(arrays));
  }
  return out;
}

}  // namespace bev
