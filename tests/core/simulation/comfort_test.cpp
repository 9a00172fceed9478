#include "core/simulation/comfort.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace simulation_comfort_test {
namespace {

using namespace bev::simulation;

struct State {
  double acceleration = 0, yaw = 0;
};

/// States a second apart. The vehicle does not turn by its own account, as in nuPlan's
/// tests, which build states without yaw rates.
Simulation states(const std::vector<State>& all) {
  Simulation out;
  for (const auto& one : all) {
    auto& frame = out.frames.emplace_back();
    frame.time_us = 1'000'000 * static_cast<std::int64_t>(out.frames.size());
    frame.ego.yaw = one.yaw;
    frame.motion.emplace();
    frame.motion->acceleration_x = one.acceleration;
  }
  return out;
}

/// Compares with values that are rounded to two decimals.
void check_rounded(const std::vector<double>& found,
                   const std::vector<double>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CAPTURE(i);
    CHECK(std::nearbyint(found[i] * 100) / 100 == doctest::Approx(expected[i]));
  }
}

// Reference  nuplan-devkit, planning/metrics/evaluation_metrics/common/test/json
TEST_SUITE("simulation/comfort") {
  TEST_CASE("accelerations and jerks are those of nuPlan's tests") {
    // ego_lon_acceleration.json, ego_lon_jerk.json, ego_jerk.json
    std::vector<State> all;
    for (const double one : {0., 1., .5, 1., .5, .7, .3, 1., .5, 1., .5, .7}) {
      all.push_back({one, 0});
    }
    const auto found = comfort(states(all));
    REQUIRE(found);
    check_rounded(found->lon_acceleration,
                  {.36, .5, .61, .69, .62, .61, .63, .71, .72, .72, .7, .66});
    check_rounded(found->lat_acceleration, std::vector<double>(12, 0));
    const std::vector<double> jerk{.07, .06, .05, .04,  .04,  .03,
                                   .02, .01, 0,   -.01, -.02, -.03};
    check_rounded(found->lon_jerk, jerk);
    check_rounded(found->jerk, jerk);
  }

  TEST_CASE("turns are those of nuPlan's tests") {
    // ego_yaw_rate.json, ego_yaw_acceleration.json
    constexpr double kYaw = 1.534863576938717;
    const auto found =
        comfort(states({{0, -kYaw}, {.5, -kYaw}, {0, -kYaw}, {1, -kYaw}, {0, kYaw}}));
    REQUIRE(found);
    check_rounded(found->yaw_rate, {-1.14, -.26, .61, 1.49, 2.37});
    check_rounded(found->yaw_acceleration, {-2.19, -.66, .88, 2.41, 3.95});
    CHECK_FALSE(found->is_comfortable());
  }

  TEST_CASE("the states of ego_is_comfortable.json are comfortable") {
    // Its test in nuPlan expects false whatever the states are: it computes the metric
    // without the six that it depends on, whose within_bound_status is False until their
    // own compute() (WithinBoundMetricBase). The engine computes these first.
    const auto found = comfort(states({{0, 0}, {.5, 0}, {0, 0}, {1, 0}, {0, 0}}));
    REQUIRE(found);
    for (const auto* values :
         {&found->lon_acceleration, &found->lat_acceleration, &found->lon_jerk,
          &found->jerk, &found->yaw_rate, &found->yaw_acceleration}) {
      for (const double value : *values) CHECK(std::abs(value) < 0.9);
    }
    CHECK(found->is_comfortable());
  }
}

}  // namespace
}  // namespace simulation_comfort_test
