#include "core/zarr/number.hpp"

#include <doctest/doctest.h>

#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace number_test {

using namespace bev::zarr;

namespace {

using Bytes = std::vector<std::byte>;

DType type_of(const std::string& code) {
  return parse_dtype(nlohmann::json(code), "test");
}

// Converts a value of one type to another.
Bytes cast(const std::string& from, std::initializer_list<unsigned> bytes,
           const std::string& to) {
  Bytes in;
  for (const auto byte : bytes) in.push_back(static_cast<std::byte>(byte));
  Bytes out(type_of(to).size());
  store_number(type_of(to), load_number(type_of(from), in.data()), out.data());
  return out;
}

Bytes of(std::initializer_list<unsigned> bytes) {
  Bytes out;
  for (const auto byte : bytes) out.push_back(static_cast<std::byte>(byte));
  return out;
}

}  // namespace

TEST_SUITE("zarr/number") {
  TEST_CASE("integers keep their sign and lose their upper bits") {
    CHECK(cast("|i1", {0xff}, ">i4") == of({0xff, 0xff, 0xff, 0xff}));
    CHECK(cast("|u1", {0xff}, "<i4") == of({0xff, 0, 0, 0}));
    CHECK(cast(">i4", {1, 2, 3, 4}, "<i2") == of({4, 3}));
    CHECK(cast("|b1", {1}, "|u1") == of({1}));
    CHECK(cast("<i2", {0, 1}, "|b1") == of({1}));
  }

  TEST_CASE("an integer is converted to a real with one rounding") {
    // 2^60 + 2^36 + 1: through a double it would round to even, and down.
    CHECK(cast(">i8", {0x10, 0, 0, 0x10, 0, 0, 0, 1}, ">f4") == of({0x5d, 0x80, 0, 1}));
    CHECK(cast("<u8", {255, 255, 255, 255, 255, 255, 255, 255}, ">f8") ==
          of({0x43, 0xf0, 0, 0, 0, 0, 0, 0}));
    CHECK(cast("|i1", {0xfe}, ">f2") == of({0xc0, 0}));
  }

  TEST_CASE("a real is truncated; out-of-range values become the smallest") {
    CHECK(cast(">f8", {0xbf, 0xef, 0, 0, 0, 0, 0, 0}, "<i4") == of({0, 0, 0, 0}));
    CHECK(cast(">f4", {0xff, 0xc0, 0, 0}, "<i2") == of({0, 0x80}));  // NaN
    CHECK(cast(">f4", {0x47, 0, 0, 0}, "<i2") == of({0, 0x80}));     // 32768
    CHECK(cast(">f4", {0xc7, 0, 0, 0}, "<i2") == of({0, 0x80}));     // -32768
    CHECK(cast(">f4", {0xbf, 0x80, 0, 0}, "<u2") == of({0, 0}));     // -1
    CHECK(cast(">f8", {0x43, 0xe0, 0, 0, 0, 0, 0, 0}, ">i8") ==
          of({0x80, 0, 0, 0, 0, 0, 0, 0}));  // 2^63
    CHECK(cast(">f8", {0x43, 0xe0, 0, 0, 0, 0, 0, 0}, ">u8") ==
          of({0x80, 0, 0, 0, 0, 0, 0, 0}));
    CHECK(cast(">f4", {0xbf, 0, 0, 0}, "|b1") == of({1}));
  }

  TEST_CASE("halves are read and written") {
    CHECK(cast(">f2", {0x3c, 0}, ">f4") == of({0x3f, 0x80, 0, 0}));
    CHECK(cast(">f8", {0x3f, 0xf0, 0, 0, 0, 0, 0, 0}, ">f2") == of({0x3c, 0}));
  }

  TEST_CASE("only scalar booleans, integers and reals are numbers") {
    for (const char* code : {"|b1", "<i8", ">u2", "<f2"})
      CHECK(is_number(type_of(code)));
    for (const char* code : {"<c8", "|S2", "<M8[s]", "|V2"}) {
      CHECK_FALSE(is_number(type_of(code)));
    }
    auto list = type_of("<f4");
    list.shape = {2};
    CHECK_FALSE(is_number(list));
  }

  TEST_CASE("sums are rounded to the elements' type") {
    CHECK(rounded_to(type_of("<f4"), 0.1) == double{0.1f});
    CHECK(rounded_to(type_of("<f8"), 0.1) == 0.1);
  }
}

}  // namespace number_test
