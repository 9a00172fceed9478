#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "core/scene/records.hpp"
#include "native/town/path.hpp"
#include "native/town/random.hpp"

namespace bev::town {

/// Labels; values are indices in L5Kit's label list.
enum class Label : std::size_t {
  unknown = 1,
  car = 3,
  van = 4,
  bus = 6,
  truck = 7,
  cyclist = 12,
  motorcyclist = 13,
  pedestrian = 14,
};

/// An object in sight, with its true state.
struct WorldObject {
  std::uint64_t identity = 0;  ///< constant per object throughout a scene
  Label label = Label::unknown;
  Vec2 at;
  Vec2 direction{1, 0};
  Vec2 velocity;
  double length = 1, width = 1, height = 1;
};

/// Limits of a sensor. The defaults match real scenes.
struct SensorRange {
  double metres = 70;
  std::size_t min_objects = 30;  ///< objects detected even beyond `metres`
  std::size_t max_objects = 120;
};

/// Simulates a car's detector and tracker: limited range, small errors, probabilities
/// that decrease with distance, tracks that are lost at times and return under a new
/// id.
class Sensor {
 public:
  Sensor(Random random, const SensorRange& reach) : random_(random), reach_(reach) {}

  /// Returns one frame's records, sorted by track id.
  std::vector<scene::Agent> look(Vec2 from, std::span<const WorldObject> objects);

 private:
  struct Track {
    std::uint64_t id = 0;
    double certainty = 0;
    double length_error = 0, width_error = 0;
    Vec2 error;  // of the position, drifts
    double yaw_error = 0;
    int seen = 0;  // frame
  };

  std::vector<std::size_t> in_range(Vec2 from,
                                    std::span<const WorldObject> objects) const;
  Track new_track();
  scene::Agent record(const WorldObject& object, Track& track, double distance);

  Random random_;
  SensorRange reach_;
  std::map<std::uint64_t, Track> tracks_;      // by identity
  std::map<std::uint64_t, int> hidden_until_;  // frame, by identity
  std::uint64_t next_id_ = 1;
  int frame_ = 0;
};

}  // namespace bev::town
