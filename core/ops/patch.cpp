#include "core/patch/patch.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/ops/objects_of_engine.hpp"
#include "core/ops/operation.hpp"
#include "core/ops/scene_arrays.hpp"
#include "core/ops/tables.hpp"
#include "core/patch/apply.hpp"
#include "core/scan/patched_scenes.hpp"

// What-if patches: edits of scenes in memory, which `scene_arrays` reads.

namespace bev::ops {

namespace {

/// A patch and the scenes that it has edited. Queries that read scenes share both.
struct PatchedScenes {
  std::shared_ptr<const patch::Patch> patch;
  std::shared_ptr<scene::Overlay> overlay = std::make_shared<scene::Overlay>();
};

}  // namespace

template <>
inline constexpr const char* kObjectName<PatchedScenes> = "Patch";

namespace {

std::unique_ptr<PatchedScenes> make_patch(const std::string& json) {
  return std::make_unique<PatchedScenes>(
      PatchedScenes{std::make_shared<const patch::Patch>(patch::read_patch(json))});
}

std::string patch_text(PatchedScenes& patch) {
  return patch::to_json(*patch.patch);
}

std::vector<std::uint32_t> patch_scenes(PatchedScenes& patch, Engine& engine) {
  check_patch(engine, *patch.patch);
  const auto scenes = patch::scenes_of(*patch.patch);
  return {scenes.begin(), scenes.end()};
}

void edit_scene(const PatchedScenes& by, std::uint64_t scene,
                scene::SceneArrays arrays) {
  auto edited = std::make_shared<scene::SceneArrays>(std::move(arrays));
  patch::apply(*by.patch, scene, *edited);
  by.overlay->put(scene, std::move(edited));
}

void patch_scene(PatchedScenes& patch, SceneArraysQuery& arrays) {
  edit_scene(patch, arrays.scene(), arrays.take());
}

std::unique_ptr<SceneArraysQuery> patched_scene(PatchedScenes& patch, Engine& engine,
                                                Index scene) {
  auto out = engine.scene_arrays(scene);
  out->give_to([by = patch, number = std::uint64_t{scene}](scene::SceneArrays arrays) {
    edit_scene(by, number, std::move(arrays));
  });
  return out;
}

std::unique_ptr<Engine> patched_engine(PatchedScenes& patch, Engine& engine) {
  check_patch(engine, *patch.patch);
  for (const auto scene : patch::scenes_of(*patch.patch)) {
    if (patch.overlay->find(scene) != nullptr) continue;
    fail(Errc::invalid_argument, {"patch: scene ", scene, " was not read"});
  }
  return std::make_unique<Engine>(engine.with(patch.overlay));
}

constexpr std::array kPatchOperations{
    operation<&make_patch, "json">("patch", "", "edits of scenes: docs/patches.md"),
    operation<&patch_text, "patch">("patch_text", "",
                                    "the patch as JSON without blanks, for links"),
    operation<&patch_scenes, "patch", "engine">("patch_scenes", "",
                                                "the scenes that a patch edits"),
    operation<&patch_scene, "patch", "arrays">("patch_scene", "",
                                               "edits a scene that was read"),
    operation<&patched_scene, "patch", "engine", "scene">(
        "patched_scene", "", "reads a scene, and edits it with its build"),
    operation<&patched_engine, "patch", "engine">(
        "patched_engine", "",
        "the data set with the edited scenes, which all were read"),
};

}  // namespace

std::span<const Operation> patch_operations() {
  return kPatchOperations;
}

}  // namespace bev::ops
