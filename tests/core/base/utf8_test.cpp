#include "core/base/utf8.hpp"

#include <doctest/doctest.h>

using bev::first_point;
using bev::kReplacementPoint;
using bev::utf8_of;

TEST_SUITE("base/utf8") {
  TEST_CASE("every code point is read back from its bytes") {
    for (std::uint32_t point = 0; point <= 0x10ffff; ++point) {
      if (point == 0xd800) point = 0xe000;
      const auto bytes = utf8_of(point);
      const auto first = first_point(bytes.text());
      REQUIRE(first.point == point);
      REQUIRE(first.length == bytes.length);
    }
  }

  TEST_CASE("the bytes are those of the standard") {
    CHECK(utf8_of('A').text() == "A");
    CHECK(utf8_of(0xe9).text() == "\xc3\xa9");
    CHECK(utf8_of(0x20ac).text() == "\xe2\x82\xac");
    CHECK(utf8_of(0x1f600).text() == "\xf0\x9f\x98\x80");
  }

  TEST_CASE("what is no code point is written as U+FFFD") {
    for (const std::uint32_t point : {0xd800U, 0xdfffU, 0x110000U, 0xffffffffU}) {
      CHECK(utf8_of(point).text() == "\xef\xbf\xbd");
    }
  }

  TEST_CASE("what follows a point is not looked at") {
    CHECK(first_point("a\xff").length == 1);
    CHECK(first_point("\xc3\xa9\xa9").length == 2);
  }

  TEST_CASE("longer forms, surrogates, loose and missing bytes are none") {
    for (const char* text :
         {"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xc3", "\xc3(", "\xe0\x9f\xbf",
          "\xe2\x82", "\xe2(\xac", "\xed\xa0\x80", "\xed\xbf\xbf", "\xf0\x8f\xbf\xbf",
          "\xf0\x9f\x98", "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", "\xff"}) {
      CAPTURE(text);
      CHECK(first_point(text).length == 0);
      CHECK(first_point(text).point == kReplacementPoint);
    }
  }
}
