#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/convert/object_types.hpp"
#include "core/convert/scenario.hpp"
#include "core/sqlite/database.hpp"

namespace bev::convert {

/// An area of a zone: west, east, south, north in metres.
using UtmArea = std::array<double, 4>;

/// Distance from the ego vehicle's path within which elements are converted.
inline constexpr double kNuplanReachM = 200;

/// A city's map of nuPlan: a GeoPackage, in UTM.
///
/// Lanes have the ids of the layer lanes_polygons, connectors "c" and that of
/// lane_connectors, crosswalks "x" and theirs. Sides are the boundaries that a lane names,
/// turned to its direction; without them they are at half the lane's width. Neighbours
/// are those of the same lane group.
///
/// Throws         not_found, naming it, for an absent layer or column; corrupt_chunk for
///                damaged geometries; unsupported for other coordinates than degrees of
///                WGS84 and the zone's metres; limit_exceeded above 20,000,000 points.
/// Thread safety  Const functions may run at the same time.
/// Reference      nuplan-devkit, maps_db; OGC 12-128r18.
class NuplanMap {
 public:
  /// @param epsg    of the log, in whose zone the map is
  /// @param tables  widths of lanes: lane, lane_connector
  NuplanMap(const sqlite::Database& database, std::int64_t epsg, const Tables& tables);

  std::int64_t epsg() const noexcept { return epsg_; }

  /// Returns the elements that touch an area, moved by whole metres. Faces of lights, and
  /// the frame, are left to the caller.
  SourceMap within(const UtmArea& area, double dx, double dy) const;

  /// Returns the first point of a connector, moved likewise; nullopt if there is none.
  std::optional<geom::Vec3> start_of(std::int64_t connector, double dx,
                                     double dy) const;

  static std::string connector_id(std::int64_t connector);

 private:
  friend class NuplanMapLayers;
  explicit NuplanMap(std::int64_t epsg) : epsg_(epsg) {}

  std::int64_t epsg_;
  std::vector<SourceLane> lanes_;
  std::vector<SourceCrosswalk> crosswalks_;
  std::vector<UtmArea> lane_areas_, crosswalk_areas_, stop_areas_;
  std::vector<bool> has_width_side_;  ///< by lane
  std::unordered_map<std::string, std::size_t> rows_;
};

class NuplanMapLayers;

/// Reads a map, layer by layer, each row once.
///
/// Lifetime  The database outlives the reader.
class NuplanMapReader {
 public:
  /// @param epsg, tables  as NuplanMap
  NuplanMapReader(const sqlite::Database& database, std::int64_t epsg,
                  const Tables& tables);
  ~NuplanMapReader();
  NuplanMapReader(const NuplanMapReader&) = delete;
  NuplanMapReader& operator=(const NuplanMapReader&) = delete;

  /// Returns the map, once. After an exception of the file's reader it may be called
  /// again, and then continues.
  ///
  /// Throws  as NuplanMap
  NuplanMap read();

 private:
  std::unique_ptr<NuplanMapLayers> layers_;
};

}  // namespace bev::convert
