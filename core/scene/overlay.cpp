#include "core/scene/overlay.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/base/error.hpp"

namespace bev::scene {
namespace {

constexpr std::size_t at(VirtualArray array) noexcept {
  return static_cast<std::size_t>(array);
}

template <class T>
std::span<const std::byte> raw(const std::vector<T>& values) {
  return std::as_bytes(std::span(values));
}

std::vector<Interval> shifted_by(std::vector<Interval> intervals, std::int64_t rows) {
  for (auto& one : intervals) {
    one.begin += rows;
    one.end += rows;
  }
  return intervals;
}

/// Checks the scene that put() was called with.
class ArraysCheck {
 public:
  ArraysCheck(std::uint64_t scene, const SceneArrays& arrays)
      : scene_(scene), arrays_(arrays) {}

  void run() const {
    const auto& [scenes, frames, agents, faces] = arrays_;
    equal("scenes", 1,
          {scenes.frame_index_interval.size(), scenes.start_time.size(),
           scenes.end_time.size()});
    equal("frames", frames.size(),
          {frames.agent_index_interval.size(),
           frames.traffic_light_faces_index_interval.size(),
           frames.ego_translation.size(), frames.ego_rotation.size()});
    equal("agents", agents.size(),
          {agents.centroid.size(), agents.extent.size(), agents.yaw.size(),
           agents.velocity.size(), agents.label_probabilities.size()});
    covers("agents", frames.agent_index_interval, agents.size());
    covers("traffic_light_faces", frames.traffic_light_faces_index_interval,
           faces.size());
  }

 private:
  void equal(std::string_view array, std::size_t expected,
             std::initializer_list<std::size_t> lengths) const {
    for (const auto found : lengths) {
      if (found == expected) continue;
      fail(Errc::invalid_argument,
           {"scene ", scene_, ": ", array, ": columns of different lengths (found ",
            found, ", expected ", expected, ")"});
    }
  }

  void covers(std::string_view array, const std::vector<Interval>& intervals,
              std::size_t rows) const {
    std::int64_t end = 0;
    bool ordered = true;
    for (const auto& one : intervals) {
      ordered = ordered && one.begin == end && one.end >= one.begin;
      end = one.end;
    }
    if (ordered && end == static_cast<std::int64_t>(rows)) return;
    fail(Errc::invalid_argument,
         {"scene ", scene_, ": ", array, ": the frames' intervals do not cover the ",
          rows, " rows in order"});
  }

  std::uint64_t scene_;
  const SceneArrays& arrays_;
};

}  // namespace

void check_arrays(std::uint64_t scene, const SceneArrays& arrays) {
  ArraysCheck(scene, arrays).run();
}

void Overlay::put(std::uint64_t scene, std::shared_ptr<const SceneArrays> arrays) {
  check_arrays(scene, *arrays);
  const std::array<std::size_t, 3> counts{arrays->frames.size(), arrays->agents.size(),
                                          arrays->faces.size()};
  Replaced made{scene, std::move(arrays), {}, {}, {}};
  auto ends = ends_;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    made.rows[i] = {ends[i], ends[i] + static_cast<std::int64_t>(counts[i])};
    // One row lies between scenes, so that an empty range is of one scene.
    ends[i] = made.rows[i].end + 1;
  }
  const auto& frames = made.arrays->frames;
  made.agents = shifted_by(frames.agent_index_interval,
                           made.rows[at(VirtualArray::agents)].begin);
  made.faces = shifted_by(frames.traffic_light_faces_index_interval,
                          made.rows[at(VirtualArray::faces)].begin);
  drop(scene);
  scenes_.push_back(std::move(made));
  ends_ = ends;
  ++version_;
}

void Overlay::drop(std::uint64_t scene) {
  std::erase_if(scenes_, [=](const Replaced& one) { return one.scene == scene; });
  ++version_;
}

const Overlay::Replaced* Overlay::replaced(std::uint64_t scene) const noexcept {
  for (const auto& one : scenes_) {
    if (one.scene == scene) return &one;
  }
  return nullptr;
}

const SceneArrays* Overlay::find(std::uint64_t scene) const noexcept {
  const auto* const found = replaced(scene);
  return found == nullptr ? nullptr : found->arrays.get();
}

Interval Overlay::frames_of(std::uint64_t scene) const {
  const auto* const found = replaced(scene);
  if (found == nullptr) fail(Errc::out_of_range, {"scene ", scene, ": not replaced"});
  return found->rows[at(VirtualArray::frames)];
}

VirtualRows Overlay::rows(VirtualArray array, Interval range) const {
  for (const auto& one : scenes_) {
    const auto& all = one.rows[at(array)];
    if (range.begin < all.begin || range.begin > range.end || range.end > all.end) {
      continue;
    }
    VirtualRows out{all, static_cast<std::size_t>(range.begin - all.begin), {}};
    const auto& [scenes, frames, agents, faces] = *one.arrays;
    switch (array) {
      case VirtualArray::frames:
        out.columns = {raw(frames.timestamp), raw(one.agents),
                       raw(frames.ego_translation), raw(frames.ego_rotation),
                       raw(one.faces)};
        break;
      case VirtualArray::agents:
        out.columns = {raw(agents.centroid), raw(agents.track_id),
                       raw(agents.extent),   raw(agents.yaw),
                       raw(agents.velocity), raw(agents.label_probabilities)};
        break;
      case VirtualArray::faces:
        out.columns = {raw(faces.face_id), raw(faces.traffic_light_id),
                       raw(faces.traffic_light_face_status)};
    }
    return out;
  }
  fail(Errc::out_of_range,
       {"rows [", range.begin, ", ", range.end, "): of no scene in memory"});
}

}  // namespace bev::scene
