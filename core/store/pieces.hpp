#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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

  /// Copies bytes that are all held.
  void copy(ByteRange range, std::byte* out) const;

  /// The object's size, where an answer was cut at its end.
  std::optional<std::uint64_t> end() const noexcept;

 private:
  struct Piece {
    std::uint64_t begin = 0;
    ObjectRef object;
    std::uint64_t end() const noexcept { return begin + object->bytes.size(); }
  };

  std::vector<Piece> pieces_;
};

/// Ranges that ascend, as fewer of them: those are joined that touch or overlap.
std::vector<ByteRange> joined(std::vector<ByteRange> ranges);

}  // namespace bev::store
