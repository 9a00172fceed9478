#include "native/town/traffic.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "native/town/walkers.hpp"
#include "tests/native/town/town_plan.hpp"

namespace traffic_test {

using namespace bev::town;

namespace {

constexpr double kStep = 0.1;

// Simulates half a minute of traffic; calls `look` after every step.
template <class Look>
void run(const Plan& plan, Look look) {
  const Signals signals(plan);
  Traffic traffic(plan, signals, Random(11), 1.3);
  Walkers walkers(plan, signals, Random(12), 1.3);
  for (int i = 0; i < 300; ++i) {
    const double time_s = i * kStep;
    walkers.step(time_s, kStep, traffic);
    traffic.step(time_s, kStep, walkers.on_foot());
    look(time_s, signals, traffic, walkers);
  }
}

// Returns the overlap of two rectangles in metres; negative for a gap.
double overlap(const Plan& plan, const Vehicle& a, const Vehicle& b) {
  const Pose p = body(plan, a), q = body(plan, b);
  const auto half = [](const Pose& at, const Vehicle& v, Vec2 axis) {
    return 0.5 * (v.length * std::fabs(dot(at.direction, axis)) +
                  v.width * std::fabs(dot(left_of(at.direction), axis)));
  };
  double least = 1e9;
  for (const Vec2 axis :
       {p.direction, left_of(p.direction), q.direction, left_of(q.direction)}) {
    least = std::min(
        least, half(p, a, axis) + half(q, b, axis) - std::fabs(dot(p.at - q.at, axis)));
  }
  return least;
}

const Lane& lane(const Plan& plan, int i) {
  return plan.lanes[static_cast<std::size_t>(i)];
}

}  // namespace

TEST_SUITE("town/traffic") {
  TEST_CASE("speeds and accelerations are those of sane drivers") {
    const Plan& plan = town_plan();
    double fastest = 0, hardest = 0, moved = 0;
    run(plan, [&](double, const Signals&, const Traffic& traffic, const Walkers&) {
      for (const Vehicle& v : traffic.vehicles()) {
        fastest = std::max(fastest, v.speed);
        hardest = std::max(hardest, -v.acceleration);
        REQUIRE(v.acceleration < 2.5);
        REQUIRE(v.speed >= 0);
        REQUIRE(std::fabs(v.lateral) < 0.75);  // keeps to the lane
        moved += v.speed * kStep;
      }
    });
    CHECK(fastest < 16.5);
    CHECK(fastest > 10);
    CHECK(hardest <= 7.0);
    CHECK(moved > 25'000);  // metres in total: the town is not jammed
  }

  TEST_CASE("vehicles do not overlap") {
    const Plan& plan = town_plan();
    double worst = -1;
    run(plan,
        [&](double time_s, const Signals&, const Traffic& traffic, const Walkers&) {
          const auto all = traffic.vehicles();
          if (std::fmod(time_s + 0.05, 0.5) > 0.1) return;
          for (std::size_t i = 0; i < all.size(); ++i) {
            const Vec2 at = body(plan, all[i]).at;
            for (std::size_t j = i + 1; j < all.size(); ++j) {
              const Vec2 apart = body(plan, all[j]).at - at;
              if (dot(apart, apart) < 170) {
                worst = std::max(worst, overlap(plan, all[i], all[j]));
              }
            }
          }
        });
    CHECK(worst < 0.2);  // mirrors may touch where lanes bend
  }

  TEST_CASE("vehicles stop at red") {
    const Plan& plan = town_plan();
    std::vector<int> last;
    int passed = 0;
    run(plan, [&](double time_s, const Signals& signals, const Traffic& traffic,
                  const Walkers&) {
      const auto all = traffic.vehicles();
      for (std::size_t i = 0; i < all.size() && i < last.size(); ++i) {
        const Lane& now = lane(plan, all[i].lane);
        const bool entered = all[i].lane != last[i] && now.kind == LaneKind::turn;
        const bool lit =
            entered && plan.nodes[static_cast<std::size_t>(now.node)].lit();
        if (!lit) continue;
        ++passed;
        CAPTURE(time_s);
        REQUIRE(signals.colour(now.node, now.arm, time_s) != Colour::red);
      }
      last.clear();
      for (const Vehicle& v : all) last.push_back(v.lane);
    });
    CHECK(passed > 150);
  }

  TEST_CASE("drivers and people on foot do not meet on a crosswalk") {
    const Plan& plan = town_plan();
    int on_foot = 0;
    run(plan,
        [&](double, const Signals&, const Traffic& traffic, const Walkers& walkers) {
          std::vector<Vec2> people;
          for (const Walker& walker : walkers.walkers()) {
            const auto& way = plan.footways[static_cast<std::size_t>(walker.footway)];
            if (way.kind == FootKind::crosswalk) people.push_back(walker.at);
          }
          on_foot += static_cast<int>(people.size());
          for (const Vehicle& v : traffic.vehicles()) {
            const Pose at = body(plan, v);
            for (const Vec2 person : people) {
              const Vec2 apart = person - at.at;
              if (dot(apart, apart) > 50) continue;
              const bool inside = std::fabs(dot(apart, at.direction)) < v.length / 2 &&
                                  std::fabs(cross(at.direction, apart)) < v.width / 2;
              REQUIRE_FALSE(inside);
            }
          }
        });
    CHECK(on_foot > 500);
  }
}

}  // namespace traffic_test
