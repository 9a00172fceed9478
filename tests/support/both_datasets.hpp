#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/engine/engine.hpp"
#include "core/engine/sample_query.hpp"
#include "core/map/semantic_map.hpp"
#include "core/scan/facts_query.hpp"
#include "tests/support/changed_scenes.hpp"
#include "tests/support/sample_config.hpp"

namespace bev::test {

/// Compares answers array by array. Rows of `agents` differ by definition.
class Comparison {
 public:
  void same(const Run& found, const Run& expected) {
    REQUIRE(found.arrays.size() == expected.arrays.size());
    for (std::size_t i = 0; i < expected.arrays.size(); ++i) {
      const auto& a = found.arrays[i];
      const auto& b = expected.arrays[i];
      CAPTURE(b.name);
      if (b.name == "agents.row") continue;
      REQUIRE(a.name == b.name);
      CHECK(a.dtype == b.dtype);
      CHECK(a.shape == b.shape);
      CHECK(std::equal(a.bytes.begin(), a.bytes.end(), b.bytes.begin(), b.bytes.end()));
      ++arrays;
    }
  }

  std::size_t arrays = 0;
};

inline SampleOptions raster_options() {
  SampleOptions out;
  out.config = SampleConfig{.history = 3, .future = 4, .map_type = "box_debug"}.json();
  out.image = ImageForm::f32;
  return out;
}

inline SampleOptions vector_options() {
  SampleOptions out;
  out.vectorized = true;
  out.config = R"({
    "model_params": {"history_num_frames_ego": 1, "history_num_frames_agents": 3,
                     "future_num_frames": 4, "step_time": 0.1},
    "raster_params": {"filter_agents_threshold": 0.5,
                      "disable_traffic_light_faces": false},
    "data_generation_params": {
      "other_agents_num": 9, "max_agents_distance": 50,
      "lane_params": {"max_num_lanes": 1, "max_points_per_lane": 2,
                      "max_points_per_crosswalk": 3, "max_retrieval_distance_m": 30,
                      "max_num_crosswalks": 1}}})";
  return out;
}

inline std::shared_ptr<const map::SemanticMap> no_map() {
  return std::make_shared<const map::SemanticMap>();
}

/// Both data sets, and what is asked of them.
class Both {
 public:
  explicit Both(ChangedScene& data) : data_(data) {}

  template <class Ask>
  void ask(const Ask& ask) {
    compared_.same(run(data_.changed, *ask(data_.changed), data_.before),
                   run(data_.written, *ask(data_.written), data_.after));
  }

  /// Compares samples of the ego vehicle and of all tracks in all frames of all scenes.
  void samples(const SampleOptions& options) {
    const auto changed = data_.changed.samples(options, no_map());
    const auto written = data_.written.samples(options, no_map());
    for (std::size_t scene = 0; scene < data_.scenes.size(); ++scene) {
      const auto& records = data_.scenes[scene];
      for (std::size_t k = 0; k < records.frames.size(); ++k) {
        for (const auto& track : subjects(records, k)) {
          CAPTURE(scene);
          CAPTURE(k);
          changed->at_track(scene, k, track);
          written->at_track(scene, k, track);
          compared_.same(run(data_.changed, *changed, data_.before),
                         run(data_.written, *written, data_.after));
        }
      }
    }
  }

  void everything() {
    samples(raster_options());
    samples(vector_options());
    for (std::size_t scene = 0; scene < data_.scenes.size(); ++scene) {
      CAPTURE(scene);
      ask([&](Engine& engine) { return engine.scene(scene); });
      ask([&](Engine& engine) { return engine.timeline(scene); });
      ask([&](Engine& engine) { return engine.timeline(scene, 2); });
      ask([&](Engine& engine) {
        auto query = engine.facts();
        query->seek(scene);
        return query;
      });
      for (std::size_t k = 0; k < data_.scenes[scene].frames.size(); ++k) {
        ask([&](Engine& engine) {
          Engine::FrameOptions options;
          options.past = 5;
          options.future = 5;
          return engine.frame(scene, k, options);
        });
      }
    }
  }

  std::size_t arrays() const { return compared_.arrays; }

 private:
  /// The ego vehicle, and the tracks above the threshold.
  static std::vector<std::optional<std::uint64_t>> subjects(const SceneRecords& scene,
                                                            std::size_t frame) {
    std::vector<std::optional<std::uint64_t>> out{std::nullopt};
    const auto [begin, end] = scene.frames[frame].agent_index_interval;
    for (auto row = begin; row < end; ++row) {
      const auto& agent = scene.agents[static_cast<std::size_t>(row)];
      const auto& probability = agent.label_probabilities;
      if (probability[3] + probability[12] + probability[14] > 0.5F) {
        out.emplace_back(agent.track_id);
      }
    }
    return out;
  }

  ChangedScene& data_;
  Comparison compared_;
};

}  // namespace bev::test
