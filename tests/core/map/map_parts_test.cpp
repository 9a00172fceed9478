#include "core/map/map_parts.hpp"

#include <doctest/doctest.h>

#include <string>

#include "core/base/error.hpp"
#include "tests/support/error_code.hpp"

namespace core_map_parts_test {

using bev::Errc;
using bev::Error;
using bev::map::parse_map_parts;

namespace {

std::string with_parts(const std::string& parts) {
  return R"({"world_to_ecef":[],"map_parts":)" + parts + "}";
}

}  // namespace

TEST_SUITE("map/map_parts") {
  TEST_CASE("parts are consecutive ranges with an area each") {
    CHECK(parse_map_parts("{}").empty());
    CHECK(parse_map_parts("[]").empty());
    const auto parts = parse_map_parts(
        with_parts(R"({"ends":[10,10,25],"areas":[[0,1,2,3],[2,1,4,3],[4,1,6,3]]})"));
    REQUIRE(parts.size() == 3);
    CHECK(parts[0].begin == 0);
    CHECK(parts[1].begin == 10);
    CHECK(parts[1].end == 10);
    CHECK(parts[2].end == 25);
    CHECK(parts[2].area.min_x == 4);
    CHECK(parts[2].area.max_y == 3);
  }

  TEST_CASE("parts that do not follow each other are refused") {
    const auto check = [](const std::string& parts, const std::string& problem) {
      CAPTURE(parts);
      CHECK_THROWS_WITH_AS(parse_map_parts(with_parts(parts)),
                           ("meta.json: map_parts: " + problem).c_str(), Error);
    };
    check("[]", "ends: not a list");
    check(R"({"ends":3})", "ends: not a list");
    check(R"({"ends":[]})", "areas: not a list");
    check(R"({"ends":[1],"areas":[]})", "found 1 ends and 0 areas");
    for (const char* end : {"-1", "1.5", "\"1\"", "null", "281474976710656"}) {
      check(R"({"ends":[)" + std::string(end) + R"(],"areas":[[0,0,1,1]]})",
            "part 0: not an end");
    }
    check(R"({"ends":[5,4],"areas":[[0,0,1,1],[1,0,2,1]]})", "part 1: not an end");
    for (const char* area : {"[0,0,1]", "{}", "7", "[0,0,1,\"1\"]", "[0,0,1e16,1]"}) {
      check(R"({"ends":[5],"areas":[)" + std::string(area) + "]}",
            "part 0: area must be 4 numbers");
    }
    check(R"({"ends":[5],"areas":[[2,0,1,1]]})", "part 0: area ends before it begins");
  }

  TEST_CASE("every cut is refused, and too many parts") {
    const auto whole = with_parts(R"({"ends":[5],"areas":[[0,0,1,1]]})");
    for (std::size_t cut = 0; cut < whole.size(); ++cut) {
      CHECK(bev::test::error_code([&] { parse_map_parts(whole.substr(0, cut)); }) ==
            Errc::invalid_metadata);
    }
    std::string ends = "0";
    for (std::size_t i = 0; i < bev::map::kMaxMapParts; ++i) ends += ",0";
    CHECK(bev::test::error_code([&] {
            parse_map_parts(with_parts(R"({"ends":[)" + ends + "]}"));
          }) == Errc::limit_exceeded);
  }
}

}  // namespace core_map_parts_test
