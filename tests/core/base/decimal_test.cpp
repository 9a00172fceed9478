#include "core/base/decimal.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>

namespace bev {
namespace {

constexpr auto kInfinity = std::numeric_limits<double>::infinity();

double of_bits(std::uint64_t bits) {
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

void check_as_strtod(const std::string& digits, std::int64_t exponent) {
  const auto text = digits + "e" + std::to_string(exponent);
  CAPTURE(text);
  REQUIRE(nearest_double(digits, exponent) == std::strtod(text.c_str(), nullptr));
}

std::size_t below(std::mt19937_64& random, std::size_t end) {
  return static_cast<std::size_t>(random() % end);
}

std::string some_digits(std::mt19937_64& random, std::size_t count) {
  std::string digits;
  while (digits.size() < count) digits += static_cast<char>('0' + random() % 10);
  return digits;
}

std::string times(std::string digits, int factor) {
  int carry = 0;
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
    carry += factor * (*digit - '0');
    *digit = static_cast<char>('0' + carry % 10);
    carry /= 10;
  }
  return carry > 0 ? std::to_string(carry) + digits : digits;
}

// As "d.ddde+xx" with so many digits after the point.
std::string with_exponent(double value, std::size_t places) {
  std::string text(places + 20, '\0');
  const auto length =
      std::snprintf(text.data(), text.size(), "%.*e", static_cast<int>(places), value);
  text.resize(static_cast<std::size_t>(length));
  return text;
}

// The same of a decimal that has at most one digit more.
std::string with_exponent(const Decimal& number, std::size_t places) {
  auto digits = number.digits;
  const auto exponent =
      static_cast<int>(digits.size()) - 1 + static_cast<int>(number.exponent);
  digits.resize(places + 1, '0');
  std::array<char, 16> tail{};
  std::snprintf(tail.data(), tail.size(), "e%+03d", exponent);
  return digits.substr(0, 1) + (places > 0 ? "." : "") + digits.substr(1) + tail.data();
}

}  // namespace

TEST_SUITE("base/decimal") {
  TEST_CASE("the nearest double is what strtod finds") {
    std::mt19937_64 random(1);
    for (int i = 0; i < 20'000; ++i) {
      const auto count = 1 + below(random, i % 100 == 0 ? 900 : 25);
      const auto magnitude = static_cast<std::int64_t>(random() % 660) - 330;
      check_as_strtod(some_digits(random, count),
                      magnitude - static_cast<std::int64_t>(count));
      check_as_strtod(some_digits(random, count), magnitude % 30);
    }
  }

  TEST_CASE("half-way between two doubles it is the even one") {
    std::mt19937_64 random(2);
    for (int i = 0; i < 300; ++i) {
      // A whole number of 54 bits, the last of which is one, times a power of two.
      auto digits = std::to_string((random() >> 10) | std::uint64_t{1} << 53 | 1);
      const auto power = static_cast<int>(random() % 2'000) - 1'050;
      for (int k = 0; k < std::abs(power); ++k)
        digits = times(digits, power < 0 ? 5 : 2);
      const auto exponent = std::min(power, 0);
      check_as_strtod(digits, exponent);
      check_as_strtod(digits + std::string(900, '0') + "1", exponent - 901);
      if (digits.back() == '0') continue;
      digits.back() = static_cast<char>(digits.back() - 1);
      check_as_strtod(digits, exponent);
    }
  }

  TEST_CASE("the ends of what a double holds are found") {
    CHECK(nearest_double("17976931348623157", 292) ==
          std::numeric_limits<double>::max());
    CHECK(nearest_double("17976931348623158079", 289) ==
          std::numeric_limits<double>::max());
    CHECK(nearest_double("17976931348623158080", 289) == kInfinity);
    CHECK(nearest_double("1", 309) == kInfinity);
    CHECK(nearest_double("1", 1'000'000'000'000) == kInfinity);
    CHECK(nearest_double("49406564584124654", -340) ==
          std::numeric_limits<double>::denorm_min());
    CHECK(nearest_double("24703282292062328", -340) == of_bits(1));
    CHECK(nearest_double("24703282292062327", -340) == 0);
    CHECK(nearest_double("22250738585072011", -324) == of_bits(0x000fffffffffffff));
    CHECK(nearest_double("22250738585072014", -324) == of_bits(0x0010000000000000));
    CHECK(nearest_double("1", -1'000'000'000'000) == 0);
    CHECK(nearest_double("", 5) == 0);
    CHECK(nearest_double("000", 5) == 0);
    CHECK(nearest_double("0010", -1) == 1);
  }

  TEST_CASE("digits beyond all that count still count where they decide") {
    // 2^53 + 1 lies half-way between two doubles.
    const std::string half = "9007199254740993";
    const std::string zeros(1'000, '0');
    CHECK(nearest_double(half + zeros, -1'000) == 9007199254740992.0);
    CHECK(nearest_double(half + zeros + "1", -1'001) == 9007199254740994.0);
  }

  TEST_CASE("all digits of a double are those of printf") {
    std::mt19937_64 random(4);
    for (int i = 0; i < 300; ++i) {
      const auto value = of_bits(random() & 0x7fffffffffffffff);
      if (!std::isfinite(value) || value == 0) continue;
      CHECK(with_exponent(exact_decimal(value), 780) == with_exponent(value, 780));
    }
    CHECK(exact_decimal(of_bits(1)).digits.size() == 751);
    CHECK(exact_decimal(of_bits(0x000fffffffffffff)).digits.size() == 767);
    CHECK(exact_decimal(-0.5).digits == "5");
    CHECK(exact_decimal(0).digits.empty());
    CHECK(exact_decimal(0).exponent == 0);
  }

  TEST_CASE("so many digits are those of printf") {
    std::mt19937_64 random(6);
    for (int i = 0; i < 5'000; ++i) {
      const auto few = std::ldexp(static_cast<double>(1 + random() % 4'000), -9);
      const auto value = i % 2 == 0 ? few : of_bits(random() & 0x7fffffffffffffff);
      if (!std::isfinite(value) || value == 0) continue;
      const auto places = below(random, 20);
      CHECK(with_exponent(rounded(exact_decimal(value), places + 1), places) ==
            with_exponent(value, places));
    }
  }

  TEST_CASE("rounding carries, and drops the zeros it leaves") {
    const auto up = rounded({"99951", -4}, 3);
    CHECK(up.digits == "1");
    CHECK(up.exponent == 1);
    CHECK(rounded({"25", 0}, 1).digits == "2");
    CHECK(rounded({"35", 0}, 1).digits == "4");
    CHECK(rounded({"251", 0}, 1).digits == "3");
    CHECK(rounded({"5", 0}, 0).digits.empty());
    CHECK(rounded({"51", 0}, 0).digits == "1");
    CHECK(rounded({"51", 0}, 0).exponent == 2);
  }
}

}  // namespace bev
