#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/bytes.hpp"

namespace bev::test {

/// Builds a Blosc chunk (LZ4, byte shuffle, unsplit) with stored streams: needs no
/// compressor and allows any number of blocks. Their order in the file differs from
/// their rows' order, as a multi-threaded writer may produce.
inline std::vector<std::byte> blosc_by_hand(std::span<const std::byte> records,
                                            std::size_t record_size,
                                            std::size_t block_rows) {
  const auto blocksize = block_rows * record_size;
  const auto blocks = (records.size() + blocksize - 1) / blocksize;
  std::vector<std::byte> chunk(16 + 4 * blocks);
  chunk[0] = std::byte{2};
  chunk[1] = std::byte{1};
  chunk[2] = std::byte{0x31};
  chunk[3] = static_cast<std::byte>(record_size);
  for (std::size_t i = 0; i < blocks; ++i) {
    const auto block = i % 2 == 0 && i + 1 < blocks ? i + 1 : i - i % 2;
    const auto part = records.subspan(block * blocksize);
    const auto rows = std::min(block_rows, part.size() / record_size);
    store_le(chunk.data() + 16 + 4 * block, static_cast<std::uint32_t>(chunk.size()));
    chunk.resize(chunk.size() + 4);
    store_le(chunk.data() + chunk.size() - 4,
             static_cast<std::uint32_t>(rows * record_size));
    for (std::size_t plane = 0; plane < record_size; ++plane) {
      for (std::size_t row = 0; row < rows; ++row) {
        chunk.push_back(part[row * record_size + plane]);
      }
    }
  }
  store_le(chunk.data() + 4, static_cast<std::uint32_t>(records.size()));
  store_le(chunk.data() + 8, static_cast<std::uint32_t>(blocksize));
  store_le(chunk.data() + 12, static_cast<std::uint32_t>(chunk.size()));
  return chunk;
}

}  // namespace bev::test
