#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/zarr/decode.hpp"

namespace bev::zarr {

/// The header of a Blosc 1 chunk: its first 16 bytes.
///
/// Example    02 01 31 74 | 80 66 23 00 | 94 FF 01 00 | 1A B0 08 00 is format 2, codec
///            version 1, LZ4 unsplit with byte shuffle, items of 116 bytes; 2320000
///            bytes in blocks of 130964, stored in 569370.
/// Reference  c-blosc 1.21, README_CHUNK_FORMAT.rst.
struct BloscHeader {
  enum class Format { blosclz = 0, lz4 = 1, snappy = 2, zlib = 3, zstd = 4 };

  std::uint8_t codec_version = 0;
  std::uint8_t flags = 0;
  std::size_t typesize = 0;
  std::size_t nbytes = 0;     ///< decoded size
  std::size_t blocksize = 0;  ///< decoded size of every block but a shorter last one
  std::size_t cbytes = 0;     ///< encoded size of the chunk

  Format format() const noexcept { return static_cast<Format>(flags >> 5); }
  bool byte_shuffled() const noexcept { return (flags & 0x01) != 0 && typesize > 1; }
  bool bit_shuffled() const noexcept {
    return (flags & 0x04) != 0 && blocksize >= typesize;
  }
  bool stored() const noexcept { return (flags & 0x02) != 0; }  ///< not compressed
  std::size_t blocks() const noexcept { return (nbytes + blocksize - 1) / blocksize; }
  std::size_t block_bytes(std::size_t block) const noexcept;  ///< decoded size

  /// Returns the number of streams in a block: one, or one per byte of the item.
  std::size_t splits(std::size_t block) const noexcept;
};

inline constexpr std::size_t kBloscHeaderBytes = 16;

/// Returns the codec's name for messages: "lz4" and so on.
std::string_view to_string(BloscHeader::Format format);

/// Parses the header and checks its fields against each other, the chunk's length and
/// the decoded size according to the metadata.
///
/// The item size is chosen by the writer: it need not be the array's, but must divide
/// the chunk.
///
/// Throws  corrupt_chunk; unsupported for a format of Blosc 2 or an unsupported codec.
BloscHeader parse_blosc_header(EncodedChunk chunk, std::size_t decoded_size);

/// Does the same for the first bytes of a chunk; does not check their length.
BloscHeader parse_blosc_head(EncodedChunk head, std::size_t decoded_size);

/// Locations of the blocks within a compressed chunk.
///
/// The table of starts is not sorted: a writer's threads append blocks in the order in
/// which they finish. A block ends at the next larger start.
///
/// Lifetime  One at a time per thread; the thread owns the table's memory.
class BlockTable {
 public:
  /// @param chunk   the chunk, or at least header and table
  /// Throws  corrupt_chunk if a start is outside the chunk.
  BlockTable(const BloscHeader& header, EncodedChunk chunk);

  /// Returns the streams of a block, each preceded by its length in four bytes.
  std::span<const std::byte> streams(std::size_t block) const;

  /// Return the byte range of the streams within the chunk.
  std::size_t start(std::size_t block) const;
  std::size_t end(std::size_t block) const;

 private:
  EncodedChunk chunk_;
  std::size_t cbytes_;
  std::vector<std::uint32_t>& sorted_;
};

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

/// Throws corrupt_chunk: "agents/3: blosc lz4: block 4: what".
[[noreturn]] void corrupt_block(const BloscHeader& header, EncodedChunk chunk,
                                std::size_t block, Message what);

}  // namespace bev::zarr
