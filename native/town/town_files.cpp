#include "native/town/town_files.hpp"

#include <span>
#include <string>
#include <string_view>

#include "core/base/error.hpp"
#include "native/files/new_store.hpp"
#include "native/files/sinks.hpp"
#include "native/images/image_file.hpp"
#include "native/town/aerial.hpp"
#include "native/town/georeference.hpp"
#include "native/town/semantic_map.hpp"

namespace bev::town {
namespace {

constexpr double kMetresPerPixel = 0.5;

// As in L5Kit's examples, with the keys of the generated files.
constexpr const char* kConfig = R"(format_version: 4

model_params:
  history_num_frames: 10
  future_num_frames: 50
  step_time: 0.1
  render_ego_history: true
  history_num_frames_ego: 10
  history_num_frames_agents: 10

raster_params:
  raster_size: [224, 224]
  pixel_size: [0.5, 0.5]
  ego_center: [0.25, 0.5]
  map_type: "py_semantic"
  satellite_map_key: "aerial_map/aerial_map.png"
  semantic_map_key: "semantic_map/semantic_map.pb"
  dataset_meta_key: "meta.json"
  filter_agents_threshold: 0.5
  disable_traffic_light_faces: false
  set_origin_to_bottom: true

data_generation_params:
  other_agents_num: 30
  max_agents_distance: 50
  lane_params:
    max_num_lanes: 30
    max_points_per_lane: 20
    max_points_per_crosswalk: 20
    max_retrieval_distance_m: 35
    max_num_crosswalks: 20

sample_data_loader:
  key: "%s"
  batch_size: 12
  shuffle: false
  num_workers: 0
)";

std::string config_of(const TownOptions& options) {
  std::string text = kConfig;
  text.replace(text.find("%s"), 2, scenes_path(options));
  return text;
}

void shift(scene::Interval& interval, std::int64_t by) {
  interval.begin += by;
  interval.end += by;
}

}  // namespace

std::string_view scenes_path(const TownOptions& options) {
  return options.zip ? "scenes/town.zarr.zip" : "scenes/town.zarr";
}

void write_scenes(Sink& sink, const Plan& plan, const TownOptions& options,
                  const std::function<void(const std::string&)>& progress) {
  scene::Writer writer(sink, options.layout);
  for (int i = 0; i < options.scenes; ++i) {
    progress("scene " + std::to_string(i + 1) + " of " +
             std::to_string(options.scenes));
    SceneRecords records = make_scene(plan, options.scene, i);
    shift(records.scene.frame_index_interval, writer.frame_count());
    for (scene::Frame& frame : records.frames) {
      shift(frame.agent_index_interval, writer.agent_count());
      shift(frame.traffic_light_faces_index_interval, writer.face_count());
    }
    writer.append(std::span<const scene::Scene>(&records.scene, 1));
    writer.append(std::span<const scene::Frame>(records.frames));
    writer.append(std::span<const scene::Agent>(records.agents));
    writer.append(std::span<const scene::Face>(records.faces));
  }
  writer.close();
}

void write_town(const TownOutput& out, const TownOptions& options,
                const std::function<void(const std::string&)>& progress) {
  progress("streets");
  const Plan plan = make_plan(options.scene.seed);
  const AerialFrame frame = aerial_frame(plan, kMetresPerPixel);
  const auto write_text = [&](std::string_view key, std::string_view text) {
    out.files.put(key, std::as_bytes(std::span(text)));
  };
  write_text("semantic_map/semantic_map.pb", semantic_map(plan));
  write_text("meta.json", meta_json(frame));
  write_text("config.yaml", config_of(options));
  if (options.aerial) {
    progress("aerial image");
    const Canvas canvas = paint_aerial(plan, frame, options.scene.seed);
    out.files.put(
        "aerial_map/aerial_map.png",
        native::encode_png(canvas.pixels(), static_cast<std::uint32_t>(frame.rows),
                           static_cast<std::uint32_t>(frame.columns)));
  }
  write_scenes(out.scenes, plan, options, progress);
}

void write_town(const std::filesystem::path& folder, const TownOptions& options,
                const std::function<void(const std::string&)>& progress) {
  native::DirectorySink files(folder);
  const auto store = native::create_store(folder / scenes_path(options));
  write_town({files, *store}, options, progress);
  store->commit();
}

}  // namespace bev::town
