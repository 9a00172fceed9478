#include "native/config/yaml_scalar.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>

#include "core/base/error.hpp"

using bev::Error;
using bev::native::plain_yaml_scalar;
using bev::native::tagged_yaml_scalar;
using nlohmann::json;

namespace {

/// Returns the value as JSON text, which distinguishes 1, 1.0 and "1".
std::string plain(const std::string& text) {
  return plain_yaml_scalar(text).dump();
}

bool is_text(const std::string& text) {
  return plain_yaml_scalar(text) == json(text);
}

}  // namespace

// The expected values are PyYAML 6's.
TEST_SUITE("native/config/yaml_scalar") {
  TEST_CASE("null and bool have the names of YAML 1.1") {
    for (const char* const text : {"", "~", "null", "Null", "NULL"}) {
      CHECK(plain(text) == "null");
    }
    for (const char* const text : {"yes", "Yes", "ON", "true", "TRUE"}) {
      CHECK(plain(text) == "true");
    }
    for (const char* const text : {"No", "off", "false", "False"}) {
      CHECK(plain(text) == "false");
    }
    for (const char* const text : {"nULL", "y", "n", "tRUE", "yES"}) {
      CHECK(is_text(text));
    }
  }

  TEST_CASE("integers are decimal, octal, binary, hexadecimal or sexagesimal") {
    CHECK(plain("0") == "0");
    CHECK(plain("-0") == "0");
    CHECK(plain("+12") == "12");
    CHECK(plain("012") == "10");
    CHECK(plain("0777_") == "511");
    CHECK(plain("1_000") == "1000");
    CHECK(plain("0b101") == "5");
    CHECK(plain("-0x1F") == "-31");
    CHECK(plain("1:30") == "90");
    CHECK(plain("-1:30") == "-90");
    CHECK(plain("1:30:00") == "5400");
    for (const char* const text : {"0o17", "08", "1:60", "-", "+", "0x_", "0b_"}) {
      CHECK(is_text(text));
    }
  }

  TEST_CASE("integers are exact to 64 bits, and reals beyond") {
    CHECK(plain("9223372036854775807") == "9223372036854775807");
    CHECK(plain("18446744073709551615") == "18446744073709551615");
    CHECK(plain("-9223372036854775808") == "-9223372036854775808");
    CHECK(plain_yaml_scalar("18446744073709551616") == json(18446744073709551616.0));
    CHECK(plain_yaml_scalar("-9223372036854775809") == json(-9223372036854775809.0));
    CHECK(plain_yaml_scalar("0xFFFFFFFFFFFFFFFFF") == json(295147905179352825855.0));
  }

  TEST_CASE("reals have a point, and a sign before the exponent") {
    CHECK(plain("1.5") == "1.5");
    CHECK(plain(".5") == "0.5");
    CHECK(plain("1.") == "1.0");
    CHECK(plain("-0.1") == "-0.1");
    CHECK(plain("1.5e+3") == "1500.0");
    CHECK(plain("1.5E-3") == "0.0015");
    CHECK(plain("1_0.5_0") == "10.5");
    CHECK(plain("190:20:30.15") == "685230.15");
    for (const char* const text : {"1e3", "1.5e3", "-.5", "1.2.3", "+.nan"}) {
      CHECK(is_text(text));
    }
  }

  TEST_CASE("values that JSON lacks remain strings") {
    for (const char* const text : {".inf", "-.Inf", ".NaN", "2020-01-01"}) {
      CHECK(is_text(text));
    }
  }

  TEST_CASE("a million digits are a string") {
    CHECK(is_text(std::string(1'000'000, '7')));
  }

  TEST_CASE("a tag sets the type") {
    const std::string yaml = "tag:yaml.org,2002:";
    CHECK(tagged_yaml_scalar("5", yaml + "str") == json("5"));
    CHECK(tagged_yaml_scalar("5", yaml + "float").dump() == "5.0");
    CHECK(tagged_yaml_scalar("012", yaml + "int").dump() == "10");
    CHECK(tagged_yaml_scalar("off", yaml + "bool").dump() == "false");
    CHECK(tagged_yaml_scalar("", yaml + "null").dump() == "null");
    CHECK_THROWS_WITH_AS(tagged_yaml_scalar("x", yaml + "int"),
                         "\"x\" is not a valid !!int", Error);
    CHECK_THROWS_AS(tagged_yaml_scalar("x", yaml + "bool"), Error);
    CHECK_THROWS_WITH_AS(tagged_yaml_scalar("x", "tag:yaml.org,2002:binary"),
                         "unsupported YAML tag tag:yaml.org,2002:binary (expected str, "
                         "int, float, bool or null)",
                         Error);
  }
}
