#include "core/simulation/measures.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace simulation_measures_test {

using namespace bev::simulation;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// The ego vehicle drives along x with 10 m/s, 0.1 s per frame. Its rear axle is 1.5 m
/// behind its centre, its front 2.5 m before it.
Simulation straight(std::size_t frames) {
  Simulation out;
  out.vehicle = {5, 2, 1.5};
  out.tracks = {"0", "1", "2"};
  for (std::size_t i = 0; i < frames; ++i) {
    auto& frame = out.frames.emplace_back();
    frame.time_us = static_cast<std::int64_t>(i) * 100'000;
    frame.ego = {static_cast<double>(i), 0, 0};
    frame.motion.emplace();
    frame.motion->velocity_x = 10;
  }
  return out;
}

Box box_at(double x, double y, double speed, ObjectType type = ObjectType::vehicle) {
  return {0, type, false, {x, y, 0}, 4, 2, speed};
}

/// Returns the measures with one box in the second frame.
Measures with(const Box& box, double own_speed = 10) {
  auto from = straight(8);
  from.frames[1].boxes.push_back(box);
  from.frames[1].motion->velocity_x = own_speed;
  return measures(from);
}

CollisionType type_of(const Box& box, double own_speed = 10) {
  const auto found = with(box, own_speed);
  REQUIRE(found.collisions.size() == 1);
  REQUIRE(found.collisions[0].type);
  CHECK(found.collisions[0].frame == 1);
  return *found.collisions[0].type;
}

