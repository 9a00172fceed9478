#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/zarr/decode.hpp"

namespace bev::zarr {

/// Returns the CRC-32C (Castagnoli) of the bytes.
///
/// Example    The nine bytes "123456789" give 0xe3069283.
/// Reference  RFC 3720, appendix B.4.
std::uint32_t crc32c(std::span<const std::byte> bytes) noexcept;

inline constexpr std::size_t kChecksumBytes = 4;

/// Checks and removes the little-endian checksum at the end of the bytes.
///
/// Throws  corrupt_chunk if it does not match.
EncodedChunk without_checksum(EncodedChunk bytes);

/// Adds the checksum to the bytes.
inline void append_checksum(std::vector<std::byte>& bytes) {
  const auto checksum = crc32c(bytes);
  bytes.resize(bytes.size() + kChecksumBytes);
  store_le(bytes.data() + bytes.size() - kChecksumBytes, checksum);
}

}  // namespace bev::zarr
