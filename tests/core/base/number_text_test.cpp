#include "core/base/number_text.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
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
    for (const char* text :
         {"", ".", "-", "-.", "1..2", "--1", " 1", "1 ", "1,5", "0x10", "one", "1e"}) {
      CAPTURE(text);
      CHECK_FALSE(parse_real(text).has_value());
    }
  }

  TEST_CASE("200,000 decimals parse to the nearest double, as by strtod") {
    std::mt19937 random(17);
    std::size_t different = 0;
    const auto check = [&](const std::string& text) {
      const auto expected = std::strtod(text.c_str(), nullptr);
      const auto found = parse_real(text);
      const bool same = found && std::memcmp(&*found, &expected, sizeof expected) == 0;
      if (same) return;
      ++different;
      MESSAGE(text);
    };
    // Digits up to twice as many as are exact, with the point anywhere.
    for (int i = 0; i < 200'000; ++i) {
      std::string text = random() % 2 == 0 ? "-" : "";
      const auto digits = 1 + random() % 34;
      const auto point = random() % (digits + 1);
      for (std::size_t at = 0; at < digits; ++at) {
        if (at == point) text += '.';
        text += static_cast<char>('0' + (random() % 3 == 0 ? 0 : random() % 10));
      }
      check(text);
    }
    for (const char* text :
         {"0", "-0", "-0.0", "+1.5", "5.", ".5", "9007199254740991", "9007199254740992",
          "9007199254740993", "-9007199254740993.5", "0.0000000000000000000001",
          "0.00000000000000000000001", "1e22", "1e-5", "1.7976931348623157e+308",
          "4.9e-324"}) {
      check(text);
    }
    CHECK(different == 0);
  }
}
