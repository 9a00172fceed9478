#include "core/geom/affine.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <span>
#include <vector>

#include "core/base/error.hpp"

namespace affine_test {

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

  TEST_CASE("a product of maps is a map, and the identity changes none") {
    const Affine2 a{.xx = 2, .xy = -1, .tx = 5, .yx = 0.5, .yy = 3, .ty = -7};
    const Affine2 b = pose({1, 2}, 0.7);
    const Affine2 c{.xx = 0, .xy = 1, .tx = 4, .yx = -1, .yy = 0, .ty = 9};
    const Vec2 point{-4, 9};
    check_near((a * b) * c * point, a * (b * (c * point)));
    CHECK(a * Affine2{} == a);
    CHECK(Affine2{} * a == a);
    CHECK(Affine3{} * Affine3{} == Affine3{});
  }

  TEST_CASE("maps whose determinant is not finite have no inverse") {
    constexpr double kMax = std::numeric_limits<double>::max();
    constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_WITH_AS(inverse(Affine2{.xx = kMax, .yy = kMax}),
                         "affine map: no inverse (found determinant inf)", bev::Error);
    CHECK_THROWS_AS(inverse(Affine2{.xx = kNaN}), bev::Error);
    Affine3 space;
    space.rows[1][1] = kNaN;
    CHECK_THROWS_AS(inverse(space), bev::Error);
    try {
      inverse(Affine2{.xx = 0, .yy = 0});
      FAIL("inverted");
    } catch (const bev::Error& error) {
      CHECK(error.code() == bev::Errc::invalid_argument);
    }
  }

  TEST_CASE("very small and very large maps are inverted") {
    const Affine2 tiny{.xx = 1e-100, .tx = 1e-100, .yy = 1e-100};
    check_near(inverse(tiny) * (tiny * Vec2{3, 4}), {3, 4});
    const Affine2 huge{.xx = 1e100, .yy = 1e100, .ty = 1e100};
    check_near(inverse(huge) * (huge * Vec2{3, 4}), {3, 4});
  }

  TEST_CASE("no points become no points") {
    CHECK(transformed(std::span<const Vec2>(), Affine2{.tx = 5}).empty());
    CHECK(transformed(std::span<const Vec3>(), Affine3{}).empty());
  }

  TEST_CASE(
      "a rectangle without size is its centre, one of negative size is mirrored") {
    for (const Vec2& corner : rectangle_corners({3, 4}, {.sin = 1, .cos = 0}, 0, 0)) {
      CHECK(corner == Vec2{3, 4});
    }
    const auto mirrored = rectangle_corners({0, 0}, {.sin = 0, .cos = 1}, -4, 2);
    CHECK(mirrored[0] == Vec2{-2, 1});
  }
}

}  // namespace affine_test
