#include "native/cli/slice.hpp"

#include <doctest/doctest.h>

using bev::cli::integer_in;
using bev::cli::Slice;
using bev::cli::slice_in;

TEST_SUITE("native/cli/slice") {
  TEST_CASE("parts that are left out are absent") {
    CHECK(slice_in("1:2:3") == Slice{1, 2, 3});
    CHECK(slice_in("1:2") == Slice{1, 2, {}});
    CHECK(slice_in(":") == Slice{});
    CHECK(slice_in("::-2") == Slice{{}, {}, -2});
    CHECK(slice_in("-5:") == Slice{-5, {}, {}});
  }

  TEST_CASE("a text that is no slice gives nothing") {
    for (const char* const text : {"", "1", "1:2:3:4", "a:", ":b", "::c", "1: 2"}) {
      CHECK_FALSE(slice_in(text).has_value());
    }
  }

  TEST_CASE("a whole number is that and no more") {
    CHECK(integer_in("-12") == -12);
    CHECK(integer_in("9223372036854775807") == INT64_MAX);
    for (const char* const text :
         {"", " 1", "1 ", "+1", "1.0", "9223372036854775808"}) {
      CHECK_FALSE(integer_in(text).has_value());
    }
  }
}
