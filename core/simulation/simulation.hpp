#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bev::simulation {

/// Types of road users and objects. The numbers are those of nuPlan's TrackedObjectType.
enum class ObjectType : std::uint8_t {
  vehicle = 0,
  pedestrian = 1,
  bicycle = 2,
  traffic_cone = 3,
  barrier = 4,
  czone_sign = 5,
  generic_object = 6
};
inline constexpr std::size_t kObjectTypes = 7;

/// Returns nuPlan's name: "traffic_cone".
std::string_view to_string(ObjectType type) noexcept;

/// Returns the type of a name; nullopt for an unknown one.
std::optional<ObjectType> object_type(std::string_view name) noexcept;

/// Metres and radians, in the map's UTM zone.
struct Pose {
  double x = 0, y = 0, yaw = 0;
};

/// The ego vehicle's box. The defaults are those of a Pacifica, which serialized scenes
/// do not state.
///
/// Reference  nuplan-devkit, common/actor_state/vehicle_parameters.py
struct Vehicle {
  double length = 5.176, width = 2.297;
  double centre_ahead = 1.461;  ///< from the middle of the rear axle
};

/// The ego vehicle's motion at the middle of the rear axle, along its own axes.
struct Motion {
  double velocity_x = 0, velocity_y = 0;          ///< m/s
  double acceleration_x = 0, acceleration_y = 0;  ///< m/s^2
  double yaw_rate = 0, yaw_acceleration = 0;      ///< rad/s, rad/s^2
};

/// An observed road user or object.
struct Box {
  std::uint32_t track = 0;  ///< index into Simulation::tracks
  ObjectType type = ObjectType::vehicle;
  bool is_static = false;  ///< has no velocity
  Pose pose;               ///< of the centre
  double length = 0, width = 0;
  double speed = 0;  ///< m/s; NaN if the data have none
};

/// A state of a planned trajectory.
struct PlanState {
  std::optional<std::int64_t> time_us;  ///< serialized scenes have no times
  Pose pose;                            ///< of the centre
};

/// A lane connector's light.
struct Light {
  std::int64_t connector = 0;
  std::uint8_t status = 3;  ///< nuPlan's: green, yellow, red, unknown
};

struct Frame {
  std::int64_t time_us = 0;
  Pose ego;  ///< of the centre
  std::optional<Motion>
      motion;  ///< serialized scenes have none: their speed is always 0
  std::vector<Box> boxes;
  std::vector<PlanState> plan;
  std::vector<Light> lights;
};

/// A simulated scenario.
struct Simulation {
  std::string scenario;  ///< nuPlan's name, a token; "" if unknown, as all names here
  std::string log, type, map, planner;
  Vehicle vehicle;
  std::vector<std::string> tracks;  ///< tokens
  std::vector<Frame> frames;        ///< ascending by time
  std::vector<Pose> expert;         ///< of the centre; only of serialized scenes
};

/// Limits of all frames together.
inline constexpr std::size_t kMaxFrames = 20'000;
inline constexpr std::size_t kMaxBoxes = 4'000'000;
inline constexpr std::size_t kMaxPlanStates = 4'000'000;
inline constexpr std::size_t kMaxLights = 4'000'000;
/// So many boxes, states and lights each are read of any files; above, one for each byte
/// of the files as they are stored. Pickles can refer to one object again and again.
inline constexpr std::size_t kFreeObjects = 200'000;
/// Maximum bytes of a name.
inline constexpr std::size_t kMaxNameBytes = 256;
/// Maximum distance of a position from the origin, in metres, and of an angle from 0.
inline constexpr double kMaxValue = 1e9;

/// Returns the pose `ahead` metres before another.
Pose moved_ahead(const Pose& from, double ahead) noexcept;

/// Returns the middle of the rear axle.
inline Pose rear_axle(const Pose& centre, const Vehicle& vehicle) noexcept {
  return moved_ahead(centre, -vehicle.centre_ahead);
}
inline Pose centre_of(const Pose& rear_axle, const Vehicle& vehicle) noexcept {
  return moved_ahead(rear_axle, vehicle.centre_ahead);
}

/// Returns headings without jumps of more than half a turn.
std::vector<double> unwrapped(std::span<const double> headings);

/// Returns the planned pose of the centre at a time; nullopt outside the plan, and if it
/// has no times. The rear axle's position is interpolated linearly, the heading along the
/// shorter way, from -pi to pi.
///
/// Reference  nuplan-devkit, simulation/trajectory/interpolated_trajectory.py
std::optional<Pose> planned_at(std::span<const PlanState> plan, const Vehicle& vehicle,
                               std::int64_t time_us);

/// Returns the id of a track in records: the number that a token of up to 16 hexadecimal
/// digits is, as of a converted log; for other names 2^63 and the index.
std::uint64_t track_id(std::string_view name, std::size_t index) noexcept;

}  // namespace bev::simulation
