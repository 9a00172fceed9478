#include "core/zarr/text.hpp"

#include <doctest/doctest.h>

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "tests/support/records.hpp"

namespace text_test {

using bev::Error;
using bev::test::Packed;
using namespace bev::zarr;

namespace {

DType parse(const char* code) {
  return parse_dtype(nlohmann::json(code), "a");
}

std::vector<std::byte> units(std::initializer_list<std::uint32_t> points) {
  Packed packed;
  for (const std::uint32_t point : points) packed.add(point);
  return packed.bytes();
}

std::vector<std::string> strings(const Text& text) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < text.size(); ++i) out.emplace_back(text[i]);
  return out;
}

using Strings = std::vector<std::string>;

}  // namespace

TEST_SUITE("zarr/text") {
  TEST_CASE("UCS-4 becomes UTF-8 without padding") {
    const auto data = units({'a', 'b', 0, 0xe9, 0x20ac, 0x1f600, 0, 0, 0});
    const Text text = decode_text(parse("<U3"), data);
    CHECK(strings(text) == Strings{"ab", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", ""});
    CHECK(text.offsets == std::vector<std::uint32_t>{0, 2, 11, 11});
  }

  TEST_CASE("a zero inside a string stays") {
    CHECK(strings(decode_text(parse("<U3"), units({'a', 0, 'b'}))) ==
          Strings{std::string("a\0b", 3)});
  }

  TEST_CASE("big-endian code units are supported") {
    const auto data = Packed().zeros(3).text("A").bytes();
    CHECK(strings(decode_text(parse(">U1"), data)) == Strings{"A"});
  }

  TEST_CASE("invalid scalar values become U+FFFD") {
    const auto data = units({0xd800, 0xdfff, 0x110000, 0xffffffff, 0xd7ff, 0xe000});
    CHECK(strings(decode_text(parse("<U1"), data)) ==
          Strings{"\xef\xbf\xbd", "\xef\xbf\xbd", "\xef\xbf\xbd", "\xef\xbf\xbd",
                  "\xed\x9f\xbf", "\xee\x80\x80"});
  }

  TEST_CASE("invalid UTF-8 in S columns becomes U+FFFD per byte") {
    const auto data = Packed()
                          .text("abc")
                          .text("\xc3\xa9")
                          .zeros(1)
                          .text(
                              "\xff"
                              "a\xc3");
    CHECK(strings(decode_text(parse("|S3"), data.bytes())) == Strings{"abc", "\xc3\xa9",
                                                                      "\xef\xbf\xbd"
                                                                      "a\xef\xbf\xbd"});
  }

  TEST_CASE("overlong forms, surrogates and lone continuation bytes are invalid") {
    for (const char* bad : {"\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80",
                            "\xf4\x90\x80\x80", "\x80", "\xf8\x88\x80\x80\x80"}) {
      CAPTURE(bad);
      for (const std::uint32_t point : code_points(bad)) CHECK(point == 0xfffd);
    }
    CHECK(code_points("a\xf0\x9f\x98\x80") == std::vector<std::uint32_t>{'a', 0x1f600});
  }

  TEST_CASE("no rows give no strings") {
    CHECK(decode_text(parse("<U3"), {}).size() == 0);
  }

  TEST_CASE("other kinds and truncated columns are refused") {
    CHECK_THROWS_AS(decode_text(parse("<i4"), {}), Error);
    const std::vector<std::byte> data(11);
    CHECK_THROWS_WITH_AS(
        decode_text(parse("<U3"), data),
        "text has the wrong length (found 11 bytes, expected a multiple of 12)", Error);
  }

  TEST_CASE("errors state the type, and the length that was expected") {
    CHECK_THROWS_WITH_AS(decode_text(parse("<f8"), {}),
                         "dtype <f8 is not text (expected U or S)", Error);
    const std::vector<std::byte> seven(7);
    CHECK_THROWS_WITH_AS(
        decode_text(parse("<U2"), seven),
        "text has the wrong length (found 7 bytes, expected a multiple "
        "of 8)",
        Error);
    CHECK_THROWS_AS(decode_text(parse("|S3"), seven), Error);
    CHECK(decode_text(parse("|S7"), seven).size() == 1);
  }

  TEST_CASE("memory is reused, and its content is replaced") {
    Text text{{'o', 'l', 'd', '!', '!', '!'}, {0, 3, 6}};
    text = decode_text(parse("<U1"), units({'a', 0}), std::move(text));
    CHECK(strings(text) == Strings{"a", ""});
    text = decode_text(parse("<U1"), {}, std::move(text));
    CHECK(text.size() == 0);
    CHECK(text.utf8.empty());
  }

  TEST_CASE("the first and last code point of each length are written and read") {
    for (const std::uint32_t point : {1U, 0x7fU, 0x80U, 0x7ffU, 0x800U, 0xd7ffU,
                                      0xe000U, 0xffffU, 0x10000U, 0x10ffffU}) {
      CAPTURE(point);
      const auto text = decode_text(parse("<U1"), units({point}));
      REQUIRE(text.size() == 1);
      CHECK(code_points(text[0]) == std::vector<std::uint32_t>{point});
    }
    CHECK(code_points("").empty());
  }

  TEST_CASE("a string truncated within a code point has U+FFFD for each byte") {
    CHECK(code_points("\xf0\x9f\x98") == std::vector<std::uint32_t>(3, 0xfffd));
    CHECK(code_points("a\xc3") == std::vector<std::uint32_t>{'a', 0xfffd});
    CHECK(code_points("\xff\xfe") == std::vector<std::uint32_t>(2, 0xfffd));
    CHECK(code_points("\xf8\x88\x80\x80\x80") == std::vector<std::uint32_t>(5, 0xfffd));
  }
}

}  // namespace text_test
