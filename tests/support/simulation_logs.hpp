#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/simulation/simulation.hpp"
#include "tests/support/pickled_objects.hpp"

namespace bev::test {

/// A box of a log to be made.
struct MadeBox {
  std::string track;
  int type = 0;
  simulation::Pose pose;
  double speed = 0;
  double length = 4, width = 2;
  bool is_static = false;
};

/// A sample of a log to be made.
struct MadeSample {
  std::int64_t time_us = 0;
  simulation::Pose centre;
  simulation::Motion motion;
  std::vector<MadeBox> boxes;
  std::vector<std::pair<std::int64_t, simulation::Pose>> plan;
};

inline std::string pickled_pose(const simulation::Pose& pose) {
  using namespace pickled;
  return slots("StateSE2",
               {{"x", real(pose.x)}, {"y", real(pose.y)}, {"heading", real(pose.yaw)}});
}

inline std::string pickled_vector(double x, double y) {
  using namespace pickled;
  return slots("StateVector2D", {{"_x", real(x)}, {"_y", real(y)}});
}

/// An EgoState: 5 m long and 2 m wide, the centre 1.5 m before the rear axle.
inline std::string pickled_ego(std::int64_t time_us, const simulation::Pose& centre,
                               const simulation::Motion& motion) {
  using namespace pickled;
  const auto vehicle = call(
      "VehicleParameters",
      {real(2), real(4), real(1), real(1.6), real(3), text("a"), text("b"), real(1.7)});
  const auto state = object(
      "DynamicCarState",
      {{"_rear_axle_to_center_dist", real(1.5)},
       {"_rear_axle_velocity_2d", pickled_vector(motion.velocity_x, motion.velocity_y)},
       {"_rear_axle_acceleration_2d",
        pickled_vector(motion.acceleration_x, motion.acceleration_y)},
       {"_angular_velocity", real(motion.yaw_rate)},
       {"_angular_acceleration", real(motion.yaw_acceleration)}});
  const auto footprint = object("CarFootprint", {{"_center", pickled_pose(centre)},
                                                 {"_length", real(5)},
                                                 {"_width", real(2)},
                                                 {"_vehicle_parameters", vehicle}});
  return object("EgoState",
                {{"_car_footprint", footprint},
                 {"_dynamic_car_state", state},
                 {"_time_point", slots("TimePoint", {{"time_us", integer(time_us)}})}});
}

inline std::string pickled_box(const MadeBox& box) {
  using namespace pickled;
  Fields fields{
      {"_metadata", object("Metadata", {{"track_token", text(box.track)}})},
      {"_tracked_object_type", call("TrackedObjectType", {integer(box.type)})},
      {"_box", object("OrientedBox", {{"_center", pickled_pose(box.pose)},
                                      {"_length", real(box.length)},
                                      {"_width", real(box.width)}})}};
  if (!box.is_static) fields.emplace_back("_velocity", pickled_vector(box.speed, 0));
  return object(box.is_static ? "StaticObject" : "Agent", fields);
}

inline std::string pickled_sample(const MadeSample& sample) {
  using namespace pickled;
  std::vector<std::string> boxes, plan;
  for (const auto& box : sample.boxes) boxes.push_back(pickled_box(box));
  for (const auto& [time, pose] : sample.plan) {
    plan.push_back(pickled_ego(time, pose, {}));
  }
  const auto light = object("Light", {{"status", call("Status", {integer(2)})},
                                      {"lane_connector_id", integer(17)}});
  const auto tracked = object("TrackedObjects", {{"tracked_objects", list(boxes)}});
  return object(
      "Sample",
      {{"ego_state", pickled_ego(sample.time_us, sample.centre, sample.motion)},
       {"trajectory", call("InterpolatedTrajectory", {list(plan)})},
       {"observation", object("Tracks", {{"tracked_objects", tracked}})},
       {"traffic_light_status", list({light})}});
}

/// A log as nuPlan's simulation_log.py pickles it. `planner` is the pickled planner.
inline std::string pickled_log(const std::vector<MadeSample>& samples,
                               const std::string& planner = "N") {
  using namespace pickled;
  std::vector<std::string> all;
  for (const auto& sample : samples) all.push_back(pickled_sample(sample));
  std::vector<std::string> path;
  for (const auto* part : {"/", "idm", "following", "log1", "ab12", "ab12.pkl.xz"}) {
    path.push_back(text(part));
  }
  return document(object(
      "SimulationLog",
      {{"file_path", call("PosixPath", path)},
       {"planner", planner},
       {"simulation_history", object("SimulationHistory", {{"data", list(all)}})}}));
}

/// Samples 0.1 s apart, of the ego vehicle driving along x with 10 m/s.
inline std::vector<MadeSample> straight_samples(std::size_t count) {
  std::vector<MadeSample> out;
  for (std::size_t i = 0; i < count; ++i) {
    const auto step = static_cast<double>(i);
    MadeSample sample;
    sample.time_us = 1'000'000 + 100'000 * static_cast<std::int64_t>(i);
    sample.centre = {step, 0, 0};
    sample.motion.velocity_x = 10;
    out.push_back(sample);
  }
  return out;
}

}  // namespace bev::test
