#include "core/store/held_chunk.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"

namespace bev::store {

namespace {

using zarr::ChunkLayout;
using zarr::RowRange;

// Cost of a round trip in bytes: what 50 ms at 10 Mbit/s transfer.
constexpr std::uint64_t kRoundBytes = std::uint64_t{64} << 10;
// Cost of one more request in the same round, in bytes.
constexpr std::uint64_t kGapBytes = std::uint64_t{16} << 10;
// Covers header and table of nearly every chunk, and fills a packet at most.
constexpr std::size_t kHeadBytes = 512;
// Assumed compression ratio of an array before its first chunk is read.
constexpr std::uint64_t kUsualRatio = 4;

std::uint64_t sum(std::span<const ByteRange> ranges) {
  std::uint64_t bytes = 0;
  for (const auto range : ranges) bytes += range.size();
  return bytes;
}

/// One attempt to find a chunk in pieces.
class Search {
 public:
  Search(ChunkFinder& finder, std::uint64_t number, const ChunkLocation& place)
      : finder_(finder),
        array_(finder.array()),
        place_(place),
        pieces_(place.pieces),
        rows_(array_.length() - number * array_.meta.chunk_rows()),
        stats_(finder.store().array_stats(array_)) {
    rows_ = std::min(rows_, array_.meta.chunk_rows());
  }

  bool run(std::span<const RowRange> rows, Access access) {
    if (pieces_.empty() && begin_whole(rows, access)) {
      finder_.request(place_);
      return false;
    }
    return have_head() && have_rows(rows, access);
  }

 private:
  // Decides before the first read: returns whether the chunk is so small, or so much of
  // it is needed, that a round trip for its table does not pay.
  bool begin_whole(std::span<const RowRange> rows, Access access) const {
    if (access == Access::whole) return true;
    const auto& meta = array_.meta;
    const bool raw = meta.compressor.id == zarr::Compressor::Id::none;
    const auto ratio = raw ? std::uint64_t{1} : kUsualRatio;
    auto whole = stats_.chunk_bytes > 0 ? std::uint64_t{stats_.chunk_bytes}
                                        : meta.chunk_bytes() / ratio;
    if (place_.range) whole = place_.bytes();
    // Rows are read with others of their blocks. A chunk that is not full is smaller.
    const auto beside = static_cast<double>(rows_) / 16;
    std::uint64_t needed = 0;
    std::uint64_t end = 0;
    for (const auto range : rows) {  // a list may name a row several times
      if (range.end <= end) continue;
      needed += range.end - std::max<std::uint64_t>(range.begin, end);
      end = range.end;
    }
    const auto unneeded = static_cast<double>(rows_ - needed) - beside;
    const auto extra = raw ? kGapBytes : kRoundBytes;
    return static_cast<double>(whole) * unneeded <=
           static_cast<double>(extra) * static_cast<double>(meta.chunk_rows());
  }

  bool have_head() {
    auto size = ChunkLayout::head_bytes(array_.meta, {name(), {}});
    if (!request_unless_held(size)) return false;
    read_head(size);
    const auto all = ChunkLayout::head_bytes(array_.meta, {name(), head_});
    stats_.head_bytes = std::max(stats_.head_bytes, all);
    if (!request_unless_held(all)) return false;
    read_head(all);
    layout = std::make_shared<const ChunkLayout>(array_.meta,
                                                 zarr::EncodedChunk{name(), head_});
    stats_.chunk_bytes = layout->bytes();
    check_end(layout->bytes());
    if (place_.range && layout->bytes() != place_.bytes()) {
      fail(Errc::corrupt_chunk,
           {name(), ": wrong length (found ", place_.bytes(),
            " bytes in the shard, expected ", layout->bytes(), ")"});
    }
    return true;
  }

  bool request_unless_held(std::size_t size) {
    auto holes = pieces_.holes({0, size});
    pin({0, size});
    if (holes.empty()) return true;
    check_end(size);
    std::uint64_t usual = std::max(kHeadBytes, stats_.head_bytes);
    if (place_.range) usual = std::min(usual, place_.bytes());
    if (holes.front().begin == 0) {
      holes = pieces_.holes({0, std::max<std::uint64_t>(size, usual)});
    }
    finder_.request(place_, std::move(holes));
    return false;
  }

  void read_head(std::size_t size) {
    head_.resize(size);
    pieces_.copy({0, size}, head_.data());
  }

  // An answer that the source cut short ends the object: bytes after it are not
  // requested again.
  void check_end(std::size_t size) const {
    const auto end = pieces_.end();
    if (!end || *end >= size) return;
    fail(Errc::corrupt_chunk, {name(), ": truncated (found ", *end,
                               " bytes, expected at least ", size, ")"});
  }

