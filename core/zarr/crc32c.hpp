#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/zarr/decode.hpp"

namespace bev::zarr {

/// CRC-32C (Castagnoli) of the bytes.
///
/// Example  The nine bytes "123456789" give 0xe3069283.
/// Source: RFC 3720, appendix B.4.
std::uint32_t crc32c(std::span<const std::byte> bytes) noexcept;

inline constexpr std::size_t kChecksumBytes = 4;

/// The bytes without the checksum that follows them, little-endian.
///
/// Errors  corrupt_chunk if it is not theirs.
EncodedChunk without_checksum(EncodedChunk bytes);

}  // namespace bev::zarr
