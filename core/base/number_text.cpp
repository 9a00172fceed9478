#include "core/base/number_text.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "core/base/decimal.hpp"

namespace bev {

namespace {

// The fewest digits of a number without its sign that read back.
Decimal shortest(double value) {
  const auto all = exact_decimal(value);
  for (std::size_t count = 1; count < 17; ++count) {
    auto number = rounded(all, count);
    if (nearest_double(number.digits, number.exponent) == value) return number;
  }
  return rounded(all, 17);
}

std::string with_exponent(const std::string& digits, std::int64_t exponent) {
  std::string out = digits.substr(0, 1);
  if (digits.size() > 1) out += "." + digits.substr(1);
  out += exponent < 0 ? "e-" : "e+";
  const auto power = exponent < 0 ? -exponent : exponent;
  if (power < 10) out += '0';
  return out + std::to_string(power);
}

// With at least so many digits after the point.
std::string with_point(const Decimal& number, std::size_t places) {
  const auto [digits, exponent] = number;
  const auto after = static_cast<std::size_t>(std::max<std::int64_t>(-exponent, 0));
  const auto trailing = static_cast<std::size_t>(std::max<std::int64_t>(exponent, 0));
  std::string out = digits + std::string(trailing, '0');
  if (out.size() <= after) out.insert(0, after + 1 - out.size(), '0');
  if (after > 0 || places > 0) out.insert(out.size() - after, 1, '.');
  if (after < places) out.append(places - after, '0');
  return out;
}

// "-", or a name for what is not finite.
std::string sign_or_name(double value) {
  if (std::isnan(value)) return "nan";
  const std::string sign = std::signbit(value) ? "-" : "";
  return std::isinf(value) ? sign + "inf" : sign;
}

}  // namespace

std::string python_repr(double value) {
  const auto start = sign_or_name(value);
  if (!std::isfinite(value)) return start;
  const auto decimal = shortest(std::abs(value));
  const auto count = static_cast<std::int64_t>(decimal.digits.size());
  const auto first =
      count - 1 + decimal.exponent;  // the power of ten of the first digit
  const bool plain = count == 0 || (first >= -4 && first < 16);
  return start +
         (plain ? with_point(decimal, 1) : with_exponent(decimal.digits, first));
}

std::string with_places(double value, std::size_t places) {
  const auto start = sign_or_name(value);
  if (!std::isfinite(value)) return start;
  auto decimal = exact_decimal(value);
  const auto kept = static_cast<std::int64_t>(decimal.digits.size()) +
                    decimal.exponent + static_cast<std::int64_t>(places);
  decimal = kept < 0 ? Decimal() : rounded(decimal, static_cast<std::size_t>(kept));
  return start + with_point(decimal, places);
}

std::optional<double> parse_real(std::string_view text) {
  const std::string copy(text);
  const bool blank = copy.empty() || std::isspace(static_cast<unsigned char>(copy[0]));
  if (blank || copy.find_first_of("xX") != std::string::npos) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(copy.c_str(), &end);
  if (end != copy.c_str() + copy.size()) return std::nullopt;
  return value;
}

}  // namespace bev
