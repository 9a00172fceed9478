#include "core/engine/vector_part.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/engine/sample_query.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/small_scenes.hpp"

using bev::Engine;
using bev::Errc;
using bev::SampleKind;
using bev::SampleOptions;
using bev::map::SemanticMap;
using bev::scene::AgentIndex;
using bev::test::error_code;
using bev::test::small_store;
using bev::test::SmallScenes;
using nlohmann::json;
using Ids = std::vector<std::int64_t>;
using Flags = std::vector<std::uint8_t>;

namespace {

json config() {
  return json::parse(R"({
    "model_params": {"history_num_frames_ego": 1, "history_num_frames_agents": 2,
                     "future_num_frames": 2, "step_time": 0.1},
    "raster_params": {"filter_agents_threshold": 0.5,
                      "disable_traffic_light_faces": false},
    "data_generation_params": {
      "other_agents_num": 4, "max_agents_distance": 20,
      "lane_params": {"max_num_lanes": 1, "max_points_per_lane": 2,
                      "max_points_per_crosswalk": 3, "max_retrieval_distance_m": 30,
                      "max_num_crosswalks": 1}}})");
}

SampleOptions options(SampleKind kind, const json& tree = config()) {
  SampleOptions out;
  out.config = tree.dump();
  out.kind = kind;
  out.vectorized = true;
  return out;
}

std::shared_ptr<const SemanticMap> no_map() {
  return std::make_shared<const SemanticMap>();
}

/// The synthetic data set, and a query for it. Ego is at (2 f, -5) in frame f.
struct Asked {
  bev::test::MemoryStore store = small_store({.scenes = 2, .frames = 120, .agents = 3});
  Engine engine;
  std::unique_ptr<bev::SampleQuery> query;

  explicit Asked(const SampleOptions& how) : query(engine.samples(how, no_map())) {}

  bev::test::Run run() { return bev::test::run(engine, *query, store); }
};

}  // namespace

