#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace bev::native {

/// "bytes 0-99/1000": which bytes of an object an answer holds.
struct ContentRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;              ///< one behind the last
  std::optional<std::uint64_t> size;  ///< of the object; "*" does not say
};

/// The header's value, or nullopt if it is not of that form or contradicts itself.
///
/// Source: RFC 9110, 14.4.
std::optional<ContentRange> parse_content_range(std::string_view text);

}  // namespace bev::native
