#include "core/convert/nearest_steps.hpp"

#include <doctest/doctest.h>

TEST_SUITE("convert/nearest_steps") {
  TEST_CASE("each step has the nearest known one, of two the earlier") {
    const std::vector<std::size_t> known = {1, 4, 6};
    CHECK(bev::convert::nearest_steps(known, 9) ==
          std::vector<std::size_t>{0, 0, 0, 1, 1, 1, 2, 2, 2});
  }

  TEST_CASE("known steps may be beyond the frames") {
    const std::vector<std::size_t> known = {5};
    CHECK(bev::convert::nearest_steps(known, 2) == std::vector<std::size_t>{0, 0});
  }
}
