#include "core/map/map_source.hpp"

#include <doctest/doctest.h>

#include "tests/support/small_map.hpp"
#include "tests/support/split_map.hpp"

namespace map_source_test {

using bev::map::MapSource;
using bev::map::SemanticMap;
using namespace bev::test;

namespace {

std::shared_ptr<const SemanticMap> lane_at(std::int32_t x) {
  return std::make_shared<const SemanticMap>(
      SemanticMap::parse(fragment({lane("L", x)}).span(), equator_meta()));
}

}  // namespace

TEST_SUITE("map/map_source") {
  TEST_CASE("without a map there is none anywhere") {
    for (const MapSource& none : {MapSource(), MapSource(nullptr)}) {
      CHECK(!none.has_map());
      CHECK(none.parts() == nullptr);
      CHECK(none.at({0, 0}) == nullptr);
    }
  }

  TEST_CASE("one map is everywhere") {
    const auto map = lane_at(0);
    const MapSource one = map;
    CHECK(one.has_map());
    CHECK(one.whole() == map);
    CHECK(one.parts() == nullptr);
    CHECK(one.at({1e6, 0}) == map);
  }

  TEST_CASE("the part whose area has a position is its map, elsewhere it is empty") {
    const auto left = lane_at(0), right = lane_at(100);
    const auto parts =
        split_map({{{-50, -50, 50, 50}, left}, {{50, -50, 150, 50}, right}});
    CHECK(parts.has_map());
    CHECK(parts.whole() == nullptr);
    CHECK(parts.at({0, 0}) == left);
    CHECK(parts.at({100, 0}) == right);
    REQUIRE(parts.at({0, 200}) != nullptr);
    CHECK(parts.at({0, 200})->lanes().empty());
  }
}

}  // namespace map_source_test
