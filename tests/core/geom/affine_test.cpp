#include "core/geom/affine.hpp"

#include <doctest/doctest.h>

#include "core/base/error.hpp"

using namespace bev::geom;

namespace {

void check_near(Vec2 got, Vec2 wanted) {
  CHECK(got.x == doctest::Approx(wanted.x).epsilon(1e-12));
  CHECK(got.y == doctest::Approx(wanted.y).epsilon(1e-12));
}

}  // namespace

TEST_SUITE("geom/affine") {
  TEST_CASE("a pose takes its own axes to where they point") {
    const Affine2 world_from_car = pose({10, 20}, 0x1.921fb54442d18p+0);
    check_near(world_from_car * Vec2{3, 0}, {10, 23});
    check_near(world_from_car * Vec2{0, 2}, {8, 20});
  }

  TEST_CASE("a product applies its right factor first") {
    const Affine2 twice{.xx = 2, .yy = 2}, right{.tx = 1};
    CHECK(twice * right * Vec2{1, 1} == Vec2{4, 2});
    CHECK(right * twice * Vec2{1, 1} == Vec2{3, 2});
  }

  TEST_CASE("an inverse undoes its map") {
    const Affine2 map{.xx = 2, .xy = -1, .tx = 5, .yx = 0.5, .yy = 3, .ty = -7};
    check_near(inverse(map) * (map * Vec2{-4, 9}), {-4, 9});

    Affine3 space;
    space.rows = {Affine3::Row{0, -1, 2, 3}, Affine3::Row{1, 0.5, 0, -4},
                  Affine3::Row{0, 1, 1, 8}};
    const Vec3 back = inverse(space) * (space * Vec3{1, -2, 3});
    CHECK(back.x == doctest::Approx(1));
    CHECK(back.y == doctest::Approx(-2));
    CHECK(back.z == doctest::Approx(3));
    const Affine3 same = space * inverse(space);
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(same.rows[i][i] == doctest::Approx(1));
      CHECK(same.rows[i][3] == doctest::Approx(0));
    }
  }

  TEST_CASE("a map onto a line has no inverse") {
    CHECK_THROWS_WITH_AS(inverse(Affine2{.xx = 1, .xy = 2, .yx = 2, .yy = 4}),
                         "affine map: no inverse (found determinant 0.0)", bev::Error);
    Affine3 flat;
    flat.rows[2] = {0, 0, 0, 1};
    CHECK_THROWS_AS(inverse(flat), bev::Error);
  }

  TEST_CASE("points keep their order") {
    const Vec2 points[] = {{0, 0}, {1, 2}};
    CHECK(transformed(points, Affine2{.tx = 5}) == std::vector<Vec2>{{5, 0}, {6, 2}});
    const Vec3 in_space[] = {{1, 2, 3}};
    CHECK(transformed(in_space, Affine3{}) == std::vector<Vec3>{{1, 2, 3}});
  }

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
