#include "core/geom/box.hpp"

#include <doctest/doctest.h>

using namespace bev::geom;

TEST_SUITE("geom/box") {
  TEST_CASE("corners go counter-clockwise from front left") {
    const auto corners = rectangle_corners({10, 20}, {.sin = 0, .cos = 1}, 4, 2);
    CHECK(corners[0] == Vec2{12, 21});
    CHECK(corners[1] == Vec2{8, 21});
    CHECK(corners[2] == Vec2{8, 19});
    CHECK(corners[3] == Vec2{12, 19});
  }

  TEST_CASE("the heading turns them") {
    const auto corners = rectangle_corners({0, 0}, {.sin = 1, .cos = 0}, 4, 2);
    CHECK(corners[0] == Vec2{-1, 2});
    CHECK(corners[2] == Vec2{1, -2});
  }

  TEST_CASE("an agent's sine and cosine are float32") {
    const auto corners = agent_corners({0, 0}, 1.0F, 2, 0);
    CHECK(corners[0].x == static_cast<double>(static_cast<float>(corners[0].x)));
    CHECK(corners[0].x == doctest::Approx(0.5403023).epsilon(1e-7));
  }
}
