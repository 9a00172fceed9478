#include "core/geom/exp_log.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tests/support/records.hpp"

namespace geom = bev::geom;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Returns the approximate number of doubles between the two.
double ulps(double ours, double theirs) {
  const double step = std::nextafter(std::fabs(theirs), kInfinity) - std::fabs(theirs);
  return std::fabs(ours - theirs) / step;
}

double unit(bev::test::Random& random) {
  return static_cast<double>(random.next() >> 11) * 0x1p-53;
}

}  // namespace

TEST_SUITE("geom/exp_log") {
  TEST_CASE("exp is the C library's within two ulps") {
    bev::test::Random random(1);
    double worst = 0;
    for (int i = 0; i < 20000; ++i) {
      const double x = (unit(random) - 0.5) * (i % 2 == 0 ? 1400 : 4);
      worst = std::max(worst, ulps(geom::exp(x), std::exp(x)));
    }
    CHECK(worst <= 2);
  }

  TEST_CASE("log is the C library's within two ulps") {
    bev::test::Random random(2);
    double worst = 0;
    for (int i = 0; i < 20000; ++i) {
      const double x =
          i % 2 == 0 ? unit(random) * 4 : std::ldexp(1 + unit(random), i % 2000 - 1000);
      worst = std::max(worst, ulps(geom::log(x), std::log(x)));
    }
    CHECK(worst <= 2);
  }

  TEST_CASE("values that are exact are exact") {
    CHECK(geom::exp(0) == 1);
    CHECK(geom::log(1) == 0);
    CHECK(ulps(geom::exp(1), 0x1.5bf0a8b145769p+1) <= 1);
    CHECK(geom::log(2) == 0x1.62e42fefa39efp-1);
  }

  TEST_CASE("the ends of the range are the C library's") {
    const double kNan = std::numeric_limits<double>::quiet_NaN();
    CHECK(geom::exp(800) == kInfinity);
    CHECK(geom::exp(kInfinity) == kInfinity);
    CHECK(geom::exp(-800) == 0);
    CHECK(geom::exp(-kInfinity) == 0);
    CHECK(ulps(geom::exp(-745), std::exp(-745)) <= 1);
    CHECK(std::isnan(geom::exp(kNan)));
    CHECK(geom::log(0) == -kInfinity);
    CHECK(geom::log(kInfinity) == kInfinity);
    CHECK(ulps(geom::log(0x1p-1074), std::log(0x1p-1074)) <= 1);
    CHECK(std::isnan(geom::log(-1)));
    CHECK(std::isnan(geom::log(kNan)));
  }
}
