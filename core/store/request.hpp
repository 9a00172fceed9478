#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace bev::store {

/// Bytes [begin, end) of an object.
struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool operator==(const ByteRange&) const = default;
};

/// What a host is asked to read: the object under `key`, or a range of it, or its last
/// bytes.
///
/// The whole object answers any request. Last bytes are answered by a range that
/// reaches past the object's end, which tells where that is: {size - tail, size + 1}.
///
/// An object that does not exist is answered by supply_absent(), whatever `required`
/// says. `required` is about failures that hide their reason (a browser cannot tell a
/// 404 without CORS headers from an outage): a host may take such a failure for absence
/// only where `required` is false, and never for a chunk of data.
struct Request {
  std::string key;
  std::optional<ByteRange> range = std::nullopt;
  bool required = true;
  std::uint64_t tail = 0;  ///< not 0: so many bytes at its end, and no range
  bool operator==(const Request&) const = default;
};

/// What the cache of encoded objects holds and how it has fared.
struct CacheStats {
  std::size_t bytes_held = 0;
  std::size_t byte_budget = 0;
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t evictions = 0;
};

}  // namespace bev::store
