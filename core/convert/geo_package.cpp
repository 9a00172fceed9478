#include "core/convert/geo_package.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.hpp"

namespace bev::convert {
namespace {

constexpr std::size_t kMaxPoints = 20'000'000;
constexpr double kFarthestUtmM = 2e7;
constexpr std::int64_t kDegrees = 4326;
constexpr double kMaxLatitude = 84, kMaxLongitude = 180;

[[noreturn]] void invalid_feature(const char* layer, std::int64_t fid,
                                  const char* problem) {
  fail(Errc::invalid_metadata, {"layer ", layer, ", feature ", fid, ": ", problem});
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (auto& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

template <class Use>
void for_each_row(sqlite::Rows& rows, Use use) {
  bool has = rows.seek_all(std::numeric_limits<std::int64_t>::min());
  for (; has; has = rows.next()) use();
}

}  // namespace

geom::UtmZone utm_zone_of(std::int64_t epsg) {
  const auto zone = epsg % 100;
  if ((epsg / 100 != 326 && epsg / 100 != 327) || zone < 1 || zone > 60) {
    fail(Errc::unsupported,
         {"coordinates of EPSG:", epsg, " (expected a zone of UTM)"});
  }
  return {static_cast<int>(zone), epsg / 100 == 327};
}

GeoPackage::GeoPackage(const sqlite::Database& database, std::int64_t epsg)
    : epsg_(epsg), zone_(utm_zone_of(epsg)) {
  sqlite::Rows systems(database, database.table("gpkg_spatial_ref_sys"),
                       {"srs_id", "organization", "organization_coordsys_id"});
  for_each_row(systems, [&] {
    if (lower_case(systems[1].bytes) != "epsg") return;
    systems_[systems[0].integer] = systems[2].integer;
  });
  sqlite::Rows columns(database, database.table("gpkg_geometry_columns"),
                       {"table_name", "column_name"});
  for_each_row(columns,
               [&] { columns_[std::string(columns[0].bytes)] = columns[1].bytes; });
}

std::string GeoPackage::column_of(const char* layer) const {
  const auto found = columns_.find(layer);
  if (found == columns_.end()) fail(Errc::not_found, {"map: no layer ", layer});
  return found->second;
}

Geometry GeoPackage::geometry(const char* layer, std::int64_t fid,
                              const sqlite::Value& value) {
  if (value.kind != sqlite::Kind::blob) invalid_feature(layer, fid, "no geometry");
  Geometry out;
  try {
    out = parse_geometry(value.bytes);
  } catch (const Error& error) {
    fail(error.code(), {"layer ", layer, ", feature ", fid, ": ", error.what()});
  }
  const auto system = systems_.find(out.srs_id);
  const auto code = system == systems_.end() ? out.srs_id : system->second;
  if (code != kDegrees && code != epsg_) {
    fail(Errc::unsupported, {"layer ", layer, ": coordinates of EPSG:", code,
                             " (expected 4326 or ", epsg_, ", the log's)"});
  }
  for (auto& line : out.lines) {
    points_ += line.size();
    if (points_ > kMaxPoints) {
      fail(Errc::limit_exceeded, {"map: more than ", kMaxPoints, " points"});
    }
    for (auto& p : line) project(layer, fid, code, p);
  }
  return out;
}

void GeoPackage::project(const char* layer, std::int64_t fid, std::int64_t code,
                         geom::Vec3& p) const {
  if (code == kDegrees) {
    if (std::abs(p.x) > kMaxLongitude || std::abs(p.y) > kMaxLatitude) {
      invalid_feature(layer, fid, "a coordinate is not in degrees");
    }
    const auto utm = geom::utm_from_geodetic(p.y, p.x, zone_);
    p.x = utm.x;
    p.y = utm.y;
  }
  if (!(std::abs(p.x) <= kFarthestUtmM && std::abs(p.y) <= kFarthestUtmM)) {
    invalid_feature(layer, fid, "a coordinate is too far");
  }
}

std::vector<geom::Vec3> GeoPackage::line(const char* layer, std::int64_t fid,
                                         const sqlite::Value& value) {
  std::vector<geom::Vec3> out;
  for (const auto& part : geometry(layer, fid, value).lines) {
    for (const auto& p : part) {
      if (out.empty() || out.back().x != p.x || out.back().y != p.y) out.push_back(p);
    }
  }
  return out;
}

}  // namespace bev::convert
