#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/owned_bytes.hpp"
#include "core/base/parallel.hpp"
#include "core/store/reader.hpp"

namespace bev::store {

namespace {

// Rows per cached block for chunks without a decoding unit; fewer if records are large.
constexpr std::size_t kBlockRows = 2048;
constexpr std::size_t kBlockBytes = std::size_t{512} << 10;
// Longer runs are decoded straight into the result: they would only flush the block
// cache. Runs around a sample are shorter, and other samples read them again.
constexpr std::size_t kDirectRows = 4 * kBlockRows;
// Up to 1/4 of a block that is read for the first time is decoded without its other
// rows. Otherwise a random access would spend most of its time on neighbours.
constexpr std::size_t kFewOfBlock = 4;

std::size_t rows_per_block(const zarr::ArrayMeta& meta) {
  const auto size = std::max<std::size_t>(1, meta.dtype.size());
  return std::clamp<std::size_t>(kBlockBytes / size, 1, kBlockRows);
}

/// The rows of a selection, grouped by chunk.
///
/// Lifetime  The selection outlives it.
class RowsByChunk {
 public:
  RowsByChunk(const RowSelection& rows, std::uint64_t chunk_rows)
      : rows_(rows),
        chunk_rows_(chunk_rows),
        sorted_(rows.indices.begin(), rows.indices.end()) {
    std::sort(sorted_.begin(), sorted_.end());
  }

  /// Returns the rows in one chunk, ascending, relative to the chunk's first row. Valid
  /// until the next call.
  std::span<const zarr::RowRange> inside(std::uint64_t chunk) {
    const auto base = chunk * chunk_rows_;
    if (sorted_.empty()) {
      const auto last = rows_.last() - base;
      const auto begin = std::max(rows_.first, base) - base;
      const auto end = std::min(last, chunk_rows_ - 1) + 1;
      run_ = {static_cast<std::size_t>(begin), static_cast<std::size_t>(end)};
      return {&run_, 1};
    }
    found_.clear();
    const auto first = static_cast<std::int64_t>(base);
    auto at = std::lower_bound(sorted_.begin(), sorted_.end(), first);
    for (; at != sorted_.end(); ++at) {
      const auto row = static_cast<std::uint64_t>(*at) - base;
      if (row >= chunk_rows_) break;
      const auto position = static_cast<std::size_t>(row);
      found_.push_back({position, position + 1});
    }
    return found_;
  }

 private:
  const RowSelection& rows_;
  std::uint64_t chunk_rows_;
  std::vector<std::int64_t> sorted_;
  zarr::RowRange run_;
  std::vector<zarr::RowRange> found_;
};

/// Copies rows of chunks in memory into the slots of one read.
class ColumnCopier {
 public:
  /// @param in_one_run  whether copy_run() is called once per chunk, not once per row
  /// @param views       scratch memory
  ColumnCopier(Store& store, const Array& array,
               std::span<const zarr::ColumnSlot> slots, bool in_one_run,
               std::vector<BlockCache::Block>& views)
      : store_(store),
        array_(array),
        slots_(slots),
        in_one_run_(in_one_run),
        views_(views) {
    views_.clear();
  }

  /// Copies rows [begin, end) of the chunk to position `at` of the result. Long runs
  /// are copied by finish().
  void copy_run(const HeldChunk& chunk, std::size_t begin, std::size_t end,
                std::size_t at) {
    if (!chunk.absent()) enter(chunk);
    if (chunk.absent()) {
      fill(at, end - begin);
    } else if (end - begin > std::max(kDirectRows, 4 * block_rows_)) {
      long_runs_.push_back({&chunk, {begin, end}, at});
    } else {
      copy_blocks(chunk, begin, end, at);
    }
  }

  void finish() {
    std::vector<std::optional<Error>> errors(long_runs_.size());
    const auto decode_run = [&](std::size_t i) {
      const auto& run = long_runs_[i];
      try {
        run.chunk->decode(run.rows, slots_at(run.at, run.rows.size()));
      } catch (const Error& error) {
        errors[i] = error;
        throw;
      }
    };
    try {
      in_parallel(long_runs_.size(), decode_run);
    } catch (const Error&) {
      for (std::size_t i = 0; i < errors.size(); ++i) {
        if (errors[i]) remember(*long_runs_[i].chunk, *errors[i]);
      }
      throw;
    }
  }

