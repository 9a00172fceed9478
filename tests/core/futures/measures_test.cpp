#include "core/futures/measures.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/support/error_code.hpp"
#include "tests/support/waymo_futures.hpp"

namespace measures_test {
namespace {

using namespace bev::test;
using namespace bev::futures;
using bev::Errc;
using doctest::Approx;

/// Rollouts of agents that stand at (x, y) in all steps, 4 m x 2 m.
FuturesData standing(std::size_t steps,
                     const std::vector<std::vector<bev::geom::Vec2>>& rollouts) {
  FuturesData out;
  out.scenario_id = "a";
  out.rollouts = rollouts.size();
  out.steps = steps;
  for (std::size_t a = 0; a < rollouts[0].size(); ++a) {
    out.ids.push_back(a + 1);
    out.sizes.insert(out.sizes.end(), {4, 2, 1.5F});
  }
  for (const auto& agents : rollouts) {
    for (const auto& at : agents) {
      out.poses.insert(out.poses.end(), steps, static_cast<float>(at.x));
      out.poses.insert(out.poses.end(), steps, static_cast<float>(at.y));
      out.poses.insert(out.poses.end(), 2 * steps, 0);
    }
  }
  return out;
}

float& value(FuturesData& data, std::size_t r, std::size_t a, std::size_t t,
             std::size_t v) {
  return data.poses[((r * data.ids.size() + a) * 4 + v) * data.steps + t];
}

/// A scenario of `count` tracks 1, 2, ..., valid at the origin in all of 4 frames.
RecordedScenario at_origin(std::size_t count) {
  RecordedScenario out;
  out.id = "a";
  out.times_s.resize(4);
  out.ego_index = 0;
  for (std::size_t i = 0; i < count; ++i) {
    auto& track = out.tracks.emplace_back();
    track.id = static_cast<std::int64_t>(i + 1);
    track.states.resize(4);
    for (auto& state : track.states) {
      state.is_valid = true;
      state.length = 5;
      state.width = 2;
      state.height = 1;
    }
  }
  return out;
}

/// Whether two boxes overlap, by clipping the corners of one by the sides of the other.
bool overlap_by_clipping(const bev::geom::Rectangle& a, const bev::geom::Rectangle& b) {
  auto polygon = std::vector<bev::geom::Vec2>();
  for (const auto& corner : bev::geom::rectangle_corners(
           b.centre, b.heading, 2 * b.half_length, 2 * b.half_width)) {
    const double x = corner.x - a.centre.x, y = corner.y - a.centre.y;
    polygon.push_back(
        {a.heading.cos * x + a.heading.sin * y, a.heading.cos * y - a.heading.sin * x});
  }
  const auto clip = [&](auto depth) {  // keeps where depth >= 0
    std::vector<bev::geom::Vec2> out;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const auto p = polygon[i], q = polygon[(i + 1) % polygon.size()];
      const double d = depth(p), e = depth(q);
      if (d >= 0) out.push_back(p);
      if ((d > 0 && e < 0) || (d < 0 && e > 0)) {
        const double share = d / (d - e);
        out.push_back({p.x + share * (q.x - p.x), p.y + share * (q.y - p.y)});
      }
    }
    polygon = out;
  };
  clip([&](auto p) { return a.half_length - p.x; });
  clip([&](auto p) { return a.half_length + p.x; });
  clip([&](auto p) { return a.half_width - p.y; });
  clip([&](auto p) { return a.half_width + p.y; });
  return !polygon.empty();
}

/// Returns the first step of each agent in which it overlaps another, pair by pair.
std::vector<std::int32_t> steps_by_force(const Futures& futures) {
  std::vector<std::int32_t> out;
  for (std::size_t r = 0; r < futures.rollouts; ++r) {
    for (std::size_t a = 0; a < futures.agents(); ++a) {
      std::int32_t first = -1;
      for (std::size_t t = 0; first < 0 && t < futures.steps; ++t) {
        for (std::size_t b = 0; first < 0 && b < futures.agents(); ++b) {
          if (a == b || !futures.is_valid(r, a, t) || !futures.is_valid(r, b, t))
            continue;
          const auto one = futures.box(r, a, t), other = futures.box(r, b, t);
          const double dx = one.centre.x - other.centre.x;
          const double dy = one.centre.y - other.centre.y;
          if (dx * dx + dy * dy > 1'000) continue;  // no box here is longer than 20 m
          if (overlap_by_clipping(one, other)) first = static_cast<std::int32_t>(t);
        }
      }
      out.push_back(first);
    }
  }
  return out;
}

}  // namespace

TEST_SUITE("futures/measures") {
  TEST_CASE("displacements are means and ends of the steps that both have") {
    auto data = standing(4, {{{3, 4}, {0, 2}}, {{0, 1}, {0, 4}}});
    value(data, 0, 0, 3, kX) = 0;
    value(data, 0, 0, 3, kY) = 1;
    auto scenario = at_origin(2);
    scenario.tracks[0].states[0].is_valid = false;
    const auto found = displacements(data.view(), {0, 1}, scenario);
    CHECK(found.ade[0] == Approx(11.0 / 3));
    CHECK(found.fde[0] == 1);
    CHECK(found.ade[1] == 2);
    CHECK(found.mean_ade(0) == Approx((11.0 / 3 + 2) / 2));
    CHECK(found.mean_ade(1) == 2.5);
    CHECK(found.best_rollout() == std::size_t{1});
    const std::size_t second[] = {1};
    CHECK(found.best_rollout(second) == std::size_t{0});
  }

  TEST_CASE("agents without a track and frames outside are not measured") {
    auto data = standing(4, {{{3, 4}, {0, 2}}});
    data.first_step = 3;
    const auto scenario = at_origin(2);
    const auto found = displacements(data.view(), {std::nullopt, 1}, scenario);
    CHECK(std::isnan(found.ade[0]));
    CHECK(found.ade[1] == 2);
    CHECK(found.mean_ade(0) == 2);
    data.first_step = 4;
    CHECK_FALSE(displacements(data.view(), {0, 1}, scenario).best_rollout());
    data.first_step = -3;
    CHECK(displacements(data.view(), {0, 1}, scenario).ade[0] == 5);
    CHECK(error_code([&] { displacements(data.view(), {0}, scenario); }) ==
          Errc::invalid_argument);
    CHECK(error_code([&] {
            displacements(data.view(), {0, 2}, scenario);
          }) == Errc::out_of_range);
  }

  TEST_CASE("height counts if asked for, and the origin is added") {
    auto data = standing(1, {{{0, 3}}});
    value(data, 0, 0, 0, kZ) = 4;
    const auto scenario = at_origin(1);
    CHECK(displacements(data.view(), {0}, scenario).ade[0] == 3);
    CHECK(displacements(data.view(), {0}, scenario, Axes::xyz).ade[0] == 5);
    data.origin = {4, 0, -4};
    CHECK(displacements(data.view(), {0}, scenario, Axes::xyz).ade[0] == 5);
  }

  TEST_CASE("an agent's first collision is found, with the first of several others") {
    auto data = standing(
        3, {{{0, 0}, {10, 0}, {20, 0}, {11, 0}}, {{0, 0}, {10, 0}, {20, 0}, {30, 0}}});
    value(data, 0, 0, 2, kX) =
        8;  // reaches 1 and 3, which touch from the first step on
    const auto found = collisions(data.view());
    CHECK(found.step == std::vector<std::int32_t>{2, 0, -1, 0, -1, -1, -1, -1});
    CHECK(found.with[0] == 1);
    CHECK(found.with[1] == 3);
    CHECK(found.with[3] == 1);
    CHECK(found.has_any(0, 0));
    CHECK_FALSE(found.has_any(1, 0));
  }

  TEST_CASE("agents that are not valid collide with none") {
    auto data = standing(2, {{{0, 0}, {1, 0}}});
    data.valid = {1, 1, 0, 1};
    CHECK(collisions(data.view()).step == std::vector<std::int32_t>{1, 1});
    data.valid = {1, 1, 0, 0};
    CHECK(collisions(data.view()).step == std::vector<std::int32_t>{-1, -1});
  }

  TEST_CASE("random collisions are those of every pair, clipped") {
    std::mt19937 random(8);
    std::uniform_real_distribution<float> place(-15, 15), turn(-4, 4), size(0.5F, 6);
    for (int round = 0; round < 40; ++round) {
      auto data = standing(4, std::vector<std::vector<bev::geom::Vec2>>(
                                  3, std::vector<bev::geom::Vec2>(12)));
      for (auto& one : data.sizes) one = size(random);
      for (std::size_t r = 0; r < 3; ++r) {
        for (std::size_t a = 0; a < 12; ++a) {
          for (std::size_t t = 0; t < 4; ++t) {
            value(data, r, a, t, kX) = place(random);
            value(data, r, a, t, kY) = place(random);
            value(data, r, a, t, kYaw) = turn(random);
          }
        }
      }
      REQUIRE(collisions(data.view()).step == steps_by_force(data.view()));
    }
  }

  TEST_CASE("collisions need headings and sizes") {
    auto data = standing(1, {{{0, 0}}});
    data.sizes.clear();
    CHECK(error_code([&] { collisions(data.view()); }) == Errc::invalid_argument);
  }

  TEST_CASE("sizes are those of the current step") {
    auto scenario = at_origin(2);
    scenario.current_time_index = 2;
    scenario.tracks[1].states[2].length = 9;
    CHECK(recorded_sizes({1, std::nullopt, 0}, scenario) ==
          std::vector<float>{9, 2, 1, 0, 0, 0, 5, 2, 1});
  }

  TEST_CASE("speeds and accelerations are those of recorded tracks") {
    auto data = standing(4, {{{0, 0}}});
    for (std::size_t t = 0; t < 4; ++t) {
      value(data, 0, 0, t, kX) = static_cast<float>(t * t);  // 1, 3, 5 m per step
    }
    const auto found = motion_of(data.view(), 0.5);
    CHECK(found.speed == std::vector<float>{2, 2, 6, 10});
    CHECK(found.acceleration == std::vector<float>{0, 4, 8, 8});
    data.step_stride = 5;
    CHECK(motion_of(data.view(), 0.1).speed == found.speed);
    data.valid = {1, 0, 1, 1};
    const auto gap = motion_of(data.view(), 0.1);
    CHECK(std::isnan(gap.speed[0]));
    CHECK(std::isnan(gap.speed[1]));
    CHECK(gap.speed[2] == 10);
    CHECK(error_code([&] { motion_of(data.view(), 0); }) == Errc::invalid_argument);
  }

  TEST_CASE("diversity is the mean distance of pairs of rollouts") {
    auto data = standing(2, {{{0, 0}}, {{3, 4}}, {{0, 0}}});
    value(data, 2, 0, 1, kX) = 6;
    value(data, 2, 0, 1, kY) = 8;
    const auto found = diversity(data.view());
    CHECK(found.final_distance[0] == Approx((5 + 10 + 5) / 3.0));
    CHECK(found.mean_distance[0] == Approx((5 + 0 + 5 + 5 + 10 + 5) / 6.0));
    const auto alone = standing(2, {{{0, 0}}});
    CHECK(std::isnan(diversity(alone.view()).mean_distance[0]));
  }

  TEST_CASE("the real submission has the displacements of an independent computation") {
    BEV_REQUIRE_WAYMO();
    const auto scenario = real_scenario();
    const auto data = futures_of(real_submission());
    const Futures views[] = {data.at(0).view()};
    JoinReport report;
    const auto rows = joined_agents(views, scenario, sim_agents_rules(), report).at(0);
    const auto agents = evaluated_agents(views[0], rows, scenario);
    std::vector<std::uint64_t> ids;
    for (const auto agent : agents) ids.push_back(data[0].ids[agent]);
    CHECK(ids == std::vector<std::uint64_t>{1675, 1676, 2320, 2406});
    const auto found = displacements(views[0], rows, scenario, Axes::xyz);
    double sum = 0;
    for (std::size_t r = 0; r < 32; ++r) sum += found.mean_ade(r, agents).value();
    CHECK(std::fabs(sum / 32 - 2.853900) < 1e-5);
    const auto best = found.best_rollout(agents).value();
    CHECK(std::fabs(found.mean_ade(best, agents).value() - 2.373580) < 1e-5);
  }

  TEST_CASE("two real rollouts have the collisions that every pair has, clipped") {
    BEV_REQUIRE_WAYMO();
    const auto scenario = real_scenario();
    auto data = futures_of(real_submission()).at(0);
    const Futures views[] = {data.view()};
    JoinReport report;
    const auto rows = joined_agents(views, scenario, sim_agents_rules(), report).at(0);
    data.sizes = recorded_sizes(rows, scenario);
    const auto found = collisions(data.view());
    auto some = data.view();
    some.rollouts = 2;  // with sanitizers, all take half a minute
    const auto expected = steps_by_force(some);
    CHECK(std::equal(expected.begin(), expected.end(), found.step.begin()));
    std::vector<int> counts;
    for (const auto agent : evaluated_agents(views[0], rows, scenario)) {
      int count = 0;
      for (std::size_t r = 0; r < 32; ++r) count += found.has_any(r, agent) ? 1 : 0;
      counts.push_back(count);
    }
    CHECK(counts == std::vector<int>{0, 24, 32, 32});
  }
}

}  // namespace measures_test
