#include "native/export/scalar_text.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <span>

#include "core/base/bytes.hpp"
#include "core/base/checked.hpp"
#include "core/zarr/half.hpp"
#include "core/zarr/text.hpp"

namespace bev::native {
namespace {

using zarr::DType;
using zarr::Kind;

std::endian order_of(const DType& type) {
  return type.order == zarr::ByteOrder::big ? std::endian::big : std::endian::little;
}

template <class T>
T value_of(const DType& type, const std::byte* at) {
  return load<T>(at, order_of(type));
}

std::int64_t signed_value(const DType& type, const std::byte* at) {
  switch (type.item_size) {
    case 1: return value_of<std::int8_t>(type, at);
    case 2: return value_of<std::int16_t>(type, at);
    case 4: return value_of<std::int32_t>(type, at);
    default: return value_of<std::int64_t>(type, at);
  }
}

std::uint64_t unsigned_value(const DType& type, const std::byte* at) {
  switch (type.item_size) {
    case 1: return value_of<std::uint8_t>(type, at);
    case 2: return value_of<std::uint16_t>(type, at);
    case 4: return value_of<std::uint32_t>(type, at);
    default: return value_of<std::uint64_t>(type, at);
  }
}

/// Formats a real recognizably: 3 becomes 3.0.
std::string with_point(const std::string& text) {
  const bool is_whole = text.find_first_not_of("-0123456789") == std::string::npos;
  return is_whole ? text + ".0" : text;
}

template <class Real>
ScalarText real_text(Real value) {
  if (std::isnan(value)) return {"NaN", Spelling::text};
  if (std::isinf(value)) return {value > 0 ? "Infinity" : "-Infinity", Spelling::text};
  std::array<char, 64> digits{};
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return {with_point({digits.data(), end}), Spelling::number};
}

ScalarText half_text(std::uint16_t half) {
  const float exact = zarr::half_to_float(half);
  if (!std::isfinite(exact)) return real_text(exact);
  std::array<char, 64> digits{};
  for (int count = 1; count <= 5; ++count) {  // five digits distinguish all halves
    std::snprintf(digits.data(), digits.size(), "%.*g", count,
                  static_cast<double>(exact));
    if (zarr::half_from_double(std::strtod(digits.data(), nullptr)) == half) break;
  }
  return {with_point(digits.data()), Spelling::number};
}

ScalarText any_real_text(const DType& type, const std::byte* at) {
  switch (type.item_size) {
    case 2: return half_text(value_of<std::uint16_t>(type, at));
    case 4: return real_text(value_of<float>(type, at));
    default: return real_text(value_of<double>(type, at));
  }
}

ScalarText string_text(const DType& type, const std::byte* at) {
  const auto text = zarr::decode_text(type, std::span(at, type.item_size));
  return {std::string(text[0]), Spelling::text};
}

ScalarText raw_text(const DType& type, const std::byte* at) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < type.item_size; ++i) {
    text += kDigits[std::to_integer<std::size_t>(at[i] >> 4)];
    text += kDigits[std::to_integer<std::size_t>(at[i] & std::byte{15})];
  }
  return {text, Spelling::text};
}

ScalarText time_text(const DType& type, const std::byte* at) {
  const auto count = value_of<std::int64_t>(type, at);
  if (count == std::numeric_limits<std::int64_t>::min()) return {"NaT", Spelling::text};
  const auto date =
      type.kind == Kind::datetime ? date_text(count, type.unit) : std::nullopt;
  if (date) return {*date, Spelling::text};
  return {std::to_string(count), Spelling::number};
}

constexpr std::int64_t kSecondsPerDay = 86'400;

/// Units of at least a second: their count and the parts of the text.
enum class Precision { day, hour, minute, second };

struct LongUnit {
  std::string_view name;
  std::int64_t seconds;
  Precision precision;
};

constexpr std::array kLongUnits = std::to_array<LongUnit>({
    {"W", 7 * kSecondsPerDay, Precision::day},
    {"D", kSecondsPerDay, Precision::day},
    {"h", 3600, Precision::hour},
    {"m", 60, Precision::minute},
    {"s", 1, Precision::second},
});

struct ShortUnit {
  std::string_view name;
  int digits;  ///< decimal places of the seconds
};

