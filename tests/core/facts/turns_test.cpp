#include "core/facts/turns.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

using namespace bev::facts;

namespace {

/// A path that moves at 5 m/s, 10 Hz, with these headings.
Path turning(const std::vector<double>& yaws, double step_s = 0.1) {
  Path path;
  double x = 0, y = 0;
  for (std::size_t k = 0; k < yaws.size(); ++k) {
    path.steps.push_back(
        {static_cast<std::uint32_t>(k),
         static_cast<std::int64_t>(static_cast<double>(k) * step_s * 1e9),
         {x, y},
         yaws[k],
         0});
    x += 0.5 * std::cos(yaws[k]);
    y += 0.5 * std::sin(yaws[k]);
  }
  path.rebuild();
  return path;
}

std::vector<double> ramp(double total, int steps, int before = 10, int after = 10) {
  std::vector<double> out(static_cast<std::size_t>(before), 0.0);
  for (int k = 0; k <= steps; ++k) out.push_back(total * k / steps);
  out.insert(out.end(), static_cast<std::size_t>(after), total);
  return out;
}

}  // namespace

TEST_SUITE("facts/turns") {
  TEST_CASE("turns are left, right, straight and U-turns") {
    CHECK(sharpest_turn(turning(ramp(1.5, 30))).kind == Turn::left);
    CHECK(sharpest_turn(turning(ramp(-1.5, 30))).kind == Turn::right);
    CHECK(sharpest_turn(turning(ramp(0.7, 30))).kind == Turn::straight);
    CHECK(sharpest_turn(turning(ramp(2.9, 60))).kind == Turn::u_turn);
    CHECK(sharpest_turn(turning(ramp(-2.9, 60))).kind == Turn::u_turn);
    CHECK(sharpest_turn(turning({0, 0})).kind == Turn::unknown);
    CHECK(sharpest_turn(Path{}).kind == Turn::unknown);
  }

  TEST_CASE("a bend that takes longer than 12 s is no turn") {
    CHECK(sharpest_turn(turning(ramp(1.5, 300))).kind == Turn::straight);
  }

  TEST_CASE("a turn begins and ends with the change of heading") {
    const auto path = turning(ramp(1.5, 30));
    const auto turn = sharpest_turn(path);
    CHECK(turn.begin == 10);
    CHECK(turn.end == 40);
    CHECK(turn.change == doctest::Approx(1.5));
    const auto facts = motion_facts(path, turn);
    CHECK(facts.turn_frame == 10);
    CHECK(facts.heading_change == doctest::Approx(1.5));
    CHECK(facts.duration == doctest::Approx(5));
    CHECK(facts.stationary == 0);
  }

  TEST_CASE("the queue finds what all pairs find") {
    std::mt19937 random(7);
    for (int round = 0; round < 30; ++round) {
      std::vector<double> yaws{0};
      for (int k = 1; k < 200; ++k) {
        yaws.push_back(yaws.back() + (static_cast<double>(random() % 200) - 100) / 400);
      }
      const auto path = turning(yaws, 0.25);
      double best = 0;
      for (std::size_t i = 0; i < path.size(); ++i) {
        for (auto j = i; j < path.size() && path.seconds(i, j) <= kTurnTimeS; ++j) {
          best = std::max(best, std::fabs(path.turned[j] - path.turned[i]));
        }
      }
      CHECK(std::fabs(sharpest_turn(path).change) == best);
    }
  }

  TEST_CASE("a single step has a duration, and no speed") {
    const auto path = turning({0});
    const auto facts = motion_facts(path, sharpest_turn(path));
    CHECK(facts.duration == 0);
    CHECK(facts.distance == 0);
    CHECK(std::isnan(facts.mean_speed));
    CHECK(std::isnan(facts.stationary));
    CHECK(facts.hardest_brake_frame == kNoFrame);
  }
}
