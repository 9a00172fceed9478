#include "core/series/scene_series.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "tests/support/driven_scenes.hpp"
#include "tests/support/facts_check.hpp"
#include "tests/support/goldens.hpp"

using bev::Error;
using bev::geom::Vec2;
using doctest::Approx;
using namespace bev::series;

namespace {

constexpr std::int64_t kStep = 100'000'000;
constexpr double kSeconds = 0.1;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Car {
  std::uint64_t track = 0;
  double x = 0, y = 0, yaw = 0, length = 4, width = 2;
  float car = 1;  ///< probability of the label CAR
};

void add_frame(SceneRows& rows, const Car& ego, const std::vector<Car>& agents) {
  const auto first = rows.frames.empty() ? 5 : rows.frames.back().end;
  rows.timestamps.push_back(static_cast<std::int64_t>(rows.timestamps.size()) * kStep);
  rows.frames.push_back({first, first + static_cast<std::int64_t>(agents.size())});
  const double c = std::cos(ego.yaw), s = std::sin(ego.yaw);
  for (double v : {ego.x, ego.y, 0.0}) rows.ego_translation.push_back(v);
  for (double v : {c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0})
    rows.ego_rotation.push_back(v);
  for (const auto& one : agents) {
    rows.track_ids.push_back(one.track);
    rows.centroids.insert(rows.centroids.end(), {one.x, one.y});
    rows.yaws.push_back(static_cast<float>(one.yaw));
    for (double v : {one.length, one.width, 1.5})
      rows.extents.push_back(static_cast<float>(v));
    for (int label = 0; label < 17; ++label)
      rows.label_probabilities.push_back(label == 3 ? one.car : 0);
  }
}

/// The ego vehicle drives along x at 10 m/s behind track 7, which starts 20 m ahead at
/// 5 m/s. Track 8 exists in frames 0 and 2 only.
SceneRows queue() {
  SceneRows rows;
  for (int k = 0; k < 4; ++k) {
    std::vector<Car> agents{{7, 20 + 0.5 * k, 0.5}};
    if (k % 2 == 0) agents.push_back({8, 100, 50});
    add_frame(rows, {0, 1.0 * k}, agents);
  }
  return rows;
}

std::vector<double> values(const SceneRows& rows, Subject who, Quantity what) {
  return SceneSeries(rows).values(who, what);
}

/// A scene of cars that move at random.
SceneRows crowd(std::mt19937& random) {
  std::uniform_real_distribution<double> place(-25, 25), turn(-3.2, 3.2), size(1, 6);
  std::bernoulli_distribution seen(0.8);
  std::vector<Car> cars(14);
  for (std::size_t i = 0; i < cars.size(); ++i)
    cars[i] = {
        i + 1, place(random),           place(random), turn(random), size(random),
        2,     i % 4 == 0 ? 0.2F : 0.9F};
  SceneRows rows;
  for (int k = 0; k < 5; ++k) {
    std::vector<Car> now;
    for (auto& car : cars) {
      car.x += place(random) / 25;
      car.y += place(random) / 25;
      if (seen(random)) now.push_back(car);
    }
    add_frame(rows, {0, place(random) / 5, place(random) / 5, turn(random) / 4}, now);
  }
  return rows;
}

struct Shape {
  double x, y, yaw, length, width;
};

/// Returns the shape of a track in a frame by a linear search; track 0 is the ego.
std::vector<Shape> shape(const SceneRows& rows, std::size_t k, std::uint64_t track) {
  if (track == 0) {
    const auto* r = &rows.ego_rotation[9 * k];
    return {{rows.ego_translation[3 * k], rows.ego_translation[3 * k + 1],
             std::atan2(r[3], r[0]), 4.87, 1.85}};
  }
  for (auto at = rows.frames[k].begin - 5; at < rows.frames[k].end - 5; ++at) {
    const auto row = static_cast<std::size_t>(at);
    if (rows.track_ids[row] == track)
      return {{rows.centroids[2 * row], rows.centroids[2 * row + 1], rows.yaws[row],
               rows.extents[3 * row], rows.extents[3 * row + 1]}};
  }
  return {};
}

/// Finds the gap to the vehicle ahead by its four corners in the axes of `track`.
double brute_force(const SceneRows& rows, std::size_t k, std::uint64_t track) {
  const auto own = shape(rows, k, track);
  double out = std::numeric_limits<double>::quiet_NaN();
  if (own.empty()) return out;
  const double c = std::cos(own[0].yaw), s = std::sin(own[0].yaw);
  for (std::uint64_t other = 0; other <= 14; ++other) {
    const auto it = other == track ? std::vector<Shape>{} : shape(rows, k, other);
    if (it.empty() || (other > 0 && (other - 1) % 4 == 0)) continue;  // improbable
    double near = 1e9, low = 1e9, high = -1e9;
    const auto in_axes = [&](double x, double y) {
      return Vec2{c * (x - own[0].x) + s * (y - own[0].y),
                  c * (y - own[0].y) - s * (x - own[0].x)};
    };
    for (int i = 0; i < 4; ++i) {
      const double along = (i % 2 ? 0.5 : -0.5) * it[0].length;
      const double across = (i / 2 ? 0.5 : -0.5) * it[0].width;
      const double oc = std::cos(it[0].yaw), os = std::sin(it[0].yaw);
      const auto at = in_axes(it[0].x + oc * along - os * across,
                              it[0].y + os * along + oc * across);
      near = std::min(near, at.x - own[0].length / 2);
      low = std::min(low, at.y);
      high = std::max(high, at.y);
    }
    const bool beside = low >= own[0].width / 2 || high <= -own[0].width / 2;
    if (beside || in_axes(it[0].x, it[0].y).x <= 0) continue;
    const double gap = std::max(0.0, near);
    if (gap <= 100) out = std::fmin(out, gap);
  }
  return out;
}

/// Returns the columns of a scene of the facts' tests.
SceneRows rows_of(const bev::test::OracleScene& scene) {
  SceneRows rows;
  for (const auto& frame : scene.frames) {
    rows.timestamps.push_back(frame.timestamp);
    rows.frames.push_back(frame.agent_index_interval);
    for (double v : frame.ego_translation) rows.ego_translation.push_back(v);
    for (double v : frame.ego_rotation) rows.ego_rotation.push_back(v);
  }
  for (const auto& agent : scene.agents) {
    rows.track_ids.push_back(agent.track_id);
    for (double v : agent.centroid) rows.centroids.push_back(v);
    for (float v : agent.extent) rows.extents.push_back(v);
    rows.yaws.push_back(agent.yaw);
    for (float v : agent.label_probabilities) rows.label_probabilities.push_back(v);
  }
  return rows;
}

bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || a == Approx(b).epsilon(1e-6);
}

}  // namespace

