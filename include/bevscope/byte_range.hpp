#pragma once

#include <cstdint>

namespace bev {

/// Bytes [begin, end) of an object, a chunk, an archive or one of its members.
struct ByteRange {
  std::uint64_t begin = 0;  ///< offset of the first byte
  std::uint64_t end = 0;    ///< offset after the last byte

  /// Returns the number of bytes.
  std::uint64_t size() const noexcept { return end - begin; }

  /// Whether two ranges are equal.
  bool operator==(const ByteRange&) const = default;
};

}  // namespace bev
