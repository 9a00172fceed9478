#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "core/save/chunk_length.hpp"

namespace bev::save {

/// Consecutive rows of an attribute, not encoded.
struct RowBlock {
  std::uint64_t first = 0;
  std::vector<std::byte> bytes;
};

/// Divides an attribute's rows into chunks. Holds the rows that do not fill a chunk.
/// The chunks depend on the rows alone, not on the batches in which they arrive.
class Chunker {
 public:
  /// Throws  unsupported for a compressor that cannot encode
  Chunker(const DataConfig& config, const Attribute& attribute);

  /// Continues after `first` rows, which were divided into chunks of `chunk_rows`.
  void resume(std::uint64_t first, std::optional<std::uint64_t> chunk_rows);

  /// Appends whole rows.
  void append(std::span<const std::byte> rows);

  /// Removes and returns the next full chunk; nullopt if there is none.
  std::optional<RowBlock> take();

  /// Returns a copy of the rows that fill no chunk, after the full ones are taken.
  RowBlock rest() const { return {first_, pending_}; }

  /// Returns the rows per chunk; nullopt until they are found.
  std::optional<std::uint64_t> chunk_rows() const noexcept { return chunk_rows_; }

 private:
  void fill(std::span<const std::byte> rows);

  std::size_t row_bytes_;
  ChunkLength length_;
  std::optional<std::uint64_t> chunk_rows_;
  std::uint64_t first_ = 0;  // row of pending_
  std::vector<std::byte> pending_;
  std::deque<RowBlock> full_;
};

}  // namespace bev::save
