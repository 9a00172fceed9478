#include "core/geom/trig_f32.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using bev::geom::sincos_f32;

TEST_SUITE("geom/trig_f32") {
  TEST_CASE("quadrants and signs are those of the circle") {
    CHECK(sincos_f32(0.0F).sin == 0.0F);
    CHECK(sincos_f32(0.0F).cos == 1.0F);
    CHECK(sincos_f32(0x1.921fb6p+0F).sin == 1.0F);
    CHECK(sincos_f32(-0x1.921fb6p+0F).sin == -1.0F);
    CHECK(sincos_f32(0x1.921fb6p+1F).cos == -1.0F);
  }

  TEST_CASE("results are within two units in the last place, seldom the nearest") {
    int nearest = 0;
    for (int i = -3200; i <= 3200; ++i) {
      const float x = static_cast<float>(i) * 0.001F;
      CAPTURE(x);
      const auto got = sincos_f32(x);
      const auto wanted = static_cast<float>(std::cos(static_cast<double>(x)));
      REQUIRE(std::fabs(got.cos - wanted) <= 2 * 0x1p-24F);
      REQUIRE(std::fabs(got.sin - static_cast<float>(std::sin(
                                      static_cast<double>(x)))) <= 2 * 0x1p-24F);
      nearest += got.cos == wanted ? 1 : 0;
    }
    CHECK(nearest > 4000);
    CHECK(nearest < 6401);
  }

  TEST_CASE("beyond the kernels' range it is the nearest float") {
    CHECK(sincos_f32(2e6F).sin == static_cast<float>(std::sin(2e6)));
    CHECK(sincos_f32(1e5F).cos == static_cast<float>(std::cos(1e5)));
    CHECK(std::isnan(sincos_f32(std::numeric_limits<float>::infinity()).sin));
    CHECK(std::isnan(sincos_f32(std::numeric_limits<float>::quiet_NaN()).cos));
  }
}
