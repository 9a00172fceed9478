#pragma once

#include <cstdint>
#include <string>

namespace bev::serve {

/// Seconds since 1970, UTC, as HTTP writes a date: "Sun, 06 Nov 1994 08:49:37 GMT".
///
/// Source: RFC 9110, section 5.6.7.
std::string http_date(std::int64_t seconds);

}  // namespace bev::serve
