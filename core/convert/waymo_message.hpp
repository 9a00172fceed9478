#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/geom/affine.hpp"

// The scenario of the Waymo Open Motion data set as stored. ScenarioNet's files, which
// have the same content under names of their own, are read to it, too.
// Reference  waymo-open-dataset, protos/scenario.proto and map.proto (proto2). Lidar and
//            camera data are counted and skipped.

namespace bev::convert::waymo {

struct State {
  geom::Vec3 centre;
  float length = 0, width = 0, height = 0;
  double heading = 0;
  float velocity_x = 0, velocity_y = 0;
  bool is_valid = false;
};

struct Track {
  std::int64_t id = 0;  ///< -1 - n for the nth track whose name is not a number
  std::uint64_t type = 0;
  std::vector<State> states;   ///< one per time
  std::string name = {};       ///< if it is not the id
  std::string type_name = {};  ///< if it is not that of the number
};

/// The state of a lane's signal at one time.
struct LaneState {
  std::int64_t lane = 0;
  std::uint64_t state = 0;
  std::optional<geom::Vec3> stop_point;
};

/// Points [begin, end] of a lane beside a road line or edge.
struct BoundarySection {
  std::int64_t begin = 0, end = 0;
  std::int64_t feature = 0;
  std::uint64_t type = 0;
};

struct Neighbour {
  std::int64_t lane = 0;
  std::int64_t begin = 0, end = 0;  ///< points of the lane beside it
  std::vector<std::uint64_t> boundary_types;
};

/// The oneof member of a map feature, by field number.
enum class FeatureKind : std::uint32_t {
  none = 0,
  lane = 3,
  road_line = 4,
  road_edge = 5,
  stop_sign = 7,
  crosswalk = 8,
  speed_bump = 9,
  driveway = 10,
  sidewalk = 1000,  ///< ScenarioNet's only
};

/// A map feature. Members below `points` belong to lanes.
struct Feature {
  std::int64_t id = 0;
  FeatureKind kind = FeatureKind::none;
  std::uint64_t type = 0;
  std::vector<geom::Vec3> points;       ///< polyline, polygon or position
  std::vector<geom::Vec3> left, right;  ///< sides, if not by boundaries
  double width_m = 0;                   ///< 0: that of the type
  bool has_speed_limit = false, is_interpolating = false;
  std::vector<std::int64_t> exits;
  std::vector<Neighbour> left_neighbours, right_neighbours;
  std::vector<BoundarySection> left_boundaries, right_boundaries;
};

struct RequiredPrediction {
  std::int64_t track_index = 0;
  std::uint64_t difficulty = 0;
};

struct Message {
  std::string id;
  std::vector<double> times_s;
  std::int64_t current_time_index = 0;
  std::int64_t ego_index = -1;  ///< absent: -1
  std::vector<Track> tracks;
  std::vector<std::vector<LaneState>> lane_states;  ///< per time
  std::vector<Feature> features;
  std::vector<std::int64_t> objects_of_interest;
  std::vector<RequiredPrediction> predictions;
  std::uint64_t lidar_frames = 0, camera_frames = 0;  ///< skipped

  // Of other sources than Waymo.
  std::string host = "waymo";
  std::string dataset;        ///< that ScenarioNet converted: "nuscenes"
  std::int64_t start_ns = 0;  ///< added to the times
  bool has_current_time = true;
  std::vector<std::string> feature_names;  ///< by id, if ids of features are rows
  std::string attributes = "{}";           ///< further ones, a JSON object
  std::map<std::string, std::uint64_t> lost, corrected;
};

/// Maximum contents of a scenario, more than ten times those of the data set, so that a
/// small hostile file cannot allocate much memory.
struct Limits {
  std::size_t times = 100'000;
  std::size_t states = 2'000'000;
  std::size_t points = 2'000'000;
  std::size_t items = 400'000;  ///< all other repeated values and messages
};

/// Parses a scenario.
///
/// Throws  corrupt_chunk, naming track or feature, for truncated bytes, invalid lengths
///         and an id that is not UTF-8; limit_exceeded above `limits`.
Message parse_message(std::string_view bytes, const Limits& limits = {});

}  // namespace bev::convert::waymo
