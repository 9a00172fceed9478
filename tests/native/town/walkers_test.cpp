#include "native/town/walkers.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "tests/native/town/town_plan.hpp"

using namespace bev::town;

TEST_SUITE("town/walkers") {
  TEST_CASE("people walk, wait and cross, and never jump") {
    const Plan& plan = town_plan();
    const Signals signals(plan);
    Traffic traffic(plan, signals, Random(1), 0.5);
    Walkers walkers(plan, signals, Random(2), 1);
    std::vector<Vec2> last;
    int waiting = 0, crossing = 0;
    for (int i = 0; i < 500; ++i) {
      const double time_s = i * 0.1;
      walkers.step(time_s, 0.1, traffic);
      traffic.step(time_s, 0.1, walkers.on_foot());
      const auto all = walkers.walkers();
      for (std::size_t k = 0; k < last.size(); ++k) {
        REQUIRE(length(all[k].at - last[k]) < 0.25);  // 2.5 m/s
      }
      last.clear();
      for (const Walker& walker : all) {
        last.push_back(walker.at);
        waiting += walker.waits_for >= 0 ? 1 : 0;
        const auto& way = plan.footways[static_cast<std::size_t>(walker.footway)];
        crossing += way.kind == FootKind::crosswalk ? 1 : 0;
      }
    }
    CHECK(waiting > 500);
    CHECK(crossing > 500);
  }

  TEST_CASE("the count of a crosswalk is that of those on it") {
    const Plan& plan = town_plan();
    const Signals signals(plan);
    Traffic traffic(plan, signals, Random(1), 0.5);
    Walkers walkers(plan, signals, Random(2), 1);
    for (int i = 0; i < 300; ++i) {
      walkers.step(i * 0.1, 0.1, traffic);
      traffic.step(i * 0.1, 0.1, walkers.on_foot());
    }
    CrosswalkUse counted(plan.crosswalks.size());
    for (const Walker& walker : walkers.walkers()) {
      const auto& way = plan.footways[static_cast<std::size_t>(walker.footway)];
      if (way.crosswalk >= 0) ++counted[static_cast<std::size_t>(way.crosswalk)];
    }
    CHECK(walkers.on_foot() == counted);
  }
}
