#include "native/town/path.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace bev::town;

namespace {

Path straight() {
  const std::array<Vec2, 3> points = {Vec2{0, 0}, Vec2{4, 0}, Vec2{10, 0}};
  return Path(points);
}

Path quarter_circle() {
  return Path::between({{10, 0}, {0, 1}}, {{0, 10}, {-1, 0}}, 0.39);
}

}  // namespace

TEST_SUITE("town/path") {
  TEST_CASE("a place on a path is found by its distance") {
    const Path path = straight();
    CHECK(path.length() == doctest::Approx(10));
    CHECK(path.at(7.25).at.x == doctest::Approx(7.25));
    CHECK(path.at(7.25).direction == Vec2{1, 0});
    CHECK(path.beside(3, 2).y == doctest::Approx(2));
  }

  TEST_CASE("beyond its ends a path goes straight on") {
    CHECK(straight().at(-2).at.x == doctest::Approx(-2));
    CHECK(straight().at(13).at.x == doctest::Approx(13));
  }

  TEST_CASE("a curve leaves and arrives in the directions given") {
    const Path path = quarter_circle();
    CHECK(path.at(0).direction == Vec2{0, 1});
    CHECK(path.at(path.length()).direction == Vec2{-1, 0});
    CHECK(path.length() == doctest::Approx(15.7).epsilon(0.01));
    CHECK(path.narrowest() == doctest::Approx(10).epsilon(0.1));
    for (double s = 0; s < path.length(); s += 0.5) {
      CHECK(length(path.at(s).at) == doctest::Approx(10).epsilon(0.01));
    }
  }

  TEST_CASE("an offset keeps its distance, a part its ends") {
    const Path path = quarter_circle();
    const Path inner = path.offset(2);
    CHECK(length(inner.at(inner.length() / 2).at) == doctest::Approx(8).epsilon(0.01));
    const Path part = path.part(3, 9);
    CHECK(part.length() == doctest::Approx(6).epsilon(0.01));
    CHECK(length(part.at(0).at - path.at(3).at) < 1e-9);
    CHECK(length(path.reversed().at(0).at - path.at(path.length()).at) < 1e-9);
  }
}
