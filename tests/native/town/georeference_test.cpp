#include "native/town/georeference.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "core/map/meta.hpp"

using namespace bev::town;

TEST_SUITE("town/georeference") {
  TEST_CASE("world begins near Palo Alto") {
    const bev::map::RawFrame origin = place_at({0, 0, 0});
    CHECK(origin.lat_e7 == 374293333);
    CHECK(origin.lng_e7 == -1221543611);
  }

  TEST_CASE("a local frame is where its place is") {
    const bev::geom::Vec3 in_world{300, -200, 2};
    const bev::geom::Vec3 local = local_from_world(place_at(in_world)) * in_world;
    CHECK(std::fabs(local.x) < 0.01);  // a ten-millionth of a degree
    CHECK(std::fabs(local.y) < 0.01);
  }

  TEST_CASE("meta.json leads from world to the aerial image") {
    const AerialFrame frame{.top_left = {-400, 350},
                            .rows = 1600,
                            .columns = 1500,
                            .metres_per_pixel = 0.5};
    const auto meta = bev::map::parse_meta(meta_json(frame));
    REQUIRE(meta.aerial_from_ecef.has_value());
    const auto aerial_from_world = *meta.aerial_from_ecef * meta.ecef_from_world;
    const auto at = aerial_from_world * bev::geom::Vec3{-390, 340, 5};
    CHECK(at.x == doctest::Approx(20));  // row
    CHECK(at.y == doctest::Approx(20));  // column
    CHECK(std::fabs(at.z) < 1e-9);
  }
}
