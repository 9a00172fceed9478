#include "native/town/georeference.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/geom/geodesy.hpp"

namespace bev::town {
namespace {

constexpr geom::Geodetic kOrigin = {37 + 25 / 60.0 + 45.6 / 3600.0,
                                    -(122 + 9 / 60.0 + 15.7 / 3600.0), 0};

nlohmann::json matrix(const geom::Affine3& map) {
  nlohmann::json out = nlohmann::json::array();
  for (const auto& row : map.rows) out.push_back(row);
  out.push_back({0.0, 0.0, 0.0, 1.0});
  return out;
}

}  // namespace

geom::Affine3 ecef_from_world() noexcept {
  return geom::ecef_from_enu(kOrigin);
}

PlaceE7 place_at(geom::Vec3 in_world) noexcept {
  const geom::Geodetic place = geom::ecef_to_geodetic(ecef_from_world() * in_world);
  const auto e7 = [](double degrees) {
    return static_cast<std::int32_t>(std::floor(degrees * 1e7 + 0.5));
  };
  return {e7(place.latitude_deg), e7(place.longitude_deg)};
}

geom::Affine3 local_from_world(PlaceE7 place) {
  const geom::Geodetic origin = {place.latitude / 1e7, place.longitude / 1e7, 0};
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
  const nlohmann::json meta = {
      {"world_to_ecef", matrix(to_ecef)},
      {"ecef_to_aerial", matrix(aerial_from_world(frame) * geom::inverse(to_ecef))}};
  return meta.dump(1) + "\n";
}

}  // namespace bev::town
