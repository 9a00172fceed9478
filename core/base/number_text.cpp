#include "core/base/number_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace bev {

namespace {

constexpr std::size_t kLongest = 40;  // "-1.7976931348623157e+308" has 24

struct Decimal {
  bool negative = false;
  std::string digits;  // the first digit is before the point
  int exponent = 0;
};

Decimal shortest(double value) {
  std::array<char, kLongest> text{};
  for (int precision = 0; precision < 17; ++precision) {
    std::snprintf(text.data(), text.size(), "%.*e", precision, value);
    if (std::strtod(text.data(), nullptr) == value) break;
  }
  Decimal out;
  const std::string_view all(text.data());
  const auto e = all.find('e');
  out.negative = all.front() == '-';
  for (const char c : all.substr(0, e)) {
    if (c >= '0' && c <= '9') out.digits += c;
  }
  out.exponent = std::atoi(text.data() + e + 1);
  return out;
}

std::string with_exponent(const Decimal& decimal) {
  std::array<char, kLongest> tail{};
  std::snprintf(tail.data(), tail.size(), "e%+03d", decimal.exponent);
  const auto rest = decimal.digits.substr(1);
  return decimal.digits.substr(0, 1) + (rest.empty() ? "" : "." + rest) + tail.data();
}

std::string with_point(const Decimal& decimal) {
  if (decimal.exponent < 0) {
    const auto zeros = static_cast<std::size_t>(-decimal.exponent - 1);
    return "0." + std::string(zeros, '0') + decimal.digits;
  }
  const auto whole = static_cast<std::size_t>(decimal.exponent) + 1;
  auto digits = decimal.digits;
  if (digits.size() < whole + 1) digits.resize(whole + 1, '0');
  return digits.substr(0, whole) + "." + digits.substr(whole);
}

/// Parses digits with an optional sign and point, such as "-12.3456", if the result is
/// certain to be the nearest double (Clinger's fast path): the digits are an integer
/// below 2^53 and the power of ten is exact, so that one division rounds once. Nullopt
/// for any other text.
///
/// By hand, because strtod takes several times as long: in WebAssembly, the host converts the
/// text (wasm/strtod.cpp), and the C++ library has no from_chars of floats.
std::optional<double> parse_short_decimal(std::string_view text) {
  static constexpr std::array<double, 23> kPowers{
      1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  constexpr std::uint64_t kExact = std::uint64_t{1} << 53;
  const bool is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(1);
  std::uint64_t digits = 0;
  std::size_t digit_count = 0, decimals = 0;
  bool has_point = false;
  for (const char c : text) {
    if (c >= '0' && c <= '9') {
      digits = digits * 10 + static_cast<std::uint64_t>(c - '0');
      if (digits >= kExact) return std::nullopt;
      ++digit_count;
      if (has_point) ++decimals;
    } else if (c == '.' && !has_point) {
      has_point = true;
    } else {
      return std::nullopt;
    }
  }
  if (digit_count == 0 || decimals >= kPowers.size()) return std::nullopt;
  const double value = static_cast<double>(digits) / kPowers[decimals];
  return is_negative ? -value : value;
}

}  // namespace

std::string python_repr(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  const auto decimal = shortest(value);
  const bool plain = decimal.exponent >= -4 && decimal.exponent < 16;
  return (decimal.negative ? "-" : "") +
         (plain ? with_point(decimal) : with_exponent(decimal));
}

std::optional<double> parse_real(std::string_view text) {
  if (const auto value = parse_short_decimal(text)) return value;
  const std::string copy(text);
  const bool blank = copy.empty() || std::isspace(static_cast<unsigned char>(copy[0]));
  if (blank || copy.find_first_of("xX") != std::string::npos) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(copy.c_str(), &end);
  if (end != copy.c_str() + copy.size()) return std::nullopt;
  return value;
}

}  // namespace bev
