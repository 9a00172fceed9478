#include "core/map/local_frame.hpp"

#include <cmath>
#include <string>

#include "core/base/error.hpp"
#include "core/geom/geodesy.hpp"

namespace bev::map {
namespace {

// More than half way around the Earth.
constexpr double kFarthest = 2.1e7;

double metres(std::int32_t cm) {
  return static_cast<double>(cm) / 100;
}

bool is_far(const geom::Vec3& p) {
  return std::abs(p.x) > kFarthest || std::abs(p.y) > kFarthest ||
         std::abs(p.z) > kFarthest;
}

[[noreturn]] void corrupt_geometry(Message what) {
  fail(Errc::corrupt_chunk, what);
}

geom::Geodetic place_of(const RawFrame& frame) {
  if (frame.lat_e7 > 900'000'000 || frame.lat_e7 < -900'000'000) {
    corrupt_geometry({"geo_frame: lat_e7 is out of range (found ", frame.lat_e7,
                      ", expected -900000000 to 900000000)"});
  }
  return {static_cast<double>(frame.lat_e7) / 1e7,
          static_cast<double>(frame.lng_e7) / 1e7, 0};
}

}  // namespace

LocalFrame::LocalFrame(const RawFrame& frame, const geom::Affine3& world_from_ecef)
    : ecef_from_local_(geom::ecef_from_enu(place_of(frame))),
      world_from_ecef_(world_from_ecef) {}

std::vector<geom::Vec3> LocalFrame::line(const RawLine& line, const char* name) const {
  const auto size = line.dx_cm.size();
  if (line.dy_cm.size() != size || line.dz_cm.size() != size) {
    corrupt_geometry({name, ": lengths differ (found ", size, " x, ", line.dy_cm.size(),
                      " y and ", line.dz_cm.size(), " z)"});
  }
  std::vector<geom::Vec3> points;
  points.reserve(size);
  geom::Vec3 at;
  for (std::size_t i = 0; i < size; ++i) {
    at.x += metres(line.dx_cm[i]);  // sums metres, not centimetres, as L5Kit does
    at.y += metres(line.dy_cm[i]);
    at.z += metres(line.dz_cm[i]);
    if (is_far(at)) {
      corrupt_geometry({name, ": point ", i, " is more than 21000 km from its frame"});
    }
    points.push_back(in_world(at));
  }
  return points;
}

}  // namespace bev::map
