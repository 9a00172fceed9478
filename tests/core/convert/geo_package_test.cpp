#include "core/convert/geo_package.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/error_code.hpp"
#include "tests/support/nuplan.hpp"

using namespace bev;
using namespace bev::convert;

namespace {

/// A package with degrees (id 7), zone 11 (id 8) and a system that is not of EPSG.
struct Package {
  Package() {
    using std::string;
    test::SqliteMaker maker(4096);
    const auto id = [](std::int64_t value) { return test::SqlValue(value); };
    maker.table("gpkg_spatial_ref_sys",
                "CREATE TABLE gpkg_spatial_ref_sys(srs_id, organization, "
                "organization_coordsys_id)",
                {{id(7), string("EPSG"), id(4326)},
                 {id(8), string("epsg"), id(32611)},
                 {id(9), string("other"), id(4326)}});
    maker.table("gpkg_geometry_columns",
                "CREATE TABLE gpkg_geometry_columns(table_name, column_name)",
                {{string("lanes"), string("shape")}});
    file = maker.finish();
  }

  GeoPackage open(std::int64_t epsg = 32611) {
    sqlite::Pages pages(test::reader_of(file), file.size());
    return {sqlite::Database(pages), epsg};
  }

  std::string file;
};

sqlite::Value value_of(const std::string& bytes) {
  sqlite::Value out;
  out.kind = sqlite::Kind::blob;
  out.bytes = bytes;
  return out;
}

}  // namespace

TEST_SUITE("convert/geo_package") {
  TEST_CASE("degrees are projected to the zone, metres of the zone stay") {
    auto package = Package().open();
    CHECK(package.column_of("lanes") == "shape");
    const auto degrees =
        test::geometry_blob({{-115.173, 36.115}, {-115, 36}}, false, 7);
    const auto p = package.line("lanes", 1, value_of(degrees.bytes)).front();
    CHECK(std::abs(p.x - 664432.3471594466) < 1e-6);
    CHECK(std::abs(p.y - 3998249.277082058) < 1e-6);
    const auto metres = test::geometry_blob({{1, 2}, {1, 2}, {3, 4}}, false, 8);
    CHECK(package.line("lanes", 1, value_of(metres.bytes)) ==
          std::vector<geom::Vec3>{{1, 2, 0}, {3, 4, 0}});
  }

  TEST_CASE("other systems, layers and values are refused") {
    auto package = Package().open();
    const auto code = [&](const std::string& bytes) {
      return test::error_code([&] { package.line("lanes", 1, value_of(bytes)); });
    };
    CHECK(code(test::geometry_blob({{1, 2}}, false, 9).bytes) == Errc::unsupported);
    CHECK(code(test::geometry_blob({{1, 85}}, false, 7).bytes) ==
          Errc::invalid_metadata);
    CHECK(code(test::geometry_blob({{1e9, 2}}, false, 8).bytes) ==
          Errc::invalid_metadata);
    CHECK(code("GP") == Errc::corrupt_chunk);
    CHECK(test::error_code([&] { package.line("lanes", 1, {}); }) ==
          Errc::invalid_metadata);
    CHECK(test::error_code([&] { package.column_of("x"); }) == Errc::not_found);
    for (const std::int64_t epsg : {4326, 32600, 32661, 32761, -32611}) {
      CHECK(test::error_code([&] { Package().open(epsg); }) == Errc::unsupported);
    }
  }
}
