#include <algorithm>
#include <cstring>
#include <memory>

#include "core/zarr/blosc_items.hpp"
#include "core/zarr/lz4_block.hpp"
#include "core/zarr/shuffle.hpp"

namespace bev::zarr {
namespace {

/// Decodes whole blocks, one at a time.
class Lz4Blocks {
 public:
  Lz4Blocks(EncodedChunk chunk, const BloscHeader& header)
      : chunk_(chunk),
        header_(header),
        table_(header, chunk),
        stored_(new std::byte[header.blocksize + std::max(kOverread, kLz4Slack)]),
        plain_(shuffles() ? new std::byte[header.blocksize] : nullptr) {}

  /// Returns the bytes of a block in item order, valid until the next call. Without
  /// shuffle, only the first `wanted` bytes need be decoded.
  const std::byte* decode(std::size_t block, std::size_t wanted) {
    const std::size_t size = header_.block_bytes(block);
    const std::size_t splits = header_.splits(block);
    BloscStreams streams(chunk_, header_, table_, block);
    for (std::size_t i = 0; i < splits; ++i) {
      const std::size_t part = size / splits;
      const bool all = shuffles() || splits > 1;
      streams.decode({stored_.get() + i * part, part}, all ? part : wanted);
    }
    if (!shuffles()) return stored_.get();
    put_back(size);
    return plain_.get();
  }

 private:
  bool shuffles() const { return header_.byte_shuffled() || header_.bit_shuffled(); }

  void put_back(std::size_t size) {
    const std::size_t items = size / header_.typesize;
    std::size_t done = items * header_.typesize;
    if (header_.byte_shuffled()) {
      const Selection all{0, header_.typesize, 0, items};
      unshuffle({stored_.get(), items}, all, plain_.get());
    } else if (items % 8 == 0) {
      unshuffle_bits({stored_.get(), done}, header_.typesize, plain_.get());
    } else {
      done = 0;  // c-blosc leaves such a block unshuffled
    }
    std::memcpy(plain_.get() + done, stored_.get() + done, size - done);
  }

  EncodedChunk chunk_;
  const BloscHeader& header_;
  BlockTable table_;
  std::unique_ptr<std::byte[]> stored_;
  std::unique_ptr<std::byte[]> plain_;
};

}  // namespace

void lz4_items(EncodedChunk chunk, const BloscHeader& header, RowRange items,
               std::byte* out) {
  Lz4Blocks blocks(chunk, header);
  const std::size_t end = items.end * header.typesize;
  for (std::size_t at = items.begin * header.typesize; at < end;) {
    const std::size_t block = at / header.blocksize;
    const std::size_t start = block * header.blocksize;
    const std::size_t stop = std::min(end, start + header.block_bytes(block));
    const std::byte* bytes = blocks.decode(block, stop - start);
    out = std::copy(bytes + (at - start), bytes + (stop - start), out);
    at = stop;
  }
}

}  // namespace bev::zarr
