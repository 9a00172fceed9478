#include "core/scene/light_runs.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "core/scene/labels.hpp"

namespace bev::scene {
namespace {

using Indices = std::vector<std::uint32_t>;
using IndexById = std::map<std::string, std::size_t, std::less<>>;

struct Run {
  std::size_t begin = 0;
  std::size_t end = 0;  ///< 0: no run
  FaceState state = FaceState::inactive;
  Indices active;
};

/// Combines two states: active before unknown before inactive.
FaceState joined(FaceState a, FaceState b) {
  if (a == FaceState::active || b == FaceState::active) return FaceState::active;
  if (a == FaceState::unknown || b == FaceState::unknown) return FaceState::unknown;
  return FaceState::inactive;
}

/// Returns the index of `id` in `index`, after adding it if it is new.
std::size_t index_of(IndexById& index, std::string_view id) {
  const auto found = index.find(id);
  if (found != index.end()) return found->second;
  return index.emplace(id, index.size()).first->second;
}

class Lights {
 public:
  explicit Lights(const SeenFaces& seen) {
    for (std::size_t i = 0; i < seen.id.size(); ++i) index_of(faces_, seen.id[i]);
  }

  void add(std::size_t frame, std::string_view light, std::string_view face,
           FaceState state) {
    const auto index = index_of(lights_, light);
    if (index == all_.size()) all_.push_back({std::string(light), {}, {}});
    auto& now = all_[index].now;
    if (now.end == 0) {
      now = {frame, frame + 1, FaceState::inactive, {}};
      of_frame_.push_back(index);
    }
    now.state = joined(now.state, state);
    const auto known = faces_.find(face);
    if (state == FaceState::active && known != faces_.end()) {
      now.active.push_back(static_cast<std::uint32_t>(known->second));
    }
  }

  /// Ends the frame: extends the runs that continue, begins the others.
  void end_frame() {
    for (const auto index : of_frame_) {
      auto& [id, now, runs] = all_[index];
      std::sort(now.active.begin(), now.active.end());
      now.active.erase(std::unique(now.active.begin(), now.active.end()),
                       now.active.end());
      const bool goes_on = !runs.empty() && runs.back().end == now.begin &&
                           runs.back().state == now.state &&
                           runs.back().active == now.active;
      if (goes_on) {
        runs.back().end = now.end;
      } else {
        runs.push_back(std::move(now));
      }
      now = {};
    }
    of_frame_.clear();
  }

  LightRuns flat() const {
    LightRuns out;
    for (std::size_t light = 0; light < all_.size(); ++light) {
      const auto& [id, now, runs] = all_[light];
      out.id.utf8.insert(out.id.utf8.end(), id.begin(), id.end());
      out.id.offsets.push_back(static_cast<std::uint32_t>(out.id.utf8.size()));
      for (const auto& run : runs) {
        out.light.push_back(static_cast<std::uint32_t>(light));
        out.begin.push_back(static_cast<std::uint32_t>(run.begin));
        out.end.push_back(static_cast<std::uint32_t>(run.end));
        out.state.push_back(static_cast<std::uint8_t>(run.state));
        out.active_face.insert(out.active_face.end(), run.active.begin(),
                               run.active.end());
        out.active_offset.push_back(static_cast<std::uint32_t>(out.active_face.size()));
      }
    }
    return out;
  }

 private:
  struct Light {
    std::string id;
    Run now;  ///< of the frame that is being added
    std::vector<Run> runs;
  };

  IndexById faces_, lights_;
  std::vector<Light> all_;
  std::vector<std::size_t> of_frame_;  ///< the lights of the frame
};

}  // namespace

SeenFaces seen_faces(const SceneDataset& scene, const zarr::Text& face_id,
                     const std::vector<AbsentParts>& absent) {
  SeenFaces out;
  std::map<std::string, std::size_t, std::less<>> last;  // frame with the face
  const auto& intervals = scene.frames.traffic_light_faces_index_interval;
  for (std::size_t k = 0; k < intervals.size(); ++k) {
    if (absent[k].frame || absent[k].faces) continue;
    const auto end = static_cast<std::size_t>(intervals[k].end);
    for (auto row = static_cast<std::size_t>(intervals[k].begin); row < end; ++row) {
      const auto id = face_id[row];
      if (const auto known = last.find(id); known != last.end()) {
        const bool is_repeat = std::exchange(known->second, k) == k;
        if (is_repeat && out.repeats == 0)
          out.repeat_frame = static_cast<std::uint32_t>(k);
        if (is_repeat && out.repeat_frame == k) ++out.repeats;
        continue;
      }
      last.emplace(id, k);
      out.id.utf8.insert(out.id.utf8.end(), id.begin(), id.end());
      out.id.offsets.push_back(static_cast<std::uint32_t>(out.id.utf8.size()));
      out.first_frame.push_back(static_cast<std::uint32_t>(k));
    }
  }
  return out;
}

LightRuns light_runs(const SceneDataset& scene, const FaceIds& ids,
                     const std::vector<AbsentParts>& absent, const SeenFaces& seen) {
  Lights lights(seen);
  const auto& intervals = scene.frames.traffic_light_faces_index_interval;
  const auto& status = scene.faces.traffic_light_face_status;
  for (std::size_t k = 0; k < intervals.size(); ++k) {
    if (absent[k].frame || absent[k].faces) continue;
    const auto end = static_cast<std::size_t>(intervals[k].end);
    for (auto row = static_cast<std::size_t>(intervals[k].begin); row < end; ++row) {
      lights.add(k, ids.traffic_light[row], ids.face[row], state_of(status[row]));
    }
    lights.end_frame();
  }
  return lights.flat();
}

}  // namespace bev::scene
