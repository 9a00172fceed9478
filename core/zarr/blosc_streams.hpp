#pragma once

#include <cstddef>
#include <span>

#include "core/zarr/blosc_header.hpp"

namespace bev::zarr {

/// Reads the streams of an LZ4 block in order: one, or one per byte of the item, as
/// header.splits(block) says.
///
/// Lifetime  The header and the chunk outlive it.
/// Throws    corrupt_chunk for a stream that does not fit in the block or does not
///           decode.
class BloscStreams {
 public:
  BloscStreams(EncodedChunk chunk, const BloscHeader& header, const BlockTable& table,
               std::size_t block)
      : chunk_(chunk), header_(header), block_(block), left_(table.streams(block)) {}

  /// Decodes at least the first `target` bytes of the next stream.
  ///
  /// Shapes  `out` has the decoded size of the whole stream, followed by kLz4Slack
  ///         writable bytes.
  void decode(std::span<std::byte> out, std::size_t target);

  /// Skips the next stream.
  void skip() { take(); }

 private:
  std::span<const std::byte> take();

  EncodedChunk chunk_;
  const BloscHeader& header_;
  std::size_t block_;
  std::span<const std::byte> left_;
};

}  // namespace bev::zarr
