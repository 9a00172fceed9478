#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

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

}  // namespace bev::zarr
