#pragma once

#include <cstddef>
#include <span>

namespace bev::parquet {

/// Decodes a Snappy block, which must decode to exactly out.size() bytes. Returns false for
/// an invalid one; `out` is then unspecified.
///
/// Reference  Snappy, format_description.txt
bool decode_snappy(std::span<const std::byte> in, std::span<std::byte> out) noexcept;

}  // namespace bev::parquet
