#include "core/engine/sample_query.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "tests/support/goldens.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/sample_config.hpp"
#include "tests/support/small_scenes.hpp"

namespace sample_query_test {

using bev::Engine;
using bev::Errc;
using bev::Error;
using bev::ImageForm;
using bev::SampleOptions;
using bev::test::MemoryStore;
using bev::test::run;
using bev::test::SampleConfig;
using bev::test::small_store;
using Floats = std::vector<float>;
using Shape = std::vector<std::size_t>;

namespace {

SampleOptions options_of(const SampleConfig& config = {}) {
  SampleOptions options;
  options.config = config.json();
  options.image = ImageForm::none;
  return options;
}

std::int64_t number(const bev::test::Run& run, std::string_view name) {
  return run.values<std::int64_t>(name).at(0);
}

/// Counts reads and answers them.
struct CountingStore {
  const MemoryStore& store;
  mutable std::map<std::string, int> reads = {};

  void answer(Engine& engine, const bev::store::Request& request) const {
    ++reads[request.key];
    store.answer(engine, request);
  }
  int most() const {
    int most = 0;
    for (const auto& [key, count] : reads) most = std::max(most, count);
    return most;
  }
};

template <class Aim>
Errc code_of(const MemoryStore& store, const SampleOptions& options, Aim&& aim) {
  Engine engine;
  const auto query = engine.samples(options);
  try {
    aim(*query);
    run(engine, *query, store);
  } catch (const Error& error) {
    // The engine remains usable: another sample can be built.
    query->at_frame(1);
    CHECK(run(engine, *query, store).arrays.size() > 20);
    return error.code();
  }
  return Errc::internal;  // nothing thrown
}

}  // namespace

TEST_SUITE("engine/sample_query") {
  TEST_CASE("a sample has L5Kit's keys, in its order, types and shapes") {
    const auto store = small_store();
    Engine engine;
    const auto query = engine.samples(options_of());
    query->at_frame(2);
    const auto sample = run(engine, *query, store);
    std::string keys;
    for (const auto& array : sample.arrays) keys += array.name + " ";
    CHECK(keys ==
          "frame_index target_positions target_yaws target_velocities "
          "target_availabilities history_positions history_yaws history_velocities "
          "history_availabilities world_to_image raster_from_agent raster_from_world "
          "agent_from_world world_from_agent centroid yaw extent history_extents "
          "future_extents curr_speed scene_index host_id timestamp track_id ");
    CHECK(sample["frame_index"].dtype == "<i8");
    CHECK(sample["frame_index"].shape == Shape{});
    CHECK(sample["target_yaws"].dtype == "<f4");
    CHECK(sample["target_yaws"].shape == Shape{3, 1});
    CHECK(sample["history_positions"].shape == Shape{3, 2});
    CHECK(sample["history_velocities"].shape == Shape{2, 2});
    CHECK(sample["raster_from_agent"].dtype == "<f8");
    CHECK(sample["raster_from_agent"].shape == Shape{3, 3});
    CHECK(sample["extent"].dtype == "<f8");
    CHECK(sample["host_id"].dtype == "|u1");
    CHECK(sample["host_id"].shape == Shape{70});
    query->at_agent(0);
    CHECK(run(engine, *query, store)["extent"].dtype == "<f4");
  }

  TEST_CASE("the ego vehicle is followed to both ends of its scene") {
    const auto store = small_store();
    Engine engine;
    const auto query = engine.samples(options_of());
    query->at_frame(6);  // frame 1 of scene 1, which has 5; two metres per frame
    const auto sample = run(engine, *query, store);
    CHECK(number(sample, "scene_index") == 1);
    CHECK(number(sample, "frame_index") == 1);
    CHECK(number(sample, "track_id") == -1);
    CHECK(number(sample, "timestamp") == 600'000'000);
    CHECK(sample.values<float>("history_positions") == Floats{0, 0, -2, 0, 0, 0});
    CHECK(sample.values<float>("history_availabilities") == Floats{1, 1, 0});
    CHECK(sample.values<float>("history_velocities") == Floats{4, 0, -4, 0});
    CHECK(sample.values<float>("curr_speed") == Floats{4});
    CHECK(sample.values<float>("target_positions") == Floats{2, 0, 4, 0, 6, 0});
    CHECK(sample.values<double>("centroid") == std::vector<double>{1002, -5});
    CHECK(sample.text("host_id").substr(0, 7) == std::string("host-1\0", 7));
    query->at_frame(-1);
    CHECK(run(engine, *query, store).values<float>("target_availabilities") ==
          Floats{0, 0, 0});
  }

  TEST_CASE("an agent is selected by row, and by scene, frame and track") {
    const auto store = small_store();
    Engine engine;
    const auto query = engine.samples(options_of());
    query->at_agent(3 * 7 + 2);  // frame 2 of scene 1, three metres per frame
    const auto by_row = run(engine, *query, store);
    CHECK(number(by_row, "track_id") == 3);
    CHECK(number(by_row, "frame_index") == 2);
    CHECK(by_row.values<float>("target_positions") == Floats{3, 0, 6, 0, 0, 0});
    CHECK(by_row.values<float>("future_extents") == Floats{4, 2, 4, 2, 0, 0});
    CHECK(by_row.values<double>("centroid") == std::vector<double>{1006, 2});
    const auto row = by_row.values<double>("raster_from_world");
    query->at_track(1, 2, 3);
    CHECK(run(engine, *query, store).values<double>("raster_from_world") == row);
    query->at_track(1, 2);
    CHECK(number(run(engine, *query, store), "track_id") == -1);
  }

  TEST_CASE("a sample takes few rounds, and reads nothing twice") {
    const auto store = small_store();
    const auto cold = [&](auto aim, std::size_t rounds) {
      const CountingStore counted{store};
      Engine engine;
      const auto query = engine.samples(options_of());
      aim(*query);
      CHECK(run(engine, *query, counted).rounds == rounds);
      CHECK(counted.most() == 1);
    };
    cold([](auto& query) { query.at_frame(7); }, 3);
    cold([](auto& query) { query.at_track(1, 2); }, 3);
    cold([](auto& query) { query.at_track(1, 2, 3); }, 4);
    cold([](auto& query) { query.at_agent(23); }, 3);
  }

  TEST_CASE("samples of one scene read its frames once") {
    const auto store = small_store({.agents_per_chunk = 100});
    const CountingStore counted{store};
    Engine engine;
    const auto query = engine.samples(options_of());
    std::set<const std::byte*> places;
    for (std::int64_t frame = 0; frame < 4; ++frame) {
      query->at_frame(frame);
      places.insert(run(engine, *query, counted)["target_positions"].bytes.data());
    }
    for (std::int64_t row = 0; row < 12; ++row) {
      query->at_agent(row);
      places.insert(run(engine, *query, counted)["target_positions"].bytes.data());
    }
    CHECK(places.size() == 1);
    CHECK(counted.most() == 1);
  }

  TEST_CASE("the ego vehicle alone reads no agents and no faces") {
    const auto store = small_store();
    const CountingStore counted{store};
    Engine engine;
    const auto query = engine.samples(options_of());
    query->at_frame(1);
    run(engine, *query, counted);
    for (const auto& read : counted.reads) {
      const auto& key = read.first;
      if (key.find("/.") != std::string::npos) continue;
      CAPTURE(key);
      CHECK(!key.starts_with("agents/"));
      CHECK(!key.starts_with("traffic_light_faces/"));
    }
  }

  TEST_CASE("unknown items are out of range, as in L5Kit") {
    const auto store = small_store();
    const auto options = options_of();
    const auto code = [&](auto aim) { return code_of(store, options, aim); };
    CHECK(code([](auto& q) { q.at_frame(10); }) == Errc::out_of_range);
    CHECK(code([](auto& q) { q.at_frame(-11); }) == Errc::invalid_argument);
    CHECK(code([](auto& q) { q.at_agent(30); }) == Errc::out_of_range);
    CHECK(code([](auto& q) { q.at_agent(-1); }) == Errc::out_of_range);
    CHECK(code([](auto& q) { q.at_track(2, 0); }) == Errc::out_of_range);
    CHECK(code([](auto& q) { q.at_track(0, 5); }) == Errc::out_of_range);
    CHECK(code([](auto& q) { q.at_track(0, 0, 4); }) == Errc::out_of_range);
    CHECK(code([](auto& q) { q.at_track(~std::uint64_t{0}, 0); }) ==
          Errc::out_of_range);
    CHECK(code([](auto&) {}) == Errc::invalid_argument);
  }

  TEST_CASE("a track at the threshold is refused") {
    const auto store = small_store();
    auto options = options_of();
    const auto at = options.config.find("\"filter_agents_threshold\": 0.5");
    options.config.replace(at, 30, "\"filter_agents_threshold\": 1.0");
    CHECK(code_of(store, options, [](auto& q) { q.at_track(0, 0, 1); }) ==
          Errc::out_of_range);
  }

  TEST_CASE("without history there is no speed") {
    const auto store = small_store();
    Engine engine;
    const auto query = engine.samples(options_of({.history = 0, .future = 0}));
    query->at_frame(0);
    const auto sample = run(engine, *query, store);
    CHECK(sample.arrays.size() == 23);
    CHECK(sample["history_velocities"].shape == Shape{0, 2});
    CHECK(sample["target_positions"].shape == Shape{0, 2});
    CHECK_THROWS_AS(sample["curr_speed"], Error);
  }

  TEST_CASE("a scene's samples count from its first frame and agent") {
    const auto store = small_store();
    Engine engine;
    auto options = options_of();
    options.scene = 1;
    const auto query = engine.samples(options);
    query->at_frame(1);
    const auto ego = run(engine, *query, store);
    CHECK(number(ego, "scene_index") == 0);
    CHECK(number(ego, "timestamp") == 600'000'000);
    query->at_agent(3 * 2 + 2);
    const auto agent = run(engine, *query, store);
    CHECK(number(agent, "track_id") == 3);
    CHECK(number(agent, "timestamp") == 700'000'000);
    query->at_track(0, 4);
    CHECK(number(run(engine, *query, store), "timestamp") == 900'000'000);
    const auto code = [&](auto aim) { return code_of(store, options, aim); };
    CHECK(code([](auto& q) { q.at_frame(5); }) == Errc::out_of_range);
    CHECK(code([](auto& q) { q.at_agent(15); }) == Errc::out_of_range);
    CHECK(code([](auto& q) { q.at_track(1, 0); }) == Errc::out_of_range);
  }

  TEST_CASE("the older layout, without faces, gives samples") {
    auto store = small_store();
    std::erase_if(store.objects, [](const auto& object) {
      return object.first.starts_with("traffic_light_faces") ||
             object.first == ".zmetadata";
    });
    Engine engine;
    const auto query = engine.samples(options_of());
    query->at_agent(4);
    CHECK(number(run(engine, *query, store), "track_id") == 2);
  }

  TEST_CASE("L5Kit's file in the older layout gives samples") {
    BEV_REQUIRE_GOLDENS();
    const bev::test::FolderStore store(bev::test::goldens() +
                                       "/inputs/old_format.zarr");
    Engine engine;
    const auto query = engine.samples(options_of());
    query->at_frame(29);
    const auto last = run(engine, *query, store);
    CHECK(number(last, "frame_index") == 29);
    CHECK(last.values<float>("history_availabilities") == Floats{1, 1, 1});
    query->at_frame(30);
    CHECK_THROWS_AS(run(engine, *query, store), Error);
  }
}

}  // namespace sample_query_test
