#include "core/scene/nearest_agents.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <vector>

#include "core/base/error.hpp"
#include "tests/support/error_code.hpp"

namespace nearest_agents_test {

using bev::Errc;
using bev::scene::nearest_agents;
using bev::scene::SceneArrays;
using bev::scene::SubjectRules;
using bev::test::error_code;
using Tracks = std::vector<std::uint64_t>;

namespace {

constexpr std::size_t kCar = 3, kCyclist = 12;

struct Placed {
  std::uint64_t track;
  double x;
  float probability = 0.9F;
  std::size_t label = kCar;
};

/// Frames with the ego vehicle at (1, 0).
SceneArrays scene_of(const std::vector<std::vector<Placed>>& frames) {
  SceneArrays out;
  for (const auto& agents : frames) {
    const auto begin = static_cast<std::int64_t>(out.agents.size());
    for (const auto& [track, x, probability, label] : agents) {
      out.agents.track_id.push_back(track);
      out.agents.centroid.push_back({x, 0});
      out.agents.label_probabilities.push_back({});
      out.agents.label_probabilities.back()[label] = probability;
    }
    out.frames.timestamp.push_back(0);
    out.frames.ego_translation.push_back({1, 0, 0});
    out.frames.agent_index_interval.push_back(
        {begin, static_cast<std::int64_t>(out.agents.size())});
  }
  return out;
}

Tracks found(const std::vector<Placed>& agents, const SubjectRules& rules = {}) {
  return nearest_agents(scene_of({{{99, 1}}, agents}), 1, rules);
}

SubjectRules labelled(const std::vector<std::string>& names) {
  SubjectRules out;
  out.set_labels(names);
  return out;
}

}  // namespace

TEST_SUITE("scene/nearest_agents") {
  TEST_CASE("agents of a frame are in the order of their distances") {
    CHECK(found({{1, 9}, {2, 2}, {3, -4}}) == Tracks{2, 3, 1});
    CHECK(found({{1, 3}, {2, -1}, {3, 3}}) == Tracks{1, 2, 3});
    CHECK(found({}).empty());
  }

  TEST_CASE("the nearest ones are kept") {
    SubjectRules rules;
    rules.most = 2;
    CHECK(found({{1, 9}, {2, 2}, {3, -4}}, rules) == Tracks{2, 3});
    rules.most = 0;
    CHECK(found({{1, 9}}, rules).empty());
  }

  TEST_CASE("agents are above the threshold, as in samples") {
    CHECK(found({{1, 2, 0.5F}, {2, 3, 0.51F}}) == Tracks{2});
    SubjectRules rules;
    rules.threshold = 0.4F;
    CHECK(found({{1, 2, 0.5F}, {2, 3, 0.51F}}, rules) == Tracks{1, 2});
  }

  TEST_CASE("labels are chosen by name") {
    const std::vector<Placed> agents{{1, 2}, {2, 3, 0.9F, kCyclist}};
    CHECK(found(agents, labelled({"CYCLIST"})) == Tracks{2});
    CHECK(found(agents, labelled({"PERCEPTION_LABEL_CAR"})) == Tracks{1});
    CHECK(found(agents, labelled({"CAR", "CYCLIST"})) == Tracks{1, 2});
    CHECK(found(agents, labelled({})) == Tracks{1, 2});
    CHECK_THROWS_WITH_AS(labelled({"CARR"}),
                         "labels: unknown label CARR (did you mean CAR?)", bev::Error);
  }

  TEST_CASE("positions that are not finite come last") {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    CHECK(found({{1, kNone}, {2, 1e300}, {3, kNone}, {4, 2}}) == Tracks{4, 2, 1, 3});
  }

  TEST_CASE("other frames are out of range") {
    const auto scene = scene_of({{}, {}});
    CHECK(error_code([&] { nearest_agents(scene, 2, {}); }) == Errc::out_of_range);
  }
}

}  // namespace nearest_agents_test
