#include "core/sample/vector_map.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/error.hpp"
#include "tests/support/small_map.hpp"
#include "tests/support/split_map.hpp"

namespace vector_map_test {

using bev::Errc;
using bev::Error;
using bev::geom::Affine2;
using bev::geom::Vec2;
using bev::map::SemanticMap;
using bev::sample::VectorMap;
using bev::sample::VectorMapBuilder;
using bev::sample::VectorParams;
using namespace bev::test;
using Ids = std::vector<std::string_view>;

namespace {

/// Two lanes of 3 points per line and two crosswalks of 2 points.
VectorParams params() {
  VectorParams out;
  out.max_num_lanes = 2;
  out.max_points_per_lane = 3;
  out.max_num_crosswalks = 2;
  out.max_points_per_crosswalk = 2;
  out.max_retrieval_distance_m = 20;
  return out;
}

std::shared_ptr<const SemanticMap> map_of(const std::vector<Message>& elements) {
  return std::make_shared<const SemanticMap>(
      SemanticMap::parse(fragment(elements).span(), equator_meta()));
}

/// Lanes of 10 m north from x = 0, 6, 12, the one at 6 with a light; crosswalks at 1,
/// 2, 3.
std::shared_ptr<const SemanticMap> street() {
  return map_of({lane("L0", 0), lane("L6", 6, Message().id(8, "T").id(8, "R")),
                 lane("L12", 12), control("T", 29), control("R", 11),
                 control("stop", 7), crosswalk("C1", 1), crosswalk("C2", 2),
                 crosswalk("C3", 3)});
}

VectorMap built(const VectorParams& how, Vec2 centroid, const Ids& active = {},
                const Affine2& agent_from_world = {}) {
  VectorMapBuilder builder(how, street());
  VectorMap out;
  builder.build(centroid, agent_from_world, active, out);
  return out;
}

Errc code_of(std::shared_ptr<const SemanticMap> map, const Ids& active) {
  VectorMapBuilder builder(params(), std::move(map));
  VectorMap out;
  try {
    builder.build({0, 0}, {}, active, out);
  } catch (const Error& error) {
    return error.code();
  }
  return Errc::internal;
}

float at(const std::vector<float>& points, std::size_t line, std::size_t point,
         std::size_t axis) {
  return std::round(points[(line * 3 + point) * 3 + axis] * 1000) / 1000;
}

}  // namespace

TEST_SUITE("sample/vector_map") {
  TEST_CASE("the nearest lanes come first, left and right in their direction") {
    const auto out = built(params(), {13, 2});
    CHECK(out.lanes.size() == 4 * 3 * 3);
    CHECK(at(out.lanes, 0, 0, 0) == 10);  // left line of the lane at 12
    CHECK(at(out.lanes, 1, 0, 0) == 14);
    CHECK(at(out.lanes, 1, 2, 1) == 10);
    CHECK(at(out.lanes, 2, 0, 0) == 4);  // of the lane at 6
    CHECK(at(out.lanes_mid, 0, 1, 0) == 12);
    CHECK(at(out.lanes_mid, 0, 1, 1) == 5);
  }

  TEST_CASE("a lane farther than the retrieval distance is not there") {
    auto how = params();
    how.max_retrieval_distance_m = 3;
    const auto out = built(how, {0, 5});
    CHECK(at(out.lanes, 1, 0, 0) == 2);
    CHECK(at(out.lanes, 2, 0, 0) == 0);
    CHECK(out.lanes_mid_availabilities[3] == 0);
  }

  TEST_CASE("points out of reach keep their place and are not available") {
    auto how = params();
    how.max_retrieval_distance_m = 5;
    const auto out = built(how, {0, 0}, {}, {});
    CHECK(at(out.lanes_mid, 0, 2, 1) == 10);
    CHECK(out.lanes_mid_availabilities ==
          std::vector<std::uint8_t>{1, 0, 0, 0, 0, 0});  // at 0 m, at 5 m, at 10 m
  }

  TEST_CASE("everything is in the agent's frame") {
    const auto out =
        built(params(), {0, 0}, {}, {.xx = 1, .tx = 100, .yy = 1, .ty = -7});
    CHECK(at(out.lanes_mid, 0, 0, 0) == 100);
    CHECK(at(out.lanes_mid, 0, 0, 1) == -7);
    CHECK(out.lanes_mid_availabilities[0] == 0);
  }

  TEST_CASE("a lane's feature is that of its lit faces, 4 without a light") {
    CHECK(at(built(params(), {6, 0}).lanes_mid, 0, 0, 2) == 0);
    const auto lit = built(params(), {6, 0}, {"R", "R", "nowhere"});
    CHECK(at(lit.lanes_mid, 0, 0, 2) == 3);
    CHECK(at(lit.lanes_mid, 0, 2, 2) == 3);
    CHECK(at(lit.lanes_mid, 1, 0, 2) == 4);
    CHECK(at(lit.lanes, 0, 0, 2) == 0);
  }

  TEST_CASE("a face is dark again in the next sample") {
    VectorMapBuilder builder(params(), street());
    VectorMap out;
    builder.build({6, 0}, {}, Ids{"R"}, out);
    builder.build({6, 0}, {}, Ids{}, out);
    CHECK(at(out.lanes_mid, 0, 0, 2) == 0);
  }

  TEST_CASE("crosswalks come in the map's order, their first points") {
    const auto out = built(params(), {3, 0});
    REQUIRE(out.crosswalks.size() == 2 * 2 * 3);
    CHECK(std::round(out.crosswalks[0]) == 1);
    CHECK(std::round(out.crosswalks[3]) == 4);
    CHECK(std::round(out.crosswalks[6]) == 2);
    CHECK(out.crosswalks_availabilities == std::vector<std::uint8_t>{1, 1, 1, 1});
  }

  TEST_CASE("an active face without a colour is an error") {
    CHECK(code_of(street(), {"stop"}) == Errc::invalid_argument);
    CHECK(code_of(street(), {"L0"}) == Errc::invalid_argument);
  }

  TEST_CASE("a lane that names what the map does not have is refused") {
    CHECK(code_of(map_of({lane("L", 0, Message().id(8, "gone"))}), {}) ==
          Errc::not_found);
  }

  TEST_CASE("of a map in parts, the one around the centroid is built as the whole is") {
    const std::vector<Message> near = {lane("A", 0, Message().id(8, "R")),
                                       control("R", 11), crosswalk("C", 1)};
    const std::vector<Message> far = {lane("B", 200), crosswalk("D", 203)};
    auto all = near;
    all.insert(all.end(), far.begin(), far.end());
    VectorMapBuilder whole(params(), map_of(all));
    VectorMapBuilder parts(params(), split_map({{{-100, -100, 100, 100}, map_of(near)},
                                                {{100, -100, 300, 100}, map_of(far)}}));
    for (const double x : {0.0, 200.0, 500.0, 0.0}) {
      CAPTURE(x);
      VectorMap expected, out;
      whole.build({x, 0}, {}, Ids{"R"}, expected);
      parts.build({x, 0}, {}, Ids{"R"}, out);
      CHECK(out.lanes == expected.lanes);
      CHECK(out.lanes_mid == expected.lanes_mid);
      CHECK(out.lanes_mid_availabilities == expected.lanes_mid_availabilities);
      CHECK(out.crosswalks == expected.crosswalks);
      CHECK(out.crosswalks_availabilities == expected.crosswalks_availabilities);
    }
  }

  TEST_CASE("a map of nothing is all zeros") {
    VectorMapBuilder builder(params(), std::make_shared<const SemanticMap>());
    VectorMap out;
    builder.build({0, 0}, {}, Ids{"R"}, out);
    CHECK(out.lanes == std::vector<float>(36, 0.0F));
    CHECK(out.crosswalks_availabilities == std::vector<std::uint8_t>(4, 0));
  }
}

}  // namespace vector_map_test
