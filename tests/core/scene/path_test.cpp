#include "core/scene/path.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using bev::scene::Path;
using bev::scene::Step;

namespace {

/// A path along x at 10 Hz whose positions are given.
Path along(const std::vector<double>& xs) {
  Path path;
  for (std::size_t k = 0; k < xs.size(); ++k) {
    path.steps.push_back({static_cast<std::uint32_t>(k),
                          static_cast<std::int64_t>(k) * 100'000'000,
                          {xs[k], 0},
                          0,
                          k});
  }
  path.rebuild();
  return path;
}

}  // namespace

TEST_SUITE("scene/path") {
  TEST_CASE("constant speed has no acceleration") {
    std::vector<double> xs;
    for (int k = 0; k < 12; ++k) xs.push_back(2 * k);
    const auto path = along(xs);
    for (std::size_t k = 0; k < path.size(); ++k) {
      CHECK(path.speed[k] == doctest::Approx(20));
      const bool inner = k >= 3 && k <= 8;
      CHECK(std::isnan(path.acceleration[k]) != inner);
      if (inner) CHECK(path.acceleration[k] == doctest::Approx(0));
    }
  }

  TEST_CASE("constant acceleration is found exactly") {
    std::vector<double> xs;
    for (int k = 0; k < 30; ++k) xs.push_back(10 * 0.1 * k - 0.5 * 3 * 0.01 * k * k);
    const auto path = along(xs);
    CHECK(path.acceleration[15] == doctest::Approx(-3));
    CHECK(path.acceleration[3] == doctest::Approx(-3));
  }

  TEST_CASE("a run ends at a missing frame, a pause, and where time stands still") {
    auto path = along({0, 1, 2, 3, 4, 5, 6, 7});
    path.steps[2].frame = 3;  // frame 2 is missing
    for (std::size_t k = 3; k < 8; ++k) ++path.steps[k].frame;
    path.steps[5].time_ns = path.steps[4].time_ns + 1'000'000'001;
    path.steps[6].time_ns = path.steps[5].time_ns + 1'000'000'000;
    path.steps[7].time_ns = path.steps[6].time_ns;
    path.rebuild();
    CHECK(path.run == std::vector<std::size_t>{0, 0, 2, 2, 2, 5, 5, 7});
    CHECK(path.find(2) == path.size());
    CHECK(path.find(3) == 2);
    CHECK(path.lower_bound(2) == 2);
  }

  TEST_CASE("headings turn only while moving, and not by errors of perception") {
    auto path = along({0, 1, 2, 3, 4, 5, 6, 7});
    path.steps[3].yaw = 0.2;
    path.steps[4].yaw = 0.4;
    path.steps[5].yaw = 0.4 + 3.14;  // reversed
    path.steps[6].yaw = 0.4 + 3.14;
    path.steps[7].yaw = std::numeric_limits<double>::quiet_NaN();
    path.rebuild();
    CHECK(path.turned[4] == doctest::Approx(0.4));
    CHECK(path.turned[7] == doctest::Approx(0.4));
    auto still = along(std::vector<double>(8, 1.0));
    still.steps[4].yaw = 0.4;
    still.rebuild();
    CHECK(still.turned.back() == 0);
  }

  TEST_CASE("times and positions at the limits are no trouble") {
    auto path = along({0, 1e300, -1e300, 0});
    path.steps[0].time_ns = std::numeric_limits<std::int64_t>::min();
    path.steps[1].time_ns = std::numeric_limits<std::int64_t>::max();
    path.steps[2].time_ns = path.steps[1].time_ns;
    path.steps[3].time_ns = std::numeric_limits<std::int64_t>::min();
    path.rebuild();
    for (const double speed : path.speed) CHECK(std::isnan(speed));
    Path none;
    none.rebuild();
    CHECK(none.size() == 0);
  }
}
