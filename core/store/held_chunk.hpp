#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "core/store/chunk_finder.hpp"
#include "core/zarr/chunk_layout.hpp"

namespace bev::store {

/// How much of a chunk to request: the byte ranges of the selected rows, or the whole
/// chunk, because its other rows will be read soon.
enum class Access { parts, whole };

/// A chunk of a one-dimensional array in memory, as one object or in pieces.
///
/// Lifetime  Keeps its bytes readable.
class HeldChunk {
 public:
  /// Returns the chunk if all bytes that `rows` need are in memory; the plan then pins
  /// them. If not, requests the whole chunk or the byte ranges not in memory and
  /// returns nullopt. README.md in this directory explains the choice.
  ///
  /// @param rows    within the chunk, ascending
  /// @throws Error  as ChunkLayout; the store remembers corrupt_chunk
  static std::optional<HeldChunk> find(ChunkFinder& finder, std::uint64_t number,
                                       std::span<const zarr::RowRange> rows,
                                       Access access);

  std::uint64_t number() const noexcept { return number_; }
  /// The key of the object that holds the chunk, and the chunk's name in messages.
  const std::string& key() const noexcept { return place_.found.object; }
  const std::string& name() const noexcept { return place_.found.name; }
  bool absent() const noexcept { return place_.found.absent; }

  /// Returns the number of rows that decode together; 0 if any number costs the same.
  std::size_t unit_rows() const;

  /// Calls zarr::decode_columns for rows passed to find(), or other rows of the same
  /// units.
  void decode(zarr::RowRange rows, std::span<const zarr::ColumnSlot> slots) const;

 private:
  HeldChunk(const Array& array, std::uint64_t number, ChunkLocation place)
      : array_(&array), number_(number), place_(std::move(place)) {}

  zarr::EncodedChunk encoded() const { return {place_.found.name, place_.found.bytes}; }

  const Array* array_;
  std::uint64_t number_;
  ChunkLocation place_;
  std::shared_ptr<const zarr::ChunkLayout> layout_;  // null: the whole chunk is in
                                                     // memory
};

}  // namespace bev::store
