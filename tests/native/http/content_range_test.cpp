#include "native/http/content_range.hpp"

#include <doctest/doctest.h>

using bev::native::parse_content_range;

TEST_SUITE("native/http/content_range") {
  TEST_CASE("says which bytes of how many") {
    const auto found = parse_content_range("bytes 5-7/100");
    REQUIRE(found);
    CHECK(found->begin == 5);
    CHECK(found->end == 8);
    CHECK(found->size == 100);
    const auto open = parse_content_range("bytes 0-0/*");
    REQUIRE(open);
    CHECK(open->end == 1);
    CHECK_FALSE(open->size.has_value());
  }

  TEST_CASE("what is none, or contradicts itself, is refused") {
    for (const auto* text :
         {"", "bytes", "bytes ", "bytes */10", "bytes 7-5/10", "bytes 5-7",
          "bytes 5-7/", "bytes 5-7/7", "bytes 5-7/8x", "bytes -7/8", "items 5-7/8",
          "bytes 5-7/-1", "bytes 0-18446744073709551615/*",
          "bytes 0-99999999999999999999/*"}) {
      CAPTURE(text);
      CHECK_FALSE(parse_content_range(text).has_value());
    }
  }
}
