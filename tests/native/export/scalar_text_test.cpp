#include "native/export/scalar_text.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/bytes.hpp"

namespace scalar_text_test {

using bev::native::date_text;
using bev::native::scalar_text;
using bev::native::Spelling;

namespace {

template <class T>
std::string text_of(const char* code, T value) {
  std::byte bytes[sizeof(T)];
  bev::store_le(bytes, value);
  return scalar_text(bev::zarr::parse_dtype(nlohmann::json(code), "test"), bytes).text;
}

}  // namespace

TEST_SUITE("native/export/scalar_text") {
  TEST_CASE("reals have the fewest digits, and a point") {
    CHECK(text_of("<f8", 0.1) == "0.1");
    CHECK(text_of("<f4", 0.1f) == "0.1");
    CHECK(text_of("<f8", 1.0 / 3) == "0.3333333333333333");
    CHECK(text_of("<f8", -3.0) == "-3.0");
    CHECK(text_of("<f8", -0.0) == "-0.0");
    CHECK(text_of("<f8", 1e300) == "1e+300");
    CHECK(text_of("<f2", std::uint16_t{0x2e66}) == "0.1");
    CHECK(text_of("<f2", std::uint16_t{0x7c00}) == "Infinity");
  }

  TEST_CASE("values that JSON lacks are strings") {
    const auto type = bev::zarr::parse_dtype(nlohmann::json("<f8"), "test");
    std::byte bytes[8];
    bev::store_le(bytes, std::nan(""));
    CHECK(scalar_text(type, bytes).spelling == Spelling::text);
    CHECK(scalar_text(type, bytes).text == "NaN");
    bev::store_le(bytes, -std::numeric_limits<double>::infinity());
    CHECK(scalar_text(type, bytes).text == "-Infinity");
    bev::store_le(bytes, 1.0);
    CHECK(scalar_text(type, bytes).spelling == Spelling::number);
  }

  TEST_CASE("the byte order is the store's") {
    CHECK(text_of("<i2", std::int16_t{-2}) == "-2");
    CHECK(text_of(">i2", std::int16_t{-2}) == "-257");
    CHECK(text_of(">u4", std::uint32_t{1}) == "16777216");
  }

  TEST_CASE("times are dates, counts, or not a time") {
    constexpr auto kNaT = std::numeric_limits<std::int64_t>::min();
    CHECK(text_of("<M8[s]", std::int64_t{0}) == "1970-01-01T00:00:00");
    CHECK(text_of("<M8", std::int64_t{7}) == "7");
    CHECK(text_of("<m8[s]", std::int64_t{7}) == "7");
    CHECK(text_of("<M8[s]", kNaT) == "NaT");
    CHECK(text_of("<m8[s]", kNaT) == "NaT");
  }

  TEST_CASE("booleans and raw bytes") {
    CHECK(text_of("|b1", std::uint8_t{1}) == "true");
    CHECK(text_of("|b1", std::uint8_t{0}) == "false");
    CHECK(text_of("|V2", std::uint16_t{0x0aff}) == "ff0a");
  }

  TEST_CASE("the unit sets a date's precision") {
    CHECK(date_text(50, "Y") == "2020");
    CHECK(date_text(601, "M") == "2020-02");
    CHECK(date_text(0, "W") == "1970-01-01");
    CHECK(date_text(18'321, "D") == "2020-02-29");
    CHECK(date_text(5, "h") == "1970-01-01T05");
    CHECK(date_text(65, "m") == "1970-01-01T01:05");
    CHECK(date_text(1'571'846'863, "s") == "2019-10-23T16:07:43");
    CHECK(date_text(1'571'846'863'319'362'048, "ns") ==
          "2019-10-23T16:07:43.319362048");
    CHECK(date_text(1, "as") == "1970-01-01T00:00:00.000000000000000001");
  }

  TEST_CASE("times before 1970 are negative") {
    CHECK(date_text(-1, "M") == "1969-12");
    CHECK(date_text(-1, "ms") == "1969-12-31T23:59:59.999");
    CHECK(date_text(-719'528, "D") == "0000-01-01");
    CHECK(date_text(-25'508, "D") == "1900-03-01");
  }

  TEST_CASE("a unit may be a multiple") {
    CHECK(date_text(2, "25s") == "1970-01-01T00:00:50");
    CHECK(date_text(3, "10Y") == "2000");
  }

  TEST_CASE("the calendar ends with the years of four digits") {
    CHECK(date_text(2'932'896, "D") == "9999-12-31");
    CHECK_FALSE(date_text(2'932'897, "D").has_value());
    CHECK_FALSE(date_text(-719'529, "D").has_value());
    CHECK_FALSE(date_text(8'030, "Y").has_value());
    for (const auto* unit : {"Y", "M", "W", "D", "h", "m", "s", "9999999W"}) {
      CAPTURE(unit);
      CHECK_FALSE(
          date_text(std::numeric_limits<std::int64_t>::max(), unit).has_value());
      CHECK_FALSE(
          date_text(std::numeric_limits<std::int64_t>::min(), unit).has_value());
    }
  }

  TEST_CASE("without a known unit there is no date") {
    CHECK_FALSE(date_text(1, "").has_value());
    CHECK_FALSE(date_text(1, "fortnight").has_value());
    CHECK_FALSE(date_text(1, "99999999999999999999s").has_value());
  }
}

}  // namespace scalar_text_test