 private:
  /// A run that is decoded straight into the result, independently of all others.
  struct LongRun {
    const HeldChunk* chunk;
    zarr::RowRange rows;
    std::size_t at;
  };

  void remember(const HeldChunk& chunk, const Error& error) {
    if (error.code() != Errc::corrupt_chunk) return;
    store_.remember_failure(chunk.key(), chunk.name(), error);
  }

  /// Returns the result of `work`. If it finds a damaged chunk, the store remembers
  /// that.
  template <class Work>
  auto guarded(const HeldChunk& chunk, const Work& work) {
    try {
      return work();
    } catch (const Error& error) {
      remember(chunk, error);
      throw;
    }
  }

  void enter(const HeldChunk& chunk) {
    if (chunk_ == &chunk) return;
    chunk_ = &chunk;
    views_.clear();
    const auto rows = guarded(chunk, [&] { return chunk.unit_rows(); });
    block_rows_ = rows > 0 ? rows : rows_per_block(array_.meta);
    few_rows_ = in_one_run_ ? rows / kFewOfBlock : 0;
  }

  void copy_blocks(const HeldChunk& chunk, std::size_t begin, std::size_t end,
                   std::size_t at) {
    for (auto row = begin; row < end;) {
      const auto block = row / block_rows_;
      const auto stop = std::min(end, (block + 1) * block_rows_);
      const auto to = at + (row - begin);
      if (find(chunk, block) || !bypasses_cache(chunk, block, stop - row)) {
        complete(chunk, block);
        copy_from_block(row - block * block_rows_, stop - row, to);
      } else {
        decode(chunk, {row, stop}, slots_at(to, stop - row));
      }
      row = stop;
    }
  }

  /// Returns whether only a few rows of a block are read and for the first time, so
  /// that they are decoded alone. A second read of the block, as in playback, caches
  /// it.
  bool bypasses_cache(const HeldChunk& chunk, std::size_t block, std::size_t rows) {
    return rows <= few_rows_ && !store_.blocks().seen_recently(id(chunk, block, {}));
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
    const auto& repeated = array_.meta.fill;
    for (const auto& slot : slots_) {
      if (slot.size == 0 || count == 0) continue;
      auto* out = slot.out.data() + at * slot.size;
      for (std::size_t i = 0; i < slot.size; ++i) {
        out[i] = repeated[(slot.offset + i) % repeated.size()];
      }
      for (std::size_t i = 1; i < count; ++i) {
        std::memcpy(out + i * slot.size, out, slot.size);
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

  /// Sets views_ to the cached columns of the block; returns whether all are cached.
  bool find(const HeldChunk& chunk, std::size_t block) {
    if (block == block_ && !views_.empty()) return complete_;
    block_ = block;
    complete_ = true;
    views_.assign(slots_.size(), nullptr);
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      if (slots_[i].size == 0) continue;
      views_[i] = store_.blocks().find(id(chunk, block, slots_[i]));
      complete_ = complete_ && views_[i];
    }
    return complete_;
  }

  /// Decodes the columns of the block that views_ lacks, and caches them.
  void complete(const HeldChunk& chunk, std::size_t block) {
    if (complete_) return;
    const auto begin = block * block_rows_;
    const auto end = static_cast<std::size_t>(
        std::min<std::uint64_t>(begin + block_rows_, array_.meta.chunk_rows()));
    std::vector<RawBytes> fresh(slots_.size());
    std::vector<zarr::ColumnSlot> missing;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      if (views_[i] || slots_[i].size == 0) continue;
      fresh[i].resize((end - begin) * slots_[i].size);
      missing.push_back({slots_[i].offset, slots_[i].size, fresh[i]});
    }
    decode(chunk, {begin, end}, missing);
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      if (fresh[i].empty()) continue;
      views_[i] =
          store_.blocks().insert(id(chunk, block, slots_[i]), std::move(fresh[i]));
    }
    complete_ = true;
  }

