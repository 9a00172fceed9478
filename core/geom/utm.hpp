#pragma once

#include <optional>

#include "core/geom/affine.hpp"

namespace bev::geom {

/// A zone of the Universal Transverse Mercator projection, on WGS84.
struct UtmZone {
  int number = 0;  ///< 1 to 60
  bool is_south = false;
};

/// Returns the zone of a position, with the wider ones of Norway and Svalbard; nullopt
/// south of 80 degrees, north of 84, and for longitudes beyond 180.
std::optional<UtmZone> utm_zone_of(double latitude_deg, double longitude_deg) noexcept;

/// Returns easting and northing of a position in a zone, also of positions some degrees
/// beside it, within 1e-8 m.
///
/// Reference  C. F. F. Karney, "Transverse Mercator with an accuracy of a few
///            nanometers", 2011: Krueger's series to the sixth order.
Vec2 utm_from_geodetic(double latitude_deg, double longitude_deg,
                       const UtmZone& zone) noexcept;

}  // namespace bev::geom
