#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/store/reader.hpp"

namespace bev::store {

namespace {

// A block of the decoded tier: about two Blosc blocks of L5Kit's agents, so that what
// is decoded beside the rows of a frame costs little; fewer rows where records are
// large.
constexpr std::size_t kBlockRows = 2048;
constexpr std::size_t kBlockBytes = std::size_t{512} << 10;
// A longer run is decoded straight into the result: it would only flush the tier.
constexpr std::size_t kDirectBlocks = 4;

std::size_t rows_per_block(const zarr::ArrayMeta& meta) {
  const auto size = std::max<std::size_t>(1, meta.dtype.size());
  return std::clamp<std::size_t>(kBlockBytes / size, 1, kBlockRows);
}

/// A chunk that is in memory.
struct Chunk {
  std::uint64_t number = 0;
  std::string key;
  ObjectRef object;
};

/// Copies rows of chunks in memory into the slots of one read.
class ColumnGather {
 public:
  ColumnGather(Store& store, const Array& array,
               std::span<const zarr::ColumnSlot> slots)
      : store_(store),
        array_(array),
        slots_(slots),
        block_rows_(rows_per_block(array.meta)) {}

  /// Rows [begin, end) of the chunk, to position `at` of the result.
  void copy_run(const Chunk& chunk, std::size_t begin, std::size_t end,
                std::size_t at) {
    if (chunk.object->absent) {
      fill(at, end - begin);
    } else if (end - begin > kDirectBlocks * block_rows_) {
      decode(chunk, {begin, end}, slots_at(at, end - begin));
    } else {
      copy_blocks(chunk, begin, end, at);
    }
  }

 private:
  void copy_blocks(const Chunk& chunk, std::size_t begin, std::size_t end,
                   std::size_t at) {
    for (auto row = begin; row < end;) {
      const auto block = row / block_rows_;
      const auto stop = std::min(end, (block + 1) * block_rows_);
      load(chunk, block);
      copy_from_block(row - block * block_rows_, stop - row, at + (row - begin));
      row = stop;
    }
  }

  void copy_from_block(std::size_t first, std::size_t count, std::size_t at) const {
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      const auto size = slots_[i].size;
      if (size == 0) continue;
      std::memcpy(slots_[i].out.data() + at * size, views_[i]->data() + first * size,
                  count * size);
    }
  }

  void fill(std::size_t at, std::size_t count) const {
    for (const auto& slot : slots_) {
      const auto* element = array_.meta.fill.data() + slot.offset;
      auto* out = slot.out.data() + at * slot.size;
      for (std::size_t i = 0; i < count && slot.size > 0; ++i) {
        std::memcpy(out + i * slot.size, element, slot.size);
      }
    }
  }

  std::vector<zarr::ColumnSlot> slots_at(std::size_t at, std::size_t count) const {
    std::vector<zarr::ColumnSlot> part;
    for (const auto& slot : slots_) {
      if (slot.size == 0) continue;
      part.push_back({slot.offset, slot.size,
                      slot.out.subspan(at * slot.size, count * slot.size)});
    }
    return part;
  }

  /// Makes views_ the block's columns: from the tier, or decoded and put there.
  void load(const Chunk& chunk, std::size_t block) {
    if (chunk.number == chunk_ && block == block_ && !views_.empty()) return;
    views_.assign(slots_.size(), nullptr);
    const auto begin = block * block_rows_;
    const auto end = static_cast<std::size_t>(
        std::min<std::uint64_t>(begin + block_rows_, array_.meta.chunk_rows()));
    std::vector<std::vector<std::byte>> fresh(slots_.size());
    std::vector<zarr::ColumnSlot> wanted;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      const auto size = slots_[i].size;
      if (size == 0) continue;
      views_[i] = store_.blocks().find(id(chunk, block, slots_[i]));
      if (views_[i]) continue;
      fresh[i].resize((end - begin) * size);
      wanted.push_back({slots_[i].offset, size, fresh[i]});
    }
    if (!wanted.empty()) decode(chunk, {begin, end}, wanted);
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      if (fresh[i].empty()) continue;
      views_[i] =
          store_.blocks().insert(id(chunk, block, slots_[i]), std::move(fresh[i]));
    }
    chunk_ = chunk.number;
    block_ = block;
  }

  BlockId id(const Chunk& chunk, std::size_t block,
             const zarr::ColumnSlot& slot) const {
    return {array_.id, static_cast<std::uint32_t>(block), chunk.number, slot.offset,
            slot.size};
  }

  void decode(const Chunk& chunk, zarr::RowRange rows,
              std::span<const zarr::ColumnSlot> slots) {
    try {
      zarr::decode_columns(array_.meta, {chunk.key, chunk.object->bytes}, rows, slots);
    } catch (const Error& error) {
      if (error.code() == Errc::corrupt_chunk) store_.forget(chunk.key);
      throw;
    }
  }

  Store& store_;
  const Array& array_;
  std::span<const zarr::ColumnSlot> slots_;
  std::size_t block_rows_;
  std::uint64_t chunk_ = 0;
  std::size_t block_ = 0;
  std::vector<BlockCache::Block> views_;
};

void gather_run(ColumnGather& gather, std::span<const Chunk> chunks,
                const RowSelection& rows, std::uint64_t chunk_rows) {
  const auto end = rows.first + rows.count;
  for (const auto& chunk : chunks) {
    const auto base = chunk.number * chunk_rows;
    const auto from = std::max(rows.first, base);
    const auto to = base + std::min(end - base, chunk_rows);
    gather.copy_run(chunk, static_cast<std::size_t>(from - base),
                    static_cast<std::size_t>(to - base),
                    static_cast<std::size_t>(from - rows.first));
  }
}

void gather_scattered(ColumnGather& gather, std::span<const Chunk> chunks,
                      const RowSelection& rows, std::uint64_t chunk_rows) {
  for (std::size_t i = 0; i < rows.count; ++i) {
    const auto row = rows.row(i);
    const auto chunk = std::lower_bound(
        chunks.begin(), chunks.end(), row / chunk_rows,
        [](const Chunk& a, std::uint64_t number) { return a.number < number; });
    const auto at = static_cast<std::size_t>(row % chunk_rows);
    gather.copy_run(*chunk, at, at + 1, i);
  }
}

}  // namespace

bool Reader::read_columns(const Array& array, const RowSelection& rows,
                          std::span<const zarr::ColumnSlot> slots) {
  const auto chunk_rows = array.meta.chunk_rows();
  std::vector<Chunk> chunks;
  bool here = true;
  for (const auto number : chunks_of(rows, chunk_rows, array.name())) {
    auto key = array.key(std::span(&number, 1));
    auto object = store_.touch(key, plan_);
    here = here && object;
    chunks.push_back({number, std::move(key), std::move(object)});
  }
  if (!here) return false;
  ColumnGather gather(store_, array, slots);
  if (rows.contiguous()) {
    gather_run(gather, chunks, rows, chunk_rows);
  } else {
    gather_scattered(gather, chunks, rows, chunk_rows);
  }
  return true;
}

}  // namespace bev::store