TEST_SUITE("engine/vector_part") {
  TEST_CASE("the ego vehicle's history has the configured length") {
    Asked asked(options(SampleKind::ego));
    asked.query->at_frame(4);
    const auto sample = asked.run();
    CHECK(sample.values<float>("history_positions") ==
          std::vector<float>{0, 0, -2, 0, 0, 0});
    CHECK(sample.values<std::uint8_t>("history_availabilities") == Flags{1, 1, 0});
    CHECK(sample.values<float>("target_positions") == std::vector<float>{2, 0, 4, 0});
    CHECK(sample.values<float>("agent_trajectory_polyline") ==
          std::vector<float>{0, 0, 0, -2, 0, 0, 0, 0, 0});
    CHECK(sample.values<float>("speed") == std::vector<float>{20});
    CHECK(sample.values<std::int64_t>("type") == Ids{3});
    CHECK(sample["extent"].dtype == "<f8");
    CHECK(sample["yaw"].shape.empty());
  }

  TEST_CASE("other agents are in the ego vehicle's frame") {
    Asked asked(options(SampleKind::ego));
    asked.query->at_frame(4);
    const auto sample = asked.run();
    CHECK(sample.values<std::int64_t>("all_other_agents_track_ids") == Ids{1, 2, 3, 0});
    const auto now = sample.values<float>("all_other_agents_history_positions");
    CHECK(now[0] == -4);  // agent 1 at (4, 0), ego at (8, -5)
    CHECK(now[1] == 5);
    CHECK(now[4] == -6);  // two frames earlier at (2, 0)
    CHECK(sample.values<float>("all_other_agents_future_positions")[2] == -2);
    CHECK(sample["other_agents_polyline"].shape == std::vector<std::size_t>{4, 3, 3});
  }

  TEST_CASE("an agent's sample omits that agent from the others") {
    Asked asked(options(SampleKind::agent));
    asked.query->at_track(0, 4, 2);
    const auto sample = asked.run();
    CHECK(sample.values<std::int64_t>("all_other_agents_track_ids") == Ids{1, 3, 0, 0});
    CHECK(sample.values<std::int64_t>("track_id") == Ids{2});
    CHECK(sample["extent"].dtype == "<f4");
    asked.query->at_track(0, 4, 9);
    // ValueError in L5Kit
    CHECK(error_code([&] { asked.run(); }) == Errc::invalid_argument);
  }

  TEST_CASE("ego among the agents is the first row; the row count is unchanged") {
    Asked asked(options(SampleKind::ego_agent));
    asked.query->at_frame(4);
    const auto sample = asked.run();
    CHECK(sample.values<std::int64_t>("all_other_agents_track_ids") ==
          Ids{-1, 1, 2, 3});
    CHECK(sample.values<std::int64_t>("all_other_agents_types") == Ids{3, 3, 3, 3});
    CHECK(sample.values<float>("all_other_agents_history_positions")[2] == -2);
    // No track has more than 10 history frames, so no future is provided.
    CHECK(sample.values<std::uint8_t>("all_other_agents_future_availability") ==
          Flags(8, 0));
    CHECK(sample.values<double>("all_valid_agents_track_ids") ==
          std::vector<double>(50, 0.0));
  }

  TEST_CASE("futures of long tracks are available") {
    auto tree = config();
    tree["model_params"]["history_num_frames_agents"] = 10;
    tree["model_params"]["history_num_frames_ego"] = 9;
    Asked asked(options(SampleKind::ego_agent, tree));
    asked.query->at_frame(14);
    CHECK(asked.run().values<std::uint8_t>("all_other_agents_future_availability") ==
          Flags{0, 0, 1, 1, 1, 1, 1, 1});
  }

  TEST_CASE("evaluation uses frame 99 of every scene and its valid agents") {
    auto valid = std::make_shared<AgentIndex>();
    Flags mask(720);
    mask[4] = mask[360] = mask[365] = 1;  // scene 1 begins with row 360
    valid->append_mask(mask);
    auto how = options(SampleKind::ego_agent);
    how.eval = true;
    how.valid_agents = valid;
    Asked asked(how);
    asked.query->at_frame(-1);
    const auto sample = asked.run();
    CHECK(sample.values<std::int64_t>("scene_index") == Ids{1});
    CHECK(sample.values<double>("centroid") == std::vector<double>{1198, -5});
    const auto ids = sample.values<double>("all_valid_agents_track_ids");
    CHECK(std::vector<double>(ids.begin(), ids.begin() + 3) ==
          std::vector<double>{1, 3, 0});
    asked.query->at_frame(2);
    CHECK(error_code([&] { asked.run(); }) == Errc::out_of_range);
    asked.query->at_frame(-3);
    CHECK(error_code([&] { asked.run(); }) == Errc::invalid_argument);
  }

  TEST_CASE("more than 50 valid agents of a scene are refused") {
    auto valid = std::make_shared<AgentIndex>();
    valid->append_mask(Flags(51, 1));
    auto how = options(SampleKind::ego_agent);
    how.eval = true;
    how.valid_agents = valid;
    Asked asked(how);
    asked.query->at_frame(0);
    CHECK(error_code([&] { asked.run(); }) == Errc::limit_exceeded);
  }

  TEST_CASE("invalid options are refused on creation") {
    Engine engine;
    const auto code = [&](const SampleOptions& how) {
      return error_code([&] { engine.samples(how, no_map()); });
    };
    CHECK(error_code([&] { engine.samples(options(SampleKind::ego)); }) ==
          Errc::invalid_argument);  // without a map
    auto eval = options(SampleKind::ego);
    eval.eval = true;
    CHECK(code(eval) == Errc::invalid_argument);
    auto alone = config();
    alone["data_generation_params"]["other_agents_num"] = 0;
    CHECK(code(options(SampleKind::ego_agent, alone)) == Errc::invalid_argument);
    CHECK_FALSE(code(options(SampleKind::ego, alone)).has_value());  // none thrown
    CHECK(code(options(SampleKind::ego, json::object())) == Errc::missing_key);
    auto rasterized = options(SampleKind::ego_agent);
    rasterized.vectorized = false;
    CHECK(code(rasterized) == Errc::invalid_argument);
  }

  TEST_CASE("kind ego_agent has no agent samples") {
    Asked asked(options(SampleKind::ego_agent));
    asked.query->at_agent(3);
    CHECK(error_code([&] { asked.run(); }) == Errc::invalid_argument);
  }
}
