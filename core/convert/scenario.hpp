#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/geom/affine.hpp"
#include "core/map/elements.hpp"
#include "core/map/fragment.hpp"
#include "core/scene/records.hpp"

// The intermediate between importers and ScenarioWriter: one recording of any data set,
// in metres, radians and nanoseconds. Positions are in the world of the data set to be
// written.

namespace bev::convert {

/// Part of a track in a prediction benchmark, from the least to the most important.
enum class Role : std::uint8_t { fragment, unscored, scored, focal };

/// A track. Its states are rows [begin, end) of Scenario::states, by increasing step.
struct Track {
  std::string name;            ///< id in the source
  std::string object_type;     ///< type in the source
  std::uint64_t track_id = 0;  ///< id in the records
  std::size_t label = 0;       ///< index into scene::kPerceptionLabels
  Role role = Role::fragment;
  std::size_t begin = 0, end = 0;
};

/// Observations of tracks, as columns.
struct States {
  std::vector<std::uint32_t> step;  ///< index into Scenario::times_ns
  std::vector<std::array<double, 2>> position;
  std::vector<float> yaw;
  std::vector<std::array<float, 2>> velocity;
  std::vector<std::array<float, 3>> extent;  ///< length, width, height

  std::size_t size() const noexcept { return step.size(); }
};

struct EgoPose {
  geom::Vec3 position;
  double yaw_rad = 0;
};

/// A lane as the source has it. Neighbours become lane changes when the whole map is
/// known.
struct SourceLane {
  std::string id;
  std::vector<geom::Vec3> left, right;
  map::Divider left_divider = map::Divider::unknown;
  map::Divider right_divider = map::Divider::unknown;
  bool can_cross_left = false, can_cross_right = false;  ///< by the lines
  std::string left_neighbour, right_neighbour;           ///< "" for none
  std::vector<std::string> ahead;
  map::Access access = map::Access::unknown;
  map::Turn turn = map::Turn::unknown;  ///< if it is in a junction
  bool in_junction = false;
};

struct SourceCrosswalk {
  std::string id;
  std::vector<geom::Vec3> outline;
};

/// A scenario's map. `lost` counts elements that the semantic map has no place for.
struct SourceMap {
  map::RawFrame frame;  ///< world is east, north, up there
  std::vector<SourceLane> lanes;
  std::vector<SourceCrosswalk> crosswalks;
  std::map<std::string, std::uint64_t> lost;
};

struct Scenario {
  std::string id;
  std::string host;  ///< at most 16 code points: vehicle or city
  std::int64_t start_ns = 0, end_ns = 0;
  std::vector<std::int64_t> times_ns;  ///< one per frame
  std::vector<EgoPose> ego;            ///< one per frame
  std::vector<Track> tracks;
  States states;
  std::vector<std::vector<scene::Face>> faces;  ///< per frame; empty without lights
  std::optional<SourceMap> map;
  std::string file, sha256;  ///< of the source; "" if unknown
  std::string attributes;    ///< JSON object: everything the records have no place for
  std::uint64_t repeated_ego_poses = 0;  ///< frames without a pose of their own
  std::uint64_t absent_frames = 0;       ///< announced at the end, without rows
};

}  // namespace bev::convert
