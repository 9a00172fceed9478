#include "core/scene/append_scene.hpp"

#include <span>

namespace bev::scene {

namespace {

Interval shifted(const Interval& interval, std::int64_t by) {
  return {interval.begin + by, interval.end + by};
}

}  // namespace

void append_scene(Writer& writer, const SceneRecords& records) {
  auto scene = records.scene;
  scene.frame_index_interval =
      shifted(scene.frame_index_interval, writer.frame_count());
  auto frames = records.frames;
  for (auto& frame : frames) {
    frame.agent_index_interval =
        shifted(frame.agent_index_interval, writer.agent_count());
    frame.traffic_light_faces_index_interval =
        shifted(frame.traffic_light_faces_index_interval, writer.face_count());
  }
  writer.append(std::span(&scene, 1));
  writer.append(frames);
  writer.append(records.agents);
  writer.append(records.faces);
}

}  // namespace bev::scene
