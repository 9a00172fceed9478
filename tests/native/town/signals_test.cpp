#include "native/town/signals.hpp"

#include <doctest/doctest.h>

#include "tests/native/town/town_plan.hpp"

using namespace bev::town;

TEST_SUITE("town/signals") {
  TEST_CASE("streets that cross are never both open") {
    const Plan& plan = town_plan();
    const Signals signals(plan);
    for (std::size_t node = 0; node < plan.nodes.size(); ++node) {
      const auto& arms = plan.nodes[node].arms;
      for (double t = 0; t < 45; t += 0.25) {
        bool open[2] = {false, false};
        for (std::size_t arm = 0; arm < arms.size(); ++arm) {
          const auto colour =
              signals.colour(static_cast<int>(node), static_cast<int>(arm), t);
          const auto& road = plan.roads[static_cast<std::size_t>(arms[arm].road)];
          if (colour != Colour::red) open[road.axis] = true;
        }
        REQUIRE_FALSE((open[0] && open[1]));
      }
    }
  }

  TEST_CASE("green turns yellow, yellow red, red green") {
    const Plan& plan = town_plan();
    const Signals signals(plan);
    Colour last = signals.colour(24, 0, 0);
    int changes = 0;
    for (double t = 0.1; t < 120; t += 0.1) {
      const Colour now = signals.colour(24, 0, t);
      if (now == last) continue;
      ++changes;
      if (last == Colour::green) CHECK(now == Colour::yellow);
      if (last == Colour::yellow) CHECK(now == Colour::red);
      if (last == Colour::red) CHECK(now == Colour::green);
      last = now;
    }
    CHECK(changes == 9);  // three cycles of 40 s
  }

  TEST_CASE("the time left of red is counted down to green") {
    const Plan& plan = town_plan();
    const Signals signals(plan);
    for (double t = 0; t < 40; t += 0.5) {
      const double left = signals.red_left(24, 1, t);
      if (left == 0) {
        CHECK(signals.colour(24, 1, t) != Colour::red);
      } else {
        CHECK(signals.colour(24, 1, t + left - 0.01) == Colour::red);
        CHECK(signals.colour(24, 1, t + left + 0.01) == Colour::green);
      }
    }
  }
}