TEST_SUITE("simulation/measures") {
  TEST_CASE("collisions have nuPlan's types") {
    CHECK(type_of(box_at(5, 0, 5)) == CollisionType::active_front);
    CHECK(type_of(box_at(5, 0, 0.05)) == CollisionType::stopped_track);
    CHECK(type_of(box_at(5, 0, 5), 0.05) == CollisionType::stopped_ego);
    CHECK(type_of(box_at(-3, 0, 5)) == CollisionType::active_rear);
    CHECK(type_of(box_at(0, 1.9, 5)) == CollisionType::active_lateral);
    auto cone = box_at(5, 0, 0, ObjectType::traffic_cone);
    cone.is_static = true;
    CHECK(type_of(cone) == CollisionType::stopped_track);
  }

  TEST_CASE("boxes that touch collide, apart by less than a hair they do not") {
    CHECK(with(box_at(5.5, 0, 5)).collisions.size() == 1);
    CHECK(with(box_at(5.5000001, 0, 5)).collisions.empty());
  }

  TEST_CASE("scores are those of nuPlan by type, and unknown if lanes decide") {
    CHECK(with(box_at(50, 0, 5)).no_ego_at_fault_collisions == 1);
    CHECK(with(box_at(5, 0, 5)).no_ego_at_fault_collisions == 0);
    CHECK(with(box_at(-3, 0, 5)).no_ego_at_fault_collisions == 1);
    auto cone = box_at(5, 0, 0, ObjectType::traffic_cone);
    cone.is_static = true;
    CHECK(with(cone).no_ego_at_fault_collisions == 0.5);
    CHECK_FALSE(with(box_at(0, 1.9, 5)).no_ego_at_fault_collisions);
    // Whatever the lateral collision is, the other one is at fault.
    auto from = straight(8);
    from.frames[1].boxes = {box_at(1, 1.9, 5), box_at(5, 0, 5)};
    from.frames[1].boxes[1].track = 1;
    CHECK(measures(from).no_ego_at_fault_collisions == 0);
  }

  TEST_CASE("a track collides once") {
    auto from = straight(8);
    for (auto& frame : from.frames) frame.boxes = {box_at(frame.ego.x + 4, 0, 5)};
    CHECK(measures(from).collisions.size() == 1);
  }

  TEST_CASE("the time to collision is that of the first step of 0.1 s that touches") {
    // The gap is 9.5 m at 10 m/s; a vehicle ahead with 5 m/s doubles the time.
    const auto times = [](double speed) {
      return with(box_at(1 + 14, 0, speed)).time_to_collision_ahead;
    };
    CHECK(times(0)[1] == doctest::Approx(1.0));
    CHECK(times(5)[1] == doctest::Approx(1.9));
    CHECK(times(10)[1] == kInfinite);
    CHECK(times(0)[0] == kInfinite);
    CHECK(with(box_at(15, 0, 0)).time_to_collision_within_bound == true);
    CHECK(with(box_at(14, 0, 0)).time_to_collision_within_bound == false);
    CHECK(with(box_at(15, 0, 0), 0.005).time_to_collision_ahead[1] == kInfinite);
  }

  TEST_CASE("road users beside the ego vehicle make the bound unknown") {
    // 45 degrees left of the rear axle, it drives into the path.
    Box beside = box_at(5, 5.5, 8);
    beside.pose.yaw = -std::acos(0.0) / 2;
    CHECK_FALSE(with(beside).time_to_collision_within_bound);
    CHECK(with(beside).time_to_collision_ahead[1] == kInfinite);
    // Parallel to it, it is never hit: the bound is met in both cases.
    CHECK(with(box_at(5, 5.5, 8)).time_to_collision_within_bound == true);
  }

  TEST_CASE("collided tracks do not count afterwards; at fault the time is 0") {
    auto from = straight(8);
    for (auto& frame : from.frames) frame.boxes = {box_at(10, 0, 5)};
    const auto found = measures(from).time_to_collision_ahead;
    CHECK(found[5] > 0);
    CHECK(found[6] == 0);  // 6 + 2.5 reaches 8
    CHECK(found[7] == kInfinite);
  }

  TEST_CASE("comfort is smoothed, and all bounds are strict") {
    auto from = straight(20);
    CHECK(measures(from).ego_is_comfortable == true);
    for (auto& frame : from.frames) frame.motion->acceleration_x = 2.4;
    CHECK(measures(from).ego_is_comfortable == false);
    for (auto& frame : from.frames) frame.motion->acceleration_x = 2.39;
    auto found = measures(from);
    CHECK(found.ego_is_comfortable == true);
    CHECK(found.comfort->lon_acceleration[3] == doctest::Approx(2.39));
    CHECK(found.comfort->jerk[3] == doctest::Approx(0));
    for (auto& frame : from.frames) frame.motion->yaw_rate = 0.1;
    found = measures(from);
    CHECK(found.comfort->lon_acceleration[3] == doctest::Approx(2.39 + 1.5 * 0.01));
    CHECK(found.ego_is_comfortable == false);
    from = straight(20);
    for (std::size_t i = 0; i < 20; ++i) {
      from.frames[i].ego.yaw = 3.1 + 0.09 * static_cast<double>(i);
      if (from.frames[i].ego.yaw > 3.14) from.frames[i].ego.yaw -= 2 * std::acos(-1.0);
    }
    found = measures(from);
    CHECK(found.comfort->yaw_rate[10] == doctest::Approx(0.9));
    CHECK(found.ego_is_comfortable == true);
  }

  TEST_CASE("without the ego vehicle's motion only collisions are known") {
    auto from = straight(8);
    for (auto& frame : from.frames) frame.motion.reset();
    from.frames[1].boxes = {box_at(5, 0, 5)};
    const auto found = measures(from);
    REQUIRE(found.collisions.size() == 1);
    CHECK_FALSE(found.collisions[0].type);
    CHECK_FALSE(found.no_ego_at_fault_collisions);
    CHECK_FALSE(found.time_to_collision_within_bound);
    CHECK_FALSE(found.ego_is_comfortable);
    CHECK(found.time_to_collision_ahead.empty());
  }

  TEST_CASE("three frames are too few for comfort") {
    CHECK_FALSE(measures(straight(3)).ego_is_comfortable);
    CHECK(measures(straight(4)).ego_is_comfortable == true);
  }
}

}  // namespace simulation_measures_test
