#include "core/map/box_index.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <random>

namespace box_index_test {

using bev::map::Box;
using bev::map::BoxIndex;

namespace {

std::vector<std::uint32_t> scan(const std::vector<Box>& boxes, double x, double y,
                                double margin) {
  std::vector<std::uint32_t> found;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (boxes[i].empty() || !boxes[i].is_near(x, y, margin)) continue;
    found.push_back(static_cast<std::uint32_t>(i));
  }
  return found;
}

/// Pseudorandom numbers from 0 to 1, equal on every machine.
class Numbers {
 public:
  double operator()() { return static_cast<double>(engine_()) / 4294967296.0; }

 private:
  std::mt19937 engine_{7};
};

}  // namespace

TEST_SUITE("map/box_index") {
  TEST_CASE("no boxes and empty boxes are near nothing") {
    CHECK(BoxIndex().near(0, 0, 1e9).empty());
    CHECK(BoxIndex(std::vector<Box>(3)).near(0, 0, 1e9).empty());
  }

  TEST_CASE("the edge of the grown box is outside") {
    const std::vector<Box> boxes = {{10, 20, 30, 40}};
    const BoxIndex index(boxes);
    CHECK(index.near(8.001, 30, 2) == std::vector<std::uint32_t>{0});
    CHECK(index.near(8, 30, 2).empty());
    CHECK(index.near(32, 30, 2).empty());
    CHECK(index.near(20, 18, 2).empty());
    CHECK(index.near(20, 42, 2).empty());
    CHECK(index.near(10, 20, 0).empty());
  }

  TEST_CASE("it finds exactly what a scan finds, in the same order") {
    Numbers number;
    for (const std::size_t count : {1U, 2U, 15U, 16U, 17U, 255U, 257U, 3000U}) {
      std::vector<Box> boxes;
      for (std::size_t i = 0; i < count; ++i) {
        const double x = number() * 1000;
        const double y = number() * 1000;
        const double size = i % 50 == 0 ? 800 : 40;
        boxes.push_back({x, y, x + number() * size, y + number() * size});
      }
      if (count > 20) boxes[11] = Box{};
      const BoxIndex index(boxes);
      for (int query = 0; query < 200; ++query) {
        const double x = number() * 1200 - 100;
        const double y = number() * 1200 - 100;
        const double margin = query % 20 == 0 ? 2000 : number() * 100;
        CAPTURE(count);
        CAPTURE(query);
        REQUIRE(index.near(x, y, margin) == scan(boxes, x, y, margin));
      }
    }
  }

  TEST_CASE("many boxes in one place are all found") {
    const std::vector<Box> boxes(1000, Box{5, 5, 6, 6});
    CHECK(BoxIndex(boxes).near(5.5, 5.5, 0).size() == 1000);
  }

  TEST_CASE("a query of NaN is near nothing, one of infinity near all") {
    const std::vector<Box> boxes(20, Box{1, 1, 2, 2});
    const BoxIndex index(boxes);
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    CHECK(index.near(kNan, 1, 5).empty());
    CHECK(index.near(1, 1, kNan).empty());
    CHECK(index.near(0, 0, std::numeric_limits<double>::infinity()).size() == 20);
  }
}

}  // namespace box_index_test
