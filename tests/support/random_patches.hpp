#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/patch/patch.hpp"
#include "core/scene/columns.hpp"
#include "tests/support/records.hpp"

namespace bev::test {

/// Returns whether two scenes in memory have the same bytes.
inline bool same(const scene::SceneArrays& a, const scene::SceneArrays& b) {
  const auto equal = [](const auto& x, const auto& y) {
    const auto one = std::as_bytes(std::span(x)), other = std::as_bytes(std::span(y));
    return std::equal(one.begin(), one.end(), other.begin(), other.end());
  };
  const auto &f = a.frames, &g = b.frames;
  const auto &m = a.agents, &n = b.agents;
  return equal(a.scenes.host, b.scenes.host) &&
         equal(a.scenes.frame_index_interval, b.scenes.frame_index_interval) &&
         equal(f.timestamp, g.timestamp) &&
         equal(f.agent_index_interval, g.agent_index_interval) &&
         equal(f.traffic_light_faces_index_interval,
               g.traffic_light_faces_index_interval) &&
         equal(f.ego_translation, g.ego_translation) &&
         equal(f.ego_rotation, g.ego_rotation) && equal(m.centroid, n.centroid) &&
         equal(m.extent, n.extent) && equal(m.yaw, n.yaw) &&
         equal(m.velocity, n.velocity) && equal(m.track_id, n.track_id) &&
         equal(m.label_probabilities, n.label_probabilities) &&
         equal(a.faces.face_id, b.faces.face_id) &&
         equal(a.faces.traffic_light_id, b.faces.traffic_light_id) &&
         equal(a.faces.traffic_light_face_status, b.faces.traffic_light_face_status);
}

/// Makes edits of every kind, of tracks 0 to 15 and the face "red"; a scene may lack what
/// they edit.
class RandomPatch {
 public:
  explicit RandomPatch(std::uint64_t seed) : random_(seed) {}

  patch::Edit edit(std::uint64_t scene, std::uint64_t frames) {
    patch::Edit out;
    out.scene = scene;
    out.from = random_.below(static_cast<std::size_t>(frames));
    if (random_.below(3) == 0) {
      const auto left = static_cast<std::size_t>(frames - out.from);
      out.to = out.from + 1 + random_.below(left);
    }
    const auto kind = random_.below(6);
    if (kind != 5) out.track = random_.below(16);
    if (kind < 3 && random_.below(4) == 0) out.track.reset();
    switch (kind) {
      case 0:
        out.change = patch::Move{{number(8), number(8)},
                                 number(3),
                                 random_.below(2) == 0,
                                 static_cast<std::uint32_t>(random_.below(4))};
        break;
      case 1: out.change = patch::Stop{5 + number(4)}; break;
      case 2: out.change = patch::Retime{1.25 + number(1)}; break;
      case 3: out.change = patch::Remove{}; break;
      case 4: {
        patch::Add add{random_.below(17), {4.5, 2, 1.5}, {}};
        for (std::uint64_t k = 0; k < frames; k += 1 + random_.below(4))
          add.path.push_back({k, number(50), number(50), number(3)});
        out.change = add;
        break;
      }
      default: out.change = patch::Light{"red", scene::FaceState{}};
    }
    return out;
  }

 private:
  /// Returns a multiple of 1/8 in [-limit, limit].
  double number(int limit) {
    const auto steps = static_cast<std::size_t>(16 * limit + 1);
    return static_cast<double>(random_.below(steps)) / 8 - limit;
  }

  Random random_;
};

}  // namespace bev::test