constexpr std::array kShortUnits = std::to_array<ShortUnit>(
    {{"ms", 3}, {"us", 6}, {"ns", 9}, {"ps", 12}, {"fs", 15}, {"as", 18}});

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

template <class... Values>
std::string printed(const char* format, Values... values) {
  std::array<char, 64> text{};
  const int size = std::snprintf(text.data(), text.size(), format, values...);
  return {text.data(), static_cast<std::size_t>(size)};
}

std::optional<std::string> month_text(std::int64_t months) {
  const auto year = 1970 + floor_div(months, 12);
  if (year < 0 || year > 9999) return std::nullopt;
  return printed("%04lld-%02lld", static_cast<long long>(year),
                 static_cast<long long>(months - floor_div(months, 12) * 12) + 1);
}

std::optional<std::string> day_text(std::int64_t days) {
  using namespace std::chrono;
  constexpr sys_days kFirst{year(0) / 1 / 1};
  constexpr sys_days kLast{year(9999) / 12 / 31};
  if (days < kFirst.time_since_epoch().count() ||
      days > kLast.time_since_epoch().count()) {
    return std::nullopt;
  }
  const year_month_day date{sys_days(std::chrono::days(days))};
  return printed("%04d-%02u-%02u", static_cast<int>(date.year()),
                 static_cast<unsigned>(date.month()),
                 static_cast<unsigned>(date.day()));
}

std::optional<std::string> second_text(std::int64_t seconds, Precision precision) {
  const auto days = floor_div(seconds, kSecondsPerDay);
  auto text = day_text(days);
  if (!text || precision == Precision::day) return text;
  const auto of_day = static_cast<long long>(seconds - days * kSecondsPerDay);
  *text += printed("T%02lld", of_day / 3600);
  if (precision >= Precision::minute) *text += printed(":%02lld", of_day / 60 % 60);
  if (precision >= Precision::second) *text += printed(":%02lld", of_day % 60);
  return text;
}

std::optional<std::string> fraction_text(std::int64_t count, int digits) {
  std::int64_t per_second = 1;
  for (int i = 0; i < digits; ++i) per_second *= 10;
  const auto seconds = floor_div(count, per_second);
  auto text = second_text(seconds, Precision::second);
  if (!text) return std::nullopt;
  const auto fraction = static_cast<long long>(count - seconds * per_second);
  return *text + printed(".%0*lld", digits, fraction);
}

std::optional<std::string> text_in_scalar_text(std::int64_t count,
                                               std::string_view unit) {
  if (unit == "Y") {
    const auto months = checked_mul<std::int64_t>(count, 12);
    const auto text = months ? month_text(*months) : std::nullopt;
    return text ? std::optional(text->substr(0, 4)) : std::nullopt;
  }
  if (unit == "M") return month_text(count);
  for (const auto& known : kLongUnits) {
    if (known.name != unit) continue;
    const auto seconds = checked_mul(count, known.seconds);
    return seconds ? second_text(*seconds, known.precision) : std::nullopt;
  }
  for (const auto& known : kShortUnits) {
    if (known.name == unit) return fraction_text(count, known.digits);
  }
  return std::nullopt;
}

}  // namespace

ScalarText scalar_text(const DType& type, const std::byte* at) {
  switch (type.kind) {
    case Kind::boolean:
      return {at[0] == std::byte{0} ? "false" : "true", Spelling::number};
    case Kind::signed_int:
      return {std::to_string(signed_value(type, at)), Spelling::number};
    case Kind::unsigned_int:
      return {std::to_string(unsigned_value(type, at)), Spelling::number};
    case Kind::real: return any_real_text(type, at);
    case Kind::bytes:
    case Kind::unicode: return string_text(type, at);
    case Kind::datetime:
    case Kind::timedelta: return time_text(type, at);
    case Kind::complex:
    case Kind::raw:
    case Kind::record: break;
  }
  return raw_text(type, at);
}

std::optional<std::string> date_text(std::int64_t count, std::string_view unit) {
  std::int64_t multiple = 1;
  const auto end = unit.data() + unit.size();
  const auto number = std::from_chars(unit.data(), end, multiple);
  if (number.ec == std::errc::result_out_of_range) return std::nullopt;
  unit.remove_prefix(static_cast<std::size_t>(number.ptr - unit.data()));
  const auto total = checked_mul(count, multiple);
  return total ? text_in_scalar_text(*total, unit) : std::nullopt;
}

}  // namespace bev::native
