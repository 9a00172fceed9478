#include "core/scene/combine.hpp"

namespace bev::scene {

std::vector<Scene> combined_scenes(std::span<const Scene> scenes) {
  std::vector<Scene> out;
  for (const auto& scene : scenes) {
    const bool follows = !out.empty() && scene.start_time == out.back().end_time &&
                         scene.host == out.back().host;
    if (!follows) {
      out.push_back(scene);
      continue;
    }
    out.back().frame_index_interval.end = scene.frame_index_interval.end;
    out.back().end_time = scene.end_time;
  }
  return out;
}

}  // namespace bev::scene
