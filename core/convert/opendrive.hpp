#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/convert/reference_line.hpp"
#include "core/convert/scenario.hpp"

namespace bev::convert {

/// Maximum length of a road, and number of points of all lanes.
inline constexpr double kMaxRoadM = 1e6;
inline constexpr std::size_t kMaxRoadPoints = 20'000'000;

/// Imports a map of OpenDRIVE (.xodr): a lane per lane and section of a road, with the id
/// ROAD/SECTION/LANE, in the direction of traffic; crosswalks; dynamic signals as lights.
/// Positions are those of the file, moved by its offset to the frame of its geoReference.
///
/// Throws     corrupt_chunk for text that is not XML; invalid_metadata, naming line and
///            element, for absent and invalid attributes, and for roads without a
///            reference line; unsupported for another root; limit_exceeded above the
///            limits.
/// Reference  ASAM OpenDRIVE 1.4 to 1.7
SourceMap import_opendrive(std::string_view xml);

namespace opendrive {

// A map as stored.

/// The mark of a lane's outer line from `s` on, which counts from the section.
struct Mark {
  double s = 0;
  map::Divider divider = map::Divider::unknown;
  bool can_cross = false;
};

struct Lane {
  std::int64_t id = 0;
  std::string type;
  std::vector<Cubic> widths, borders;  ///< s counts from the section
  std::vector<Mark> marks;
  std::optional<std::int64_t> predecessor, successor;
};

struct Section {
  double s = 0;
  std::map<std::int64_t, Lane> lanes;  ///< positive ids are on the left
};

/// What an end of a road is connected to.
struct End {
  bool is_junction = false;
  std::string id;
  bool at_start = false;  ///< of the other road
};

struct Signal {
  std::string id;
  double s = 0, t = 0, z = 0;
  int orientation = 0;  ///< of traffic: 1 along the road, -1 against it, 0 both
  std::vector<std::pair<std::int64_t, std::int64_t>> lanes;  ///< empty: all
};

/// A crosswalk's corner: along and beside its place, or the road.
struct Corner {
  bool is_of_road = false;
  double along = 0, beside = 0;
};

struct CrossingObject {
  std::string id;
  double s = 0, t = 0, heading_rad = 0;
  std::vector<Corner> corners;
};

struct Road {
  std::string id, junction;
  double length = 0;
  bool is_left_hand = false;
  std::vector<RoadGeometry> parts;
  std::vector<Cubic> elevation, offset;
  std::vector<Section> sections;
  std::optional<End> predecessor, successor;
  std::vector<Signal> signals;
  std::vector<CrossingObject> crossings;

  bool is_in_junction() const { return !junction.empty() && junction != "-1"; }
};

/// A connection of a junction.
struct Connection {
  std::string from, to;
  bool at_start = false;  ///< of the connecting road
  std::map<std::int64_t, std::int64_t> lanes;
};

/// From the file's positions to those of its geoReference: moved, then turned about the
/// new origin.
struct HeaderOffset {
  double x = 0, y = 0, z = 0, heading_rad = 0;
};

struct File {
  std::string geo_reference;
  HeaderOffset offset;
  std::vector<Road> roads;
  std::map<std::string, std::vector<Connection>> junctions;
  std::map<std::string, std::uint64_t> lost;
};

File parse(std::string_view xml);

}  // namespace opendrive
}  // namespace bev::convert
