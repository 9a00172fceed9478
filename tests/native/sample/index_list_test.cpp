#include "native/sample/index_list.hpp"

#include <doctest/doctest.h>

#include <string>

#include "core/base/error.hpp"
#include "native/cli/arguments.hpp"

namespace index_list_test {

using bev::Errc;
using bev::Error;
using bev::cli::UsageError;
using bev::native::parse_indices;

namespace {

using Items = std::vector<std::uint64_t>;

Errc code_of(const std::string& text, std::uint64_t length) {
  try {
    parse_indices(text, length);
  } catch (const Error& error) {
    return error.code();
  }
  return Errc::internal;
}

}  // namespace

TEST_SUITE("native/sample/index_list") {
  TEST_CASE(
      "a list keeps its order and its repetitions, negative counts from the end") {
    CHECK(parse_indices("0,5,9", 10) == Items{0, 5, 9});
    CHECK(parse_indices("9,-1,3,-10", 10) == Items{9, 9, 3, 0});
    CHECK(parse_indices("7", 10) == Items{7});
  }

  TEST_CASE("a missing item is L5Kit's IndexError or ValueError") {
    CHECK(code_of("10", 10) == Errc::out_of_range);
    CHECK(code_of("-11", 10) == Errc::invalid_argument);
    CHECK(code_of("0", 0) == Errc::out_of_range);
    CHECK(code_of("1,-9223372036854775808", 10) == Errc::invalid_argument);
  }

  // Expected values are list(range(length))[A:B:S].
  TEST_CASE("a slice is Python's, forwards") {
    CHECK(parse_indices(":", 3) == Items{0, 1, 2});
    CHECK(parse_indices("2:5", 10) == Items{2, 3, 4});
    CHECK(parse_indices("-3:", 10) == Items{7, 8, 9});
    CHECK(parse_indices("1:100:4", 10) == Items{1, 5, 9});
    CHECK(parse_indices("5:2", 10).empty());
    CHECK(parse_indices("-100:2", 10) == Items{0, 1});
    CHECK(parse_indices("3::9223372036854775807", 10) == Items{3});
  }

  TEST_CASE("a slice is Python's, backwards") {
    CHECK(parse_indices("::-1", 3) == Items{2, 1, 0});
    CHECK(parse_indices("7:2:-2", 10) == Items{7, 5, 3});
    CHECK(parse_indices("100::-4", 10) == Items{9, 5, 1});
    CHECK(parse_indices(":-3:-1", 10) == Items{9, 8});
    CHECK(parse_indices("2:5:-1", 10).empty());
    CHECK(parse_indices("1:-100:-1", 10) == Items{1, 0});
    CHECK(parse_indices("::-9223372036854775808", 10) == Items{9});
    CHECK(parse_indices("::-1", 0).empty());
  }

  TEST_CASE("other texts are usage errors") {
    for (const char* const text :
         {"", "a", "1,", ",1", "1 ,2", "1.5", "1:2:0", "1:2:3:4", "+1", "0x1",
          "99999999999999999999", "1:x"}) {
      CHECK_THROWS_AS(parse_indices(text, 10), UsageError);
    }
  }
}

}  // namespace index_list_test
