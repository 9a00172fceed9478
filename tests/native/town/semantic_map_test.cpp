#include "native/town/semantic_map.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "core/map/meta.hpp"
#include "core/map/semantic_map.hpp"
#include "native/town/aerial.hpp"
#include "native/town/scene_maker.hpp"
#include "tests/native/town/town_plan.hpp"

namespace semantic_map_test {

using namespace bev;

namespace {

const map::SemanticMap& decoded() {
  static const map::SemanticMap kMap = [] {
    const std::string bytes = town::semantic_map(town::town_plan());
    const auto meta =
        map::parse_meta(town::meta_json(town::aerial_frame(town::town_plan(), 0.5)));
    return map::SemanticMap::parse(std::as_bytes(std::span(bytes)), meta);
  }();
  return kMap;
}

double apart(const geom::Vec3& a, town::Vec2 b) {
  return town::length({a.x - b.x, a.y - b.y});
}

}  // namespace

TEST_SUITE("town/semantic_map") {
  TEST_CASE("everything of the plan is in the map") {
    CHECK(decoded().lanes().size() == town::town_plan().lanes.size());
    CHECK(decoded().crosswalks().size() == town::town_plan().crosswalks.size());
    CHECK(decoded().lights().size() == town::town_plan().lights.size());
    CHECK(decoded().faces().size() == 3 * town::town_plan().lights.size());
    CHECK(decoded().junctions().size() == town::town_plan().nodes.size());
    CHECK(decoded().segments().size() == town::town_plan().roads.size());
  }

  TEST_CASE("boundaries come back within a centimetre and a half") {
    for (std::size_t i = 0; i < town::town_plan().lanes.size(); ++i) {
      const town::Lane& lane = town::town_plan().lanes[i];
      const map::Lane& read = decoded().lanes()[i];
      REQUIRE(read.id == lane.id);
      const double half = lane.width / 2;
      REQUIRE(apart(read.left.points.front(), lane.path.beside(0, half)) < 0.015);
      REQUIRE(apart(read.right.points.back(),
                    lane.path.beside(lane.path.length(), -half)) < 0.015);
      const double z = town::ground({read.left.points[1].x, read.left.points[1].y});
      REQUIRE(std::fabs(read.left.points[1].z - z) < 0.1);
    }
  }

  TEST_CASE("links name what exists") {
    for (const map::Lane& lane : decoded().lanes()) {
      REQUIRE(decoded().contains(lane.parent));
      for (const auto& id : lane.lanes_ahead) REQUIRE(decoded().lane_row(id));
      for (const auto& id : lane.yield_to_lanes) REQUIRE(decoded().lane_row(id));
      if (!lane.adjacent_left.empty()) REQUIRE(decoded().lane_row(lane.adjacent_left));
    }
  }

  TEST_CASE("turns and approaches obey the light of their arm, with three faces") {
    std::size_t controlled = 0;
    for (std::size_t i = 0; i < town::town_plan().lanes.size(); ++i) {
      const town::Lane& lane = town::town_plan().lanes[i];
      const map::Lane& read = decoded().lanes()[i];
      REQUIRE(read.in_junction == (lane.kind == town::LaneKind::turn));
      if (read.traffic_controls.empty()) continue;
      ++controlled;
      REQUIRE(read.traffic_controls.size() == 4);
      REQUIRE(decoded().light_row(read.traffic_controls[0]));
      const auto red = decoded().face_row(read.traffic_controls[1]);
      REQUIRE(red);
      REQUIRE(decoded().faces()[*red].colour == map::Colour::red);
    }
    CHECK(controlled > 500);
  }

  TEST_CASE("crosswalks lie across their street") {
    for (std::size_t i = 0; i < town::town_plan().crosswalks.size(); ++i) {
      const auto& outline = decoded().crosswalks()[i].outline;
      REQUIRE(outline.size() == 4);
      for (std::size_t k = 0; k < 4; ++k) {
        REQUIRE(apart(outline[k], town::town_plan().crosswalks[i].outline[k]) < 0.015);
      }
    }
  }
}

}  // namespace semantic_map_test
