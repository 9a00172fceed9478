#include "core/reader/concatenation.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "tests/support/error_code.hpp"

using bev::Errc;
using bev::reader::Concatenation;
using bev::test::error_code;

TEST_SUITE("reader/concatenation") {
  TEST_CASE("readers are chosen one after another") {
    Concatenation concatenation(2);
    CHECK(concatenation.choice() == 0);
    CHECK(concatenation.choice() == 0);
    concatenation.exhausted();
    CHECK(concatenation.choice() == 1);
    concatenation.exhausted();
    CHECK_FALSE(concatenation.choice().has_value());
    concatenation.exhausted();
    CHECK_FALSE(concatenation.choice().has_value());
    concatenation.reset();
    CHECK(concatenation.choice() == 0);
  }

  TEST_CASE("a state has the place, also the end, and the readers' states") {
    const std::vector<std::string> states{"a", "{\"b\": 1}"};
    Concatenation from(2);
    for (int i = 0; i < 3; ++i) {
      const auto text = from.state_json(states);
      Concatenation to(2);
      CHECK(to.reader_states(text) == states);
      to.restore(text);
      CHECK(to.choice() == from.choice());
      from.exhausted();
    }
  }

  TEST_CASE("other states are refused and change nothing") {
    Concatenation one(2);
    one.exhausted();
    for (const std::string text :
         {"", "[]", "{}", R"({"version": 1, "concat": 0})",
          R"({"version": 2, "concat": 0, "readers": ["a", "b"]})",
          R"({"version": 1, "concat": 3, "readers": ["a", "b"]})",
          R"({"version": 1, "concat": -1, "readers": ["a", "b"]})",
          R"({"version": 1, "concat": 0, "readers": ["a"]})",
          R"({"version": 1, "concat": 0, "readers": ["a", 2]})"}) {
      CAPTURE(text);
      CHECK(error_code([&] { one.restore(text); }) == Errc::invalid_argument);
      CHECK(one.choice() == 1);
    }
    CHECK(error_code([] { Concatenation none(0); }) == Errc::invalid_argument);
    CHECK(error_code([] { Concatenation many(100'001); }) == Errc::limit_exceeded);
  }
}
