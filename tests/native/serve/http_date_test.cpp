#include "native/serve/http_date.hpp"

#include <doctest/doctest.h>

using bev::serve::http_date;

TEST_SUITE("native/serve/http_date") {
  TEST_CASE("a date reads as the standard's example does") {
    CHECK(http_date(784111777) == "Sun, 06 Nov 1994 08:49:37 GMT");
    CHECK(http_date(0) == "Thu, 01 Jan 1970 00:00:00 GMT");
    CHECK(http_date(951782400) == "Tue, 29 Feb 2000 00:00:00 GMT");
  }
}
