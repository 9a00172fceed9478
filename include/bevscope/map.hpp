#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arrays.hpp"
#include "export.hpp"
#include "frame.hpp"

namespace bev {

/// Direction of a lane through a junction.
enum class Turn : std::uint8_t {
  unknown = 0,      ///< not stated
  through = 1,      ///< straight on
  left = 2,         ///< left turn
  sharp_left = 3,   ///< sharp left turn
  right = 4,        ///< right turn
  sharp_right = 5,  ///< sharp right turn
  u_turn = 6,       ///< U-turn
};

/// Vehicles that may use a lane.
enum class Access : std::uint8_t {
  unknown = 0,         ///< not stated
  no_restriction = 1,  ///< all
  only_hov = 2,        ///< with several occupants
  only_bus = 3,        ///< buses
  only_bike = 4,       ///< bicycles
  only_turn = 5,       ///< turning vehicles
};

/// Direction of travel along a lane's geometry.
enum class Orientation : std::uint8_t {
  unknown = 0,           ///< not stated
  two_way = 1,           ///< both
  one_way_forward = 2,   ///< along the geometry
  one_way_backward = 3,  ///< against the geometry
  reversible = 4,        ///< changes over time
};

/// Colour of a traffic light face when it is active.
enum class FaceColour : std::uint8_t {
  red = 0,     ///< red
  green = 1,   ///< green
  yellow = 2,  ///< yellow
};

/// Colour of a lane, by the active faces of its traffic lights.
enum class LaneColour : std::uint8_t {
  none = 0,    ///< no active face
  red = 1,     ///< red
  yellow = 2,  ///< yellow
  green = 3,   ///< green
};

/// A line of the map in world: x and y of each point, and its height.
struct MapLine {
  std::span<const Point> points;  ///< x, y
  std::span<const double> z;      ///< height of each point
};

/// A lane.
struct Lane {
  std::string_view id;  ///< unique in the map
  MapLine left;         ///< left boundary; may be empty
  MapLine right;        ///< right boundary; may be empty
  MapLine centre;       ///< as the data set gave it to the converter; else empty
  TextView controls;    ///< ids of its traffic controls
  std::span<const std::uint32_t> ahead;            ///< rows of the lanes it leads to
  std::optional<std::uint32_t> adjacent_left;      ///< row of the lane to change to
  std::optional<std::uint32_t> adjacent_right;     ///< row of the lane to change to
  bool in_junction = false;                        ///< whether it is part of a junction
  Turn turn = Turn::unknown;                       ///< direction in the junction
  Access access = Access::unknown;                 ///< allowed vehicles
  Orientation orientation = Orientation::unknown;  ///< direction of travel
  bool can_have_parked_cars = false;               ///< parked cars may be on it
  float speed_limit = 0;                           ///< m/s; NaN if there is none
};

/// A crosswalk.
struct Crosswalk {
  std::string_view id;  ///< unique in the map
  MapLine outline;      ///< the first point is not repeated
};

/// A traffic light.
struct TrafficLight {
  std::string_view id;  ///< unique in the map
  Point position{};     ///< in world
};

/// A face of a traffic light.
struct TrafficFace {
  std::string_view id;                  ///< FrameLights::face_id names it
  FaceColour colour = FaceColour::red;  ///< when active
};

/// A lane's lines with points at equal distances.
///
/// Lifetime  The spans are valid as long as a copy of `owner` exists.
struct LaneLines {
  std::span<const std::array<double, 3>> left;   ///< left boundary
  std::span<const std::array<double, 3>> right;  ///< right boundary
  std::span<const std::array<double, 3>> mid;    ///< centre line
  std::shared_ptr<const void> owner;             ///< owns the memory of the spans
};

/// L5Kit's semantic map: lanes, crosswalks, traffic lights and faces. A row is a
/// position in one of these lists, which keep the file's order.
///
/// Units          Metres in world.
/// Lifetime       Views are valid as long as the map. Samples share the map.
/// Throws         out_of_range for a row that does not exist; limit_exceeded for parts
///                that are together too large.
/// Thread safety  Immutable; concurrent reads are safe.
class BEV_EXPORT SemanticMap {
 public:
  /// Parses a map.
  ///
  /// @param fragment   content of semantic_map.pb
  /// @param meta_json  content of meta.json, whose world_to_ecef places the map
  /// Throws  corrupt_chunk, with the element's name; invalid_metadata, missing_key for
  ///         meta.json; limit_exceeded above the limits
  SemanticMap(std::span<const std::byte> fragment, std::string_view meta_json);
  ~SemanticMap();
  SemanticMap(SemanticMap&&) noexcept;             ///< leaves the other unusable
  SemanticMap& operator=(SemanticMap&&) noexcept;  ///< leaves the other unusable

  /// Returns the number of lanes.
  std::size_t lane_count() const;

  /// Returns the number of crosswalks.
  std::size_t crosswalk_count() const;

  /// Returns the number of traffic lights.
  std::size_t light_count() const;

  /// Returns the number of faces.
  std::size_t face_count() const;

  /// Returns a lane.
  Lane lane(std::size_t row) const;

  /// Returns a crosswalk.
  Crosswalk crosswalk(std::size_t row) const;

  /// Returns a traffic light.
  TrafficLight light(std::size_t row) const;

  /// Returns a face.
  TrafficFace face(std::size_t row) const;

  /// Returns the row of the lane with this id, if there is one.
  std::optional<std::uint32_t> find_lane(std::string_view id) const;

  /// Returns the rows of the lanes whose bounds, grown by `radius`, contain the point.
  std::vector<std::uint32_t> lanes_near(double x, double y, double radius) const;

  /// Returns the rows of the crosswalks whose bounds, grown by `radius`, contain the
  /// point.
  std::vector<std::uint32_t> crosswalks_near(double x, double y, double radius) const;

  /// Returns a lane's lines with `count` points each, at equal distances.
  LaneLines lane_by_count(std::size_t row, std::uint32_t count) const;

  /// Returns a lane's lines with points at most `step_m` apart.
  LaneLines lane_by_metres(std::size_t row, double step_m) const;

  /// Returns one colour per lane, given the ids of the active faces. Unknown ids are
  /// ignored.
  std::vector<LaneColour> lane_colours(std::span<const std::string> active) const;

  /// Returns latitude and longitude (degrees) and altitude (metres) of a world point.
  std::array<double, 3> geodetic(double x, double y, double z) const;

  /// Returns the whole map as arrays, with dividers, junctions and segments, which the
  /// views above lack: "lanes.left.dividers", "junctions.id" ... docs/map.md lists them.
  Arrays arrays() const;

  /// Returns the number of parts: of the map of converted scenarios that were moved, one
  /// per scene. 0: the map is one. Samples, readers and facts read the part around a
  /// scene when they need it; all other functions read all parts together.
  std::size_t part_count() const noexcept;

  /// Returns the part around a world point; nullopt if there is none.
  std::optional<std::size_t> find_part(double x, double y) const;

  /// Returns a part as a map of its own, with the file's ids and positions.
  SemanticMap part(std::size_t index) const;

  struct Impl;  ///< private to the library

  /// Takes an implementation, for the library.
  explicit SemanticMap(std::shared_ptr<const Impl> impl);

  /// Returns the implementation, for the library.
  const Impl& impl() const noexcept { return *impl_; }

 private:
  std::shared_ptr<const Impl> impl_;
};

}  // namespace bev