  bool have_rows(std::span<const RowRange> rows, Access access) {
    const auto ranges = ranges_of(rows);
    std::vector<ByteRange> missing;
    for (const auto range : ranges) {
      pin(range);
      for (const auto hole : pieces_.holes(range)) missing.push_back(hole);
    }
    auto rest = pieces_.holes({0, layout->bytes()});
    if (missing.empty() && (access == Access::parts || rest.empty())) {
      joinable = rest.empty();
      return true;
    }
    const bool all = finish_whole(sum(missing), sum(rest), access);
    finder_.request(place_, std::move(all ? rest : missing));
    return false;
  }

  // Returns whether so little of the chunk is missing, or so much of it is needed by
  // now, that the rest is requested too.
  bool finish_whole(std::uint64_t missing, std::uint64_t rest, Access access) const {
    if (access == Access::whole || layout->unit_rows() == 0) return true;
    const auto held = layout->bytes() - rest;
    return rest <= missing + kGapBytes || 3 * (held + missing) >= layout->bytes();
  }

  // Returns the byte ranges of these rows, ascending. Ranges with a small gap are
  // merged.
  std::vector<ByteRange> ranges_of(std::span<const RowRange> rows) const {
    if (layout->unit_rows() == 0) return {{0, layout->bytes()}};
    std::vector<ByteRange> ranges;
    for (const auto range : rows) {
      layout->byte_ranges(layout->whole_units(range), ranges);
    }
    ranges = merged(std::move(ranges));
    std::vector<ByteRange> out;
    for (const auto range : ranges) {
      const bool near = !out.empty() && range.begin - out.back().end <= kGapBytes;
      if (near && !pieces_.touches({out.back().end, range.begin})) {
        out.back().end = range.end;
      } else {
        out.push_back(range);
      }
    }
    return out;
  }

  void pin(ByteRange range) { finder_.pin(place_, range); }
  const std::string& name() const { return place_.found.name; }

  ChunkFinder& finder_;
  const Array& array_;
  const ChunkLocation& place_;
  const HeldRanges& pieces_;
  std::uint64_t rows_;  // rows of the array in this chunk
  Store::ArrayStats& stats_;
  std::vector<std::byte> head_;

 public:
  std::shared_ptr<const ChunkLayout> layout;
  bool joinable = false;
};

}  // namespace

std::optional<HeldChunk> HeldChunk::find(ChunkFinder& finder, std::uint64_t number,
                                         std::span<const RowRange> rows,
                                         Access access) {
  const auto& array = finder.array();
  auto& store = finder.store();
  auto place = finder.locate(std::span(&number, 1));
  if (!place) return std::nullopt;
  if (!place->known() && ChunkLayout::possible(array.meta)) {
    Search search(finder, number, *place);
    try {
      if (!search.run(rows, access)) return std::nullopt;
    } catch (const Error& error) {
      if (error.code() == Errc::corrupt_chunk) {
        store.remember_failure(place->found.object, place->found.name, error);
      }
      throw;
    }
    if (!search.joinable) {
      HeldChunk chunk(array, number, *std::move(place));
      chunk.layout_ = std::move(search.layout);
      return chunk;
    }
    finder.join(*place, search.layout->bytes());
  }
  if (!finder.complete(*place)) return std::nullopt;
  if (place->found.owner && !place->found.absent) {
    store.array_stats(array).chunk_bytes = place->found.bytes.size();
  }
  return HeldChunk(array, number, *std::move(place));
}

std::size_t HeldChunk::unit_rows() const {
  if (layout_) return layout_->unit_rows();
  return zarr::unit_rows_of(array_->meta, encoded());
}

void HeldChunk::decode(RowRange rows, std::span<const zarr::ColumnSlot> slots) const {
  if (!layout_) {
    zarr::decode_columns(array_->meta, encoded(), rows, slots);
    return;
  }
  const auto units = layout_->whole_units(rows);
  std::vector<std::byte> part;
  layout_->part_head(units, part);
  std::vector<ByteRange> ranges;
  layout_->byte_ranges(units, ranges);
  for (const auto range : ranges) {
    const auto at = part.size();
    part.resize(at + static_cast<std::size_t>(range.size()));
    place_.pieces.copy(range, part.data() + at);
  }
  zarr::decode_part(
      array_->meta, {place_.found.name, part, layout_->block_of(units.begin)},
      units.size(), {rows.begin - units.begin, rows.end - units.begin}, slots);
}

}  // namespace bev::store
