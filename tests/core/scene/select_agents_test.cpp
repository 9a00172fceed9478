#include "core/scene/select_agents.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/base/error.hpp"
#include "tests/support/memory_dataset.hpp"
#include "tests/support/small_scenes.hpp"

namespace select_agents_test {

using bev::Errc;
using bev::Error;
using bev::scene::AgentSelector;
using bev::scene::check_rules;
using bev::scene::Interval;
using bev::scene::mask_name;
using bev::scene::PastFutureTable;
using bev::scene::SceneSelection;
using bev::scene::SelectionColumns;
using bev::scene::SelectionRules;
using bev::test::error_code;
using bev::test::MemoryDataset;
using bev::test::small_store;
using Mask = std::vector<std::uint32_t>;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// An agent that passes every rule if the ego vehicle is at the origin.
struct Observation {
  std::uint64_t track_id = 1;
  float yaw = 0;
  float length = 4;
  float mass = 1;
  double x = 10;
};

/// A selector with frames given by the test.
class Fed {
 public:
  explicit Fed(const SelectionRules& rules = {}) : selector_(rules) {
    selector_.begin_scene();
  }

  Fed& frame(const std::vector<Observation>& observations) {
    SelectionColumns agents;
    for (const auto& observation : observations) {
      agents.centroid.push_back({observation.x, 0});
      agents.extent.push_back({observation.length, 2, 1});
      agents.yaw.push_back(observation.yaw);
      agents.track_id.push_back(observation.track_id);
      agents.label_probabilities.push_back({});
      agents.label_probabilities.back()[3] = observation.mass;
    }
    const auto count = static_cast<std::int64_t>(observations.size());
    selector_.add_frame({0, 0}, agents, {0, count});
    return *this;
  }

  Mask mask() {
    selector_.finish_scene();
    return {selector_.mask().begin(), selector_.mask().end()};
  }

  const bev::scene::SelectionReport& report() const { return selector_.report(); }
  AgentSelector& selector() { return selector_; }

 private:
  AgentSelector selector_;
};

/// A scene's mask with the rows of `agents` it belongs to.
struct Selected {
  Interval rows;
  Mask mask;
  bev::scene::SelectionReport report;
};

Selected select(MemoryDataset& data, std::uint64_t number) {
  SceneSelection scene;
  data.read(
      [&](bev::store::Reader& reader) { return scene.read(reader, *data, number); });
  AgentSelector selector({});
  scene.select(selector);
  return {scene.agent_rows(),
          {selector.mask().begin(), selector.mask().end()},
          selector.report()};
}

}  // namespace

