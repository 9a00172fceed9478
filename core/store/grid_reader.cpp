#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/base/checked.hpp"
#include "core/base/error.hpp"
#include "core/store/reader.hpp"
#include "core/zarr/box.hpp"

namespace bev::store {

namespace {

constexpr std::uint64_t kMaxChunksPerRow = std::uint64_t{1} << 20;

/// A range along the first axis, and the position of its first row in the result.
struct Run {
  zarr::AxisRange rows;
  std::size_t at = 0;
};

/// Boxes that differ only in their range along the first axis.
struct Boxes {
  zarr::Box box;          ///< with the first axis to be replaced by that of a run
  std::vector<Run> runs;  ///< ascending; several do not cross chunks
  std::size_t row_bytes = 0;
  std::size_t bytes = 0;  ///< of all elements

  const zarr::Box& of(const Run& run) {
    if (!box.empty()) box[0] = run.rows;
    return box;
  }
};

/// A chunk of the grid and the runs within it.
struct GridChunk {
  zarr::ChunkIndex index;
  EncodedBytes encoded;
  std::span<const Run> runs;
};

/// Output of whole decoded elements: the slot itself, if one slot takes whole elements;
/// otherwise a buffer that finish() splits into the slots.
///
/// Lifetime  The slots' buffers outlive it.
class ElementSlots {
 public:
  ElementSlots(std::size_t element_size, std::size_t bytes,
               std::span<const zarr::ColumnSlot> slots)
      : size_(element_size),
        slots_(slots),
        direct_(slots.size() == 1 && slots[0].size == element_size),
        own_(direct_ ? 0 : bytes) {}

  /// Returns the buffer for the elements, in the result's order.
  std::span<std::byte> bytes() noexcept {
    return direct_ ? slots_[0].out : std::span<std::byte>(own_);
  }

  void finish() {
    if (direct_) return;
    for (const auto& slot : slots_) split(slot);
  }

 private:
  void split(const zarr::ColumnSlot& slot) {
    const auto count = own_.size() / size_;
    for (std::size_t i = 0; i < count && slot.size > 0; ++i) {
      std::memcpy(slot.out.data() + i * slot.size,
                  own_.data() + i * size_ + slot.offset, slot.size);
    }
  }

  std::size_t size_;
  std::span<const zarr::ColumnSlot> slots_;
  bool direct_;
  std::vector<std::byte> own_;
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
      auto& count = last.rows.count;
      if (row == last.rows.first + count && at == last.at + count) {
        ++count;
        continue;
      }
    }
    runs.push_back({{row, 1}, at});
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
      fail_at(Errc::limit_exceeded, array.name(),
              {"too many chunks per row (expected at most ", kMaxChunksPerRow, ")"});
    }
  }
}

/// Returns the leading runs that share a chunk along the first axis.
std::span<const Run> first_group(std::span<const Run> runs, std::uint64_t chunk_rows) {
  std::size_t size = 1;
  const auto number = runs.front().rows.first / chunk_rows;
  while (size < runs.size() && runs[size].rows.first / chunk_rows == number) ++size;
  return runs.first(size);
}

void decode(ChunkFinder& finder, const EncodedBytes& encoded,
            std::vector<std::byte>& decoded) {
  const auto& array = finder.array();
  decoded.resize(result_bytes(array, 1, array.meta.chunk_bytes()));
  try {
    zarr::decode_chunk(array.meta, {encoded.name, encoded.bytes}, decoded);
  } catch (const Error& error) {
    if (error.code() == Errc::corrupt_chunk) {
      finder.store().remember_failure(encoded.object, encoded.name, error);
    }
    throw;
  }
}

/// Reads the boxes into the slots. Returns false, and requests the chunks that are not
/// in memory, if there are any. Each chunk is decoded once.
bool read_boxes(ChunkFinder finder, Boxes boxes,
                std::span<const zarr::ColumnSlot> slots) {
  const auto& meta = finder.array().meta;
  std::vector<GridChunk> chunks;
  bool here = true;
  for (std::span<const Run> rest = boxes.runs; !rest.empty();) {
    const auto group = first_group(rest, meta.chunk_rows());
    for (auto& index : zarr::chunks_of_box(meta, boxes.of(group.front()))) {
      auto encoded = finder.find(index);
      here = here && encoded;
      if (here) chunks.push_back({std::move(index), *std::move(encoded), group});
    }
    rest = rest.subspan(group.size());
  }
  if (!here) return false;

  ElementSlots elements(meta.dtype.size(), boxes.bytes, slots);
  std::vector<std::byte> decoded;
  for (const auto& chunk : chunks) {
    const bool absent = chunk.encoded.absent;
    if (!absent) decode(finder, chunk.encoded, decoded);
    for (const auto& run : chunk.runs) {
      const auto bytes = static_cast<std::size_t>(run.rows.count) * boxes.row_bytes;
      const auto out = elements.bytes().subspan(run.at * boxes.row_bytes, bytes);
      if (absent) {
        zarr::fill_box(meta, chunk.index, boxes.of(run), out);
      } else {
        zarr::copy_box(meta, chunk.index, decoded, boxes.of(run), out);
      }
    }
  }
  elements.finish();
  return true;
}

}  // namespace

bool Reader::read_grid(const Array& array, const RowSelection& rows,
                       std::span<const zarr::ColumnSlot> slots) {
  const auto row_bytes = zarr::row_bytes(array.meta);
  if (row_bytes == 0) return true;
  check_chunks_per_row(array);
  const auto bytes = result_bytes(array, rows.count, row_bytes);
  return read_boxes(finder_of(array),
                    {zarr::whole_box(array.meta),
                     runs_of(rows, array.meta.chunk_rows()), row_bytes, bytes},
                    slots);
}

bool Reader::read(const Array& array, const BoxSelection& selection,
                  std::span<const zarr::ColumnSlot> slots) {
  if (selection.count == 0) return true;
  const auto& box = selection.box;
  const auto range = box.empty() ? zarr::AxisRange{0, 1} : box[0];
  if (box.size() == 1) {
    const RowSelection rows{
        range.first, selection.count, range.step, {}, range.falling};
    return read(array, rows, slots);
  }
  const auto item = array.meta.dtype.size();
  if (item == 0) return true;
  const auto bytes = result_bytes(array, selection.count, item);
  const auto row_bytes = bytes / static_cast<std::size_t>(range.count);
  return read_boxes(finder_of(array), {box, {{range, 0}}, row_bytes, bytes}, slots);
}

}  // namespace bev::store
