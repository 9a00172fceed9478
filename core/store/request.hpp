#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "include/bevscope/byte_range.hpp"

namespace bev::store {

/// A read request to the host: the object under `key`, a range of it, or its last
/// bytes.
///
/// The whole object answers any request. A request for the last bytes is answered by
/// tail_range(), which reaches past the object's end and so tells its size.
///
/// An object that does not exist is answered by supply_absent(), whatever `required`
/// says. `required` concerns failures without a known reason (a browser cannot tell a
/// 404 without CORS headers from an outage): a host may treat such a failure as absence
/// only if `required` is false, and never for a data chunk.
struct Request {
  std::string key;
  std::optional<ByteRange> range = std::nullopt;
  bool required = true;
  std::uint64_t tail = 0;  ///< if not 0, requests this many last bytes; `range` is
                           ///< empty
  bool operator==(const Request&) const = default;
};

/// Returns the range that answers a request for the last `tail` bytes of an object of
/// `size` bytes.
constexpr ByteRange tail_range(std::uint64_t size, std::uint64_t tail) noexcept {
  return {size - std::min(size, tail), size + 1};
}

/// Contents and statistics of the cache of encoded objects.
struct CacheStats {
  std::size_t bytes_held = 0;
  std::size_t byte_budget = 0;
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t evictions = 0;
};

}  // namespace bev::store
