#include "native/cat/selection.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "native/cli/arguments.hpp"

namespace selection_test {

using bev::native::parse_axis_slices;
using bev::native::parse_row_slice;
using bev::native::RowSlice;

TEST_SUITE("native/cat/selection") {
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

  TEST_CASE("anything else is rejected with the whole text") {
    for (const char* text : {"", "0,", ",0", "0,x", "1:2:3:4", "::0", "0, 1", "..."}) {
      CAPTURE(text);
      CHECK_THROWS_WITH_AS(
          parse_axis_slices(text),
          ("--select: invalid selection (found \"" + std::string(text) +
           "\", expected N, A:B or A:B:S per axis, S not 0)")
              .c_str(),
          bev::cli::UsageError);
    }
  }

  TEST_CASE("a slice of ten rows is Python's") {
    const std::pair<const char*, RowSlice> cases[] = {
        {":", {0, 10, 1}},      {"2:5", {2, 5, 1}},         {"-3:", {7, 10, 1}},
        {":-3", {0, 7, 1}},     {"::4", {0, 10, 4}},        {"2:99:3", {2, 10, 3}},
        {"-99:99", {0, 10, 1}}, {"5:2", {5, 5, 1}},         {"20:30", {10, 10, 1}},
        {"1:-1:2", {1, 9, 2}},  {"9:10:100", {9, 10, 100}},
    };
    for (const auto& [slice, rows] : cases) {
      const auto* text = slice;
      CAPTURE(text);
      CHECK(parse_row_slice(text, 10) == rows);
    }
  }

  TEST_CASE("the extremes of integers are cut off like others") {
    CHECK(parse_row_slice("-9223372036854775808:9223372036854775807", 10) ==
          RowSlice{0, 10, 1});
    CHECK(parse_row_slice("::9223372036854775807", 10).count() == 1);
    CHECK(parse_row_slice(":", 0).count() == 0);
  }

  TEST_CASE("the count is that of the rows that are hit") {
    for (std::uint64_t step = 1; step < 12; ++step) {
      for (std::uint64_t end = 0; end <= 10; ++end) {
        std::uint64_t expected = 0;
        for (std::uint64_t row = 3; row < end; row += step) ++expected;
        CHECK(RowSlice{3, std::max<std::uint64_t>(3, end), step}.count() == expected);
      }
    }
  }

  TEST_CASE("other texts are errors with the expected form") {
    for (const auto* text : {"", "5", "a:b", "1:2:3:4", "1:2:0", "1:2:-1", "1.5:2",
                             "99999999999999999999:", " 1:2", "1:2 "}) {
      CAPTURE(text);
      CHECK_THROWS_AS(parse_row_slice(text, 10), bev::cli::UsageError);
    }
    CHECK_THROWS_WITH_AS(
        parse_row_slice("5", 10),
        "--rows: invalid slice (found \"5\", expected A:B or A:B:S, S above 0)",
        bev::cli::UsageError);
  }
}

}  // namespace selection_test
