#include "core/store/held_ranges.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace bev::store {

void HeldRanges::add(std::uint64_t begin, ObjectRef object) {
  const std::span<const std::byte> bytes = object->bytes;
  pieces_.push_back({begin, std::move(object), bytes});
}

std::vector<ByteRange> HeldRanges::holes(ByteRange range) const {
  std::vector<ByteRange> holes;
  for (const auto& piece : pieces_) {
    if (piece.end() <= range.begin) continue;
    if (piece.begin >= range.end) break;
    if (piece.begin > range.begin) holes.push_back({range.begin, piece.begin});
    range.begin = piece.end();
    if (range.begin >= range.end) return holes;
  }
  if (range.begin < range.end) holes.push_back(range);
  return holes;
}

std::vector<ObjectRef> HeldRanges::within(ByteRange range) const {
  std::vector<ObjectRef> found;
  for (const auto& piece : pieces_) {
    if (piece.end() > range.begin && piece.begin < range.end) {
      found.push_back(piece.object);
    }
  }
  return found;
}

bool HeldRanges::touches(ByteRange range) const noexcept {
  return std::any_of(pieces_.begin(), pieces_.end(), [&](const Piece& piece) {
    return piece.end() > range.begin && piece.begin < range.end;
  });
}

std::vector<HeldRanges::Piece>::const_iterator HeldRanges::first_after(
    std::uint64_t begin) const {
  return std::partition_point(pieces_.begin(), pieces_.end(),
                              [&](const Piece& piece) { return piece.end() <= begin; });
}

HeldRanges HeldRanges::part(ByteRange range) const {
  HeldRanges out;
  for (auto at = first_after(range.begin); at != pieces_.end(); ++at) {
    if (at->begin >= range.end) break;
    const auto begin = std::max(at->begin, range.begin);
    const auto end = std::min(at->end(), range.end);
    const auto bytes = at->bytes.subspan(static_cast<std::size_t>(begin - at->begin),
                                         static_cast<std::size_t>(end - begin));
    out.pieces_.push_back({begin - range.begin, at->object, bytes});
  }
  const auto last = std::min(end().value_or(range.end), range.end);
  out.end_ = last - std::min(last, range.begin);
  return out;
}

std::optional<HeldRanges::Sole> HeldRanges::sole(ByteRange range) const {
  const auto at = first_after(range.begin);
  if (at == pieces_.end() || at->begin > range.begin || at->end() < range.end) {
    return std::nullopt;
  }
  const auto bytes =
      at->bytes.subspan(static_cast<std::size_t>(range.begin - at->begin),
                        static_cast<std::size_t>(range.end - range.begin));
  return Sole{at->object, bytes};
}

void HeldRanges::copy(ByteRange range, std::byte* out) const {
  for (const auto& piece : pieces_) {
    const auto begin = std::max(range.begin, piece.begin);
    const auto end = std::min(range.end, piece.end());
    if (begin >= end) continue;
    std::memcpy(out + (begin - range.begin), piece.bytes.data() + (begin - piece.begin),
                static_cast<std::size_t>(end - begin));
  }
}

OwnedBytes HeldRanges::all(std::size_t size) const {
  RawBytes bytes(size);
  copy({0, size}, bytes.data());
  return bytes;
}

std::optional<std::uint64_t> HeldRanges::end() const noexcept {
  if (end_) return end_;
  for (const auto& piece : pieces_) {
    if (piece.object->ends) return piece.end();
  }
  return std::nullopt;
}

std::vector<ByteRange> merged(std::vector<ByteRange> ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](ByteRange a, ByteRange b) { return a.begin < b.begin; });
  std::vector<ByteRange> out;
  for (const auto range : ranges) {
    if (out.empty() || range.begin > out.back().end) {
      out.push_back(range);
    } else {
      out.back().end = std::max(out.back().end, range.end);
    }
  }
  return out;
}

}  // namespace bev::store
