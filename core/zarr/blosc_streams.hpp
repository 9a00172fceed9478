#pragma once

#include <cstddef>
#include <span>

#include "core/zarr/blosc_header.hpp"

namespace bev::zarr {

/// The streams of a block of LZ4, taken one after the other: one, or one for each byte
/// of the item, as `header.splits(block)` says.
///
/// Lifetime  That of the header and the chunk.
/// Errors    corrupt_chunk for a stream that does not fit in the block, or does not
///           decode.
class BloscStreams {
 public:
  BloscStreams(EncodedChunk chunk, const BloscHeader& header, const BlockTable& table,
               std::size_t block)
      : chunk_(chunk), header_(header), block_(block), left_(table.streams(block)) {}

  /// At least the first `target` bytes of what the next stream holds.
  ///
  /// Shapes  `out` is what the whole stream decodes to, with kLz4Slack writable bytes
  ///         after it.
  void decode(std::span<std::byte> out, std::size_t target);

  /// The next stream is not wanted.
  void skip() { take(); }

 private:
  std::span<const std::byte> take();

  EncodedChunk chunk_;
  const BloscHeader& header_;
  std::size_t block_;
  std::span<const std::byte> left_;
};

}  // namespace bev::zarr
