#include "core/scene/select_agents.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/base/error.hpp"

using bev::Error;
using bev::scene::AgentSelector;
using bev::scene::mask_name;
using bev::scene::PastFutureTable;
using bev::scene::SelectionColumns;
using bev::scene::SelectionRules;
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

  TEST_CASE("what is NaN fails the rule that looks at it") {
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
}