TEST_SUITE("scene/select_agents") {
  TEST_CASE("a track counts its frames before and after") {
    Fed fed;
    fed.frame({{}, {.track_id = 2}}).frame({{}}).frame({{}});
    CHECK(fed.mask() == Mask{0, 2, 0, 0, 1, 1, 2, 0});
    CHECK(fed.report().total_agent_frames == 4);
    CHECK(fed.report().total_reject == 0);
  }

  TEST_CASE("an agent below the threshold or too far away is not seen") {
    Fed fed;
    fed.frame({{}}).frame({{.mass = 0.5F}}).frame({{}}).frame({{.x = 50}}).frame({{}});
    CHECK(fed.mask() == Mask(10, 0));
    CHECK(fed.report().agent_filter_probability_threshold == 1);
    CHECK(fed.report().av_distance == 1);
    CHECK(fed.report().hole == 0);
    CHECK(fed.report().total_reject == 2);
  }

  TEST_CASE("after a gap a track begins anew") {
    Fed fed;
    fed.frame({{}}).frame({{}}).frame({}).frame({{}}).frame({{}});
    CHECK(fed.mask() == Mask{0, 1, 1, 0, 0, 1, 1, 0});
    CHECK(fed.report().hole == 1);
  }

  TEST_CASE("two observations of a track in one frame are a gap") {
    Fed fed;
    fed.frame({{}, {}});
    CHECK(fed.mask() == Mask{0, 0, 0, 0});
    CHECK(fed.report().hole == 1);
  }

  TEST_CASE("turning is measured across half a turn, and 30 degrees are too much") {
    Fed fed;
    fed.frame({{.yaw = 3.1F}}).frame({{.yaw = -3.1F}}).frame({{.yaw = -2.5F}});
    CHECK(fed.mask() == Mask{0, 1, 1, 0, 0, 0});
    CHECK(fed.report().yaw == 1);
  }

  TEST_CASE("an area may change by less than the ratio, either way") {
    Fed fed;
    fed.frame({{.length = 4}}).frame({{.length = 4.25F}}).frame({{.length = 4}});
    fed.frame({{.length = 5}}).frame({{.length = 4}});
    CHECK(fed.mask() == Mask{0, 2, 1, 1, 2, 0, 0, 0, 0, 0});
    CHECK(fed.report().extent == 2);
  }

  TEST_CASE("an area of less than a hundredth of a square metre is like none") {
    Fed fed;
    fed.frame({{.length = 0.004F}}).frame({{.length = 0.004F}});
    CHECK(fed.mask() == Mask{0, 0, 0, 0});
    CHECK(fed.report().extent == 1);
  }

  TEST_CASE("NaN fails the rule that checks it") {
    Fed fed;
    fed.frame({{}}).frame({{.yaw = kNan}}).frame({{}});
    fed.frame({{.length = kNan}}).frame({{.mass = kNan}}).frame({{}});
    fed.frame({{.x = std::numeric_limits<double>::quiet_NaN()}});
    CHECK(fed.mask() == Mask(14, 0));
    CHECK(fed.report().yaw == 2);
    CHECK(fed.report().extent == 1);
    CHECK(fed.report().agent_filter_probability_threshold == 1);
    CHECK(fed.report().av_distance == 1);
  }

  TEST_CASE("the first rule that fails counts") {
    Fed fed;
    fed.frame({{}}).frame({}).frame({{.yaw = 3, .length = 9}});
    fed.frame({{.yaw = 0, .length = 4}}).frame({{.mass = 0, .x = 99}});
    CHECK(fed.report().hole == 1);
    CHECK(fed.report().yaw == 1);
    CHECK(fed.report().extent == 0);
    CHECK(fed.report().agent_filter_probability_threshold == 1);
    CHECK(fed.report().av_distance == 0);
    CHECK(fed.report().total_reject == 3);
  }

  TEST_CASE("scenes know nothing of each other, the report counts them all") {
    Fed fed;
    fed.frame({{}}).frame({{}});
    fed.mask();
    fed.selector().begin_scene();
    fed.frame({{}});
    CHECK(fed.mask() == Mask{0, 0});
    CHECK(fed.report().total_agent_frames == 3);
  }

  TEST_CASE("an infinite rule is no limit, one that is no number an error") {
    SelectionRules rules;
    rules.max_distance_to_ego = std::numeric_limits<double>::infinity();
    Fed fed(rules);
    fed.frame({{.x = 1e9}}).frame({{.x = 2e9}});
    CHECK(fed.mask() == Mask{0, 1, 1, 0});
    rules.max_extent_ratio = std::nan("");
    CHECK_THROWS_WITH_AS(AgentSelector{rules},
                         "selection: max_extent_ratio must not be NaN", Error);
  }

  TEST_CASE("a mask is named by its rules, by the threshold alone where L5Kit's are") {
    CHECK(mask_name({}) == "0.5");
    CHECK(mask_name({.label_threshold = 1e-5}) == "1e-05");
    CHECK(mask_name({.label_threshold = 1}) == "1.0");
    CHECK(mask_name({.max_distance_to_ego = 20}) == "0.5_y30.0_e1.1_d20.0");
    CHECK(mask_name({.max_distance_to_ego = std::numeric_limits<double>::infinity()}) ==
          "0.5_y30.0_e1.1_dinf");
  }

  TEST_CASE("the table counts agents with enough frames on both sides") {
    PastFutureTable table;
    table.add(std::vector<std::uint32_t>{0, 0, 10, 30, 50, 9, 49, 50});
    CHECK(table.count(0, 0) == 4);
    CHECK(table.count(1, 1) == 2);
    CHECK(table.count(1, 2) == 2);
    CHECK(table.count(2, 3) == 1);
    CHECK(table.count(3, 0) == 1);
    CHECK(table.count(3, 1) == 0);
  }

  TEST_CASE("a frame's agents are counted from the rows they are given as") {
    SelectionColumns agents;
    for (std::uint64_t i = 0; i < 4; ++i) {
      agents.centroid.push_back({i == 3 ? 99.0 : 1.0, 0});
      agents.extent.push_back({4, 2, 1});
      agents.yaw.push_back(0);
      agents.track_id.push_back(i % 2);
      agents.label_probabilities.push_back({});
      agents.label_probabilities.back()[3] = 1;
    }
    AgentSelector selector({});
    selector.begin_scene();
    selector.add_frame({0, 0}, agents, {0, 2});
    selector.add_frame({0, 0}, agents, {2, 4});
    selector.finish_scene();
    CHECK(Mask(selector.mask().begin(), selector.mask().end()) ==
          Mask{0, 1, 0, 0, 1, 0, 0, 0});
    CHECK(selector.report().av_distance == 1);
  }

  TEST_CASE("the distance is from the ego vehicle, and at the limit too far") {
    SelectionColumns agents;
    agents.centroid = {{103, 104}};
    agents.extent = {{4, 2, 1}};
    agents.yaw = {0};
    agents.track_id = {1};
    agents.label_probabilities.resize(1);
    agents.label_probabilities[0][15] = 1;
    const auto rejects = [&](double limit) {
      AgentSelector selector({.max_distance_to_ego = limit});
      selector.begin_scene();
      selector.add_frame({100, 100}, agents, {0, 1});
      return selector.report().av_distance;
    };
    CHECK(rejects(5) == 1);
    CHECK(rejects(5.001) == 0);
    CHECK(rejects(0) == 1);
    CHECK(rejects(-1) == 1);
  }

  TEST_CASE("tracks that interleave are counted apart") {
    Fed fed;
    fed.frame({{.track_id = 1}, {.track_id = 2}});
    fed.frame({{.track_id = 2}, {.track_id = 1}, {.track_id = 3}});
    fed.frame({{.track_id = 3}, {.track_id = 2}});
    CHECK(fed.mask() == Mask{0, 1, 0, 2, 1, 1, 1, 0, 0, 1, 1, 0, 2, 0});
  }

  TEST_CASE("a scene without frames, and frames without agents, have no mask") {
    Fed fed;
    CHECK(fed.mask().empty());
    fed.frame({}).frame({});
    CHECK(fed.mask().empty());
    CHECK(fed.report() == bev::scene::SelectionReport{});
  }

  TEST_CASE("each rule that is NaN is named") {
    constexpr auto kNone = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_WITH_AS(check_rules({.label_threshold = kNone}),
                         "selection: label_threshold must not be NaN", Error);
    CHECK_THROWS_WITH_AS(check_rules({.max_yaw_step_deg = kNone}),
                         "selection: max_yaw_step_deg must not be NaN", Error);
    CHECK_THROWS_WITH_AS(check_rules({.max_distance_to_ego = kNone}),
                         "selection: max_distance_to_ego must not be NaN", Error);
    check_rules({.label_threshold = -std::numeric_limits<double>::infinity()});
  }

  TEST_CASE("half a row of a mask is in no table") {
    PastFutureTable table;
    table.add({});
    table.add(std::vector<std::uint32_t>{50});
    CHECK(table.count(0, 0) == 0);
    constexpr auto kMax = std::numeric_limits<std::uint32_t>::max();
    table.add(std::vector<std::uint32_t>{kMax, kMax, 10});
    CHECK(table.count(3, 3) == 1);
  }

  TEST_CASE("a scene of a data set is selected by its own agents and positions") {
    MemoryDataset data(small_store());
    const auto selected = select(data, 1);
    CHECK(selected.rows == Interval{15, 30});
    CHECK(selected.mask == Mask{0, 4, 0, 4, 0, 4, 1, 3, 1, 3, 1, 3, 2, 2, 2,
                                2, 2, 2, 3, 1, 3, 1, 3, 1, 4, 0, 4, 0, 4, 0});
    CHECK(selected.report.total_agent_frames == 15);
    CHECK(selected.report.total_reject == 0);
  }

  TEST_CASE("memory of a longer scene leaves nothing behind") {
    MemoryDataset data(small_store());
    SceneSelection scene;
    AgentSelector selector({});
    for (const std::uint64_t number : {0U, 1U, 0U}) {
      data.read([&](bev::store::Reader& reader) {
        return scene.read(reader, *data, number);
      });
      scene.select(selector);
      CHECK(scene.agent_rows().begin == static_cast<std::int64_t>(15 * number));
      CHECK(selector.mask().size() == 30);
      CHECK(selector.mask()[1] == 4);
    }
    CHECK(selector.report().total_agent_frames == 45);
  }

  TEST_CASE("a scene that does not exist, or with hostile intervals, is not selected") {
    MemoryDataset data(small_store());
    CHECK_THROWS_WITH_AS(select(data, 2), "scene 2 is out of range (count 2)", Error);
    CHECK(error_code([&] { select(data, ~std::uint64_t{0}); }) == Errc::out_of_range);
    auto store = small_store();
    store.objects.at("frames/0").at(136 + 8) =
        std::byte{2};  // overlaps the frame before
    MemoryDataset damaged(store);
    CHECK(error_code([&] { select(damaged, 0); }) == Errc::corrupt_chunk);
    CHECK(select(damaged, 1).mask.size() == 30);
  }
}

}  // namespace select_agents_test
