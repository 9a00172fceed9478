#include "core/convert/lane_sides.hpp"

#include <doctest/doctest.h>

#include "tests/support/error_code.hpp"

using namespace bev;
using namespace bev::convert;
using geom::Vec3;

namespace {

using Points = std::vector<Vec3>;

Points ahead(double y, int count, double z = 0) {
  Points out;
  for (int i = 0; i < count; ++i) out.push_back({static_cast<double>(i), y, z});
  return out;
}

}  // namespace

TEST_SUITE("convert/lane_sides") {
  TEST_CASE("without lines a side is at half the width") {
    const auto left = SideMaker().make(ahead(1, 3, 7), {}, Hand::left, 1.5);
    CHECK(left.points == ahead(2.5, 3, 7));
    CHECK(left.from_lines == 0);
    CHECK(SideMaker().make(ahead(1, 3, 7), {}, Hand::right, 1.5).points ==
          ahead(-0.5, 3, 7));
  }

  TEST_CASE("a side is the nearest point of the line beside it, with its height") {
    const Points line = {{-5, 2, 0}, {15, 2, 10}};
    const std::vector<SideLine> lines = {{0, 3, line}};
    const auto side = SideMaker().make(ahead(0, 3), lines, Hand::left, 1.5);
    CHECK(side.points == Points{{0, 2, 2.5}, {1, 2, 3}, {2, 2, 3.5}});
    CHECK(side.from_lines == 3);
  }

  TEST_CASE("points outside a line's section are at half the width") {
    const Points line = ahead(2, 10);
    const std::vector<SideLine> lines = {{1, 3, line}};
    const auto side = SideMaker().make(ahead(0, 4), lines, Hand::left, 1.5);
    CHECK(side.points == Points{{0, 1.5, 0}, {1, 2, 0}, {2, 2, 0}, {3, 1.5, 0}});
    CHECK(side.from_lines == 2);
  }

  TEST_CASE("a line on the other hand or more than 5 m away is not a side") {
    for (const double y : {-2.0, 0.0, 5.5}) {
      CAPTURE(y);
      const Points line = ahead(y, 5);
      const std::vector<SideLine> lines = {{0, 5, line}};
      const auto side = SideMaker().make(ahead(0, 5), lines, Hand::left, 1.5);
      CHECK(side.points == ahead(1.5, 5));
      CHECK(side.from_lines == 0);
    }
  }

  TEST_CASE("repeated points have the direction of their neighbours") {
    const Points centre = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {4, 0, 0}, {4, 0, 0}};
    const auto side = SideMaker().make(centre, {}, Hand::left, 1);
    for (const auto& p : side.points) CHECK(p.y == 1);
    CHECK(has_direction(centre));
    CHECK(!has_direction(Points{{1, 2, 3}, {1, 2, 4}}));
  }

  TEST_CASE("comparisons are limited over all calls") {
    const Points line(40);
    const Points centre = ahead(0, 20);
    const std::vector<SideLine> lines = {{0, centre.size(), line}};
    SideMaker maker(1599);
    maker.make(centre, lines, Hand::left, 1);
    CHECK(test::error_code([&] { maker.make(centre, lines, Hand::left, 1); }) ==
          Errc::limit_exceeded);
    SideMaker enough(1600);
    for (int i = 0; i < 2; ++i) enough.make(centre, lines, Hand::left, 1);
  }

  TEST_CASE("an outline is divided into sides in the lane's direction") {
    const Points centre = ahead(0, 5);
    const Points left = {{0, 2, 0}, {2, 2.5, 0}, {4, 2, 0}};
    const Points right = {{0, -1, 0}, {4, -1.5, 0}};
    Points ring = left;
    ring.insert(ring.end(), right.rbegin(), right.rend());
    for (std::size_t first = 0; first < ring.size(); ++first) {
      for (const bool is_closed : {false, true}) {
        for (const bool is_back : {false, true}) {
          Points outline = ring;
          std::rotate(outline.begin(), outline.begin() + static_cast<long>(first),
                      outline.end());
          if (is_back) std::reverse(outline.begin(), outline.end());
          if (is_closed) outline.push_back(outline.front());
          const auto sides = SideMaker().divide(centre, outline);
          REQUIRE(sides);
          CHECK(sides->left == left);
          CHECK(sides->right == right);
        }
      }
    }
  }

  TEST_CASE("an outline without two sides is not divided") {
    const Points centre = ahead(0, 5);
    CHECK(!SideMaker().divide(centre, Points{}));
    CHECK(!SideMaker().divide(centre, Points{{0, 1, 0}, {4, 1, 0}, {4, 2, 0}}));
    CHECK(!SideMaker().divide(
        centre, Points{{0, 1, 0}, {1, -1, 0}, {2, 1, 0}, {3, -1, 0}, {4, 1, 0}}));
    CHECK(!SideMaker().divide(centre, Points{{0, 1, 0}, {0, -1, 0}}));
    SideMaker maker(9);
    CHECK(test::error_code([&] {
            maker.divide(centre, Points{{0, 1, 0}, {1, 1, 0}});
          }) == Errc::limit_exceeded);
  }

  TEST_CASE("lengths are in centimetres along the line") {
    CHECK(lengths_cm(Points{{0, 0, 0}, {3, 4, 9}, {3, 4.005, 0}}) ==
          std::vector<std::int32_t>{0, 500, 501});
    CHECK(lengths_cm(Points{{0, 0, 0}, {1e9, 0, 0}}).back() == 2147483647);
  }

  TEST_CASE("turns follow from the change of direction") {
    const auto turn = [](double x, double y) { return turn_of({{1, 0}, {x, y}}); };
    CHECK(turn(1, 0.5) == map::Turn::through);
    CHECK(turn(0, 1) == map::Turn::left);
    CHECK(turn(0, -1) == map::Turn::right);
    CHECK(turn(-1, 0.1) == map::Turn::u_turn);
  }
}
