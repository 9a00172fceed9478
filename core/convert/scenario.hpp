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
  /// Whether a benchmark asks for a scored track in this frame; empty: in every frame.
  std::vector<bool> is_item = {};

  std::size_t size() const noexcept { return step.size(); }

  void reserve(std::size_t count) {
    step.reserve(count);
    position.reserve(count);
    yaw.reserve(count);
    velocity.reserve(count);
    extent.reserve(count);
  }
};

struct EgoPose {
  geom::Vec3 position;
  double yaw_rad = 0;
};

/// The divider type of a side from a point on, up to the next change.
struct DividerChange {
  std::int32_t at_cm = 0;  ///< along the side
  map::Divider divider = map::Divider::unknown;
  bool operator==(const DividerChange&) const = default;
};

/// A lane as the source has it. Neighbours become lane changes when the whole map is
/// known.
struct SourceLane {
  std::string id;
  std::vector<geom::Vec3> left, right;
  std::vector<geom::Vec3> centre;  ///< empty: the data have none
  map::Divider left_divider = map::Divider::unknown;
  map::Divider right_divider = map::Divider::unknown;
  std::vector<DividerChange> left_changes, right_changes;  ///< after these types
  bool can_cross_left = false, can_cross_right = false;    ///< by the lines
  std::string left_neighbour, right_neighbour;             ///< "" for none
  std::vector<std::string> ahead;
  std::vector<std::string> faces;  ///< of the light that controls it
  map::Access access = map::Access::unknown;
  map::Turn turn = map::Turn::unknown;  ///< if it is in a junction
  bool in_junction = false;
};

struct SourceCrosswalk {
  std::string id;
  std::vector<geom::Vec3> outline;
};

/// A traffic light. Its ids are those of the scenario's faces.
struct SourceLight {
  struct Face {
    std::string id;
    map::Colour colour = map::Colour::red;
    bool operator==(const Face&) const = default;
  };

  std::string id;
  std::vector<Face> faces;
  std::optional<geom::Vec3> position;
  bool operator==(const SourceLight&) const = default;
};

/// A scenario's map. `lost` counts elements that the semantic map has no place for.
struct SourceMap {
  map::RawFrame frame;  ///< world is east, north, up there
  /// Of all ids of lanes, crosswalks and lights, if no other map of the data set has
  /// such ones; empty if maps may share elements.
  std::string prefix;
  /// Centre of the cell of such a map, in which nothing of another map is; see MapCell.
  std::optional<geom::Vec2> cell = {};
  std::vector<SourceLane> lanes;
  std::vector<SourceCrosswalk> crosswalks;
  std::vector<SourceLight> lights;
  std::string geo_reference =
      {};  ///< of the frame, as the source names it; "" if unknown
  std::map<std::string, std::uint64_t> lost;

  /// Calls `use` with each point.
  template <class Use>
  void each_point(Use use) {
    for (auto& lane : lanes) {
      for (auto* line : {&lane.left, &lane.right, &lane.centre}) {
        for (auto& p : *line) use(p);
      }
    }
    for (auto& crosswalk : crosswalks) {
      for (auto& p : crosswalk.outline) use(p);
    }
    for (auto& light : lights) {
      if (light.position) use(*light.position);
    }
  }
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
  std::string file, sha256;                  ///< of the source; "" if unknown
  std::optional<std::uint64_t> record = {};  ///< index in the file, if it has several
  std::string attributes;  ///< JSON object: everything the records have no place for
  std::uint64_t repeated_ego_poses = 0;       ///< frames without a pose of their own
  std::uint64_t absent_frames = 0;            ///< announced at the end, without rows
  std::map<std::string, std::uint64_t> lost;  ///< what else the records lack
  std::map<std::string, std::uint64_t> corrected = {};  ///< what the source has wrong
};

}  // namespace bev::convert
