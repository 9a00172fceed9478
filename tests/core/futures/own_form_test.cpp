#include "core/futures/own_form.hpp"

#include <doctest/doctest.h>

#include "tests/support/error_code.hpp"

namespace own_form_test {
namespace {

using namespace bev::futures;
using bev::Errc;
using bev::test::error_code;

TEST_SUITE("futures/own_form") {
  TEST_CASE("an id is a number below 2^63, or AV") {
    CHECK(own_agent_id("AV") == kEgoId);
    CHECK(own_agent_id("0") == 0);
    CHECK(own_agent_id("9223372036854775807") == 9223372036854775807U);
    for (const auto* const text : {"", "av", "-1", "+1", " 1", "1.0",
                                   "9223372036854775808", "18446744073709551615"}) {
      CAPTURE(text);
      CHECK_FALSE(own_agent_id(text));
    }
  }

  TEST_CASE("limits are those of futures") {
    check_limits(1'024, 10, 10, 4, {});
    CHECK(error_code([] { check_limits(1'025, 1, 1, 1, {}); }) == Errc::limit_exceeded);
    CHECK(error_code([] { check_limits(1, 2'001, 1, 1, {}); }) == Errc::limit_exceeded);
    CHECK(error_code([] { check_limits(1, 1, 1'001, 1, {}); }) == Errc::limit_exceeded);
    CHECK(error_code([] { check_limits(1'024, 2'000, 1'000, 4, {}); }) ==
          Errc::limit_exceeded);
  }
}

}  // namespace
}  // namespace own_form_test
