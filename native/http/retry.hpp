#pragma once

#include <cstdint>
#include <string>

namespace bev::native {

/// Maximum delay before a retry, even if the server asks for more.
constexpr unsigned kLongestPauseMs = 30'000;

/// Returns the delay before retry `attempt` (the first is 1): `first_ms`, doubled for
/// each further attempt, times 0.5 to 1.5, so that clients which failed together do not
/// retry together. At most kLongestPauseMs.
///
/// @param random  uniform in [0, 1)
unsigned retry_delay_ms(unsigned attempt, unsigned first_ms, double random);

/// Returns the seconds of a Retry-After header: a number, or a date after `now`
/// (seconds since 1970). 0 if empty, malformed or in the past. At most a year.
///
/// Reference  RFC 9110, section 10.2.3.
std::uint64_t retry_after_s(const std::string& header, std::int64_t now);

}  // namespace bev::native
