#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/convert/wkb.hpp"
#include "core/geom/utm.hpp"
#include "core/sqlite/database.hpp"

namespace bev::convert {

/// Returns the zone of an EPSG code, 32601 to 32660 or 32701 to 32760.
///
/// Throws  unsupported for another code.
geom::UtmZone utm_zone_of(std::int64_t epsg);

/// The geometries of a GeoPackage, in metres of a zone.
///
/// Throws  not_found, naming it, for an absent layer; corrupt_chunk, invalid_metadata or
///         unsupported, naming layer and feature, as parse_geometry(), for values that are
///         not geometries, for other coordinates than degrees of WGS84 and the zone's
///         metres, and for positions outside; limit_exceeded above 20,000,000 points.
class GeoPackage {
 public:
  GeoPackage(const sqlite::Database& database, std::int64_t epsg);

  /// Returns the name of the column of a layer's geometries.
  std::string column_of(const char* layer) const;

  Geometry geometry(const char* layer, std::int64_t fid, const sqlite::Value& value);

  /// Returns the points of a geometry that is one line, or of joined ones; equal ones that
  /// follow each other are one.
  std::vector<geom::Vec3> line(const char* layer, std::int64_t fid,
                               const sqlite::Value& value);

 private:
  void project(const char* layer, std::int64_t fid, std::int64_t code,
               geom::Vec3& p) const;

  std::int64_t epsg_;
  geom::UtmZone zone_;
  std::unordered_map<std::int64_t, std::int64_t> systems_;  // codes of EPSG by id
  std::map<std::string, std::string> columns_;              // by layer
  std::size_t points_ = 0;
};

}  // namespace bev::convert
