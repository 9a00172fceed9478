#include "core/geom/trig.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace trig_test {

namespace {

struct Angle {
  double x, sin, cos;
};
struct Point {
  double y, x, angle, length;
};

#include "tests/core/geom/trig_values.inc"

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kPi = 0x1.921fb54442d18p+1;

// Returns whether two doubles are equal or adjacent; std:: is the platform's libm.
bool within_one_ulp(double a, double b) {
  return a == b || std::nextafter(a, b) == b;
}

// Weyl's sequence: the same inputs on every platform.
struct Weyl {
  std::uint64_t state = 0;
  double next() {  // in [-1, 1)
    state += 0x9e3779b97f4a7c15;
    const std::uint64_t mixed = (state ^ state >> 31) * 0xbf58476d1ce4e5b9;
    return static_cast<double>(mixed >> 11) * 0x1p-52 - 1;
  }
};

class BitHash {
 public:
  void add(double value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    hash_ = (hash_ ^ bits) * 0x100000001b3;
    hash_ ^= hash_ >> 29;
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

}  // namespace

TEST_SUITE("geom/trig") {
  TEST_CASE("sine and cosine are the doubles nearest to the true values") {
    for (const Angle& angle : kAngles) {
      CAPTURE(angle.x);
      CHECK(bev::geom::sin(angle.x) == angle.sin);
      CHECK(bev::geom::cos(angle.x) == angle.cos);
      CHECK(bev::geom::sincos(angle.x).sin == angle.sin);
      CHECK(bev::geom::sincos(angle.x).cos == angle.cos);
    }
  }

  TEST_CASE("angle and length are the doubles nearest to the true values") {
    for (const Point& point : kPoints) {
      CAPTURE(point.y);
      CAPTURE(point.x);
      CHECK(bev::geom::atan2(point.y, point.x) == point.angle);
      CHECK(bev::geom::atan2(-point.y, point.x) == -point.angle);
      CHECK(bev::geom::hypot(point.x, point.y) == point.length);
      CHECK(bev::geom::hypot(point.y, -point.x) == point.length);
    }
  }

  TEST_CASE("the platform's library is never more than one bit away") {
    Weyl random;
    for (int i = 0; i < 20000; ++i) {
      const double x = 40 * random.next(), y = 40 * random.next();
      CAPTURE(x);
      CAPTURE(y);
      REQUIRE(within_one_ulp(bev::geom::sin(x), std::sin(x)));
      REQUIRE(within_one_ulp(bev::geom::cos(x), std::cos(x)));
      REQUIRE(within_one_ulp(bev::geom::atan2(y, x), std::atan2(y, x)));
      REQUIRE(within_one_ulp(bev::geom::hypot(x, y), std::hypot(x, y)));
    }
  }

  TEST_CASE("every build gives the same bits") {
    Weyl random;
    BitHash hash;
    for (int i = 0; i < 20000; ++i) {
      const double x = 1000 * random.next(), y = random.next();
      const auto both = bev::geom::sincos(x);
      hash.add(both.sin);
      hash.add(both.cos);
      hash.add(bev::geom::atan2(y, x));
      hash.add(bev::geom::hypot(y, x));
    }
    CHECK(hash.value() == 0xb585d205b3eb757e);
  }

  TEST_CASE("zeros, infinities and NaN are as in C") {
    CHECK(std::signbit(bev::geom::sin(-0.0)));
    CHECK(std::isnan(bev::geom::sin(kInfinity)));
    CHECK(std::isnan(bev::geom::cos(-kInfinity)));
    CHECK(std::isnan(bev::geom::sincos(std::nan("")).cos));

    CHECK(bev::geom::atan2(0.0, -0.0) == kPi);
    CHECK(bev::geom::atan2(-0.0, -1.0) == -kPi);
    CHECK(bev::geom::atan2(0.0, 2.0) == 0.0);
    CHECK(std::signbit(bev::geom::atan2(-0.0, 2.0)));
    CHECK(bev::geom::atan2(1.0, -0.0) == kPi / 2);
    CHECK(bev::geom::atan2(-kInfinity, 3.0) == -kPi / 2);
    CHECK(bev::geom::atan2(1.0, -kInfinity) == kPi);
    CHECK(bev::geom::atan2(kInfinity, kInfinity) == kPi / 4);
    CHECK(bev::geom::atan2(kInfinity, -kInfinity) == bev::geom::atan2(1.0, -1.0));
    CHECK(std::isnan(bev::geom::atan2(std::nan(""), 1.0)));

    CHECK(bev::geom::hypot(0.0, -0.0) == 0.0);
    CHECK(bev::geom::hypot(0.0, -7.0) == 7.0);
    CHECK(bev::geom::hypot(-kInfinity, std::nan("")) == kInfinity);
    CHECK(std::isnan(bev::geom::hypot(1.0, std::nan(""))));
    CHECK(bev::geom::hypot(0x1p-1074, 0.0) == 0x1p-1074);
  }
}

}  // namespace trig_test
