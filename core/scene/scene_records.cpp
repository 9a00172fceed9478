#include "core/scene/scene_records.hpp"

#include <string>

#include "core/base/error.hpp"
#include "core/zarr/text.hpp"

namespace bev::scene {

namespace {

std::vector<Agent> agents_of(const AgentColumns& columns) {
  std::vector<Agent> agents(columns.size());
  for (std::size_t i = 0; i < agents.size(); ++i) {
    agents[i] = {columns.centroid[i], columns.extent[i],
                 columns.yaw[i],      columns.velocity[i],
                 columns.track_id[i], columns.label_probabilities[i]};
  }
  return agents;
}

std::vector<Face> faces_of(const FaceColumns& columns, const ChunkedDataset& dataset) {
  std::vector<Face> faces(columns.size());
  if (faces.empty()) return faces;
  const auto ids = zarr::decode_text(dataset.face_id_type(), columns.face_id);
  const auto lights =
      zarr::decode_text(dataset.traffic_light_id_type(), columns.traffic_light_id);
  for (std::size_t i = 0; i < faces.size(); ++i) {
    faces[i] = {std::string(ids[i]), std::string(lights[i]),
                columns.traffic_light_face_status[i]};
  }
  return faces;
}

}  // namespace

SceneRecords records_of(const SceneDataset& columns, const ChunkedDataset& dataset) {
  const auto host = zarr::decode_text(dataset.host_type(), columns.scenes.host);
  SceneRecords out;
  out.scene = {columns.scenes.frame_index_interval.front(), std::string(host[0]),
               columns.scenes.start_time.front(), columns.scenes.end_time.front()};
  const auto& frames = columns.frames;
  out.frames.resize(frames.size());
  for (std::size_t i = 0; i < frames.size(); ++i) {
    out.frames[i] = {frames.timestamp[i], frames.agent_index_interval[i],
                     frames.traffic_light_faces_index_interval[i],
                     frames.ego_translation[i], frames.ego_rotation[i]};
  }
  out.agents = agents_of(columns.agents);
  out.faces = faces_of(columns.faces, dataset);
  return out;
}

void chop(SceneRecords& records, std::uint64_t count) {
  if (count == 0) fail(Errc::invalid_argument, {"chop: frame count must not be 0"});
  if (records.frames.size() <= count) {
    fail(Errc::invalid_argument,
         {"chop: too few frames in a scene (found ", records.frames.size(),
          ", expected more than ", count, ")"});
  }
  records.frames.resize(static_cast<std::size_t>(count));
  const auto& last = records.frames.back();
  records.agents.resize(static_cast<std::size_t>(last.agent_index_interval.end));
  records.faces.resize(
      static_cast<std::size_t>(last.traffic_light_faces_index_interval.end));
  records.scene.frame_index_interval.end =
      records.scene.frame_index_interval.begin + static_cast<std::int64_t>(count);
}

}  // namespace bev::scene
