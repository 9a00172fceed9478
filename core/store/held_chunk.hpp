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

/// How much of a chunk to ask for: what its rows need, or all of it, for its other rows
/// are going to be wanted soon.
enum class Access { parts, whole };

/// A chunk of an array of one axis that is in memory: as one object, or in pieces.
///
/// Lifetime  Keeps what it was made of readable.
class HeldChunk {
 public:
  /// The chunk if all that `rows` need of it is held, which is pinned by the plan.
  /// If not, it is wanted of the plan: the whole, or the ranges of bytes that are
  /// missing. What decides is in README.md beside this file.
  ///
  /// @param rows    inside of the chunk, ascending
  /// @throws Error  what ChunkLayout says of the chunk; the store remembers it
  static std::optional<HeldChunk> find(ChunkFinder& finder, std::uint64_t number,
                                       std::span<const zarr::RowRange> rows,
                                       Access access);

  std::uint64_t number() const noexcept { return number_; }
  /// The object it is in, and the chunk's name in messages.
  const std::string& key() const noexcept { return place_.found.object; }
  const std::string& name() const noexcept { return place_.found.name; }
  bool absent() const noexcept { return place_.found.absent; }

  /// Rows that are best decoded at a time; 0 where it does not matter.
  std::size_t unit_rows() const;

  /// zarr::decode_columns of rows that find() was asked for, or others of their units.
  void decode(zarr::RowRange rows, std::span<const zarr::ColumnSlot> slots) const;

 private:
  HeldChunk(const Array& array, std::uint64_t number, ChunkPlace place)
      : array_(&array), number_(number), place_(std::move(place)) {}

  zarr::EncodedChunk encoded() const { return {place_.found.name, place_.found.bytes}; }

  const Array* array_;
  std::uint64_t number_;
  ChunkPlace place_;
  std::shared_ptr<const zarr::ChunkLayout> layout_;  // null: it is all there
};

}  // namespace bev::store
