#include "core/map/wire.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/map_writer.hpp"

namespace wire_test {

using bev::Error;
using bev::map::bytes_field;
using bev::map::checked_utf8;
using bev::map::Wire;
using bev::map::zigzag32;
using bev::test::Message;

namespace {

std::vector<std::uint64_t> numbers_of(std::string_view bytes) {
  std::vector<std::uint64_t> out;
  Wire wire(bytes);
  while (wire.next()) wire.each_varint([&](std::uint64_t n) { out.push_back(n); });
  return out;
}

/// Reads a whole message, skipping every field.
void skip_all(std::string_view bytes) {
  Wire wire(bytes);
  while (wire.next()) wire.skip();
}

}  // namespace

TEST_SUITE("map/wire") {
  TEST_CASE("fields come in the order of the bytes, with number and wire type") {
    const auto message = Message().varint(1, 300).sfixed32(2, -5).bytes(3, "abc");
    Wire wire(message.text());
    REQUIRE(wire.next());
    CHECK(wire.tag() == bev::map::varint_field(1));
    CHECK(wire.varint() == 300);
    REQUIRE(wire.next());
    CHECK(wire.tag() == bev::map::fixed32_field(2));
    CHECK(wire.sfixed32() == -5);
    REQUIRE(wire.next());
    CHECK(wire.tag() == bytes_field(3));
    CHECK(wire.bytes() == "abc");
    CHECK_FALSE(wire.next());
  }

  TEST_CASE("fields of every wire type can be skipped") {
    const std::string bytes = Message()
                                  .varint(5, ~std::uint64_t{0})
                                  .raw(std::string("\x31") + "12345678")  // 64-bit, 6
                                  .real32(7, 2.5f)
                                  .bytes(8, std::string(300, 'x'))
                                  .varint(9, 1)
                                  .text();
    Wire wire(bytes);
    for (int i = 0; i < 4; ++i) {
      REQUIRE(wire.next());
      wire.skip();
    }
    REQUIRE(wire.next());
    CHECK(wire.varint() == 1);
  }

  TEST_CASE("repeated numbers are read packed and one by one") {
    const auto packed = Message().bytes(1, std::string("\x01\x02\x80\x01", 4));
    CHECK(numbers_of(packed.text()) == std::vector<std::uint64_t>{1, 2, 128});
    const auto single = Message().varint(1, 1).varint(1, 2).varint(1, 128);
    CHECK(numbers_of(single.text()) == std::vector<std::uint64_t>{1, 2, 128});
    CHECK(numbers_of(Message().bytes(1, "").text()).empty());
  }

  TEST_CASE("zigzag counts outwards from zero") {
    CHECK(zigzag32(0) == 0);
    CHECK(zigzag32(1) == -1);
    CHECK(zigzag32(2) == 1);
    CHECK(zigzag32(0xffffffff) == -2147483647 - 1);
    CHECK(zigzag32(0xfffffffe) == 2147483647);
  }

  TEST_CASE("a message cut anywhere inside a field is corrupt") {
    const auto whole = Message().real32(1, 1.5f).bytes(2, "abcdef").varint(3, 300);
    const std::vector<std::size_t> ends = {0, 5, 13, 16};  // ends of fields
    REQUIRE(whole.text().size() == ends.back());
    for (std::size_t cut = 0; cut <= ends.back(); ++cut) {
      CAPTURE(cut);
      const auto head = std::string_view(whole.text()).substr(0, cut);
      if (std::find(ends.begin(), ends.end(), cut) != ends.end()) {
        CHECK_NOTHROW(skip_all(head));
      } else {
        CHECK_THROWS_AS(skip_all(head), Error);
      }
    }
  }

  TEST_CASE("a length above what is left is corrupt, also one of 32 and of 64 bits") {
    CHECK_THROWS_WITH_AS(skip_all("\x0a\x05"
                                  "abc"),
                         "field 1: truncated (found 3 bytes, expected 5)", Error);
    CHECK_THROWS_WITH_AS(skip_all("\x0a\xfe\xff\xff\xff\x0f"
                                  "abc"),
                         "field 1: truncated (found 3 bytes, expected 4294967294)",
                         Error);
    CHECK_THROWS_WITH_AS(skip_all("\x0a\x83\x80\x80\x80\x10"
                                  "abc"),
                         "field 1: truncated (found 3 bytes, expected 4294967299)",
                         Error);
  }

  TEST_CASE("invalid fields are corrupt") {
    CHECK_THROWS_AS(skip_all(std::string("\x00", 1)), Error);  // field 0
    CHECK_THROWS_AS(skip_all("\x0b"), Error);                  // start of a group
    CHECK_THROWS_AS(skip_all("\x0f"), Error);                  // wire type 7
    CHECK_THROWS_AS(skip_all("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
                    Error);
    CHECK_THROWS_WITH_AS(skip_all("\x88\x80\x80\x80\x10\x01"),
                         "field number exceeds 29 bits", Error);
  }

  TEST_CASE("a bool at the end of the bytes is not read beyond them") {
    const std::string bytes = "\x08";
    Wire wire(bytes);
    REQUIRE(wire.next());
    CHECK_THROWS_AS(wire.boolean(), Error);
  }

  TEST_CASE("ids are UTF-8") {
    CHECK(checked_utf8("").empty());
    CHECK(checked_utf8("a/+9") == "a/+9");
    CHECK(checked_utf8("\xc3\xa9\xe2\x82\xac\xf0\x9f\x9a\x97").size() == 9);
    CHECK_THROWS_WITH_AS(checked_utf8("ab\xff"), "id is not UTF-8 (byte 2 of 3)",
                         Error);
  }

  TEST_CASE("overlong, surrogate, too high and cut sequences are not UTF-8") {
    for (const char* bad : {"\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80",
                            "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80",
                            "\x80", "\xe2\x82", "\xe2\x82x", "\xc3"}) {
      CAPTURE(bad);
      CHECK_THROWS_AS(checked_utf8(bad), Error);
    }
  }
}

}  // namespace wire_test
