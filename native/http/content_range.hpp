#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace bev::native {

/// A Content-Range: "bytes 0-99/1000".
struct ContentRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;              ///< exclusive
  std::optional<std::uint64_t> size;  ///< size of the whole object; absent for "*"
};

/// Parses the header's value; nullopt if it is malformed or inconsistent.
///
/// Reference  RFC 9110, 14.4.
std::optional<ContentRange> parse_content_range(std::string_view text);

}  // namespace bev::native
