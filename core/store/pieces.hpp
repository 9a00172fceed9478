#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/store/object_cache.hpp"
#include "core/store/request.hpp"

namespace bev::store {

/// What is held of one object in pieces, none of which overlaps another.
///
/// Lifetime  A snapshot: it keeps its pieces readable whatever the cache does.
class Pieces {
 public:
  /// `object` holds the bytes from `begin` on; pieces are added by ascending begin.
  void add(std::uint64_t begin, ObjectRef object);

  bool empty() const noexcept { return pieces_.empty(); }

  /// The parts of `range` that are not held, ascending.
  std::vector<ByteRange> holes(ByteRange range) const;

  /// The pieces that hold any of `range`.
  std::vector<ObjectRef> within(ByteRange range) const;

  /// Whether any of `range` is held.
  bool touches(ByteRange range) const noexcept;

  /// What is held of `range`, counted from where that begins: as of an object that ends
  /// where the range does, if not before.
  Pieces part(ByteRange range) const;

  /// The bytes of `range`, if one piece holds them all, and that piece.
  struct Sole {
    ObjectRef owner;
    std::span<const std::byte> bytes;
  };
  std::optional<Sole> sole(ByteRange range) const;

  /// Copies bytes that are all held.
  void copy(ByteRange range, std::byte* out) const;

  /// The first `size` bytes, which are all held, as a copy.
  OwnedBytes all(std::size_t size) const;

  /// The object's size, where an answer was cut at its end, or a part's.
  std::optional<std::uint64_t> end() const noexcept;

 private:
  struct Piece {
    std::uint64_t begin = 0;
    ObjectRef object;
    std::span<const std::byte> bytes;
    std::uint64_t end() const noexcept { return begin + bytes.size(); }
  };

  /// The first piece that ends behind `begin`.
  std::vector<Piece>::const_iterator first_behind(std::uint64_t begin) const;

  std::vector<Piece> pieces_;
  std::optional<std::uint64_t> end_;  // of a part
};

/// Ranges that ascend, as fewer of them: those are joined that touch or overlap.
std::vector<ByteRange> joined(std::vector<ByteRange> ranges);

}  // namespace bev::store
