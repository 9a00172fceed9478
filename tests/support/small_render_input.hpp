#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/sample/render_context.hpp"
#include "core/sample/render_input.hpp"

namespace bev::test {

/// An agent of a synthetic frame.
struct SmallAgent {
  double x = 0;
  double y = 0;
  std::uint64_t track_id = 1;
  float probability = 1;  ///< of label car
  float yaw = 0;
  float length = 4;
  float width = 2;
};

/// The columns of a frame of a synthetic history.
///
/// Lifetime  Must outlive the result of rows().
class SmallFrame {
 public:
  explicit SmallFrame(const std::vector<SmallAgent>& agents) {
    for (const SmallAgent& agent : agents) {
      centroid_.push_back({agent.x, agent.y});
      extent_.push_back({agent.length, agent.width, 1.5F});
      yaw_.push_back(agent.yaw);
      track_id_.push_back(agent.track_id);
      sample::Labels labels{};
      labels[3] = agent.probability;
      labels_.push_back(labels);
    }
  }

  sample::HistoryFrame rows(geom::Vec2 ego_in_world, double ego_yaw = 0) const {
    sample::HistoryFrame frame;
    frame.agents.centroid = centroid_;
    frame.agents.extent = extent_;
    frame.agents.yaw = yaw_;
    frame.agents.track_id = track_id_;
    frame.agents.label_probabilities = labels_;
    frame.ego_in_world = ego_in_world;
    frame.ego_yaw = ego_yaw;
    return frame;
  }

 private:
  std::vector<std::array<double, 2>> centroid_;
  std::vector<std::array<float, 3>> extent_;
  std::vector<float> yaw_;
  std::vector<std::uint64_t> track_id_;
  std::vector<sample::Labels> labels_;
};

/// Traffic light faces, all with the same state.
class SmallFaces {
 public:
  explicit SmallFaces(const std::vector<std::string_view>& ids, bool lit = true)
      : status_(ids.size(),
                lit ? std::array<float, 3>{1, 0, 0} : std::array<float, 3>{0, 1, 0}) {
    text_.offsets.push_back(0);
    for (const std::string_view id : ids) {
      text_.utf8.insert(text_.utf8.end(), id.begin(), id.end());
      text_.offsets.push_back(static_cast<std::uint32_t>(text_.utf8.size()));
    }
  }

  sample::FaceRows rows() const { return {status_, text_, 0}; }

 private:
  std::vector<std::array<float, 3>> status_;
  zarr::Text text_;
};

/// 40 x 30 pixels of half a metre, with the ego vehicle or selected agent in the
/// middle; y counts from the top.
inline sample::RasterFrame small_frame() {
  return {{40, 30}, {0.5, 0.5}, {0.5, 0.5}, false};
}

/// Returns the render input of an ego vehicle at a position, heading along +x.
inline sample::RenderInput small_render_input(
    std::span<const sample::HistoryFrame> history, geom::Vec2 centroid,
    std::optional<std::uint64_t> track_id = {}) {
  sample::RenderInput input;
  input.history = history;
  input.track_id = track_id;
  input.centroid = centroid;
  input.raster_from_local = sample::raster_from_local(small_frame());
  input.raster_from_world =
      sample::raster_from_world(input.raster_from_local, centroid, 0);
  return input;
}

/// Returns a config of a map type with small_frame() and two history frames.
inline std::string small_config(std::string_view map_type) {
  return R"({"model_params": {"history_num_frames": 2, "future_num_frames": 1,
    "step_time": 0.1, "render_ego_history": true},
    "raster_params": {"raster_size": [40, 30], "pixel_size": [0.5, 0.5],
    "ego_center": [0.5, 0.5], "set_origin_to_bottom": false,
    "filter_agents_threshold": 0.5, "disable_traffic_light_faces": false,
    "map_type": ")" +
         std::string(map_type) + "\"}}";
}

}  // namespace bev::test
