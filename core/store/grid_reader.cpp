#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/base/checked.hpp"
#include "core/base/error.hpp"
#include "core/store/element_slots.hpp"
#include "core/store/reader.hpp"
#include "core/zarr/region.hpp"

namespace bev::store {

namespace {

constexpr std::uint64_t kMaxChunksPerRow = std::uint64_t{1} << 20;

/// Rows [begin, end) of the array, which go to position `at` of the result.
struct Run {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::size_t at = 0;
};

/// Returns the selection as runs in ascending order; no run crosses a chunk.
std::vector<Run> runs_of(const RowSelection& rows, std::uint64_t chunk_rows) {
  std::vector<std::size_t> order(rows.count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(rows.row(a), a) < std::pair(rows.row(b), b);
  });
  std::vector<Run> runs;
  for (const auto at : order) {
    const auto row = rows.row(at);
    if (!runs.empty() && row % chunk_rows != 0) {
      auto& last = runs.back();
      const auto next = last.at + static_cast<std::size_t>(last.end - last.begin);
      if (row == last.end && at == next) {
        ++last.end;
        continue;
      }
    }
    runs.push_back({row, row + 1, at});
  }
  return runs;
}

void check_chunks_per_row(const Array& array) {
  std::uint64_t count = 1;
  for (std::size_t axis = 1; axis < array.meta.shape.size(); ++axis) {
    const auto length = array.meta.shape[axis];
    const auto chunk = array.meta.chunks[axis];
    const auto chunks = length / chunk + (length % chunk != 0 ? 1 : 0);
    count = checked_mul(count, chunks).value_or(kMaxChunksPerRow + 1);
    if (count > kMaxChunksPerRow) {
      fail(Errc::out_of_memory,
           {array.name(), ": a row lies in more than ", kMaxChunksPerRow, " chunks"});
    }
  }
}

/// A chunk of the grid and the runs within it.
struct GridChunk {
  zarr::ChunkIndex index;
  EncodedBytes encoded;
  std::span<const Run> runs;
};

/// Returns the leading runs that share a chunk along the first axis.
std::span<const Run> first_group(std::span<const Run> runs, std::uint64_t chunk_rows) {
  std::size_t size = 1;
  const auto number = runs.front().begin / chunk_rows;
  while (size < runs.size() && runs[size].begin / chunk_rows == number) ++size;
  return runs.first(size);
}

}  // namespace

bool Reader::read_grid(const Array& array, const RowSelection& rows,
                       std::span<const zarr::ColumnSlot> slots) {
  const auto& meta = array.meta;
  const auto row_bytes = zarr::row_bytes(meta);
  if (row_bytes == 0) return true;
  check_chunks_per_row(array);
  const auto total = result_bytes(array, rows.count, row_bytes);
  const auto runs = runs_of(rows, meta.chunk_rows());

  auto finder = finder_of(array);
  std::vector<GridChunk> chunks;
  bool here = true;
  for (std::span<const Run> rest = runs; !rest.empty();) {
    const auto group = first_group(rest, meta.chunk_rows());
    const auto row = group.front().begin;
    for (auto& index : zarr::chunks_of_rows(meta, {row, row + 1})) {
      auto encoded = finder.find(index);
      here = here && encoded;
      if (here) chunks.push_back({std::move(index), *std::move(encoded), group});
    }
    rest = rest.subspan(group.size());
  }
  if (!here) return false;

  ElementSlots elements(meta.dtype.size(), total, slots);
  const auto out = elements.bytes();
  std::vector<std::byte> decoded;
  for (const auto& chunk : chunks) {
    decode_grid_chunk(array, chunk.encoded, decoded);
    for (const auto& run : chunk.runs) {
      const auto part =
          out.subspan(run.at * row_bytes,
                      static_cast<std::size_t>(run.end - run.begin) * row_bytes);
      if (chunk.encoded.absent) {
        zarr::fill_region(meta, chunk.index, {run.begin, run.end}, part);
      } else {
        zarr::copy_region(meta, chunk.index, decoded, {run.begin, run.end}, part);
      }
    }
  }
  elements.finish();
  return true;
}

void Reader::decode_grid_chunk(const Array& array, const EncodedBytes& encoded,
                               std::vector<std::byte>& decoded) {
  if (encoded.absent) return;
  decoded.resize(result_bytes(array, 1, array.meta.chunk_bytes()));
  try {
    zarr::decode_chunk(array.meta, {encoded.name, encoded.bytes}, decoded);
  } catch (const Error& error) {
    if (error.code() == Errc::corrupt_chunk) {
      store_.remember_failure(encoded.object, encoded.name, error);
    }
    throw;
  }
}

}  // namespace bev::store
