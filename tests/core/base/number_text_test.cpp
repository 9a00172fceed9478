#include "core/base/number_text.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>

using bev::parse_real;
using bev::python_repr;
using bev::with_places;

TEST_SUITE("base/number_text") {
  TEST_CASE("a number has the fewest digits that read back") {
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

  TEST_CASE("exponents begin where Python's do") {
    CHECK(python_repr(0.0001) == "0.0001");
    CHECK(python_repr(0.00001) == "1e-05");
    CHECK(python_repr(1e16) == "1e+16");
    CHECK(python_repr(1.25e-7) == "1.25e-07");
    CHECK(python_repr(std::numeric_limits<double>::max()) == "1.7976931348623157e+308");
    CHECK(python_repr(5e-324) == "5e-324");
  }

  TEST_CASE("what is not finite has a name") {
    CHECK(python_repr(std::nan("")) == "nan");
    CHECK(python_repr(-std::numeric_limits<double>::infinity()) == "-inf");
  }

  TEST_CASE("what it has reads back, and one digit less does not") {
    std::mt19937_64 random(3);
    for (int i = 0; i < 2'000; ++i) {
      const auto bits = random();
      double value = 0;
      std::memcpy(&value, &bits, sizeof value);
      if (!std::isfinite(value)) continue;
      const auto text = python_repr(value);
      CAPTURE(text);
      CHECK(std::strtod(text.c_str(), nullptr) == value);
      const auto number = text.substr(0, text.find('e'));
      const auto first = number.find_first_of("123456789");
      const auto last = number.find_last_of("123456789");
      const auto point = number.find('.');
      const auto count = last + 1 - first - (point > first && point < last ? 1 : 0);
      std::array<char, 40> shorter{};
      std::snprintf(shorter.data(), shorter.size(), "%.*e", static_cast<int>(count - 2),
                    value);
      if (count > 2) CHECK(std::strtod(shorter.data(), nullptr) != value);
    }
  }

  TEST_CASE("so many places are those of printf") {
    CHECK(with_places(0.125, 2) == "0.12");
    CHECK(with_places(0.375, 2) == "0.38");
    CHECK(with_places(1.005, 2) == "1.00");
    CHECK(with_places(99.999, 2) == "100.00");
    CHECK(with_places(0.5, 0) == "0");
    CHECK(with_places(1.5, 0) == "2");
    CHECK(with_places(-0.001, 2) == "-0.00");
    CHECK(with_places(1e22, 1) == "10000000000000000000000.0");
    CHECK(with_places(-std::numeric_limits<double>::infinity(), 2) == "-inf");
    CHECK(with_places(std::nan(""), 2) == "nan");
    std::mt19937_64 random(5);
    std::array<char, 400> theirs{};
    for (int i = 0; i < 2'000; ++i) {
      const auto value = std::ldexp(static_cast<double>(random() % 100'000),
                                    static_cast<int>(random() % 60) - 40);
      const auto places = static_cast<std::size_t>(random() % 7);
      const auto length = std::snprintf(theirs.data(), theirs.size(), "%.*f",
                                        static_cast<int>(places), value);
      CHECK(with_places(value, places) ==
            std::string(theirs.data(), static_cast<std::size_t>(length)));
    }
  }

  TEST_CASE("a number is read from the whole of a text, or not at all") {
    CHECK(parse_real("-1.25e3") == -1250.0);
    CHECK(parse_real("inf") == std::numeric_limits<double>::infinity());
    CHECK(std::isnan(parse_real("nan").value()));
    for (const char* text : {"", " 1", "1 ", "1,5", "0x10", "one", "1e"}) {
      CAPTURE(text);
      CHECK_FALSE(parse_real(text).has_value());
    }
  }
}
