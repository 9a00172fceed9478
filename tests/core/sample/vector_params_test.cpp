#include "core/sample/vector_params.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.hpp"

using bev::Errc;
using bev::Error;
using bev::sample::Config;
using bev::sample::vector_params;
using bev::sample::VectorParams;
using nlohmann::json;

namespace {

json config() {
  return json::parse(R"({
    "model_params": {"history_num_frames_ego": 2, "history_num_frames_agents": 7,
                     "future_num_frames": 12, "step_time": 0.2},
    "raster_params": {"filter_agents_threshold": 0.25,
                      "disable_traffic_light_faces": true},
    "data_generation_params": {
      "other_agents_num": 30, "max_agents_distance": 35.5,
      "lane_params": {"max_num_lanes": 31, "max_points_per_lane": 20,
                      "max_points_per_crosswalk": 21, "max_retrieval_distance_m": 36,
                      "max_num_crosswalks": 22}}})");
}

VectorParams read(const json& tree) {
  return vector_params(Config::parse(tree.dump()));
}

Errc code_with(const char* path, const json& value) {
  auto tree = config();
  tree[json::json_pointer(path)] = value;
  try {
    read(tree);
  } catch (const Error& error) {
    return error.code();
  }
  return Errc::internal;
}

}  // namespace

TEST_SUITE("sample/vector_params") {
  TEST_CASE("every number of a config is read") {
    const auto params = read(config());
    CHECK(params.history_num_frames_ego == 2);
    CHECK(params.history_num_frames_agents == 7);
    CHECK(params.history_num_frames_max() == 7);
    CHECK(params.future_num_frames == 12);
    CHECK(params.step_time == 0.2);
    CHECK(params.filter_agents_threshold == 0.25F);
    CHECK(params.disable_traffic_light_faces);
    CHECK(params.other_agents_num == 30);
    CHECK(params.max_agents_distance == 35.5);
    CHECK(params.max_num_lanes == 31);
    CHECK(params.max_points_per_lane == 20);
    CHECK(params.max_points_per_crosswalk == 21);
    CHECK(params.max_num_crosswalks == 22);
    CHECK(params.max_retrieval_distance_m == 36);
  }

  TEST_CASE("every number is needed") {
    const auto flat = config().flatten();
    for (const auto& entry : flat.items()) {
      CAPTURE(entry.key());
      CHECK(code_with(entry.key().c_str(), nullptr) == Errc::missing_key);
    }
  }

  TEST_CASE("numbers that make no sample are refused") {
    CHECK(code_with("/model_params/step_time", 0) == Errc::invalid_argument);
    CHECK(code_with("/model_params/future_num_frames", 0) == Errc::out_of_range);
    CHECK(code_with("/data_generation_params/other_agents_num", -1) ==
          Errc::invalid_argument);
    CHECK(code_with("/data_generation_params/other_agents_num", 1.5) ==
          Errc::invalid_argument);
    CHECK(code_with("/data_generation_params/lane_params/max_points_per_lane", 1) ==
          Errc::invalid_argument);
  }

  TEST_CASE("sizes that would fill the memory are refused before it is asked for") {
    CHECK(code_with("/data_generation_params/lane_params/max_num_lanes",
                    std::uint64_t{1} << 40) == Errc::invalid_argument);
    CHECK(code_with("/data_generation_params/other_agents_num", 10'001) ==
          Errc::invalid_argument);
    auto tree = config();
    auto& lanes = tree["data_generation_params"]["lane_params"];
    lanes["max_num_lanes"] = 10'000;
    lanes["max_points_per_lane"] = 10'000;
    CHECK_THROWS_WITH_AS(read(tree),
                         "config: a sample of 1200008048 numbers, expected at most "
                         "67108864",
                         Error);
  }
}
