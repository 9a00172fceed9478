#include "native/http/retry.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <charconv>
#include <system_error>

namespace bev::native {
namespace {

constexpr std::uint64_t kYearS = 365ULL * 24 * 3600;

}  // namespace

unsigned retry_delay_ms(unsigned attempt, unsigned first_ms, double random) {
  double pause = std::min(first_ms, kLongestPauseMs);
  for (unsigned i = 1; i < attempt && pause < kLongestPauseMs; ++i) pause *= 2;
  pause *= 0.5 + random;
  return static_cast<unsigned>(std::min<double>(pause, kLongestPauseMs));
}

std::uint64_t retry_after_s(const std::string& header, std::int64_t now) {
  if (header.empty()) return 0;
  const auto* const end = header.data() + header.size();
  std::uint64_t seconds = 0;
  const auto [at, error] = std::from_chars(header.data(), end, seconds);
  if (error == std::errc::result_out_of_range) return kYearS;
  if (error == std::errc{}) return at == end ? std::min(seconds, kYearS) : 0;
  const auto date = static_cast<std::int64_t>(curl_getdate(header.c_str(), nullptr));
  if (date <= now) return 0;
  return std::min(static_cast<std::uint64_t>(date - now), kYearS);
}

}  // namespace bev::native
