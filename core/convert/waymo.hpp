#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/convert/object_types.hpp"
#include "core/convert/scenario.hpp"

namespace bev::convert {

namespace waymo {
struct Message;
}

/// How a scenario is imported that has a map of its own.
struct ImportOptions {
  bool with_map = true;
  /// Place of the scenario in a map of several. Each scenario has its own map in a
  /// frame of unknown origin, so that joined maps would overlap: with a place, the
  /// scenario is moved by whole metres to a cell of its own, and its ids begin with
  /// "PLACE:" (see MapCell). Absent: not moved.
  std::optional<std::uint64_t> place;
  /// Id of the track that is the ego vehicle, of data without one; "": none is.
  std::string ego = {};
};

/// Converts a scenario of the Waymo Open Motion data set: a record of its TFRecord
/// files. World is the scenario's frame.
///
/// Tracks keep their order; the track of the autonomous vehicle is the ego vehicle. In
/// a frame without its valid state the pose of the nearest frame is repeated and
/// counted. Tracks to predict are scored, those that are also objects of interest
/// focal. A lane's signal has the faces LANE/r, LANE/y and LANE/g of the light LANE/l;
/// an unknown state makes all three unknown. waymo_map() describes the map.
///
/// Throws     corrupt_chunk for bytes that are not a scenario; invalid_metadata, naming
///            track and step, for values that are not finite or above 1e7, times that
///            do not increase, a track with another number of states, an id twice, and
///            indices outside; limit_exceeded above a limit, and for a scenario with a
///            place that extends more than 3 km from the ego vehicle.
/// Reference  waymo-open-dataset, protos/scenario.proto.
Scenario import_waymo(std::string_view record, const Tables& tables,
                      const ImportOptions& options = {});

/// Converts what was read from a record, or from a file of ScenarioNet.
Scenario import_message(const waymo::Message& source, const Tables& tables,
                        const ImportOptions& options = {});

}  // namespace bev::convert
