#include "core/reader/scene_tags.hpp"

#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/zarr/json_view.hpp"

namespace bev::reader {

SceneTags SceneTags::parse(const nlohmann::json& attributes,
                           std::uint64_t scene_count) {
  SceneTags out;
  const auto scenes = zarr::JsonView(attributes)["bevscope"]["scenes"];
  for (std::size_t scene = 0; scene < scenes.size(); ++scene) {
    const auto tags = scenes.at(scene)["tags"];
    if (!tags || !tags.json().is_object()) continue;
    for (const auto& item : tags.json().items()) {
      out.scenes[item.key()].push_back(scene);
    }
  }
  if (!out.scenes.empty() && scenes.size() != scene_count) {
    fail(Errc::invalid_metadata,
         {"attribute bevscope.scenes: wrong number of scenes (found ", scenes.size(),
          ", expected ", scene_count, ")"});
  }
  return out;
}

std::vector<std::string> SceneTags::names() const {
  std::vector<std::string> out;
  for (const auto& one : scenes) out.push_back(one.first);
  return out;
}

}  // namespace bev::reader
