#include "core/sample/params.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.hpp"

using bev::Errc;
using bev::Error;
using bev::sample::Config;
using bev::sample::sample_params;
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

json raster_config() {
  return json::parse(R"({
    "model_params": {"history_num_frames": 4, "future_num_frames": 6, "step_time": 0.1},
    "raster_params": {"raster_size": [20, 10], "pixel_size": [0.5, 0.5],
                      "ego_center": [0.25, 0.75], "set_origin_to_bottom": true,
                      "filter_agents_threshold": 0.5,
                      "disable_traffic_light_faces": true}})");
}

/// Returns code and message of a config with that value; internal if it is valid.
std::pair<Errc, std::string> raster_error(const char* path, const json& value) {
  auto tree = raster_config();
  tree[json::json_pointer(path)] = value;
  try {
    sample_params(Config::parse(tree.dump()));
  } catch (const Error& error) {
    return {error.code(), error.what()};
  }
  return {Errc::internal, ""};
}

}  // namespace

TEST_SUITE("sample/params") {
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
                         "config: sample is too large (found 1200008048 values, "
                         "expected at most 67108864)",
                         Error);
  }

  TEST_CASE("every number of a raster's config is read") {
    const auto params = sample_params(Config::parse(raster_config().dump()));
    CHECK(params.history_num_frames == 4);
    CHECK(params.future_num_frames == 6);
    CHECK(params.step_time == 0.1);
    CHECK(params.filter_agents_threshold == 0.5F);
    CHECK(params.disable_traffic_light_faces);
    CHECK(params.raster.raster_size == std::array<std::uint32_t, 2>{20, 10});
    CHECK(params.raster.pixel_size == std::array<double, 2>{0.5, 0.5});
    CHECK(params.raster.ego_center == std::array<double, 2>{0.25, 0.75});
    CHECK(params.raster.set_origin_to_bottom);
    CHECK(params.frames_per_step == 1);
    CHECK_FALSE(params.zero_velocities_at_gaps);
  }

  TEST_CASE("every number of a raster's config is needed") {
    const auto flat = raster_config().flatten();
    for (const auto& entry : flat.items()) {
      CAPTURE(entry.key());
      const auto pair = entry.key().find_last_of("01") == entry.key().size() - 1;
      CHECK(raster_error(entry.key().c_str(), nullptr).first ==
            (pair ? Errc::invalid_argument : Errc::missing_key));
    }
  }

  TEST_CASE("a raster's limits are named with the config's key") {
    const auto check = [](const char* path, const json& value, Errc code,
                          const char* message) {
      CAPTURE(path);
      CHECK(raster_error(path, value) == std::pair(code, std::string(message)));
    };
    check("/raster_params/pixel_size", {0.5, 0.25}, Errc::unsupported,
          "config: raster_params.pixel_size: pixels must be square");
    check("/raster_params/pixel_size", {0, 0}, Errc::invalid_argument,
          "config: raster_params.pixel_size: must be above 0");
    check("/raster_params/pixel_size", {-1, -1}, Errc::invalid_argument,
          "config: raster_params.pixel_size: must be above 0");
    check("/raster_params/raster_size", {0, 10}, Errc::invalid_argument,
          "config: raster_params.raster_size: invalid value (found [0,10], expected "
          "two integers, 1 to 8192)");
    check("/raster_params/raster_size", {8193, 10}, Errc::invalid_argument,
          "config: raster_params.raster_size: invalid value (found [8193,10], expected "
          "two integers, 1 to 8192)");
    check("/model_params/step_time", 1e-17, Errc::invalid_argument,
          "config: model_params.step_time: must be above 0");
    check("/model_params/history_num_frames", 10'001, Errc::invalid_argument,
          "config: model_params.history_num_frames: invalid value (found 10001, "
          "expected an integer, 0 to 10000)");
    check("/raster_params/set_origin_to_bottom", 1, Errc::invalid_argument,
          "config: raster_params.set_origin_to_bottom: invalid value (found 1, "
          "expected true or false)");
  }

  TEST_CASE("the section bevscope is optional, its values are checked") {
    auto tree = raster_config();
    tree["bevscope"] = {{"frames_per_step", 3}, {"velocities_at_gaps", "zero"}};
    const auto params = sample_params(Config::parse(tree.dump()));
    CHECK(params.frames_per_step == 3);
    CHECK(params.zero_velocities_at_gaps);
    CHECK(raster_error("/bevscope/frames_per_step", 0).second ==
          "config: bevscope.frames_per_step: must not be 0");
    const auto misspelt = raster_error("/bevscope/frame_per_step", 2);
    CHECK(misspelt.first == Errc::not_found);
    CHECK(misspelt.second ==
          "config: bevscope: unknown option (found \"frame_per_step\", nearest "
          "frames_per_step, expected one of aerial_padding, aerial_sub_pixel, "
          "frames_per_step, velocities_at_gaps)");
    CHECK(raster_error("/bevscope", 1).second ==
          "config: bevscope: invalid value (found 1, expected an object)");
    CHECK(raster_error("/bevscope/velocities_at_gaps", "none").second ==
          "config: bevscope.velocities_at_gaps: invalid value (found none, expected "
          "zero or difference)");
    CHECK(raster_error("/bevscope/velocities_at_gaps", "difference").first ==
          Errc::internal);  // no error
  }
}
