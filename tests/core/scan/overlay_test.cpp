#include "core/scene/overlay.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <vector>

#include "core/base/error.hpp"
#include "core/engine/agent_index_query.hpp"
#include "core/engine/engine.hpp"
#include "core/engine/sample_query.hpp"
#include "core/engine/select_query.hpp"
#include "core/scan/reader_query.hpp"
#include "core/scan/statistics_query.hpp"
#include "tests/support/both_datasets.hpp"
#include "tests/support/changed_scenes.hpp"
#include "tests/support/driven_scenes.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/small_scenes.hpp"

namespace overlay_test {

using bev::Engine;
using bev::Errc;
using bev::scene::Agent;
using bev::scene::Overlay;
using bev::test::Both;
using bev::test::ChangedScene;
using bev::test::Comparison;
using bev::test::driven_store;
using bev::test::error_code;
using bev::test::MemoryStore;
using bev::test::no_map;
using bev::test::raster_options;
using bev::test::run;
using bev::test::SceneRecords;
using bev::test::small_store;
using bev::test::vector_options;

namespace {

constexpr std::uint64_t kTrack = 4;

void without_track(SceneRecords& scene) {
  bev::test::remove_agents(scene,
                           [](const Agent& one) { return one.track_id == kTrack; });
}

}  // namespace

TEST_SUITE("scan/overlay") {
  TEST_CASE("without a track, all answers equal those of a data set written so") {
    ChangedScene data(driven_store(7, 2, 24), 0, without_track);
    Both both(data);
    both.everything();
    CHECK(both.arrays() > 10'000);
  }

  TEST_CASE("moved agents, another ego vehicle, new rows and lights are followed") {
    ChangedScene data(small_store({.scenes = 3, .frames = 9, .agents = 5}), 1,
                      [](SceneRecords& scene) {
                        for (auto& agent : scene.agents) {
                          if (agent.track_id == 2) agent.centroid[1] += 1.5;
                        }
                        scene.frames[4].ego_translation[0] += 0.5;
                        scene.faces[3].traffic_light_face_status = {0, 0, 1};
                        auto added = scene.agents.back();
                        added.track_id = 99;
                        scene.agents.push_back(added);
                        ++scene.frames.back().agent_index_interval.end;
                      });
    Both both(data);
    both.everything();
    CHECK(both.arrays() > 5'000);
  }

  TEST_CASE("a scene may have fewer frames, and its records are copied so") {
    ChangedScene data(driven_store(3, 2, 20), 1, [](SceneRecords& scene) {
      bev::scene::chop(scene, 12);
      scene.scene.end_time = 77;
    });
    Both both(data);
    both.everything();
    const auto query = data.changed.scene_records();
    std::vector<SceneRecords> copied;
    while (query->next()) {
      run(data.changed, *query, data.before);
      copied.push_back(query->records());
    }
    CHECK(bev::test::store_of(copied).objects == data.after.objects);
    const auto samples = data.changed.samples(raster_options());
    samples->at_track(1, 12);
    CHECK(error_code([&] { run(data.changed, *samples, data.before); }) ==
          Errc::out_of_range);
  }

  TEST_CASE("an empty overlay changes nothing") {
    const auto store = driven_store(5, 2, 10);
    Engine stored;
    Engine same = stored.with(std::make_shared<Overlay>());
    Comparison compared;
    for (std::uint64_t k = 0; k < 10; ++k) {
      compared.same(run(same, *same.frame(1, k), store),
                    run(stored, *stored.frame(1, k), store));
    }
    compared.same(run(same, *same.scene(0), store),
                  run(stored, *stored.scene(0), store));
    CHECK(compared.arrays > 200);
  }

  TEST_CASE("a query that is used again follows every change") {
    ChangedScene data(driven_store(9, 1, 16), 0, without_track);
    const auto query = data.changed.samples(vector_options(), no_map());
    const auto ask = [&](Engine& engine, bev::SampleQuery& samples,
                         const MemoryStore& store) {
      samples.at_track(0, 8);
      std::vector<std::vector<std::byte>> out;
      for (const auto& array : run(engine, samples, store).arrays) {
        out.emplace_back(array.bytes.begin(), array.bytes.end());
      }
      return out;
    };
    const auto once = [&](Engine& engine, const MemoryStore& store) {
      return ask(engine, *engine.samples(vector_options(), no_map()), store);
    };
    const auto recorded = once(data.stored, data.before);
    const auto removed = once(data.written, data.after);
    CHECK(recorded != removed);
    for (int i = 0; i < 3; ++i) {
      CHECK(ask(data.changed, *query, data.before) == removed);
      data.overlay->drop(0);
      CHECK(ask(data.changed, *query, data.before) == recorded);
      data.overlay->put(0, bev::test::arrays_in(data.after, 0));
    }
    CHECK(ask(data.stored, *data.stored.samples(vector_options(), no_map()),
              data.before) == recorded);
  }

  TEST_CASE("frames keep their index in the data set") {
    ChangedScene data(driven_store(7, 2, 10), 1, without_track);
    const auto query = data.changed.frame_at(13);
    const auto found = run(data.changed, *query, data.before);
    CHECK(found.values<std::int64_t>("frame.index") == std::vector<std::int64_t>{13});
    const auto samples = data.changed.samples(raster_options());
    samples->at_frame(13);
    const auto sample = run(data.changed, *samples, data.before);
    CHECK(sample.values<std::int64_t>("frame_index") == std::vector<std::int64_t>{3});
    CHECK(sample.values<std::int64_t>("scene_index") == std::vector<std::int64_t>{1});
  }

  TEST_CASE("what numbers stored rows is refused, with the reason") {
    ChangedScene data(small_store({.scenes = 2, .frames = 10, .agents = 5}), 1,
                      without_track);
    auto& engine = data.changed;
    CHECK_THROWS_WITH_AS(engine.rows({.array = "agents"}),
                         "agents: not of scenes that are changed in memory; save the "
                         "data set first",
                         bev::Error);
    CHECK(error_code([&] { engine.summary(); }) == Errc::invalid_argument);
    CHECK(error_code([&] { engine.select(); }) == Errc::invalid_argument);
    CHECK(error_code([&] { engine.agent_index({}); }) == Errc::invalid_argument);
    CHECK(error_code([&] { engine.statistics({}); }) == Errc::invalid_argument);
    CHECK(error_code([&] { engine.reader(R"({"from": "agents"})"); }) ==
          Errc::invalid_argument);
    const auto samples = engine.samples(raster_options());
    samples->at_agent(50);
    CHECK(error_code([&] { run(engine, *samples, data.before); }) ==
          Errc::invalid_argument);
    samples->at_agent(3);  // of the scene as stored
    CHECK(error_code([&] { run(engine, *samples, data.before); }) == std::nullopt);
    CHECK(run(data.stored, *data.stored.rows({.array = "agents"}), data.before)
              .arrays.size() == 6);
  }
}

}  // namespace overlay_test
