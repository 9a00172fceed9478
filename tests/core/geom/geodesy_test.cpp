#include "core/geom/geodesy.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace geodesy_test {

using namespace bev::geom;

namespace {

void check_near(Vec3 got, Vec3 wanted, double metres) {
  CHECK(got.x == doctest::Approx(wanted.x).epsilon(metres).scale(1));
  CHECK(got.y == doctest::Approx(wanted.y).epsilon(metres).scale(1));
  CHECK(got.z == doctest::Approx(wanted.z).epsilon(metres).scale(1));
}

}  // namespace

TEST_SUITE("geom/geodesy") {
  TEST_CASE("the axes of the ellipsoid are where WGS84 has them") {
    check_near(geodetic_to_ecef({0, 0, 10}), {6378147, 0, 0}, 1e-9);
    check_near(geodetic_to_ecef({0, 90, 0}), {0, 6378137, 0}, 1e-9);
    check_near(geodetic_to_ecef({-90, 0, 0}), {0, 0, -6356752.31424518}, 1e-9);
  }

  TEST_CASE("a place survives the way there and back") {
    for (double latitude = -90; latitude <= 90; latitude += 7.5) {
      for (double longitude = -175; longitude < 180; longitude += 35) {
        CAPTURE(latitude);
        CAPTURE(longitude);
        const Geodetic place =
            ecef_to_geodetic(geodetic_to_ecef({latitude, longitude, 1234.5}));
        REQUIRE(place.latitude_deg == doctest::Approx(latitude).epsilon(1e-12));
        REQUIRE(place.altitude_m == doctest::Approx(1234.5).epsilon(1e-9));
        if (latitude > -90 && latitude < 90) {
          REQUIRE(place.longitude_deg == doctest::Approx(longitude).epsilon(1e-12));
        }
      }
    }
  }

  TEST_CASE("east, north and up lead east, north and up") {
    const Geodetic origin{37.4, -122.1, 0};
    const Affine3 ecef_from_here = ecef_from_enu(origin);
    check_near(ecef_from_here * Vec3{0, 0, 0}, geodetic_to_ecef(origin), 1e-9);

    const Geodetic up = ecef_to_geodetic(ecef_from_here * Vec3{0, 0, 100});
    CHECK(up.altitude_m == doctest::Approx(100));
    CHECK(up.latitude_deg == doctest::Approx(37.4).epsilon(1e-13));
    const Geodetic north = ecef_to_geodetic(ecef_from_here * Vec3{0, 100, 0});
    CHECK(north.latitude_deg == doctest::Approx(37.4 + 100 / 110990.0).epsilon(1e-7));
    CHECK(north.longitude_deg == doctest::Approx(-122.1).epsilon(1e-13));
    const Geodetic east = ecef_to_geodetic(ecef_from_here * Vec3{100, 0, 0});
    CHECK(east.longitude_deg > -122.1 + 0.0011);
  }

  TEST_CASE("altitudes above, on and below the ellipsoid are restored") {
    for (const double altitude : {-5000.0, -0.5, 0.0, 8848.0, 400'000.0, 6'000'000.0}) {
      CAPTURE(altitude);
      const Geodetic place = ecef_to_geodetic(geodetic_to_ecef({47.5, 8.5, altitude}));
      CHECK(place.latitude_deg == doctest::Approx(47.5).epsilon(1e-12));
      CHECK(std::fabs(place.altitude_m - altitude) < 2e-8);
    }
  }

  TEST_CASE("the two sides of the date line are a full turn apart, and one place") {
    const Vec3 west = geodetic_to_ecef({10, -180, 0});
    const Vec3 east = geodetic_to_ecef({10, 180, 0});
    check_near(west, east, 1e-8);
    CHECK(std::fabs(ecef_to_geodetic(east).longitude_deg) == doctest::Approx(180));
  }

  TEST_CASE("at a pole up is along the axis") {
    const Affine3 ecef_from_here = ecef_from_enu({90, 0, 0});
    check_near(ecef_from_here * Vec3{0, 0, 7}, {0, 0, 6356752.31424518 + 7}, 1e-8);
    check_near(ecef_from_here * Vec3{1, 0, 0}, {0, 1, 6356752.31424518}, 1e-8);
  }

  TEST_CASE("the axes of a local frame are orthogonal and of unit length") {
    for (const Geodetic& origin :
         {Geodetic{37.4, -122.1, 0}, {-89.9, 45, 10}, {0, 180, -3}}) {
      const Affine3 map = ecef_from_enu(origin);
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
          double dot = 0;
          for (const auto& row : map.rows) dot += row[i] * row[j];
          CHECK(std::fabs(dot - (i == j ? 1 : 0)) < 1e-14);
        }
      }
    }
  }
}

}  // namespace geodesy_test
