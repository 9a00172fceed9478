#include "core/base/number_text.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

using bev::parse_real;
using bev::python_repr;

TEST_SUITE("base/number_text") {
  TEST_CASE("a number has the fewest digits that parse to it") {
    CHECK(python_repr(0.5) == "0.5");
    CHECK(python_repr(0.1) == "0.1");
    CHECK(python_repr(30) == "30.0");
    CHECK(python_repr(0) == "0.0");
    CHECK(python_repr(-0.0) == "-0.0");
    CHECK(python_repr(1.0 / 3) == "0.3333333333333333");
    CHECK(python_repr(0.09730636716657286) == "0.09730636716657286");
    CHECK(python_repr(123456.75) == "123456.75");
    CHECK(python_repr(-1e15) == "-1000000000000000.0");
  }

  TEST_CASE("exponents are used where Python uses them") {
    CHECK(python_repr(0.0001) == "0.0001");
    CHECK(python_repr(0.00001) == "1e-05");
    CHECK(python_repr(1e16) == "1e+16");
    CHECK(python_repr(1.25e-7) == "1.25e-07");
    CHECK(python_repr(std::numeric_limits<double>::max()) == "1.7976931348623157e+308");
    CHECK(python_repr(5e-324) == "5e-324");
  }

  TEST_CASE("infinities and NaN are named") {
    CHECK(python_repr(std::nan("")) == "nan");
    CHECK(python_repr(-std::numeric_limits<double>::infinity()) == "-inf");
  }

  TEST_CASE("a number must span the whole text") {
    CHECK(parse_real("-1.25e3") == -1250.0);
    CHECK(parse_real("inf") == std::numeric_limits<double>::infinity());
    CHECK(std::isnan(parse_real("nan").value()));
    for (const char* text : {"", " 1", "1 ", "1,5", "0x10", "one", "1e"}) {
      CAPTURE(text);
      CHECK_FALSE(parse_real(text).has_value());
    }
  }
}
