#include "core/unroll/loop.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/engine/sample_query.hpp"
#include "tests/support/changed_scenes.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/sample_config.hpp"

namespace loop_test {

using bev::Errc;
using bev::Error;
using bev::sample::SampleId;
using bev::scene::Agent;
using bev::scene::Interval;
using bev::scene::SceneArrays;
using bev::test::arrays_in;
using bev::test::error_code;
using bev::test::SceneRecords;
using bev::test::store_of;
using bev::unroll::Config;
using bev::unroll::Loop;
using bev::unroll::Steps;
using Tracks = std::vector<std::uint64_t>;

namespace {

constexpr std::size_t kCar = 3, kVan = 4;

/// An agent of a frame: its track, x on the line y = 0, and label.
struct Placed {
  std::uint64_t track;
  double x;
  std::size_t label = kCar;
};

/// The ego vehicle stands at (0, 0, 7).
SceneRecords records_of(const std::vector<std::vector<Placed>>& frames) {
  SceneRecords out;
  const auto count = static_cast<std::int64_t>(frames.size());
  out.scene = {{0, count}, "host", 0, count * 100};
  for (std::size_t k = 0; k < frames.size(); ++k) {
    bev::scene::Frame frame;
    frame.timestamp = static_cast<std::int64_t>(k) * 100;
    frame.ego_translation = {0, 0, 7};
    frame.agent_index_interval.begin = std::ssize(out.agents);
    for (const auto& [track, x, label] : frames[k]) {
      Agent agent;
      agent.track_id = track;
      agent.centroid = {x, 0};
      agent.extent = {4, 2, 1.5F};
      agent.velocity = {3, 4};
      agent.label_probabilities[label] = 0.9F;
      out.agents.push_back(agent);
    }
    frame.agent_index_interval.end = std::ssize(out.agents);
    out.frames.push_back(frame);
  }
  return out;
}

/// Two cars that leave; track 3 is a van that stands near.
std::vector<std::vector<Placed>> usual() {
  return {{{1, 10}, {2, 20}, {3, 5, kVan}},
          {{1, 20}, {2, 20}, {3, 5, kVan}},
          {{1, 40}, {2, 20}, {3, 5, kVan}}};
}

bev::test::MemoryStore store(const std::vector<std::vector<Placed>>& frames) {
  return store_of({records_of(frames)});
}

Loop loop_of(const std::vector<std::vector<Placed>>& frames,
             const Config& config = {}) {
  return Loop(config, {{0, *arrays_in(store(frames), 0)}});
}

Tracks tracks_of(const std::vector<SampleId>& ids) {
  Tracks out;
  for (const auto& id : ids) out.push_back(*id.track_id);
  return out;
}

/// Moves subjects forward by x metres and turns them.
void drive(Loop& loop, const std::vector<SampleId>& ids, double x, double turn = 0) {
  std::vector<double> positions;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    positions.push_back(x);
    positions.push_back(0);
  }
  loop.take(ids, {positions, std::vector<double>(ids.size(), turn)});
}

std::vector<double> xs(const SceneArrays& arrays) {
  std::vector<double> out;
  for (const auto& centroid : arrays.agents.centroid) out.push_back(centroid[0]);
  return out;
}

template <class Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_SUITE("unroll/loop") {
  TEST_CASE("cars are controlled when close and released when far") {
    auto loop = loop_of(usual());  // 15 and 30 metres
    CHECK(tracks_of(loop.agents(0)) == Tracks{1});
    CHECK(tracks_of(loop.agents(1)) == Tracks{1});
    CHECK(loop.agents(2).empty());
    auto fresh = loop_of(usual());
    CHECK(fresh.agents(1).empty());  // both are new at 20 metres
  }

  TEST_CASE("distances are limits themselves, and of the simulated ego vehicle") {
    auto loop = loop_of({{{1, 15}, {2, 14.999}}, {{1, 30}, {2, 30}}});
    CHECK(tracks_of(loop.agents(0)) == Tracks{2});
    CHECK(loop.agents(1).empty());
    loop.put_ego(0, 1, {16, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1});
    CHECK(tracks_of(loop.agents(1)) == Tracks{1, 2});
  }

  TEST_CASE("only cars above the threshold are controlled") {
    Config config;
    config.filter_agents_threshold = 0.9F;
    CHECK(loop_of(usual(), config).agents(0).empty());
    config.filter_agents_threshold = 0.89F;
    CHECK(tracks_of(loop_of(usual(), config).agents(0)) == Tracks{1});
    config.distance_th_close = 1000;
    CHECK(tracks_of(loop_of(usual(), config).agents(0)) == Tracks{1, 2});
  }

  TEST_CASE("the log is replayed for what is not simulated") {
    Config config;
    config.use_agents_gt = true;
    auto loop = loop_of(usual(), config);
    CHECK(loop.agents(0).empty());
    CHECK(loop.ego(0).size() == 1);
    config = {};
    config.use_ego_gt = true;
    auto other = loop_of(usual(), config);
    CHECK(other.ego(0).empty());
    CHECK(other.agents(0).size() == 1);
  }

  TEST_CASE("a driven car replaces its row in place, without velocity") {
    auto loop = loop_of(usual());
    drive(loop, loop.agents(0), 1, 0.5);
    const auto& arrays = loop.arrays(0);
    CHECK(xs(arrays) == std::vector<double>{10, 20, 5, 11, 20, 5, 40, 20, 5});
    CHECK(arrays.agents.yaw[3] == 0.5F);
    CHECK(arrays.agents.velocity[3] == std::array<float, 2>{0, 0});
    CHECK(arrays.agents.velocity[4] == std::array<float, 2>{3, 4});
    CHECK(arrays.agents.extent[3] == std::array<float, 3>{4, 2, 1.5F});
    CHECK(arrays.agents.label_probabilities[3][kCar] == 1);
    CHECK(arrays.frames.agent_index_interval ==
          std::vector<Interval>{{0, 3}, {3, 6}, {6, 9}});
  }

  TEST_CASE("a controlled car lives on where the log ends") {
    auto frames = usual();
    frames[1].erase(frames[1].begin());
    frames[2].erase(frames[2].begin());
    auto loop = loop_of(frames);
    drive(loop, loop.agents(0), 1);
    drive(loop, loop.agents(1), 1);
    const auto& arrays = loop.arrays(0);
    CHECK(arrays.agents.track_id == Tracks{1, 2, 3, 2, 3, 1, 2, 3, 1});
    CHECK(xs(arrays) == std::vector<double>{10, 20, 5, 20, 5, 11, 20, 5, 12});
    CHECK(arrays.frames.agent_index_interval ==
          std::vector<Interval>{{0, 3}, {3, 6}, {6, 9}});
    CHECK(loop.recorded()->find(0)->agents.size() == 7);
  }

  TEST_CASE("a released car jumps to its place in the log") {
    auto frames = usual();
    frames.push_back({{1, 60}});
    auto loop = loop_of(frames);
    drive(loop, loop.agents(0), 29);  // to 39 metres
    CHECK(loop.agents(1).empty());
    CHECK(xs(loop.arrays(0))[6] == 40);
  }

  TEST_CASE("the ego vehicle keeps its height; its rotation is that of its yaw") {
    auto loop = loop_of(usual());
    drive(loop, loop.ego(0), 2, 3);
    drive(loop, loop.ego(1), 1, 3);
    const auto& frames = loop.arrays(0).frames;
    CHECK(frames.ego_translation[1] == std::array<double, 3>{2, 0, 7});
    CHECK(frames.ego_translation[2][0] == doctest::Approx(2 + std::cos(3.0)));
    CHECK(frames.ego_translation[2][1] == doctest::Approx(std::sin(3.0)));
    CHECK(frames.ego_rotation[2][0] == doctest::Approx(std::cos(6.0)));
    CHECK(frames.ego_rotation[2][3] == doctest::Approx(std::sin(6.0)));
    const auto rollout = loop.rollout(0);
    CHECK(rollout.ego_yaw[2] == doctest::Approx(6 - 2 * std::acos(-1.0)));
  }

  TEST_CASE("yaws of agents are not wrapped") {
    auto loop = loop_of(usual());
    drive(loop, loop.agents(0), 1, 3);
    drive(loop, loop.agents(1), 1, 3);
    CHECK(loop.arrays(0).agents.yaw[6] == 6.0F);
  }

  TEST_CASE("what a model returns for the last frame is not used") {
    auto loop = loop_of(usual());
    drive(loop, loop.ego(2), 100);
    CHECK(loop.arrays(0).frames.ego_translation[2] == std::array<double, 3>{0, 0, 7});
    CHECK(error_code([&] { loop.ego(3); }) == Errc::out_of_range);
    CHECK(error_code([&] { loop.agents(3); }) == Errc::out_of_range);
  }

  TEST_CASE("only the first step of a model is used") {
    auto loop = loop_of(usual());
    const std::vector<double> positions{1, 2, 30, 40, 50, 60}, yaws{0.25, 7, 8};
    loop.take(loop.ego(0), {positions, yaws, 3});
    CHECK(loop.arrays(0).frames.ego_translation[1] == std::array<double, 3>{1, 2, 7});
  }

  TEST_CASE("scenes are cut to the simulated frames, and their history with them") {
    std::vector<std::vector<Placed>> frames;
    for (int k = 0; k < 20; ++k) frames.push_back({{1, k + 0.5}});
    Config config;
    config.start_frame_index = 10;
    config.num_simulation_steps = 4;
    auto loop = loop_of(frames, config);
    CHECK(loop.size() == 4);
    CHECK(xs(loop.arrays(0)) == std::vector<double>{10.5, 11.5, 12.5, 13.5});
    CHECK(loop.arrays(0).scenes.start_time.front() == 1000);
    CHECK(loop.arrays(0).scenes.end_time.front() == 1300);
    const auto rollout = loop.rollout(0);
    CHECK(rollout.first_frame == 10);
    CHECK(rollout.timestamps == std::vector<std::int64_t>{1000, 1100, 1200, 1300});
    CHECK(rollout.counts == std::vector<std::uint32_t>{1, 1, 1, 1});
    CHECK(rollout.x == xs(loop.arrays(0)));
    bev::rollout::check(rollout, "loop");
  }

  TEST_CASE("new agents are hidden on request, in the recording, too") {
    Config config;
    config.disable_new_agents = true;
    auto loop = loop_of(usual(), config);
    const auto& agents = loop.arrays(0).agents;
    CHECK(agents.track_id == Tracks{1, 2, 3, 1, 2, 3, 1, 2, 3});
    CHECK(xs(loop.arrays(0)) == std::vector<double>{10, 0, 0, 20, 0, 0, 40, 0, 0});
    CHECK(agents.label_probabilities[1][kVan] == -1);
    CHECK(agents.velocity[1] == std::array<float, 2>{3, 4});
    CHECK(xs(*loop.recorded()->find(0)) == xs(loop.arrays(0)));
  }

  TEST_CASE("scenes of several lengths are simulated at once, in the order given") {
    auto longer = usual();
    longer.push_back({{8, 1}});
    const auto arrays = *arrays_in(store(longer), 0);
    Loop loop({}, {{5, arrays}, {2, *arrays_in(store(usual()), 0)}});
    CHECK(loop.size() == 3);
    CHECK(loop.scenes() == std::vector<std::uint64_t>{5, 2});
    const auto agents = loop.agents(0);
    REQUIRE(agents.size() == 2);
    CHECK(agents[0].scene == 5);
    CHECK(agents[1].scene == 2);
    drive(loop, {agents[1]}, 1);
    CHECK(xs(loop.arrays(5))[3] == 20);
    CHECK(xs(loop.arrays(2))[3] == 11);
  }

  TEST_CASE("samples of the loop see simulated history and the recorded future") {
    const auto objects = store(usual());
    auto loop = loop_of(usual());
    bev::Engine stored;
    auto engine = stored.with(loop.overlay());
    bev::SampleOptions options;
    options.config = bev::test::SampleConfig{.history = 1, .future = 1}.json();
    options.image = bev::ImageForm::none;
    const auto samples = engine.samples(options);
    const auto sample_at = [&](std::uint64_t frame) {
      samples->at_track(0, frame, 1);
      const auto found = bev::test::run(engine, *samples, objects);
      return std::pair(found.values<float>("history_positions")[2],
                       found.values<float>("target_positions")[0]);
    };
    CHECK(sample_at(1) == std::pair(-10.0F, 20.0F));
    drive(loop, loop.agents(0), 4);
    CHECK(sample_at(1) == std::pair(-4.0F, 26.0F));
    CHECK(sample_at(0).second == 4);
  }

  TEST_CASE("simulations that cannot be are refused, and the reason is named") {
    const auto arrays = *arrays_in(store(usual()), 0);
    CHECK(message_of([] { Loop({}, {}); }) == "simulation: needs at least one scene");
    CHECK(message_of([&] {
            Loop({}, {{1, arrays}, {1, arrays}});
          }) == "simulation: scenes must not repeat (found 1 twice)");
    Config config;
    config.num_simulation_steps = 4;
    CHECK(message_of([&] { loop_of(usual(), config); }) ==
          "simulation: ends at frame 4, but the shortest scene has 3");
    config.num_simulation_steps = 0;
    CHECK(message_of([&] { loop_of(usual(), config); }) ==
          "simulation: steps must not be 0");
    config.num_simulation_steps = std::nullopt;
    config.start_frame_index = 3;
    CHECK(error_code([&] { loop_of(usual(), config); }) == Errc::invalid_argument);
    config.start_frame_index = ~std::uint64_t{0};
    config.num_simulation_steps = 2;
    CHECK(error_code([&] { loop_of(usual(), config); }) == Errc::invalid_argument);
    auto damaged = arrays;
    damaged.frames.agent_index_interval[1].end = 1'000'000;
    CHECK(error_code([&] { Loop({}, {{0, damaged}}); }) == Errc::invalid_argument);
  }

  TEST_CASE("outputs that do not fit change nothing") {
    auto loop = loop_of(usual());
    const auto ids = loop.ego(0);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> two{1, 1}, one{0}, bad{nan, 1};
    CHECK(
        message_of([&] {
          loop.take(ids, {two, two});
        }) ==
        "simulation: lengths differ (found 2 coordinates and 2 yaws, expected 2 and 1 "
        "for 1 subjects of 1 steps)");
    CHECK(message_of([&] {
            loop.take(ids, {bad, one});
          }) == "simulation: positions or yaws are not finite (found 1 of 1 subjects)");
    const std::vector<SampleId> absent{{0, 0, 77}}, other{{4, 0}}, far{{0, 9}};
    CHECK(message_of([&] {
            loop.take(absent, {two, one});
          }) == "scene 0: track 77 not found in frame 0");
    CHECK(error_code([&] { loop.take(other, {two, one}); }) == Errc::out_of_range);
    CHECK(error_code([&] { loop.take(far, {two, one}); }) == Errc::out_of_range);
    const std::vector<SampleId> mixed{{0, 0}, {0, 1}};
    CHECK(message_of([&] {
            loop.take(mixed, {std::vector<double>(4), two});
          }) == "simulation: subjects of several frames (found 0 and 1)");
    CHECK(loop.arrays(0).frames.ego_translation[1] == std::array<double, 3>{0, 0, 7});
    loop.take({}, {});
  }

  TEST_CASE("a rollout may have some of the frames") {
    auto loop = loop_of(usual());
    const auto all = loop.rollout(0);
    const auto two = loop.rollout(0, 1, 3);
    CHECK(all.ego_x.size() == 3);
    CHECK(all.counts == std::vector<std::uint32_t>{3, 3, 3});
    CHECK(two.timestamps == std::vector<std::int64_t>{100, 200});
    CHECK(two.x == std::vector<double>(all.x.begin() + 3, all.x.end()));
    CHECK(two.track_id.size() == 6);
    CHECK(two.first_frame == 1);
    CHECK(error_code([&] { loop.rollout(0, 0, 4); }) == Errc::out_of_range);
    CHECK(error_code([&] { loop.rollout(0, 2, 1); }) == Errc::out_of_range);
  }

  TEST_CASE("rows may be replaced by the host") {
    auto loop = loop_of(usual());
    auto arrays = loop.arrays(0);
    arrays.agents.centroid[0][0] = 1;
    const auto version = loop.overlay()->version();
    loop.put_scene(0, arrays);
    CHECK(loop.overlay()->version() > version);
    CHECK(xs(*loop.overlay()->find(0))[0] == 1);
    CHECK(xs(*loop.recorded()->find(0))[0] == 10);
    arrays.frames = {};
    CHECK(error_code([&] { loop.put_scene(0, arrays); }) == Errc::invalid_argument);
    CHECK(error_code([&] { loop.put_scene(3, arrays); }) == Errc::out_of_range);
    CHECK(xs(loop.arrays(0))[0] == 1);
  }
}

}  // namespace loop_test
