#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "core/engine/sample_query.hpp"
#include "core/scene/writer.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/sample_config.hpp"

namespace sample_damage_test {

// Samples of invalid data: a typed error, no allocation from invalid sizes, and the
// engine remains usable.

using bev::Engine;
using bev::Errc;
using bev::Error;
using bev::scene::Agent;
using bev::scene::Frame;
using bev::scene::Scene;
using bev::test::MemoryStore;
using bev::test::run;
using bev::test::SampleConfig;

namespace {

constexpr auto kFar = std::numeric_limits<std::int64_t>::max();
constexpr auto kNan = std::numeric_limits<double>::quiet_NaN();

/// Two scenes of four frames with two agents each, before they are damaged.
struct Records {
  std::vector<Scene> scenes;
  std::vector<Frame> frames;
  std::vector<Agent> agents;

  Records() {
    for (std::int64_t f = 0; f < 8; ++f) {
      Frame frame;
      frame.agent_index_interval = {2 * f, 2 * f + 2};
      frame.ego_translation = {static_cast<double>(f), 0, 0};
      frames.push_back(frame);
      for (std::uint64_t track = 1; track <= 2; ++track) {
        Agent agent;
        agent.centroid = {static_cast<double>(f), 5};
        agent.track_id = track;
        agent.label_probabilities[3] = 1;
        agents.push_back(agent);
      }
    }
    scenes = {{{0, 4}, "host", 0, 0}, {{4, 8}, "host", 0, 0}};
  }

  MemoryStore store() const {
    MemoryStore store;
    bev::scene::WriterOptions options;
    options.codec = "none";
    bev::scene::Writer writer(store, options);
    writer.append(std::span<const Scene>(scenes));
    writer.append(std::span<const Frame>(frames));
    writer.append(std::span<const Agent>(agents));
    writer.close();
    return store;
  }
};

using Aim = std::function<void(bev::SampleQuery&)>;

/// Returns the error of a sample of damaged records. Then the same query builds the
/// undamaged sample `whole`.
std::optional<Errc> error_of(const std::function<void(Records&)>& damage,
                             const Aim& aim, const Aim& whole = {}) {
  Records records;
  damage(records);
  const auto store = records.store();
  Engine engine;
  bev::SampleOptions options;
  options.config = SampleConfig{.history = 1, .future = 1}.json();
  options.image = bev::ImageForm::u8;
  const auto query = engine.samples(options);
  std::optional<Errc> code;
  try {
    aim(*query);
    run(engine, *query, store);
  } catch (const Error& error) {
    code = error.code();
  }
  if (whole) {
    whole(*query);
    CHECK(run(engine, *query, store).arrays.size() == 25);
  }
  return code;
}

void frame_1(bev::SampleQuery& query) {
  query.at_frame(1);
}
void frame_6(bev::SampleQuery& query) {
  query.at_frame(6);
}
void track_1_of_1(bev::SampleQuery& query) {
  query.at_track(0, 1, 1);
}
void track_1_of_6(bev::SampleQuery& query) {
  query.at_track(1, 2, 1);
}
void scene_1(bev::SampleQuery& query) {
  query.at_track(1, 2);
}

}  // namespace

TEST_SUITE("engine/sample_damage") {
  TEST_CASE("undamaged records give samples") {
    CHECK(error_of([](Records&) {}, frame_1, track_1_of_6) == std::nullopt);
    CHECK(error_of([](Records&) {}, track_1_of_1, frame_6) == std::nullopt);
  }

  TEST_CASE("invalid scenes are named, others are read") {
    const auto scene_0 = [](bev::scene::Interval frames) {
      return [frames](Records& r) { r.scenes[0].frame_index_interval = frames; };
    };
    for (const bev::scene::Interval frames :
         {bev::scene::Interval{4, 0}, {-3, 4}, {0, 9}, {0, kFar}, {kFar, kFar}}) {
      CAPTURE(frames.begin);
      CAPTURE(frames.end);
      CHECK(error_of(scene_0(frames), frame_1, scene_1) == Errc::corrupt_chunk);
      CHECK(error_of(scene_0(frames), track_1_of_1, scene_1) == Errc::corrupt_chunk);
    }
    // Scene 1 begins before scene 0 ends.
    CHECK(error_of(scene_0({0, 6}), frame_1, scene_1) == Errc::corrupt_chunk);
    // Frame 1 belongs to no scene.
    CHECK(error_of(scene_0({2, 4}), frame_1, frame_6) == Errc::out_of_range);
  }

  TEST_CASE("invalid agent intervals are corrupt when they are read") {
    const auto frame_of = [](std::size_t frame, bev::scene::Interval agents) {
      return [=](Records& r) { r.frames[frame].agent_index_interval = agents; };
    };
    for (const bev::scene::Interval agents :
         {bev::scene::Interval{4, 2}, {-1, 4}, {2, 17}, {2, kFar}, {0, 4}, {3, 4}}) {
      CAPTURE(agents.begin);
      CAPTURE(agents.end);
      const auto damage = frame_of(1, agents);
      CHECK(error_of(damage, track_1_of_1, track_1_of_6) == Errc::corrupt_chunk);
      // The ego vehicle's sample needs none of them.
      CHECK(error_of(damage, frame_1, track_1_of_6) == std::nullopt);
    }
  }

  TEST_CASE("the sample's subject must have a finite pose") {
    CHECK(error_of([](Records& r) { r.frames[1].ego_translation[0] = kNan; }, frame_1,
                   frame_6) == Errc::corrupt_chunk);
    CHECK(error_of([](Records& r) { r.frames[1].ego_rotation[0] = kNan; }, frame_1,
                   frame_6) == Errc::corrupt_chunk);
    CHECK(error_of([](Records& r) { r.agents[2].centroid[1] = INFINITY; }, track_1_of_1,
                   track_1_of_6) == Errc::corrupt_chunk);
    CHECK(error_of([](Records& r) { r.agents[2].yaw = NAN; }, track_1_of_1,
                   track_1_of_6) == Errc::corrupt_chunk);
    // In another frame, non-finite values are returned as recorded.
    CHECK(error_of([](Records& r) { r.agents[4].yaw = NAN; }, track_1_of_1) ==
          std::nullopt);
    CHECK(error_of([](Records& r) { r.frames[2].ego_translation[0] = 1e300; },
                   frame_1) == std::nullopt);
  }

  TEST_CASE("a truncated chunk is corrupt until forget_failures") {
    const auto store = Records().store();
    auto damaged = store;
    damaged.objects["frames/0"].resize(100);
    Engine engine;
    bev::SampleOptions options;
    options.config = SampleConfig().json();
    const auto query = engine.samples(options);
    query->at_frame(1);
    CHECK_THROWS_AS(run(engine, *query, damaged), Error);
    CHECK_THROWS_AS(run(engine, *query, store), Error);
    engine.forget_failures("frames/0");
    CHECK(run(engine, *query, store).arrays.size() == 25);
  }

  TEST_CASE("long histories are limited to the scene") {
    const auto store = Records().store();
    Engine engine;
    bev::SampleOptions options;
    options.config = SampleConfig{.history = 10'000,
                                  .future = 10'000,
                                  .more = R"(, "bevscope": {"frames_per_step": 10000})"}
                         .json();
    const auto query = engine.samples(options);
    query->at_agent(7);
    const auto sample = run(engine, *query, store);
    CHECK(sample["history_positions"].shape == std::vector<std::size_t>{10'001, 2});
    const auto seen = sample.values<float>("history_availabilities");
    CHECK(seen[0] == 1);
    CHECK(seen[1] == 0);
  }
}

}  // namespace sample_damage_test
