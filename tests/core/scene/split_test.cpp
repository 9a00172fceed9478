#include "core/scene/split.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <vector>

#include "core/base/error.hpp"

using bev::Error;
using bev::scene::Interval;
using bev::scene::split_scenes;
using Sizes = std::vector<double>;

namespace {

constexpr std::uint64_t kGigabyte = std::uint64_t{1} << 30;

}  // namespace

TEST_SUITE("scene/split") {
  TEST_CASE("parts take their share of the scenes, rounded down, the last the rest") {
    CHECK(split_scenes(11, 10 * kGigabyte, Sizes{4, 3, -1}) ==
          std::vector<Interval>{{0, 4}, {4, 7}, {7, 11}});
    CHECK(split_scenes(3, 1, Sizes{-1}) == std::vector<Interval>{{0, 3}});
  }

  TEST_CASE("a last part of another size is refused") {
    for (const auto& sizes : {Sizes{}, Sizes{1}, Sizes{-1, 1}}) {
      CHECK_THROWS_WITH_AS(split_scenes(4, kGigabyte, sizes),
                           "split: the last size must be -1, for the rest", Error);
    }
  }

  TEST_CASE("sizes that mean nothing are refused") {
    for (const double size : {-2.0, std::numeric_limits<double>::quiet_NaN(),
                              std::numeric_limits<double>::infinity()}) {
      CHECK_THROWS_WITH_AS(split_scenes(4, kGigabyte, Sizes{size, -1}),
                           doctest::Contains("expected 0 or more"), Error);
    }
  }

  TEST_CASE("a part that is as large as the whole, and one too small, are refused") {
    CHECK_THROWS_WITH_AS(split_scenes(4, kGigabyte, Sizes{1, -1}),
                         "split: a part exceeds the data set (found 1.000000 GB, "
                         "expected less than 1.000000)",
                         Error);
    CHECK_THROWS_WITH_AS(split_scenes(4, kGigabyte, Sizes{0.1, -1}),
                         "split: part 0 is empty or out of range (scenes [0, 0) of 4)",
                         Error);
    CHECK_THROWS_WITH_AS(split_scenes(4, kGigabyte, Sizes{0.5, 0.9, -1}),
                         "split: part 1 is empty or out of range (scenes [2, 5) of 4)",
                         Error);
    CHECK_THROWS_AS(split_scenes(4, 0, Sizes{0.5, -1}), Error);
    CHECK_THROWS_AS(split_scenes(0, 0, Sizes{-1}), Error);
  }

  TEST_CASE("a part of 0 GB would be empty, wherever it is") {
    CHECK_THROWS_WITH_AS(split_scenes(4, kGigabyte, Sizes{0, -1}),
                         "split: part 0 is empty or out of range (scenes [0, 0) of 4)",
                         Error);
    CHECK_THROWS_WITH_AS(split_scenes(4, kGigabyte, Sizes{0.5, -0.0, -1}),
                         "split: part 1 is empty or out of range (scenes [2, 2) of 4)",
                         Error);
  }

  TEST_CASE("the rest has one scene at least") {
    CHECK_THROWS_WITH_AS(split_scenes(2, kGigabyte, Sizes{0.5, 0.5, -1}),
                         "split: part 2 is empty or out of range (scenes [2, 2) of 2)",
                         Error);
    CHECK(split_scenes(2, kGigabyte, Sizes{0.5, -1}) ==
          std::vector<Interval>{{0, 1}, {1, 2}});
  }

  TEST_CASE("-1 is the rest in the last place only") {
    CHECK_THROWS_WITH_AS(split_scenes(4, kGigabyte, Sizes{-1, -1}),
                         "split: invalid size of a part (found -1.000000 GB, expected "
                         "0 or more)",
                         Error);
  }

  TEST_CASE("data sets of billions of scenes and bytes are split exactly") {
    constexpr std::uint64_t kScenes = std::uint64_t{1} << 40;
    CHECK(split_scenes(kScenes, 1024 * kGigabyte, Sizes{256, 512, -1}) ==
          std::vector<Interval>{{0, std::int64_t{1} << 38},
                                {std::int64_t{1} << 38, std::int64_t{3} << 38},
                                {std::int64_t{3} << 38, std::int64_t{1} << 40}});
  }
}