  BlockId id(const HeldChunk& chunk, std::size_t block,
             const zarr::ColumnSlot& slot) const {
    return {array_.id,           static_cast<std::uint32_t>(block_rows_),
            block * block_rows_, chunk.number(),
            slot.offset,         slot.size};
  }

  void decode(const HeldChunk& chunk, zarr::RowRange rows,
              std::span<const zarr::ColumnSlot> slots) {
    guarded(chunk, [&] { chunk.decode(rows, slots); });
  }

  Store& store_;
  const Array& array_;
  std::span<const zarr::ColumnSlot> slots_;
  const HeldChunk* chunk_ = nullptr;
  bool in_one_run_;
  std::size_t block_rows_ = 0;  // rows per block of chunk_
  std::size_t few_rows_ = 0;    // max. rows of its blocks to decode alone
  std::size_t block_ = 0;       // block number of views_
  bool complete_ = false;       // views_ has every column
  std::vector<BlockCache::Block>& views_;
  std::vector<LongRun> long_runs_;
};

/// Releases everything that a read has pinned when the read ends.
class ReleaseAtExit {
 public:
  ReleaseAtExit(std::vector<HeldChunk>& chunks, std::vector<BlockCache::Block>& blocks)
      : chunks_(chunks), blocks_(blocks) {}
  ~ReleaseAtExit() {
    chunks_.clear();
    blocks_.clear();
  }
  ReleaseAtExit(const ReleaseAtExit&) = delete;
  ReleaseAtExit& operator=(const ReleaseAtExit&) = delete;

 private:
  std::vector<HeldChunk>& chunks_;
  std::vector<BlockCache::Block>& blocks_;
};

void copy_contiguous(ColumnCopier& copier, std::span<const HeldChunk> chunks,
                     const RowSelection& rows, std::uint64_t chunk_rows) {
  const auto end = rows.first + rows.count;
  for (const auto& chunk : chunks) {
    const auto base = chunk.number() * chunk_rows;
    const auto from = std::max(rows.first, base);
    const auto to = base + std::min(end - base, chunk_rows);
    copier.copy_run(chunk, static_cast<std::size_t>(from - base),
                    static_cast<std::size_t>(to - base),
                    static_cast<std::size_t>(from - rows.first));
  }
}

void copy_scattered(ColumnCopier& copier, std::span<const HeldChunk> chunks,
                    const RowSelection& rows, std::uint64_t chunk_rows) {
  for (std::size_t i = 0; i < rows.count; ++i) {
    const auto row = rows.row(i);
    const auto chunk = std::lower_bound(
        chunks.begin(), chunks.end(), row / chunk_rows,
        [](const HeldChunk& a, std::uint64_t number) { return a.number() < number; });
    const auto at = static_cast<std::size_t>(row % chunk_rows);
    copier.copy_run(*chunk, at, at + 1, i);
  }
}

}  // namespace

bool Reader::find_chunks(const Array& array, const RowSelection& rows, Access access) {
  const auto chunk_rows = array.meta.chunk_rows();
  RowsByChunk parts(rows, chunk_rows);
  auto finder = finder_of(array);
  numbers_ = chunks_of(rows, chunk_rows, array.name(), std::move(numbers_));
  chunks_.clear();
  bool here = true;
  for (const auto number : numbers_) {
    auto chunk = HeldChunk::find(finder, number, parts.inside(number), access);
    here = here && chunk;
    if (here) chunks_.push_back(*std::move(chunk));
  }
  return here;
}

bool Reader::read_columns(const Array& array, const RowSelection& rows,
                          std::span<const zarr::ColumnSlot> slots, Access access) {
  const ReleaseAtExit at_end(chunks_, blocks_);
  if (!find_chunks(array, rows, access)) return false;
  const auto chunk_rows = array.meta.chunk_rows();
  ColumnCopier copier(store_, array, slots, rows.contiguous(), blocks_);
  if (rows.contiguous()) {
    copy_contiguous(copier, chunks_, rows, chunk_rows);
  } else {
    copy_scattered(copier, chunks_, rows, chunk_rows);
  }
  copier.finish();
  return true;
}

}  // namespace bev::store
