#include "native/http/header_text.hpp"

#include <doctest/doctest.h>

using bev::native::lower;
using bev::native::trimmed;

TEST_SUITE("native/http/header_text") {
  TEST_CASE("lowers only ASCII letters") {
    CHECK(lower("Content-LENGTH: 7") == "content-length: 7");
    CHECK(lower("@[`{\xc3\x84") == "@[`{\xc3\x84");
    CHECK(lower("").empty());
  }

  TEST_CASE("trims both ends, not the middle") {
    CHECK(trimmed(" \ta b\r\n") == "a b");
    CHECK(trimmed("a") == "a");
    CHECK(trimmed(" \r\n\t").empty());
    CHECK(trimmed("").empty());
  }
}
