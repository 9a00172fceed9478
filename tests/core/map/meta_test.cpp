#include "core/map/meta.hpp"

#include <doctest/doctest.h>

#include <string>

#include "core/base/error.hpp"

using bev::Error;
using bev::geom::Affine3;
using bev::geom::Vec3;
using bev::map::parse_meta;

namespace {

// A quarter turn about z, and a translation.
const std::string kTurn = "[[0,-1,0,5],[1,0,0,7],[0,0,1,9],[0,0,0,1]]";

std::string with_world_to_ecef(const std::string& matrix) {
  return R"({"world_to_ecef":)" + matrix + "}";
}

}  // namespace

TEST_SUITE("map/meta") {
  TEST_CASE("both matrices are read, row by row") {
    const auto meta = parse_meta(R"({"world_to_ecef":)" + kTurn +
                                 R"(,"ecef_to_aerial":[[1,2,3,4],[5,6,7,8],)" +
                                 R"([0,0,0,0],[0,0,0,1]],"other":"x"})");
    CHECK(meta.ecef_from_world.rows[0] == Affine3::Row{0, -1, 0, 5});
    CHECK(meta.ecef_from_world.rows[1] == Affine3::Row{1, 0, 0, 7});
    REQUIRE(meta.aerial_from_ecef.has_value());
    CHECK(meta.aerial_from_ecef->rows[1] == Affine3::Row{5, 6, 7, 8});
  }

  TEST_CASE("a data set without an aerial image has no matrix for it") {
    CHECK_FALSE(parse_meta(with_world_to_ecef(kTurn)).aerial_from_ecef.has_value());
  }

  TEST_CASE("world_to_ecef is there both ways") {
    const auto meta = parse_meta(with_world_to_ecef(kTurn));
    CHECK(meta.ecef_from_world * Vec3{1, 2, 3} == Vec3{3, 8, 12});
    CHECK(meta.world_from_ecef * Vec3{3, 8, 12} == Vec3{1, 2, 3});
  }

  TEST_CASE("a world_to_ecef without an inverse is refused") {
    CHECK_THROWS_WITH_AS(
        parse_meta(with_world_to_ecef("[[1,0,0,5],[0,1,0,7],[0,0,0,9],[0,0,0,1]]")),
        "meta.json: world_to_ecef: matrix has no inverse", Error);
  }

  TEST_CASE("the error of an invalid meta.json names the problem") {
    CHECK_THROWS_WITH_AS(parse_meta("<html>"), "meta.json: not JSON", Error);
    CHECK_THROWS_WITH_AS(parse_meta("[]"), "meta.json: world_to_ecef not found", Error);
    CHECK_THROWS_WITH_AS(parse_meta("{}"), "meta.json: world_to_ecef not found", Error);
    CHECK_THROWS_WITH_AS(parse_meta(with_world_to_ecef("[[1,2],[3,4]]")),
                         "meta.json: world_to_ecef: must be 4 rows of 4 numbers",
                         Error);
    CHECK_THROWS_WITH_AS(
        parse_meta(
            with_world_to_ecef(R"([[0,-1,0,"5"],[1,0,0,7],[0,0,1,9],[0,0,0,1]])")),
        "meta.json: world_to_ecef: not a number (found string)", Error);
    CHECK_THROWS_WITH_AS(
        parse_meta(with_world_to_ecef("[[0,-1,0,5],[1,0,0,7],[0,0,1,9],[0,0,0,2]]")),
        "meta.json: world_to_ecef: last row must be 0 0 0 1", Error);
  }

  TEST_CASE("every cut of a meta.json is refused") {
    const auto whole = with_world_to_ecef(kTurn);
    for (std::size_t cut = 0; cut < whole.size(); ++cut) {
      CAPTURE(cut);
      CHECK_THROWS_AS(parse_meta(whole.substr(0, cut)), Error);
    }
  }
}
