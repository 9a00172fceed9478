#include "native/town/plan.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <string>

#include "tests/native/town/town_plan.hpp"

namespace plan_test {

using namespace bev::town;

namespace {

const Lane& lane(int i) {
  return town_plan().lanes[static_cast<std::size_t>(i)];
}

}  // namespace

TEST_SUITE("town/plan") {
  TEST_CASE("a grid of six by six blocks, less two streets") {
    CHECK(town_plan().nodes.size() == 49);
    CHECK(town_plan().roads.size() == 2 * 6 * 7 - 2);
    CHECK(town_plan().blocks.size() == 36);
  }

  TEST_CASE("a lane goes on where its followers begin, in their direction") {
    for (const Lane& from : town_plan().lanes) {
      for (const int next : from.next) {
        const Pose end = from.path.at(from.path.length());
        const Pose begin = lane(next).path.at(0);
        CAPTURE(from.id);
        REQUIRE(length(end.at - begin.at) < 0.01);
        REQUIRE(dot(end.direction, begin.direction) > 0.99);
      }
    }
  }

  TEST_CASE("every lane has a successor") {
    for (const Lane& from : town_plan().lanes) {
      if (from.kind != LaneKind::parking) REQUIRE(!from.next.empty());
    }
  }

  TEST_CASE("turns bend to the side that their name says") {
    for (const Lane& turn : town_plan().lanes) {
      if (turn.kind != LaneKind::turn) continue;
      const double bend =
          cross(turn.path.at(0).direction, turn.path.at(turn.path.length()).direction);
      CAPTURE(turn.id);
      if (turn.turn == Turn::left) REQUIRE(bend > 0.5);
      if (turn.turn == Turn::right) REQUIRE(bend < -0.5);
      if (turn.turn == Turn::through) REQUIRE(std::fabs(bend) < 0.6);
      REQUIRE(turn.path.narrowest() > 5);
    }
  }

  TEST_CASE("neighbours lie side by side") {
    for (const Lane& here : town_plan().lanes) {
      if (here.right < 0) continue;
      const Lane& right = lane(here.right);
      const double apart = length(here.path.at(5).at - right.path.at(5).at);
      REQUIRE(apart == doctest::Approx((here.width + right.width) / 2).epsilon(0.1));
    }
  }

  TEST_CASE("conflicts are mutual") {
    int found = 0;
    for (std::size_t i = 0; i < town_plan().lanes.size(); ++i) {
      for (const Conflict& conflict : town_plan().lanes[i].conflicts) {
        bool back = false;
        for (const Conflict& other : lane(conflict.other).conflicts) {
          back = back || other.other == static_cast<int>(i);
        }
        REQUIRE(back);
        ++found;
      }
    }
    CHECK(found > 1000);
  }

  TEST_CASE("every corner of the footways joins a sidewalk and a way round") {
    for (const FootCorner& corner : town_plan().corners) {
      REQUIRE(corner.sidewalk >= 0);
      REQUIRE(corner.around >= 0);
    }
    for (const Footway& way : town_plan().footways) REQUIRE(way.path.length() > 1);
  }

  TEST_CASE("ids are four characters and nobody shares one") {
    std::set<std::string> seen;
    const auto add = [&](const std::string& id) {
      REQUIRE(id.size() == 4);
      REQUIRE(seen.insert(id).second);
    };
    for (const Road& road : town_plan().roads) add(road.id);
    for (const Node& node : town_plan().nodes) add(node.id);
    for (const Node& node : town_plan().nodes) add(node.junction_id);
    for (const Lane& l : town_plan().lanes) add(l.id);
    for (const Crosswalk& crosswalk : town_plan().crosswalks) add(crosswalk.id);
    for (const Light& light : town_plan().lights) {
      add(light.id);
      for (const std::string& face : light.faces) add(face);
    }
  }

  TEST_CASE("another seed is another town") {
    CHECK(length(make_plan(2).nodes[0].at - town_plan().nodes[0].at) > 1);
  }
}

}  // namespace plan_test
