#pragma once

#include "core/geom/affine.hpp"

namespace bev::geom {

/// A position relative to the WGS84 ellipsoid.
struct Geodetic {
  double latitude_deg = 0;
  double longitude_deg = 0;
  double altitude_m = 0;  ///< above the ellipsoid
};

/// Converts to earth-centred, earth-fixed coordinates in metres.
///
/// Reference  NIMA TR8350.2, "World Geodetic System 1984".
Vec3 geodetic_to_ecef(const Geodetic& place) noexcept;

/// Inverts geodetic_to_ecef, to about 1e-12 degrees and 1e-8 m for positions less than
/// the earth's radius away from the ellipsoid.
///
/// Reference  R.-J. You, "Transformation of Cartesian to geodetic coordinates without
///            iterations", 2000, for the initial value; two Newton steps follow.
Geodetic ecef_to_geodetic(Vec3 in_ecef) noexcept;

/// Returns the map from the local frame at `origin` (x east, y north, z up, metres) to
/// ECEF.
Affine3 ecef_from_enu(const Geodetic& origin) noexcept;

}  // namespace bev::geom
