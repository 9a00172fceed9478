#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/store/object_cache.hpp"
#include "core/store/request.hpp"

namespace bev::store {

/// The pieces of one object that are in memory. Pieces do not overlap.
///
/// Lifetime  A snapshot: it keeps its pieces readable, even if the cache evicts them.
class HeldRanges {
 public:
  /// Adds a piece whose first byte is at `begin`. Pieces are added by ascending begin.
  void add(std::uint64_t begin, ObjectRef object);

  bool empty() const noexcept { return pieces_.empty(); }

  /// Returns the parts of `range` that are not in memory, ascending.
  std::vector<ByteRange> holes(ByteRange range) const;

  /// Returns the pieces that overlap `range`.
  std::vector<ObjectRef> within(ByteRange range) const;

  /// Returns whether any byte of `range` is in memory.
  bool touches(ByteRange range) const noexcept;

  /// Returns the pieces within `range`, with offsets relative to its begin. The
  /// result's end() is the end of `range`, or the object's end if that comes first.
  HeldRanges part(ByteRange range) const;

  /// The bytes of `range` and the one piece that holds them all, if there is such a
  /// piece.
  struct Sole {
    ObjectRef owner;
    std::span<const std::byte> bytes;
  };
  std::optional<Sole> sole(ByteRange range) const;

  /// Copies `range`, which must be entirely in memory.
  void copy(ByteRange range, std::byte* out) const;

  /// Returns a copy of the first `size` bytes, which must all be in memory.
  OwnedBytes all(std::size_t size) const;

  /// Returns the object's size, if an answer was cut at its end; a part's end for a
  /// part.
  std::optional<std::uint64_t> end() const noexcept;

 private:
  struct Piece {
    std::uint64_t begin = 0;
    ObjectRef object;
    std::span<const std::byte> bytes;
    std::uint64_t end() const noexcept { return begin + bytes.size(); }
  };

  /// Returns the first piece that ends after `begin`.
  std::vector<Piece>::const_iterator first_after(std::uint64_t begin) const;

  std::vector<Piece> pieces_;
  std::optional<std::uint64_t> end_;  // set for a part
};

/// Sorts the ranges and merges those that touch or overlap.
std::vector<ByteRange> merged(std::vector<ByteRange> ranges);

}  // namespace bev::store
