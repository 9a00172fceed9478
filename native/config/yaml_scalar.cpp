#include "native/config/yaml_scalar.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <regex>
#include <string_view>

#include "core/base/error.hpp"

namespace bev::native {
namespace {

using nlohmann::json;

// Longer texts are not parsed as numbers: std::regex recurses with the match length.
constexpr std::size_t kLongestNumber = 400;

bool matches(const std::string& text, const std::regex& pattern) {
  return text.size() <= kLongestNumber && std::regex_match(text, pattern);
}

bool is_null(const std::string& text) {
  return text.empty() || text == "~" || text == "null" || text == "Null" ||
         text == "NULL";
}

std::optional<bool> bool_of(const std::string& text) {
  static const std::regex true_pattern("yes|Yes|YES|true|True|TRUE|on|On|ON");
  static const std::regex false_pattern("no|No|NO|false|False|FALSE|off|Off|OFF");
  if (matches(text, true_pattern)) return true;
  if (matches(text, false_pattern)) return false;
  return std::nullopt;
}

/// Returns a number's text without grouping underscores.
std::string ungrouped(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), '_'), text.end());
  return text;
}

double real_of(std::string_view digits, int base) {
  double value = 0;
  for (const char c : digits) {
    const int digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
    value = value * base + digit;
  }
  return value;
}

/// Parses the digits of a base with a sign; exact if the value fits 64 bits.
json integer_of(bool negative, std::string_view digits, int base) {
  std::uint64_t value = 0;
  const char* const end = digits.data() + digits.size();
  const auto done = std::from_chars(digits.data(), end, value, base);
  constexpr auto kMin = std::uint64_t{1} << 63;
  const bool fits =
      done.ec == std::errc() && done.ptr == end && (!negative || value <= kMin);
  if (fits && negative) return static_cast<std::int64_t>(-value);
  if (fits) return value;
  if (base == 10)
    return (negative ? -1 : 1) * std::strtod(std::string(digits).c_str(), nullptr);
  return (negative ? -1 : 1) * real_of(digits, base);
}

/// Parses 1:30:00 (an hour and a half) to seconds, summed from the right as in PyYAML.
double sexagesimal(std::string text) {
  double value = 0;
  double unit = 1;
  for (auto colon = text.rfind(':'); colon != text.npos; colon = text.rfind(':')) {
    value += std::strtod(text.c_str() + colon + 1, nullptr) * unit;
    unit *= 60;
    text.resize(colon);
  }
  return value + std::strtod(text.c_str(), nullptr) * unit;
}

/// Removes the sign of a number's text; returns whether it was negative.
bool take_sign(std::string& text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.erase(0, 1);
  return negative;
}

std::optional<json> int_of(const std::string& text) {
  static const std::regex int_pattern(
      "[-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|"
      "[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+");
  if (!matches(text, int_pattern)) return std::nullopt;
  std::string digits = ungrouped(text);
  const bool negative = take_sign(digits);
  if (digits.find(':') != digits.npos) {
    const double value = sexagesimal(digits);
    constexpr double kExact = 9007199254740992.0;
    if (value > kExact) return (negative ? -1 : 1) * value;
    return (negative ? -1 : 1) * static_cast<std::int64_t>(value);
  }
  int base = 10;
  if (digits.starts_with("0b") || digits.starts_with("0x")) {
    base = digits[1] == 'b' ? 2 : 16;
    digits.erase(0, 2);
  } else if (digits.size() > 1 && digits.front() == '0') {
    base = 8;
  }
  if (digits.empty()) return std::nullopt;  // "0x_" is not a number
  return integer_of(negative, digits, base);
}

std::optional<json> float_of(const std::string& text) {
  static const std::regex infinite_pattern(
      R"([-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))");
  static const std::regex float_pattern(
      R"([-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|)"
      R"(\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|)"
      R"([-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*)");
  if (matches(text, infinite_pattern)) return text;
  if (!matches(text, float_pattern)) return std::nullopt;
  std::string digits = ungrouped(text);
  const bool negative = take_sign(digits);
  return (negative ? -1 : 1) * sexagesimal(digits);
}

json or_refuse(std::optional<json> value, const std::string& text,
               const std::string& type) {
  if (value) return *std::move(value);
  throw Error(Errc::invalid_argument, "\"" + text + "\" is not a valid !!" + type);
}

}  // namespace

json plain_yaml_scalar(const std::string& text) {
  if (is_null(text)) return nullptr;
  if (const auto flag = bool_of(text)) return *flag;
  if (auto number = int_of(text)) return *std::move(number);
  if (auto number = float_of(text)) return *std::move(number);
  return text;
}

json tagged_yaml_scalar(const std::string& text, const std::string& tag) {
  constexpr std::string_view kPrefix = "tag:yaml.org,2002:";
  const auto name = tag.starts_with(kPrefix) ? tag.substr(kPrefix.size()) : tag;
  if (name == "str") return text;
  if (name == "null") return nullptr;
  if (name == "bool") {
    const auto flag = bool_of(text);
    return or_refuse(flag ? std::optional<json>(*flag) : std::nullopt, text, name);
  }
  if (name == "int") return or_refuse(int_of(text), text, name);
  if (name == "float") {
    auto number = float_of(text);
    if (!number) number = int_of(text);
    const auto value = or_refuse(std::move(number), text, name);
    return value.is_number() ? json(value.get<double>()) : value;
  }
  throw Error(Errc::unsupported, "unsupported YAML tag " + tag +
                                     " (expected str, int, float, bool or null)");
}

}  // namespace bev::native
