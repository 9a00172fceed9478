#include "core/map/area.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>

#include "core/base/error.hpp"
#include "core/geom/affine.hpp"

using namespace bev::map;
using bev::geom::Numbers;
using Rows = std::vector<std::uint32_t>;

TEST_SUITE("map/area") {
  TEST_CASE("a point is on a lane if it is between both sides") {
    const Numbers left{0, 2, 10, 2}, right{0, 0, 5, -1, 10, 0};
    const Numbers points{5, 1, 5, -0.5, 5, 2.5, -1, 1, 11, 1, 9, -0.5};
    CHECK(points_on_lane(left, right, points) == Numbers{0, 1});
    CHECK(points_on_lane({}, right, points).empty());
    CHECK(points_on_lane(left, {}, points).empty());
    CHECK(points_on_lane(left, right, {}).empty());
  }

  TEST_CASE("a point is in an outline by the even-odd rule") {
    // A square with a notch from above.
    const Numbers outline{0, 0, 6, 0, 6, 6, 4, 6, 3, 2, 2, 6, 0, 6};
    CHECK(points_in_outline(outline, Numbers{1, 5, 3, 5, 5, 5, 3, 1, 7, 1}) ==
          Numbers{0, 2, 3});
    CHECK(points_in_outline({}, Numbers{0, 0}).empty());
  }

  TEST_CASE("a point that is not finite is nowhere") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double inf = std::numeric_limits<double>::infinity();
    const Numbers outline{0, 0, 6, 0, 6, 6, 0, 6};
    CHECK(points_in_outline(outline, Numbers{nan, 1, 1, nan, inf, 1, 1, inf}).empty());
  }

  TEST_CASE("arrays of odd length are not points") {
    CHECK_THROWS_WITH(points_in_outline(Numbers{0, 0, 6}, {}),
                      "outline: wrong length (found 3, expected a multiple of 2)");
  }

  TEST_CASE("the lanes behind are those whose lanes ahead include the lane") {
    const Rows ahead{1, 2, 2, 3}, first{0, 2, 3, 4, 4};
    CHECK(lanes_behind(ahead, first, 2) == Rows{0, 1});
    CHECK(lanes_behind(ahead, first, 3) == Rows{2});
    CHECK(lanes_behind(ahead, first, 0).empty());
    CHECK(lanes_behind({}, {}, 0).empty());
    const Rows descending{0, 3, 2}, beyond{0, 5};
    CHECK_THROWS_AS(lanes_behind(ahead, descending, 0), bev::Error);
    CHECK_THROWS_AS(lanes_behind(ahead, beyond, 0), bev::Error);
  }
}
