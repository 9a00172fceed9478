#pragma once

#include <cstddef>
#include <span>

namespace bev::zarr {

/// What is written past the end of what is decoded: copies go by whole vectors.
inline constexpr std::size_t kLz4Slack = 64;

/// Decodes an LZ4 block until its first `target` bytes are there.
///
/// The library's own decoder stops early at a price per byte, and in wasm has only its
/// careful loop; this one takes 0.65 of its time there, and 0.4 where a quarter is
/// wanted.
///
/// Shapes   `out` is what the whole stream decodes to, with kLz4Slack writable bytes
///          after it; target is out.size() at most.
/// Returns  false for a stream that does not decode to that: it ends too early, reaches
///          before its beginning or, where all of `out` is wanted, holds more. `out` is
///          unspecified then.
/// Source: the LZ4 block format description (lz4_Block_format.md).
bool decode_lz4(std::span<const std::byte> stream, std::span<std::byte> out,
                std::size_t target);

}  // namespace bev::zarr
