#include <string>
#include <utility>

#include "core/engine/engine.hpp"
#include "core/engine/state.hpp"
#include "core/scene/scene_dataset.hpp"

namespace bev {

namespace {

class SceneQuery final : public Query {
 public:
  SceneQuery(std::shared_ptr<EngineState> state, std::uint64_t scene)
      : Query(std::move(state), "scene " + std::to_string(scene)), scene_(scene) {}

 private:
  bool gather(store::Reader& reader) override {
    const auto* dataset = state().dataset(reader);
    if (dataset == nullptr || !data_.read(reader, *dataset, scene_)) return false;
    host_ = zarr::decode_text(dataset->host_type(), data_.scenes.host);
    if (!dataset->has_faces()) return true;
    face_id_ = zarr::decode_text(dataset->face_id_type(), data_.faces.face_id);
    light_id_ = zarr::decode_text(dataset->traffic_light_id_type(),
                                  data_.faces.traffic_light_id);
    return true;
  }

  void derive(ResultSet& out) override {
    out.add("scenes.frame_index_interval", "<i8", data_.scenes.frame_index_interval,
            {2});
    out.add_text("scenes.host", host_);
    out.add("scenes.start_time", "<i8", data_.scenes.start_time);
    out.add("scenes.end_time", "<i8", data_.scenes.end_time);
    const auto& frames = data_.frames;
    out.add("frames.timestamp", "<i8", frames.timestamp);
    out.add("frames.agent_index_interval", "<i8", frames.agent_index_interval, {2});
    out.add("frames.traffic_light_faces_index_interval", "<i8",
            frames.traffic_light_faces_index_interval, {2});
    out.add("frames.ego_translation", "<f8", frames.ego_translation, {3});
    out.add("frames.ego_rotation", "<f8", frames.ego_rotation, {3, 3});
    const auto& agents = data_.agents;
    out.add("agents.centroid", "<f8", agents.centroid, {2});
    out.add("agents.extent", "<f4", agents.extent, {3});
    out.add("agents.yaw", "<f4", agents.yaw);
    out.add("agents.velocity", "<f4", agents.velocity, {2});
    out.add("agents.track_id", "<u8", agents.track_id);
    out.add("agents.label_probabilities", "<f4", agents.label_probabilities,
            {scene::kLabelCount});
    out.add_text("traffic_light_faces.face_id", face_id_);
    out.add_text("traffic_light_faces.traffic_light_id", light_id_);
    out.add("traffic_light_faces.traffic_light_face_status", "<f4",
            data_.faces.traffic_light_face_status, {3});
  }

  std::uint64_t scene_;
  scene::SceneDataset data_;
  zarr::Text host_{{}, {0}};
  zarr::Text face_id_{{}, {0}};
  zarr::Text light_id_{{}, {0}};
};

}  // namespace

std::unique_ptr<Query> Engine::scene(std::uint64_t scene) {
  return std::make_unique<SceneQuery>(state_, scene);
}

}  // namespace bev
