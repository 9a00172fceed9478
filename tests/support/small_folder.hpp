#pragma once

#include <string>

#include "native/files/sinks.hpp"
#include "tests/support/small_scenes.hpp"
#include "tests/support/temp_folder.hpp"

namespace bev::test {

/// The small data set in a folder, and a config for it with map_type stub_debug.
class SmallFolder {
 public:
  explicit SmallFolder(const SmallScenes& small = {}) {
    native::DirectorySink sink(folder_.path() / "small.zarr");
    for (const auto& [key, bytes] : small_store(small).objects) sink.put(key, bytes);
  }

  const TempFolder& folder() const { return folder_; }
  std::string at(std::string_view name) const { return folder_.at(name); }
  std::string dataset() const { return folder_.at("small.zarr"); }

  /// Returns YAML with L5Kit's sections.
  static std::string config_text(const std::string& map_type = "stub_debug") {
    return "model_params:\n"
           "  history_num_frames: 2\n"
           "  future_num_frames: 3\n"
           "  step_time: 0.1\n"
           "  render_ego_history: true\n"
           "raster_params:\n"
           "  raster_size: [20, 10]\n"
           "  pixel_size: [0.5, 0.5]\n"
           "  ego_center: [0.25, 0.5]\n"
           "  map_type: " +
           map_type +
           "\n"
           "  filter_agents_threshold: 0.5\n"
           "  disable_traffic_light_faces: false\n"
           "  set_origin_to_bottom: true\n";
  }

  std::string config(const std::string& map_type = "stub_debug") const {
    return folder_.write(map_type + ".yaml", config_text(map_type));
  }

 private:
  TempFolder folder_;
};

}  // namespace bev::test
