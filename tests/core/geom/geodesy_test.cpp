#include "core/geom/geodesy.hpp"

#include <doctest/doctest.h>

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
}
