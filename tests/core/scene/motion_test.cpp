#include "core/scene/motion.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

using bev::scene::motion_of;
using bev::scene::PoseAt;
using doctest::Approx;
using Times = std::vector<std::int64_t>;

namespace {

constexpr std::int64_t kStep = 100'000'000;

}  // namespace

TEST_SUITE("scene/motion") {
  TEST_CASE("speed is of the way from the frame before, of the first to the next") {
    const std::vector<PoseAt> poses{{{0, 0}, 0}, {{1, 0}, 0}, {{1, 3}, 0}};
    const auto motion = motion_of(Times{0, kStep, 2 * kStep}, poses);
    CHECK(motion.speed[0] == Approx(10));
    CHECK(motion.speed[1] == Approx(10));
    CHECK(motion.speed[2] == Approx(30));
    CHECK(motion.acceleration[0] == Approx(0));
    CHECK(motion.acceleration[1] == Approx(100));
    CHECK(motion.acceleration[2] == Approx(200));
  }

  TEST_CASE("nothing is known where it is not seen, nor guessed across the gap") {
    const std::vector<PoseAt> poses{{{0, 0}, 1}, {}, {{2, 0}, 1}, {{3, 0}, 1}};
    const auto motion = motion_of(Times{0, kStep, 2 * kStep, 3 * kStep}, poses);
    CHECK(std::isnan(motion.speed[0]));
    CHECK(std::isnan(motion.speed[1]));
    CHECK(motion.speed[2] == Approx(10));
    CHECK(std::isnan(motion.yaw[1]));
    CHECK(std::isnan(motion.yaw_rate[0]));
    CHECK(motion.yaw_rate[2] == Approx(0));
  }

  TEST_CASE("a yaw goes on beyond half a turn, also behind a gap") {
    const std::vector<PoseAt> poses{{{0, 0}, 3.0}, {{0, 0}, -3.1}, {}, {{0, 0}, -2.9}};
    const auto motion = motion_of(Times{0, kStep, 2 * kStep, 3 * kStep}, poses);
    CHECK(motion.yaw[1] == Approx(-3.1 + 6.283185307179586));
    CHECK(motion.yaw[3] == Approx(-2.9 + 6.283185307179586));
    CHECK(motion.yaw_rate[0] == Approx(1.83185307));
  }

  TEST_CASE("time that stands still gives no speed; a single frame none either") {
    const std::vector<PoseAt> poses{{{0, 0}, 0}, {{1, 0}, 0}};
    CHECK(std::isnan(motion_of(Times{kStep, kStep}, poses).speed[1]));
    CHECK(std::isnan(motion_of(Times{0}, std::vector<PoseAt>(1)).speed[0]));
    CHECK(motion_of(Times{}, {}).speed.empty());
  }

  TEST_CASE("seconds span the whole range of timestamps, backwards there are none") {
    using bev::scene::seconds_between;
    constexpr auto kFirst = std::numeric_limits<std::int64_t>::min();
    constexpr auto kLast = std::numeric_limits<std::int64_t>::max();
    CHECK(seconds_between(0, 1'500'000'000) == doctest::Approx(1.5));
    CHECK(seconds_between(kFirst, kLast) == doctest::Approx(18446744073.709551615));
    CHECK(std::isnan(seconds_between(5, 5)));
    CHECK(std::isnan(seconds_between(kLast, kFirst)));
  }
}
