#pragma once

#include <string>

namespace bev::test {

/// A config of samples without images, with the parameters that tests vary.
struct SampleConfig {
  int history = 2;
  int future = 3;
  std::string more = {};  ///< further top-level members, each preceded by a comma
  std::string map_type = "stub_debug";

  std::string json() const {
    return R"({"model_params": {"history_num_frames": )" + std::to_string(history) +
           R"(, "future_num_frames": )" + std::to_string(future) +
           R"(, "step_time": 0.5, "render_ego_history": true},
      "raster_params": {"raster_size": [20, 10], "pixel_size": [0.5, 0.5],
        "ego_center": [0.25, 0.5], "set_origin_to_bottom": true,
        "filter_agents_threshold": 0.5, "disable_traffic_light_faces": false,
        "map_type": ")" +
           map_type + "\"}" + more + "}";
  }
};

}  // namespace bev::test
