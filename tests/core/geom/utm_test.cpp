#include "core/geom/utm.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace bev::geom;

TEST_SUITE("geom/utm") {
  TEST_CASE("positions have the eastings and northings of PROJ") {
    struct Case {
      double lat, lng;
      UtmZone zone;
      double x, y;
    };
    const Case cases[] = {
        {36.115, -115.173, {11, false}, 664432.3471594466, 3998249.277082058},
        {42.345, -71.045, {19, false}, 331552.49211817345, 4690107.68535017},
        {40.41, -79.95, {17, false}, 589090.1439300935, 4473794.045508204},
        {1.2995, 103.7875, {48, false}, 365103.4494421897, 143666.41616327036},
        {60.123456, 6.5, {31, false}, 694433.1321451105, 6670312.118460433},
        {-33.9, 18.4, {34, true}, 259583.22166043136, 6245888.045440769},
        {0, 3, {31, false}, 500000, 0},
        {51.2, 0.05, {31, false}, 293910.37494378176, 5676202.434284705},
    };
    for (const auto& one : cases) {
      CAPTURE(one.lat);
      const auto found = utm_from_geodetic(one.lat, one.lng, one.zone);
      CHECK(std::abs(found.x - one.x) < 1e-6);
      CHECK(std::abs(found.y - one.y) < 1e-6);
    }
  }

  TEST_CASE("zones are mirrored at their meridian and at the equator") {
    const auto east = utm_from_geodetic(42.3, -68.4, {19, false});
    const auto west = utm_from_geodetic(42.3, -69.6, {19, false});
    CHECK(std::abs(east.x + west.x - 1'000'000) < 1e-7);
    CHECK(std::abs(east.y - west.y) < 1e-7);
    const auto south = utm_from_geodetic(-42.3, -68.4, {19, true});
    CHECK(std::abs(south.y + east.y - 10'000'000) < 1e-7);
  }

  TEST_CASE("positions have their zone, in Norway and Svalbard a wider one") {
    const auto number = [](double lat, double lng) {
      const auto zone = utm_zone_of(lat, lng);
      return zone ? (zone->is_south ? -zone->number : zone->number) : 0;
    };
    CHECK(number(0, 0) == 31);
    CHECK(number(-0.1, 0) == -31);
    CHECK(number(49, 8.4) == 32);
    CHECK(number(42.3, -71) == 19);
    CHECK(number(10, -180) == 1);
    CHECK(number(10, 180) == 1);
    CHECK(number(10, 179.9) == 60);
    CHECK(number(60, 2.9) == 31);
    CHECK(number(60, 3) == 32);
    CHECK(number(64, 3) == 31);
    CHECK(number(78, 8.9) == 31);
    CHECK(number(78, 9) == 33);
    CHECK(number(78, 33) == 37);
    CHECK(number(78, 42) == 38);
    CHECK(number(-80, 0) == -31);
    CHECK(number(84, 0) == 0);
    CHECK(number(-80.1, 0) == 0);
    CHECK(number(0, 181) == 0);
  }
}
