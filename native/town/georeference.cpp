#include "native/town/georeference.hpp"

#include <cmath>

#include "core/geom/geodesy.hpp"
#include "core/map/map_writer.hpp"

namespace bev::town {
namespace {

constexpr geom::Geodetic kOrigin = {37 + 25 / 60.0 + 45.6 / 3600.0,
                                    -(122 + 9 / 60.0 + 15.7 / 3600.0), 0};

}  // namespace

geom::Affine3 ecef_from_world() noexcept {
  return geom::ecef_from_enu(kOrigin);
}

map::RawFrame place_at(geom::Vec3 in_world) noexcept {
  const geom::Geodetic place = geom::ecef_to_geodetic(ecef_from_world() * in_world);
  const auto e7 = [](double degrees) {
    return static_cast<std::int32_t>(std::floor(degrees * 1e7 + 0.5));
  };
  return {e7(place.latitude_deg), e7(place.longitude_deg)};
}

geom::Affine3 local_from_world(const map::RawFrame& frame) {
  const geom::Geodetic origin = {frame.lat_e7 / 1e7, frame.lng_e7 / 1e7, 0};
  return geom::inverse(geom::ecef_from_enu(origin)) * ecef_from_world();
}

geom::Affine3 aerial_from_world(const AerialFrame& frame) noexcept {
  const double scale = 1 / frame.metres_per_pixel;
  geom::Affine3 out;
  out.rows[0] = {0, -scale, 0, frame.top_left.y * scale};
  out.rows[1] = {scale, 0, 0, -frame.top_left.x * scale};
  out.rows[2] = {0, 0, 0, 0};
  return out;
}

std::string meta_json(const AerialFrame& frame) {
  const geom::Affine3 to_ecef = ecef_from_world();
  return map::meta_json(to_ecef, aerial_from_world(frame) * geom::inverse(to_ecef));
}

}  // namespace bev::town
