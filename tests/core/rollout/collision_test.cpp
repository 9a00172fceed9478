#include "core/rollout/collision.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "core/geom/trig.hpp"

using namespace bev::rollout;
using bev::geom::Rectangle;
using bev::geom::Vec2;

namespace {

Rectangle box(double x, double y, double yaw = 0, double length = 4, double width = 2) {
  return {{x, y}, bev::geom::sincos(yaw), length / 2, width / 2};
}

Side side_of(const Rectangle& ego, const Rectangle& agent) {
  const std::array<Rectangle, 1> agents{agent};
  return first_collision(ego, agents).side;
}

bool is_inside(const Rectangle& box, Vec2 at) {
  const double x = at.x - box.centre.x, y = at.y - box.centre.y;
  const auto [sin, cos] = box.heading;
  return std::fabs(cos * x + sin * y) <= box.half_length &&
         std::fabs(cos * y - sin * x) <= box.half_width;
}

/// Returns the lengths of the front, rear, left and right side in the agent by samples.
std::array<double, 4> sampled_lengths(const Rectangle& ego, const Rectangle& agent) {
  constexpr int kSamples = 2000;
  const double l = ego.half_length, w = ego.half_width;
  const std::array<std::array<double, 4>, 4> sides{
      {{l, w, l, -w}, {-l, -w, -l, w}, {l, w, -l, w}, {l, -w, -l, -w}}};
  std::array<double, 4> out{};
  for (std::size_t i = 0; i < 4; ++i) {
    const auto [ax, ay, bx, by] = sides[i];
    for (int k = 0; k < kSamples; ++k) {
      const double t = (k + 0.5) / kSamples;
      const double x = ax + t * (bx - ax), y = ay + t * (by - ay);
      const auto [sin, cos] = ego.heading;
      if (is_inside(agent, {ego.centre.x + x * cos - y * sin,
                            ego.centre.y + x * sin + y * cos}))
        out[i] += std::hypot(bx - ax, by - ay) / kSamples;
    }
  }
  return out;
}

}  // namespace

TEST_SUITE("rollout/collision") {
  TEST_CASE("a collision is of the side with the longest part in the agent") {
    CHECK(side_of(box(0, 0), box(3.5, 0)) == Side::front);
    CHECK(side_of(box(0, 0), box(-3.5, 0)) == Side::rear);
    CHECK(side_of(box(0, 0), box(0.5, 1.5)) == Side::side);
    CHECK(side_of(box(0, 0), box(0.5, -1.5)) == Side::side);
    CHECK(side_of(box(0, 0, 1.5707963), box(0, 3.5, 1.5707963)) == Side::front);
    CHECK(side_of(box(0, 0), box(5, 0)) == Side::none);
  }

  TEST_CASE("an agent within the ego vehicle counts as in front, as in L5Kit") {
    CHECK(side_of(box(0, 0, 0, 10, 10), box(0, 0, 0, 1, 1)) == Side::front);
  }

  TEST_CASE("the first agent that is touched counts") {
    const std::vector<Rectangle> agents{box(9, 0), box(-3.5, 0), box(3.5, 0)};
    const auto found = first_collision(box(0, 0), agents);
    CHECK(found.side == Side::rear);
    CHECK(found.agent == 1);
    CHECK(first_collision(box(0, 0), {}).side == Side::none);
  }

  TEST_CASE("sides equal a search over samples of them") {
    std::mt19937 random(4);
    const auto number = [&](double size) {
      return (static_cast<double>(random() % 20001) / 10000 - 1) * size;
    };
    std::array<int, 4> seen{};
    for (int round = 0; round < 600; ++round) {
      const auto ego = box(0, 0, number(4));
      const auto agent = box(number(4), number(4), number(4), 2 + number(1), 3);
      auto lengths = sampled_lengths(ego, agent);
      auto sorted = lengths;
      std::sort(sorted.begin(), sorted.end());
      if (sorted[3] - sorted[2] < 0.02) continue;  // nearly equal, or none
      const auto best = std::max_element(lengths.begin(), lengths.end());
      const auto at = std::min<std::ptrdiff_t>(best - lengths.begin(), 2);
      CHECK(static_cast<std::ptrdiff_t>(side_of(ego, agent)) == at + 1);
      ++seen[static_cast<std::size_t>(at)];
    }
    CHECK(seen[0] > 20);
    CHECK(seen[1] > 20);
    CHECK(seen[2] > 50);
  }

  TEST_CASE("the part of a line in a box is clipped at its edges") {
    CHECK(length_inside({-5, 0}, {5, 0}, box(0, 0)) == doctest::Approx(4));
    CHECK(length_inside({-5, 1.5}, {5, 1.5}, box(0, 0)) == 0);
    CHECK(length_inside({0, 0}, {9, 0}, box(0, 0)) == doctest::Approx(2));
    CHECK(length_inside({0, 0}, {0, 0}, box(0, 0)) == 0);
  }
}
