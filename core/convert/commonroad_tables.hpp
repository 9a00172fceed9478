#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "core/map/elements.hpp"

// The words of CommonRoad's files, and what they are in L5Kit's map.
// Reference  commonroad-io, XML_commonRoad_XSD.xsd

namespace bev::convert::commonroad {

using map::Access;
using map::Divider;

/// A line; `is_exact` if L5Kit has the same. Files have no colours: lines are white.
struct Marking {
  std::string_view name;
  Divider divider;
  bool can_cross;
  bool is_exact = true;
};
inline constexpr Marking kMarkings[] = {
    {"dashed", Divider::single_white_dashed, true},
    {"solid", Divider::single_white_solid, false},
    {"solid_solid", Divider::double_white_solid, false},
    {"dashed_dashed", Divider::single_white_dashed, true, false},
    {"solid_dashed", Divider::double_white_solid, false, false},
    {"dashed_solid", Divider::double_white_solid, false, false},
    {"broad_dashed", Divider::single_white_dashed, true, false},
    {"broad_solid", Divider::single_white_solid, false, false},
    {"curb", Divider::curb, false},
    {"lowered_curb", Divider::curb, false},
    {"no_marking", Divider::none, true},
    {"unknown", Divider::unknown, false},
};

enum class Use : std::uint8_t { lane, junction, crosswalk, none };

/// Lanelets that are not lanes of all vehicles. Of several types the first here counts.
struct LaneletType {
  std::string_view name;
  Use use = Use::lane;
  Access access = Access::no_restriction;
};
inline constexpr LaneletType kLaneletTypes[] = {
    {"crosswalk", Use::crosswalk},
    {"sidewalk", Use::none},
    {"parking", Use::none},
    {"border", Use::none},
    {"restrictedArea", Use::none},
    {"intersection", Use::junction},
    {"busLane", Use::lane, Access::only_bus},
    {"bicycleLane", Use::lane, Access::only_bike},
};

struct LightColour {
  std::string_view name;
  std::array<bool, 3> lit;  ///< red, yellow, green
};
inline constexpr LightColour kLightColours[] = {{"red", {true, false, false}},
                                                {"redYellow", {true, true, false}},
                                                {"yellow", {false, true, false}},
                                                {"green", {false, false, true}},
                                                {"inactive", {false, false, false}}};

struct IncomingTurn {
  std::string_view name;
  map::Turn turn;
};
inline constexpr IncomingTurn kIncomingTurns[] = {
    {"successorsRight", map::Turn::right},
    {"successorsStraight", map::Turn::through},
    {"successorsLeft", map::Turn::left}};

struct LostElement {
  std::string_view name;
  const char* what;
};
inline constexpr LostElement kLostElements[] = {
    {"trafficSign", "traffic sign"},
    {"environmentObstacle", "environment obstacle"},
    {"phantomObstacle", "phantom obstacle"},
    {"stopLine", "stop line"},
    {"speedLimit", "speed limit"},
    {"initialSignalState", "signal state"},
    {"signalSeries", "signal series"}};

/// Returns the row of a table with a name; nullptr if there is none.
template <class Row, std::size_t kCount>
const Row* row_named(const Row (&table)[kCount], std::string_view name) {
  const auto* const found =
      std::find_if(std::begin(table), std::end(table),
                   [&](const Row& row) { return row.name == name; });
  return found == std::end(table) ? nullptr : found;
}

}  // namespace bev::convert::commonroad
