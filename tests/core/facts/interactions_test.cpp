#include "core/facts/interactions.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <numbers>

using namespace bev::facts;
using bev::geom::Vec2;

namespace {

constexpr double kPi = std::numbers::pi;

/// A path of 60 frames at 10 Hz, by time.
Path moving(const std::function<Vec2(double)>& at, double yaw = 0) {
  Path path;
  for (std::uint32_t k = 0; k < 60; ++k) {
    path.steps.push_back({k, std::int64_t{k} * 100'000'000, at(k * 0.1), yaw, 0});
  }
  path.rebuild();
  return path;
}

Path ego_at(double speed) {
  return moving([=](double t) { return Vec2{speed * t, 0}; });
}

/// A vehicle 10 m ahead that changes from lane y = 3.5 to the ego vehicle's in 2 s.
Path lane_change(double speed, double ahead = 10) {
  return moving([=](double t) {
    return Vec2{ahead + speed * t, 3.5 * std::max(0.0, 1 - t / 2)};
  });
}

}  // namespace

TEST_SUITE("facts/interactions") {
  TEST_CASE("a vehicle that changes to the lane ahead cuts in") {
    // It is within 1.2 m after 2 (1 - 1.2 / 3.5) s.
    CHECK(cut_in_frame(ego_at(10), lane_change(10)) == 14);
  }

  TEST_CASE(
      "it does not far ahead, behind, beside, against, or in front of a standing ego "
      "vehicle") {
    CHECK(cut_in_frame(ego_at(10), lane_change(10, 45)) == kNoFrame);
    CHECK(cut_in_frame(ego_at(10), lane_change(10, -10)) == kNoFrame);
    CHECK(cut_in_frame(ego_at(0), lane_change(10)) == kNoFrame);
    const auto beside = moving([](double t) { return Vec2{10 + 10 * t, 3.5}; });
    CHECK(cut_in_frame(ego_at(10), beside) == kNoFrame);
    const auto ahead = moving([](double t) { return Vec2{10 + 10 * t, 0}; });
    CHECK(cut_in_frame(ego_at(10), ahead) == kNoFrame);
    auto against = lane_change(10);
    for (auto& step : against.steps) step.yaw = kPi;
    CHECK(cut_in_frame(ego_at(10), against) == kNoFrame);
  }

  TEST_CASE("a lane change that takes too long does not count") {
    const auto slow = moving([](double t) { return Vec2{10 + 10 * t, 2.5 - 0.3 * t}; });
    CHECK(cut_in_frame(ego_at(10), slow) == kNoFrame);
  }

  TEST_CASE("vehicles from ahead are oncoming during a left turn") {
    const auto ego = ego_at(5);
    const SharpestTurn turn{Turn::left, 1.5, 30, 50};
    const auto from_ahead = [](double x) {
      return moving([=](double t) { return Vec2{x - 10 * t, 3}; }, kPi);
    };
    CHECK(is_oncoming(ego, turn, from_ahead(80)));
    CHECK_FALSE(is_oncoming(ego, turn, from_ahead(10)));   // behind by then
    CHECK_FALSE(is_oncoming(ego, turn, from_ahead(200)));  // too far
    const auto parked = moving([](double) { return Vec2{40, 3}; }, kPi);
    CHECK_FALSE(is_oncoming(ego, turn, parked));
    const auto same_way = moving([](double t) { return Vec2{20 + 5 * t, 0}; });
    CHECK_FALSE(is_oncoming(ego, turn, same_way));
  }
}
