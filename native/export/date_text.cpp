#include "native/export/date_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>

#include "core/base/checked.hpp"

namespace bev::native {
namespace {

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

bool is_leap(std::int64_t year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/// Returns the days from 1970-01-01 to January 1 of a year.
std::int64_t days_before_year(std::int64_t year) {
  const auto leaps = [](std::int64_t y) {  // in the years 1 to y
    return floor_div(y, 4) - floor_div(y, 100) + floor_div(y, 400);
  };
  return (year - 1970) * 365 + leaps(year - 1) - leaps(1969);
}

std::optional<std::string> day_text(std::int64_t days) {
  constexpr std::array kLengths = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (days < days_before_year(0) || days >= days_before_year(10'000))
    return std::nullopt;
  // A year has 365 or 366 days: this estimate is the year or an earlier one.
  auto year = 1970 + std::min(floor_div(days, 365), floor_div(days, 366));
  while (days >= days_before_year(year + 1)) ++year;
  auto rest = days - days_before_year(year);
  int month = 0;
  for (int length = 0;; ++month, rest -= length) {
    length = kLengths[static_cast<std::size_t>(month)] + (month == 1 && is_leap(year));
    if (rest < length) break;
  }
  return printed("%04lld-%02d-%02lld", static_cast<long long>(year), month + 1,
                 static_cast<long long>(rest) + 1);
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

std::optional<std::string> text_in(std::int64_t count, std::string_view unit) {
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

std::optional<std::string> date_text(std::int64_t count, std::string_view unit) {
  std::int64_t multiple = 1;
  const auto end = unit.data() + unit.size();
  const auto number = std::from_chars(unit.data(), end, multiple);
  if (number.ec == std::errc::result_out_of_range) return std::nullopt;
  unit.remove_prefix(static_cast<std::size_t>(number.ptr - unit.data()));
  const auto total = checked_mul(count, multiple);
  return total ? text_in(*total, unit) : std::nullopt;
}

}  // namespace bev::native
