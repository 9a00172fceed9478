#include "core/engine/numbers.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "core/base/error.hpp"

using bev::axes_from;
using bev::Error;

namespace {

constexpr auto kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr auto kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_SUITE("engine/numbers") {
  TEST_CASE("only integers up to 2^53 are accepted") {
    CHECK(bev::integer_from(-9007199254740992.0, "begin") == -9007199254740992);
    CHECK(bev::index_from(4294967296.0, "index") == 4294967296u);
    CHECK_THROWS_WITH_AS(
        bev::integer_from(1.5, "begin"),
        "begin: invalid number (found 1.5, expected an integer up to 2^53)", Error);
    for (const auto number : {kNaN, kInfinity, 1e17}) {
      CHECK_THROWS_AS(bev::integer_from(number, "begin"), Error);
    }
    CHECK_THROWS_AS(bev::index_from(-1, "index"), Error);
    CHECK_THROWS_AS(bev::count_from(4294967296.0, "count"), Error);
  }

  TEST_CASE("four numbers make an axis; NaN means omitted") {
    const std::vector<double> numbers = {kNaN, 7, -2, kNaN, kNaN, kNaN, kNaN, -1};
    const auto axes = axes_from(numbers);
    REQUIRE(axes.size() == 2);
    CHECK_FALSE(axes[0].begin);
    CHECK(axes[0].end == 7);
    CHECK(axes[0].step == -2);
    CHECK_FALSE(axes[0].index);
    CHECK(axes[1].step == 1);
    CHECK(axes[1].index == -1);
    CHECK(axes_from({}).empty());
  }

  TEST_CASE("invalid axes are refused") {
    const std::vector<double> short_of_one = {0, 1, 1};
    CHECK_THROWS_WITH_AS(
        axes_from(short_of_one),
        "axes: wrong number of values (found 3, expected four per axis)", Error);
    const std::vector<double> half = {0, 0.5, 1, kNaN};
    CHECK_THROWS_WITH_AS(
        axes_from(half),
        "end: invalid number (found 0.5, expected an integer up to 2^53)", Error);
    const std::vector<double> endless = {0, kInfinity, 1, kNaN};
    CHECK_THROWS_AS(axes_from(endless), Error);
  }
}
