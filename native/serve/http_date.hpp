#pragma once

#include <cstdint>
#include <string>

namespace bev::serve {

/// Formats seconds since 1970, UTC, as an HTTP date: "Sun, 06 Nov 1994 08:49:37 GMT".
///
/// Reference  RFC 9110, section 5.6.7.
std::string http_date(std::int64_t seconds);

}  // namespace bev::serve
