#include "core/convert/lane_areas.hpp"

#include <doctest/doctest.h>

using namespace bev;
using namespace bev::convert;

namespace {

Area square(std::int64_t x, std::int64_t y, std::int64_t side = 10) {
  return {{x, y}, {x + side, y}, {x + side, y + side}, {x, y + side}};
}

bool touch(const Area& a, const Area& b) {
  const bool result = areas_touch(a, b);
  CHECK(areas_touch(b, a) == result);
  return result;
}

}  // namespace

TEST_SUITE("convert/lane_areas") {
  TEST_CASE("an area is the left side and the reversed right side in centimetres") {
    const std::vector<geom::Vec3> left{{0, 1, 5}, {2.005, 1, 5}};
    const std::vector<geom::Vec3> right{{0, -1, 5}, {2, -1, 5}};
    const Area expected{{0, 100}, {201, 100}, {200, -100}, {0, -100}};
    CHECK(area_between(left, right) == expected);
  }

  TEST_CASE("areas that overlap, contain, or share an edge or a corner touch") {
    CHECK(touch(square(0, 0), square(5, 5)));
    CHECK(touch(square(0, 0, 100), square(40, 40)));
    CHECK(touch(square(0, 0), square(10, 0)));
    CHECK(touch(square(0, 0), square(10, 10)));
    CHECK(touch(square(0, 0), square(0, 0)));
  }

  TEST_CASE("a cross of two bars touches, though neither has a corner in the other") {
    const Area flat{{-50, 0}, {50, 0}, {50, 10}, {-50, 10}};
    const Area upright{{0, -50}, {10, -50}, {10, 50}, {0, 50}};
    CHECK(touch(flat, upright));
  }

  TEST_CASE("areas a centimetre apart do not touch") {
    CHECK(!touch(square(0, 0), square(11, 0)));
    CHECK(!touch(square(0, 0), square(11, 11)));
    // In the notch of an L, inside its bounds.
    const Area ell{{0, 0}, {30, 0}, {30, 10}, {10, 10}, {10, 30}, {0, 30}};
    CHECK(!touch(ell, square(15, 15)));
    CHECK(touch(ell, square(5, 5)));
  }

  TEST_CASE("coordinates at the limit are exact") {
    constexpr std::int64_t kFar = 1'000'000'000;
    CHECK(touch(square(kFar - 10, -kFar), square(kFar - 20, -kFar)));
    CHECK(!touch(square(kFar - 10, -kFar), square(kFar - 21, -kFar)));
  }

  TEST_CASE("groups follow contact through other areas and keep the first index") {
    const std::vector<Area> areas{square(100, 0), square(0, 0),   square(10, 0),
                                  square(20, 0),  square(110, 5), square(50, 50)};
    CHECK(groups_of(areas) == std::vector<std::size_t>{0, 1, 1, 1, 0, 5});
    CHECK(groups_of({}).empty());
  }

  TEST_CASE("an empty area touches nothing") {
    CHECK(!touch({}, square(0, 0)));
    const std::vector<Area> areas{{}, square(0, 0), {}};
    CHECK(groups_of(areas) == std::vector<std::size_t>{0, 1, 2});
  }
}
