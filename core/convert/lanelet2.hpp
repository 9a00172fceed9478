#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/convert/scenario.hpp"
#include "core/geom/geodesy.hpp"

namespace bev::convert {

/// Maximum contents of a map of Lanelet2: nodes, references of ways and relations, points
/// of all lanes, and links between these.
inline constexpr std::size_t kMaxOsmNodes = 5'000'000;
inline constexpr std::size_t kMaxOsmReferences = 20'000'000;
inline constexpr std::size_t kMaxLaneletPoints = 20'000'000;
inline constexpr std::size_t kMaxLaneletLinks = 1'000'000;

/// Maximum distance of a node from the origin, in latitude and in longitude.
inline constexpr double kMaxLaneletReachDeg = 3;

/// Imports a map of Lanelet2 (.osm): a lane per lanelet that vehicles or bicycles use,
/// with the relation's id; crosswalks; the lights of regulatory elements.
///
/// Ways have no direction of their own: the sides of a lanelet are turned as Lanelet2
/// turns them, so that left is on the left. World is the UTM zone of the origin, minus
/// the origin's position; or, if all nodes have local_x and local_y, these. A lanelet of
/// both directions becomes one lane (counted). Lanes are in a junction if they have
/// turn_direction.
///
/// @param origin  absent: the middle of the lanelets, rounded to 0.01 degrees
/// Throws     corrupt_chunk for text that is not XML; unsupported for another root, a map
///            without lanelets, and an origin outside UTM; invalid_metadata, naming the
///            element, for absent and invalid attributes, an id twice, an absent node or
///            way, other sides than one way each, and nodes far from the origin;
///            limit_exceeded above the limits.
/// Reference  Lanelet2, lanelet2_io (OsmFile.cpp, OsmHandlerLoad.cpp), lanelet2_core
///            (geometry::align, follows, leftOf), lanelet2_traffic_rules.
SourceMap import_lanelet2(std::string_view xml,
                          const std::optional<geom::Geodetic>& origin = {});

namespace lanelet2 {

// A map as stored; lists are sorted by id.

using Id = std::int64_t;

struct Node {
  Id id = 0;
  std::optional<geom::Vec2> degrees;  ///< longitude, latitude
  std::optional<geom::Vec2> metres;   ///< local_x, local_y
  double height = 0;
};

/// A line. Left and right are those of its own direction.
struct Way {
  Id id = 0;
  std::vector<Id> nodes;
  map::Divider from_left = map::Divider::unknown;  ///< seen from a lane on its left
  map::Divider from_right = map::Divider::unknown;
  bool to_left = false, to_right = false;  ///< whether vehicles may cross it
  std::vector<map::Colour> colours;        ///< of a traffic light
};

struct Lanelet {
  enum class Kind { lane, crosswalk };

  Id id = 0;
  Kind kind = Kind::lane;
  Id left = 0, right = 0;  ///< ways
  std::optional<Id> centre;
  std::vector<Id> rules;  ///< regulatory elements
  map::Access access = map::Access::unknown;
  bool in_junction = false;
};

/// A regulatory element with traffic lights, which are ways.
struct LightRule {
  Id id = 0;
  std::vector<Id> ways;
};

struct File {
  std::vector<Node> nodes;
  std::vector<Way> ways;
  std::vector<Lanelet> lanelets;  ///< in the file's order
  std::vector<LightRule> lights;
  std::map<std::string, std::uint64_t> lost;
};

File parse(std::string_view xml);

}  // namespace lanelet2
}  // namespace bev::convert