TEST_SUITE("series/scene_series") {
  TEST_CASE("what is measured of a virtual ego vehicle is unknown") {
    auto rows = queue();
    rows.ego_is_virtual = true;
    for (const auto what : {Quantity::x, Quantity::speed, Quantity::yaw,
                            Quantity::lead_gap, Quantity::time_to_collision}) {
      for (const double value : values(rows, std::nullopt, what)) {
        CHECK(std::isnan(value));
      }
    }
    for (const auto what : {Quantity::ego_distance, Quantity::time_to_collision}) {
      for (const double value : values(rows, 7, what)) CHECK(std::isnan(value));
    }
    CHECK(values(rows, 7, Quantity::speed)[1] == Approx(5));
  }

  TEST_CASE("the gap is from bumper to bumper, in the direction of the heading") {
    const auto gap = values(queue(), std::nullopt, Quantity::lead_gap);
    CHECK(gap[0] == Approx(20 - 4.87 / 2 - 2));
    CHECK(gap[3] == Approx(21.5 - 3 - 4.87 / 2 - 2));
    CHECK(std::isnan(values(queue(), 7, Quantity::lead_gap)[0]));  // nothing ahead
  }

  TEST_CASE("the time to collision is that of boxes that keep their velocity") {
    const auto time = values(queue(), std::nullopt, Quantity::time_to_collision);
    CHECK(time[1] == Approx((20.5 - 1 - 4.87 / 2 - 2) / 5));
    CHECK(same(values(queue(), 7, Quantity::time_to_collision)[1], time[1]));
    CHECK(std::isnan(values(queue(), 8, Quantity::time_to_collision)[0]));
    SceneRows apart;
    for (int k = 0; k < 4; ++k) add_frame(apart, {0, 0}, {{7, 20 + 1.0 * k, 0}});
    CHECK(std::isnan(values(apart, std::nullopt, Quantity::time_to_collision)[1]));
  }

  TEST_CASE("a crossing road user has a time to collision without being ahead") {
    SceneRows rows;
    for (int k = 0; k < 5; ++k)
      add_frame(rows, {0, 1.0 * k}, {{7, 20, 20 - 1.0 * k, -1.5707963}});
    CHECK(std::isnan(values(rows, std::nullopt, Quantity::lead_gap)[0]));
    const auto time = values(rows, std::nullopt, Quantity::time_to_collision);
    // Both axes close at 10 m/s. They overlap along x first, then along y.
    CHECK(time[0] == Approx((20 - 1.85 / 2 - 2) / 10));
  }

  TEST_CASE("times to collision are those of the facts, and of their search") {
    int found = 0;
    const auto check = [&](const auto& store, std::uint64_t index) {
      const auto facts = bev::test::check_facts(store, index);
      SceneSeries series(rows_of(bev::test::oracle_scene(store, index)));
      series.set_threshold(0.5F);
      const auto ego = series.values({}, Quantity::time_to_collision);
      std::vector<double> least(ego.size(), kNan);
      for (const auto& track : facts.tracks) {
        const auto times = series.values(track.track_id, Quantity::time_to_collision);
        const auto& expected = track.series.at("min_ttc");
        REQUIRE(times.size() == expected.size());
        for (std::size_t k = 0; k < times.size(); ++k) {
          CHECK(same(times[k], expected[k]));
          least[k] = std::fmin(least[k], expected[k]);
          if (!std::isnan(times[k])) ++found;
        }
      }
      for (std::size_t k = 0; k < ego.size(); ++k) CHECK(same(ego[k], least[k]));
    };
    const auto store = bev::test::driven_store(5, 3, 60);
    for (std::uint64_t scene = 0; scene < 3; ++scene) check(store, scene);
    CHECK(found > 40);
    BEV_REQUIRE_GOLDENS();
    check(bev::test::FolderStore(bev::test::goldens() + "/inputs/single_scene.zarr"),
          0);
  }

  TEST_CASE("the ego vehicle is ahead of the agents behind it") {
    SceneRows rows;
    for (int k = 0; k < 2; ++k) add_frame(rows, {0, 10}, {{7, 0, 0}});
    CHECK(values(rows, 7, Quantity::lead_gap)[0] == Approx(10 - 4.87 / 2 - 2));
    CHECK(std::isnan(values(rows, std::nullopt, Quantity::lead_gap)[0]));
  }

  TEST_CASE("agents below the threshold are not ahead") {
    SceneRows rows;
    add_frame(rows, {}, {{7, 20, 0, 0, 4, 2, 0.4F}, {8, 30, 0}});
    SceneSeries series(rows);
    CHECK(series.values(std::nullopt, Quantity::lead_gap)[0] ==
          Approx(20 - 4.87 / 2 - 2));
    series.set_threshold(0.5F);
    CHECK(series.values(std::nullopt, Quantity::lead_gap)[0] ==
          Approx(30 - 4.87 / 2 - 2));
    rows.label_probabilities.clear();
    SceneSeries unlabelled(rows);
    unlabelled.set_threshold(0.5F);
    CHECK(unlabelled.values(std::nullopt, Quantity::lead_gap)[0] ==
          Approx(20 - 4.87 / 2 - 2));
  }

  TEST_CASE("gaps equal a search over all corners") {
    std::mt19937 random(3);
    int found = 0;
    for (int scene = 0; scene < 8; ++scene) {
      const auto rows = crowd(random);
      SceneSeries series(rows);
      series.set_threshold(0.5F);
      for (std::uint64_t track = 0; track <= 14; ++track) {
        const Subject who = track == 0 ? Subject{} : Subject{track};
        const auto gaps = series.values(who, Quantity::lead_gap);
        for (std::size_t k = 0; k < gaps.size(); ++k) {
          CHECK(same(gaps[k], brute_force(rows, k, track)));
          if (!std::isnan(gaps[k])) ++found;
        }
      }
    }
    CHECK(found > 100);
  }

  TEST_CASE("curvature is the turn per metre, and unknown when hardly moving") {
    SceneRows rows;
    for (int k = 0; k < 6; ++k) {
      const double angle = 0.05 * k;  // 1 m per frame at a radius of 20 m
      add_frame(rows, {0, 20 * std::sin(angle), 20 - 20 * std::cos(angle), angle},
                {{7, 0.05 * k, 0, 0.1 * k}});
    }
    CHECK(values(rows, std::nullopt, Quantity::curvature)[2] ==
          Approx(1.0 / 20).epsilon(0.001));
    CHECK(std::isnan(values(rows, 7, Quantity::curvature)[2]));  // 0.5 m/s
  }

  TEST_CASE("jerk is the change of acceleration") {
    SceneRows rows;
    for (int k = 0; k < 10; ++k) {
      const double t = kSeconds * k;
      add_frame(rows, {0, 10 * t + 3 * t * t * t}, {});
    }
    CHECK(values(rows, std::nullopt, Quantity::acceleration)[5] == Approx(8.1));
    CHECK(values(rows, std::nullopt, Quantity::jerk)[5] == Approx(18));
  }

  TEST_CASE("frames without the track have no values and no row") {
    const auto x = values(queue(), 8, Quantity::x);
    CHECK(x[0] == 100);
    CHECK(std::isnan(x[1]));
    CHECK(x[2] == 100);
    CHECK(values(queue(), 8, Quantity::y)[2] == 50);
    CHECK(values(queue(), 8, Quantity::ego_distance)[0] == Approx(std::hypot(100, 50)));
    CHECK(std::isnan(values(queue(), 8, Quantity::ego_distance)[3]));
    CHECK(std::isnan(values(queue(), std::nullopt, Quantity::ego_distance)[0]));
    SceneSeries series(queue());
    CHECK(series.rows_of(8) == std::vector<std::int32_t>{1, -1, 4, -1});
    CHECK(series.rows_of({}) == std::vector<std::int32_t>{0, 1, 2, 3});
    CHECK(series.rows_of(99) == std::vector<std::int32_t>{-1, -1, -1, -1});
  }

  TEST_CASE("absent rows have no values, whatever the columns contain") {
    auto rows = queue();
    rows.absent = {0, 1, 2, 0};
    SceneSeries series(rows);
    CHECK(series.values({}, Quantity::x)[1] == 1);
    CHECK(std::isnan(series.values({}, Quantity::x)[2]));
    CHECK(std::isnan(series.values(7, Quantity::x)[1]));
    CHECK(std::isnan(series.values(7, Quantity::x)[2]));
    CHECK(std::isnan(series.values({}, Quantity::lead_gap)[1]));
    CHECK(!std::isnan(series.values({}, Quantity::lead_gap)[3]));
    CHECK(series.rows_of(7) == std::vector<std::int32_t>{0, -1, -1, 5});
    CHECK(series.rows_of({}) == std::vector<std::int32_t>{0, 1, -1, 3});
    rows.frames[2] = {};  // fill values
    CHECK(SceneSeries(rows).rows_of(7) == std::vector<std::int32_t>{0, -1, -1, 5});
    rows.absent = {2, 0, 2, 2};
    rows.frames = {{}, {7, 8}, {}, {}};
    rows.track_ids = {7};
    rows.centroids = {20.5, 0.5};
    rows.yaws = {0};
    rows.extents.resize(3);
    rows.label_probabilities.clear();
    CHECK(SceneSeries(rows).rows_of(7) == std::vector<std::int32_t>{-1, 0, -1, -1});
    rows.absent.pop_back();
    CHECK_THROWS_AS(SceneSeries{rows}, Error);
  }

  TEST_CASE("speed, yaw and yaw rate are those of the timeline") {
    const auto rows = queue();
    CHECK(values(rows, std::nullopt, Quantity::speed)[1] == Approx(10));
    CHECK(values(rows, 7, Quantity::speed)[1] == Approx(5));
    CHECK(values(rows, 7, Quantity::yaw)[1] == 0);
    CHECK(values(rows, 7, Quantity::yaw_rate)[1] == 0);
  }

  TEST_CASE("the offset to the lane needs lanes") {
    SceneRows rows;
    add_frame(rows, {0, 5, 0.4}, {{7, 8, -0.2, 3.1}});
    SceneSeries series(rows);
    CHECK(std::isnan(series.values(std::nullopt, Quantity::lane_offset)[0]));
    series.set_lanes({{{0, 2, 20, 2}, {0, 2}}, {{0, -2, 20, -2}, {0, 2}}});
    CHECK(series.values(std::nullopt, Quantity::lane_offset)[0] == Approx(0.4));
    CHECK(std::isnan(series.values(7, Quantity::lane_offset)[0]));  // against it
  }

  TEST_CASE("names of quantities are those of the documentation") {
    CHECK(quantity_from("x") == Quantity::x);
    CHECK(quantity_from("jerk") == Quantity::jerk);
    CHECK(quantity_from("lead_gap") == Quantity::lead_gap);
    CHECK(quantity_from("lane_offset") == Quantity::lane_offset);
    CHECK_THROWS_AS(quantity_from("gap"), Error);
  }

  TEST_CASE("inconsistent columns are refused") {
    auto rows = queue();
    rows.yaws.pop_back();
    CHECK_THROWS_WITH_AS(SceneSeries{rows},
                         "series: yaw: wrong length (found 5 values, expected 6)",
                         Error);
    rows = queue();
    rows.frames[1] = {3, 2};
    CHECK_THROWS_AS(SceneSeries{rows}, Error);
    rows = queue();
    rows.frames.pop_back();
    CHECK_THROWS_AS(SceneSeries{rows}, Error);
    CHECK(values({}, std::nullopt, Quantity::speed).empty());
    CHECK(values({}, 4, Quantity::lead_gap).empty());
  }
}
