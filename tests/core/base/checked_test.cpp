#include "core/base/checked.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <limits>

using bev::add_or_throw;
using bev::checked_add;
using bev::checked_mul;
using bev::checked_sub;
using bev::Errc;
using bev::Error;
using bev::mul_or_throw;
using bev::sub_or_throw;

namespace {

constexpr auto kMax = std::numeric_limits<std::uint64_t>::max();
constexpr auto kLow = std::numeric_limits<std::int64_t>::min();

}  // namespace

TEST_SUITE("base/checked") {
  TEST_CASE("a result that fits is the result") {
    CHECK(checked_add<std::uint64_t>(kMax - 1, 1) == kMax);
    CHECK(checked_sub<std::int64_t>(3, 5) == -2);
    CHECK(checked_mul<std::size_t>(6, 7) == std::size_t{42});
  }

  TEST_CASE("a result that does not fit is nullopt") {
    CHECK_FALSE(checked_add<std::uint64_t>(kMax, 1).has_value());
    CHECK_FALSE(checked_sub<std::uint64_t>(0, 1).has_value());
    CHECK_FALSE(checked_sub<std::int64_t>(kLow, 1).has_value());
    CHECK_FALSE(checked_mul<std::uint64_t>(kMax / 2 + 1, 2).has_value());
    CHECK_FALSE(checked_mul<std::int64_t>(kLow, -1).has_value());
  }

  TEST_CASE("the throwing forms return results that fit") {
    CHECK(add_or_throw<std::size_t>(2, 3, "x") == 5);
    CHECK(sub_or_throw<std::size_t>(3, 3, "x") == 0);
    CHECK(mul_or_throw<std::int64_t>(-2, 3, "x") == -6);
  }

  TEST_CASE("the message names the thing and the operands") {
    CHECK_THROWS_WITH_AS(
        mul_or_throw(kMax, std::uint64_t{2}, "agents: chunk size"),
        "agents: chunk size: 18446744073709551615 * 2 does not fit in 64 bits", Error);
    CHECK_THROWS_WITH_AS(add_or_throw(kMax, std::uint64_t{1}, "rows"),
                         "rows: 18446744073709551615 + 1 does not fit in 64 bits",
                         Error);
    CHECK_THROWS_WITH_AS(sub_or_throw(std::uint32_t{1}, std::uint32_t{2}, "rows"),
                         "rows: 1 - 2 does not fit in 32 bits", Error);
  }

  TEST_CASE("the caller chooses the error code") {
    try {
      mul_or_throw(kMax, kMax, "rows", Errc::out_of_range);
      FAIL("no error");
    } catch (const Error& error) {
      CHECK(error.code() == Errc::out_of_range);
    }
  }
}
