#include <stdexcept>
#include <string_view>

#include "core/base/error.hpp"
#include "core/patch/apply.hpp"
#include "core/patch/patch.hpp"
#include "core/scene/overlay.hpp"
#include "tests/fuzz/targets.hpp"

namespace bev::test {
namespace {

/// Frames with three, two and no agents, and a face "a"; timestamps do not ascend.
scene::SceneArrays small_scene_to_patch() {
  scene::SceneArrays out;
  out.scenes = {{{0, 3}}, {}, {0}, {1}};
  out.frames.timestamp = {0, 100'000'000, 100'000'000};
  out.frames.agent_index_interval = {{0, 3}, {3, 5}, {5, 5}};
  out.frames.traffic_light_faces_index_interval = {{0, 1}, {1, 1}, {1, 1}};
  out.frames.ego_translation.resize(3);
  out.frames.ego_rotation.resize(3);
  out.agents.track_id = {1, 2, 3, 1, 2};
  out.agents.centroid.resize(5);
  out.agents.extent.resize(5);
  out.agents.yaw.resize(5);
  out.agents.velocity.resize(5);
  out.agents.label_probabilities.resize(5);
  out.faces = {{std::byte{'a'}, {}, {}, {}}, std::vector<std::byte>(4), {{1, 0, 0}}};
  return out;
}

void require_valid(const scene::SceneArrays& scene) {
  if (scene.faces.face_id.size() != 4 * scene.faces.size())
    throw std::logic_error("a face has an id");
  try {
    scene::check_arrays(0, scene);
  } catch (const Error& error) {
    throw std::logic_error(error.what());
  }
}

}  // namespace

void patch_target(std::span<const std::byte> input) {
  try {
    const auto found = patch::read_patch(
        {reinterpret_cast<const char*>(input.data()), input.size()}, "patch");
    const auto text = patch::to_json(found);
    const auto again = patch::read_patch(text);
    if (!(again == found) || patch::to_json(again) != text)
      throw std::logic_error("a written patch is the same patch");
    for (const auto number : patch::scenes_of(found)) {
      auto scene = small_scene_to_patch();
      patch::apply(found, number, scene);
      require_valid(scene);
    }
  } catch (const Error& error) {
    const auto code = error.code();
    if (code != Errc::invalid_argument && code != Errc::limit_exceeded &&
        code != Errc::unsupported && code != Errc::out_of_range &&
        code != Errc::not_found) {
      throw std::logic_error("a refusal has a code for patches");
    }
  }
}

}  // namespace bev::test
