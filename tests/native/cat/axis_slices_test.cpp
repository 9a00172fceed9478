#include "native/cat/axis_slices.hpp"

#include <doctest/doctest.h>

#include <string>

#include "native/cli/arguments.hpp"

using bev::native::parse_axis_slices;

TEST_SUITE("native/cat/axis_slices") {
  TEST_CASE("each axis is an index or a slice") {
    const auto axes = parse_axis_slices("-1,::-2,3:,:7:2");
    REQUIRE(axes.size() == 4);
    CHECK(axes[0].index == -1);
    CHECK_FALSE(axes[1].index);
    CHECK_FALSE(axes[1].begin);
    CHECK(axes[1].step == -2);
    CHECK(axes[2].begin == 3);
    CHECK_FALSE(axes[2].end);
    CHECK(axes[2].step == 1);
    CHECK(axes[3].end == 7);
    CHECK(axes[3].step == 2);
  }

  TEST_CASE("anything else is refused with the whole text") {
    for (const char* text : {"", "0,", ",0", "0,x", "1:2:3:4", "::0", "0, 1", "..."}) {
      CAPTURE(text);
      CHECK_THROWS_WITH_AS(parse_axis_slices(text),
                           ("--select: \"" + std::string(text) +
                            "\", expected N, A:B or A:B:S for each axis, S not 0")
                               .c_str(),
                           bev::cli::UsageError);
    }
  }
}
