#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/zarr/decode.hpp"

namespace bev::zarr {

/// What the first 16 bytes of a Blosc 1 chunk say.
///
/// Example  02 01 31 74 | 80 66 23 00 | 94 FF 01 00 | 1A B0 08 00 is format 2, codec
///          version 1, LZ4 unsplit with byte shuffle, items of 116 bytes; 2320000 bytes
///          in blocks of 130964, stored in 569370.
/// Source: c-blosc 1.21, README_CHUNK_FORMAT.rst.
struct BloscHeader {
  enum class Format { blosclz = 0, lz4 = 1, snappy = 2, zlib = 3, zstd = 4 };

  std::uint8_t codec_version = 0;
  std::uint8_t flags = 0;
  std::size_t typesize = 0;
  std::size_t nbytes = 0;     ///< decoded
  std::size_t blocksize = 0;  ///< decoded, of every block but a shorter last one
  std::size_t cbytes = 0;     ///< the chunk as stored

  Format format() const noexcept { return static_cast<Format>(flags >> 5); }
  bool byte_shuffled() const noexcept { return (flags & 0x01) != 0 && typesize > 1; }
  bool bit_shuffled() const noexcept {
    return (flags & 0x04) != 0 && blocksize >= typesize;
  }
  bool stored() const noexcept {
    return (flags & 0x02) != 0;
  }  ///< not compressed at all
  std::size_t blocks() const noexcept { return (nbytes + blocksize - 1) / blocksize; }
  std::size_t block_bytes(std::size_t block) const noexcept;  ///< decoded

  /// Streams of a block: one, or one for each byte of the item.
  std::size_t splits(std::size_t block) const noexcept;
};

inline constexpr std::size_t kBloscHeaderBytes = 16;

/// "lz4" and so on, for messages.
std::string_view to_string(BloscHeader::Format format);

/// The header, every field of which has been checked against the others, the length of
/// the chunk and the decoded size that the metadata promises.
///
/// The size of items is the writer's: it need not be the array's, as long as it divides
/// the chunk.
///
/// Errors  corrupt_chunk; unsupported for a format of Blosc 2 or a codec not read here.
BloscHeader parse_blosc_header(EncodedChunk chunk, std::size_t decoded_size);

/// The same from the first bytes of a chunk, whose length therefore shows nothing.
BloscHeader parse_blosc_head(EncodedChunk head, std::size_t decoded_size);

/// Where the blocks of a compressed chunk lie in it.
///
/// The table of starts is not sorted, for the threads of a writer append in the order
/// in which they finish: a block ends where the next larger start is.
///
/// Lifetime  One at a time per thread, which its memory belongs to.
class BlockTable {
 public:
  /// @param chunk   or as much of it as holds the table
  /// Errors  corrupt_chunk if a start lies outside of the chunk.
  BlockTable(const BloscHeader& header, EncodedChunk chunk);

  /// The streams of a block, each after its length in four bytes.
  std::span<const std::byte> streams(std::size_t block) const;

  /// Where they begin and end.
  std::size_t start(std::size_t block) const;
  std::size_t end(std::size_t block) const;

 private:
  EncodedChunk chunk_;
  std::size_t cbytes_;
  std::vector<std::uint32_t>& sorted_;
};

/// Throws corrupt_chunk: "agents/3: blosc lz4: block 4: what".
[[noreturn]] void corrupt_block(const BloscHeader& header, EncodedChunk chunk,
                                std::size_t block, Message what);

}  // namespace bev::zarr
