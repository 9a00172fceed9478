#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/convert/scenario.hpp"
#include "core/map/map_writer.hpp"

namespace bev::convert {

/// Throws invalid_argument for a scenario's map in another frame than a known one.
void check_frame(const std::optional<map::RawFrame>& known, const SourceMap& map,
                 const std::string& name);

/// Returns the file meta.json of maps in a frame.
std::string meta_json_of(const map::RawFrame& frame,
                         std::span<const map::MapPart> parts = {});

/// Joins the maps of scenarios of one city to one semantic map.
///
/// An element that was added before with the same id and geometry is added once;
/// their successors and neighbours are united. An element with a known id but another
/// geometry is renamed to ID@MAP, as are the references of its own map to it.
///
/// Lane changes are written to neighbours in the map that have the same direction
/// (within 90 degrees, end to end) and across lines that may be crossed. Lanes in
/// intersections whose areas touch form a junction; all others belong to one segment.
///
/// Lights are never renamed, since the records contain their ids.
///
/// Throws  add() throws invalid_argument for a map in another frame, and for a light
///         with a known id but another position or faces.
class CityMap {
 public:
  struct Counts {
    std::uint64_t lanes = 0, crosswalks = 0, lights = 0;
    std::uint64_t duplicates = 0;  ///< elements that were added before
    std::uint64_t renamed = 0;
    std::uint64_t junctions = 0;
    double max_rounding_m = 0;  ///< error of rounding to centimetres
  };

  /// @param name  of the scenario, for renamed elements and messages
  void add(const SourceMap& map, const std::string& name);

  bool empty() const noexcept { return !frame_; }

  /// Adds all elements to a map that is written.
  ///
  /// @param prefix  of the segment's id
  /// Throws  limit_exceeded for a map that would be too large to read.
  void write(map::MapWriter& out, const std::string& prefix = {});

  /// Return the files semantic_map.pb and meta.json of this map alone.
  ///
  /// Throws  as write(); invalid_argument if no map was added.
  std::string semantic_map();
  std::string meta_json() const;

  const Counts& counts() const noexcept { return counts_; }

 private:
  /// An element under one of the ids that its source id was given.
  struct Variant {
    bool is_lane = true;
    std::size_t row = 0;  ///< in lanes_ or crosswalks_
    std::string id;
  };
  struct Placed {
    Variant variant;
    bool is_new = false;
  };

  template <class Element>
  Placed place_element(const Element& element, const std::string& map);
  bool is_equal(const Variant& known, const SourceLane& lane) const;
  bool is_equal(const Variant& known, const SourceCrosswalk& crosswalk) const;
  void check_lights(const SourceMap& map, const std::string& name) const;
  void write_lights(map::MapWriter& out) const;
  void note_rounding(const std::vector<geom::Vec3>& line);
  std::string lane_change(const SourceLane& lane, const std::string& neighbour,
                          bool can_cross) const;
  const SourceLane* lane(const std::string& id) const;
  map::RawLane encoded(const SourceLane& lane, const std::string& parent) const;
  std::vector<std::string> junctions() const;

  std::optional<map::RawFrame> frame_;
  std::vector<SourceLane> lanes_;
  std::vector<SourceCrosswalk> crosswalks_;
  std::vector<SourceLight> lights_;
  std::unordered_map<std::string, std::size_t> light_rows_;
  std::unordered_map<std::string, std::vector<Variant>> variants_;   // by source id
  std::unordered_map<std::string, std::optional<std::size_t>> ids_;  // rows of lanes
  Counts counts_;
};

}  // namespace bev::convert
