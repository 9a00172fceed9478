#include "core/reader/compare.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace compare_test {

using bev::reader::Bound;
using bev::reader::bound_for;
using bev::reader::compare;
using bev::reader::exchanged;
using bev::reader::holds;
using bev::reader::Op;
using bev::zarr::Number;

namespace {

constexpr Op kOps[] = {Op::equal,      Op::not_equal, Op::less,
                       Op::less_equal, Op::greater,   Op::greater_equal};

Number real(double value) {
  return {Number::Kind::real, 0, value};
}
Number signed_int(std::int64_t value) {
  return {Number::Kind::signed_int, static_cast<std::uint64_t>(value), 0};
}
Number unsigned_int(std::uint64_t value) {
  return {Number::Kind::unsigned_int, value, 0};
}

// Numbers at which types and precisions end, ascending.
std::vector<Number> ascending() {
  constexpr auto kMin = std::numeric_limits<std::int64_t>::min();
  constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
  constexpr auto kAll = std::numeric_limits<std::uint64_t>::max();
  constexpr auto k2To53 = std::int64_t{1} << 53;
  return {real(-INFINITY),
          real(-1e300),
          real(std::nextafter(-0x1p63, -INFINITY)),
          signed_int(kMin),
          signed_int(kMin + 1),
          signed_int(-k2To53 - 1),
          real(-0x1p53),
          signed_int(-2),
          real(-1.5),
          signed_int(-1),
          real(-5e-324),
          signed_int(0),
          real(5e-324),
          real(0.5),
          unsigned_int(1),
          real(1.5),
          real(0x1p53),
          signed_int(k2To53 + 1),
          unsigned_int(static_cast<std::uint64_t>(kMax)),
          real(0x1p63),
          unsigned_int((std::uint64_t{1} << 63) + 1),
          unsigned_int(kAll),
          real(0x1p64),
          real(INFINITY)};
}

template <class T>
Number number_of(T value) {
  if constexpr (std::is_floating_point_v<T>) return real(value);
  if constexpr (std::is_same_v<T, std::int64_t>) return signed_int(value);
  if constexpr (std::is_same_v<T, std::uint64_t>) return unsigned_int(value);
}

// Whether bounds of T decide as the numbers themselves do, for all numbers of T.
template <class T>
void check_bounds(const std::vector<T>& values) {
  for (const auto& number : ascending()) {
    for (const auto op : kOps) {
      const auto bound = bound_for<T>(op, number);
      for (const auto value : values) {
        const bool expected = holds(op, compare(number_of(value), number));
        const bool found =
            bound.constant
                ? *bound.constant
                : holds(bound.op, compare(number_of(value), number_of(bound.value)));
        CHECK(found == expected);
      }
    }
  }
}

}  // namespace

TEST_SUITE("reader/compare") {
  TEST_CASE("numbers of all kinds have one order") {
    const auto numbers = ascending();
    for (std::size_t a = 0; a < numbers.size(); ++a) {
      for (std::size_t b = 0; b < numbers.size(); ++b) {
        CAPTURE(a);
        CAPTURE(b);
        const auto order = compare(numbers[a], numbers[b]);
        REQUIRE(order);
        CHECK((*order > 0) - (*order < 0) == (a > b) - (a < b));
      }
    }
  }

  TEST_CASE("equal numbers of different kinds are equal") {
    CHECK(compare(real(-0.0), signed_int(0)) == 0);
    CHECK(compare(unsigned_int(0), real(-0.0)) == 0);
    CHECK(compare(real(-0.0), real(0.0)) == 0);
    CHECK(compare(signed_int(5), unsigned_int(5)) == 0);
    CHECK(compare(real(0x1p63), unsigned_int(std::uint64_t{1} << 63)) == 0);
    CHECK(compare(real(-0x1p63),
                  signed_int(std::numeric_limits<std::int64_t>::min())) == 0);
  }

  TEST_CASE("NaN has no order") {
    const auto nan = real(std::numeric_limits<double>::quiet_NaN());
    for (const auto& number : ascending()) {
      CHECK_FALSE(compare(nan, number));
      CHECK_FALSE(compare(number, nan));
    }
    CHECK_FALSE(compare(nan, nan));
    for (const auto op : kOps) CHECK(holds(op, std::nullopt) == (op == Op::not_equal));
    CHECK(bound_for<double>(Op::less, nan).constant == false);
    CHECK(bound_for<double>(Op::not_equal, nan).constant == true);
  }

  TEST_CASE("exchanging the sides keeps a comparison's result") {
    const auto numbers = ascending();
    for (const auto op : kOps) {
      for (const auto& a : numbers) {
        for (const auto& b : numbers) {
          CHECK(holds(op, compare(a, b)) == holds(exchanged(op), compare(b, a)));
        }
      }
    }
  }

  TEST_CASE("bounds of a type decide as any number does") {
    constexpr auto kMin = std::numeric_limits<std::int64_t>::min();
    constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
    constexpr auto kAll = std::numeric_limits<std::uint64_t>::max();
    constexpr auto k2To53 = std::int64_t{1} << 53;
    check_bounds<std::int64_t>({kMin, kMin + 1, -k2To53 - 1, -k2To53, -2, -1, 0, 1, 2,
                                k2To53, k2To53 + 1, kMax - 1, kMax});
    check_bounds<std::uint64_t>(
        {0, 1, 2, std::uint64_t{1} << 53, (std::uint64_t{1} << 53) + 1,
         static_cast<std::uint64_t>(kMax), std::uint64_t{1} << 63, kAll - 1, kAll});
    check_bounds<double>({-INFINITY, -1e300, -0x1p64, -0x1p63, -0x1p53, -1.5, -1, -0.0,
                          0, 5e-324, 0.5, 1, 1.5, 0x1p53, 0x1p53 + 2, 0x1p63, 0x1p64,
                          1e300, INFINITY});
    constexpr auto kGreatest = std::numeric_limits<float>::max();
    check_bounds<float>({-INFINITY, -kGreatest, -0x1p64F, -1.5F, -1, -0.0F, 0, 1e-45F,
                         0.5F, 1, 1.5F, 0x1p53F, 0x1p63F, 0x1p64F, kGreatest,
                         INFINITY});
  }

  TEST_CASE("numbers between two floats, or beyond them, bound floats exactly") {
    constexpr auto kGreatest = std::numeric_limits<float>::max();
    const auto bound = bound_for<float>(Op::less, real(0.1));
    CHECK(bound.op == Op::less_equal);
    CHECK(bound.value == std::nextafter(0.1F, 0.0F));
    CHECK(static_cast<double>(0.1F) > 0.1);
    CHECK(bound_for<float>(Op::equal, real(0.1)).constant == false);
    CHECK(bound_for<float>(Op::greater, real(1e300)).value == kGreatest);
    CHECK(bound_for<float>(Op::less, real(-1e300)).value == -INFINITY);
    CHECK(bound_for<float>(Op::greater_equal, real(INFINITY)).value == INFINITY);
  }

  TEST_CASE("an integer is below 2.5 if it is at most 2") {
    const auto bound = bound_for<std::int64_t>(Op::less, real(2.5));
    CHECK(bound.op == Op::less_equal);
    CHECK(bound.value == 2);
    CHECK(bound_for<std::int64_t>(Op::equal, real(2.5)).constant == false);
    CHECK(bound_for<std::uint64_t>(Op::greater, signed_int(-1)).constant == true);
  }
}

}  // namespace compare_test
