#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "export.hpp"

namespace bev {

/// A simulated scenario of nuPlan.
///
/// Shapes  F frames, B boxes and P planned states of all frames, one frame after another,
///         and E states of the expert. Poses are x, y and yaw of the centre.
/// Units   Metres in the map's UTM zone, radians, seconds; times in microseconds.
struct SimulatedScenario {
  std::string scenario;  ///< nuPlan's name, a token; "" if unknown, as all names here
  std::string log;       ///< name of the recorded log
  std::string type;      ///< of the scenario
  std::string map;       ///< name of the map
  std::string planner;   ///< name of the planner
  double length = 0;     ///< of the ego vehicle
  double width = 0;      ///< of the ego vehicle
  double centre_ahead = 0;             ///< its centre, from the middle of the rear axle
  std::vector<std::int64_t> times_us;  ///< (F)
  std::vector<double> ego;             ///< (F, 3) poses of the ego vehicle
  /// (F, 6) velocity and acceleration along and across, yaw rate and acceleration, at the
  /// rear axle; empty for serialized scenes, which do not have them.
  std::vector<double> motion;
  std::vector<std::string> tracks;        ///< tokens
  std::vector<std::uint32_t> box_counts;  ///< (F)
  std::vector<std::uint32_t> box_track;   ///< (B) index into `tracks`
  std::vector<std::uint8_t> box_type;     ///< (B) of nuPlan's TrackedObjectType
  std::vector<double> boxes;  ///< (B, 6) pose, length, width, speed; NaN: unknown
  std::vector<std::uint32_t> plan_counts;  ///< (F)
  std::vector<double> plan;                ///< (P, 3) poses
  std::vector<std::int64_t> plan_us;       ///< (P) times; empty for serialized scenes
  std::vector<double> expert;              ///< (E, 3) poses; only of serialized scenes
};

/// Measures of a simulation that need no map, with nuPlan's names and definitions;
/// docs/results.md. NaN if unknown, such as where lanes decide.
struct SimulationMeasures {
  std::vector<std::uint32_t> collision_frame;   ///< (C) frames of the collisions
  std::vector<std::uint32_t> collision_track;   ///< (C) index into the tracks
  std::vector<std::uint8_t> collision_type;     ///< (C) nuPlan's; 255: unknown
  double no_ego_at_fault_collisions = 0;        ///< score
  double time_to_collision_within_bound = 0;    ///< 0 or 1
  double ego_is_comfortable = 0;                ///< 0 or 1
  std::vector<double> time_to_collision_ahead;  ///< (F) seconds; empty if unknown
  /// (6, F) longitudinal and lateral acceleration, longitudinal jerk, jerk, yaw rate and
  /// acceleration; empty if unknown.
  std::vector<double> comfort;
};

/// Reads a simulation of nuPlan: a log, or the files of the serialized scenes of a
/// scenario. Nothing in a log is called or imported.
class BEV_EXPORT SimulationReader {
 public:
  /// Begins without files.
  SimulationReader();
  /// Moves it; the other becomes unusable.
  SimulationReader(SimulationReader&& other) noexcept;
  /// Likewise.
  SimulationReader& operator=(SimulationReader&& other) noexcept;
  ~SimulationReader();

  /// Begins the next file, whose name messages have.
  void begin(std::string name);

  /// Passes the next bytes of the file, inflated if it is an xz file.
  ///
  /// @param read  bytes of the file so far
  /// Throws       limit_exceeded above 256 MiB, or 200 bytes for each that was read
  void push(std::span<const std::byte> bytes, std::uint64_t read);

  /// Reads the file.
  ///
  /// Throws  unsupported for other content; corrupt_chunk, invalid_metadata,
  ///         invalid_argument and limit_exceeded, naming file and place
  void end();

  /// Returns the simulation.
  ///
  /// Throws  invalid_metadata without frames, and for two at the same time
  SimulatedScenario finish();

  /// Returns the measures of the finished simulation.
  SimulationMeasures measures() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace bev
