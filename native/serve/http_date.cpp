#include "native/serve/http_date.hpp"

#include <array>
#include <cstdio>
#include <ctime>

namespace bev::serve {

std::string http_date(std::int64_t seconds) {
  // strftime depends on the locale; the header does not.
  constexpr std::array kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                  "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::time_t time = seconds;
  std::tm utc{};
  if (::gmtime_r(&time, &utc) == nullptr) return "Thu, 01 Jan 1970 00:00:00 GMT";
  std::array<char, 64> text{};
  const int length =
      std::snprintf(text.data(), text.size(), "%s, %02d %s %04d %02d:%02d:%02d GMT",
                    kDays[static_cast<std::size_t>(utc.tm_wday)], utc.tm_mday,
                    kMonths[static_cast<std::size_t>(utc.tm_mon)], utc.tm_year + 1900,
                    utc.tm_hour, utc.tm_min, utc.tm_sec);
  return {text.data(), static_cast<std::size_t>(length)};
}

}  // namespace bev::serve
