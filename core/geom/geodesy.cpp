#include "core/geom/geodesy.hpp"

#include <cmath>
#include <numbers>

#include "core/geom/trig.hpp"

namespace bev::geom {
namespace {

constexpr double kMajor = 6378137.0;         // metres, equator
constexpr double kMinor = 6356752.31424518;  // metres, pole
constexpr double kRadian = std::numbers::pi / 180;

struct Directions {
  SinCos latitude, longitude;
};

Directions directions(const Geodetic& place) noexcept {
  return {sincos(place.latitude_deg * kRadian), sincos(place.longitude_deg * kRadian)};
}

}  // namespace

Vec3 geodetic_to_ecef(const Geodetic& place) noexcept {
  const auto [latitude, longitude] = directions(place);
  const double along = kMajor * latitude.cos, up = kMinor * latitude.sin;
  const double normal = kMajor * kMajor / std::sqrt(along * along + up * up);
  const double from_axis = (normal + place.altitude_m) * latitude.cos;
  constexpr double kRatio = kMinor / kMajor;
  return {from_axis * longitude.cos, from_axis * longitude.sin,
          (normal * kRatio * kRatio + place.altitude_m) * latitude.sin};
}

Geodetic ecef_to_geodetic(Vec3 in_ecef) noexcept {
  const double from_axis = hypot(in_ecef.x, in_ecef.y);
  const double longitude = atan2(in_ecef.y, in_ecef.x);
  // The confocal ellipse through the point has the semi-axes u and hypot(u, focal). The
  // parametric latitude on it equals that on the ellipsoid up to a small correction.
  const double focal = std::sqrt(kMajor * kMajor - kMinor * kMinor);
  const double rest = from_axis * from_axis + in_ecef.z * in_ecef.z - focal * focal;
  const double u = std::sqrt(0.5 * (rest + hypot(rest, 2 * focal * in_ecef.z)));
  double parametric = atan2(hypot(u, focal) * in_ecef.z, u * from_axis);
  for (int i = 0; i < 2; ++i) {
    // Newton step towards the nearest point of the ellipsoid.
    const auto [s, c] = sincos(parametric);
    const double error =
        kMajor * from_axis * s - kMinor * in_ecef.z * c - focal * focal * s * c;
    const double slope = kMajor * from_axis * c + kMinor * in_ecef.z * s -
                         focal * focal * (c * c - s * s);
    parametric -= error / slope;
  }
  const auto [s, c] = sincos(parametric);
  const double latitude = atan2(kMajor * s, kMinor * c);
  const SinCos normal = sincos(latitude);
  const double altitude =
      (from_axis - kMajor * c) * normal.cos + (in_ecef.z - kMinor * s) * normal.sin;
  return {latitude / kRadian, longitude / kRadian, altitude};
}

Affine3 ecef_from_enu(const Geodetic& origin) noexcept {
  const auto [latitude, longitude] = directions(origin);
  const Vec3 at = geodetic_to_ecef(origin);
  Affine3 out;
  out.rows[0] = {-longitude.sin, -latitude.sin * longitude.cos,
                 latitude.cos * longitude.cos, at.x};
  out.rows[1] = {longitude.cos, -latitude.sin * longitude.sin,
                 latitude.cos * longitude.sin, at.y};
  out.rows[2] = {0, latitude.cos, latitude.sin, at.z};
  return out;
}

}  // namespace bev::geom
