#include "native/export/date_text.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>

using bev::native::date_text;

TEST_SUITE("native/export/date_text") {
  TEST_CASE("the unit says how far a date goes") {
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

  TEST_CASE("before 1970 counts backwards") {
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

  TEST_CASE("without a unit there is no date") {
    CHECK_FALSE(date_text(1, "").has_value());
    CHECK_FALSE(date_text(1, "fortnight").has_value());
    CHECK_FALSE(date_text(1, "99999999999999999999s").has_value());
  }
}
