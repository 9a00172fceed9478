#include "core/scene/seen_faces.hpp"

#include <functional>
#include <set>
#include <string>

namespace bev::scene {

SeenFaces seen_faces(const SceneDataset& scene, const zarr::Text& face_id,
                     const std::vector<Unstored>& unstored) {
  SeenFaces out;
  std::set<std::string, std::less<>> seen;
  const auto& intervals = scene.frames.traffic_light_faces_index_interval;
  for (std::size_t k = 0; k < intervals.size(); ++k) {
    if (unstored[k].frame || unstored[k].faces) continue;
    const auto end = static_cast<std::size_t>(intervals[k].end);
    for (auto row = static_cast<std::size_t>(intervals[k].begin); row < end; ++row) {
      const auto id = face_id[row];
      if (!seen.emplace(id).second) continue;
      out.id.utf8.insert(out.id.utf8.end(), id.begin(), id.end());
      out.id.offsets.push_back(static_cast<std::uint32_t>(out.id.utf8.size()));
      out.first_frame.push_back(static_cast<std::uint32_t>(k));
    }
  }
  return out;
}

}  // namespace bev::scene
