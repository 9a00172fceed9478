#include "core/zarr/region.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>

#include "core/base/checked.hpp"
#include "core/base/error.hpp"

namespace bev::zarr {
namespace {

// A bound on the memory that metadata alone can ask for.
constexpr std::uint64_t kMostChunks = std::uint64_t{1} << 22;

// One axis of a copy: how many elements, and how far apart they are, in bytes.
struct Axis {
  std::size_t count;
  std::size_t from_stride;
  std::size_t to_stride;
};

// A copy of a box of elements. Outermost axis first; there is at least one.
struct BoxCopy {
  std::vector<Axis> axes;
  std::size_t from = 0;
  std::size_t to = 0;
  std::size_t item = 0;
};

[[noreturn]] void misuse(Message what) {
  fail(Errc::invalid_argument, {"region: ", joined(what)});
}

void copy_line(const Axis& axis, std::size_t item, const std::byte* from,
               std::byte* to) {
  if (axis.from_stride == item && axis.to_stride == item) {
    std::memcpy(to, from, axis.count * item);
    return;
  }
  for (std::size_t i = 0; i < axis.count; ++i) {
    std::memcpy(to + i * axis.to_stride, from + i * axis.from_stride, item);
  }
}

void copy_box(const BoxCopy& box, std::size_t depth, const std::byte* from,
              std::byte* to) {
  const Axis& axis = box.axes[depth];
  if (depth + 1 == box.axes.size()) {
    copy_line(axis, box.item, from, to);
    return;
  }
  for (std::size_t i = 0; i < axis.count; ++i) {
    copy_box(box, depth + 1, from + i * axis.from_stride, to + i * axis.to_stride);
  }
}

// Bytes between neighbours along each axis of a decoded chunk.
std::vector<std::size_t> chunk_strides(const ArrayMeta& meta) {
  const std::size_t axes = meta.chunks.size();
  std::vector<std::size_t> strides(axes);
  std::size_t stride = meta.dtype.size();
  for (std::size_t i = 0; i < axes; ++i) {
    const std::size_t axis = meta.order == 'F' ? i : axes - 1 - i;
    strides[axis] = stride;
    stride *= static_cast<std::size_t>(meta.chunks[axis]);
  }
  return strides;
}

std::uint64_t row_count(const ArrayMeta& meta) {
  return meta.shape.empty() ? 1 : meta.shape[0];
}

void check_rows(const ArrayMeta& meta, RowSelection rows) {
  if (rows.begin <= rows.end && rows.end <= row_count(meta)) return;
  misuse({"rows ", rows.begin, " to ", rows.end, " of ", row_count(meta)});
}

void check(const ArrayMeta& meta, const ChunkIndex& chunk, RowSelection rows,
           std::size_t out_size) {
  check_rows(meta, rows);
  if (chunk.size() != meta.shape.size()) misuse({"a chunk of another number of axes"});
  for (std::size_t i = 0; i < chunk.size(); ++i) {
    if (chunk[i] > (meta.shape[i] - 1) / meta.chunks[i] || meta.shape[i] == 0) {
      misuse({"chunk ", chunk[i], " of axis ", i});
    }
  }
  const std::size_t expected =
      static_cast<std::size_t>(rows.end - rows.begin) * row_bytes(meta);
  if (out_size != expected) {
    misuse({"room for ", out_size, " bytes, expected ", expected});
  }
}

// The part of the chunk that lies in the array and the rows.
BoxCopy plan(const ArrayMeta& meta, const ChunkIndex& chunk, RowSelection rows) {
  BoxCopy box;
  box.item = meta.dtype.size();
  if (chunk.empty()) box.axes.push_back({rows.end > rows.begin ? 1u : 0u, 0, 0});
  const auto strides = chunk_strides(meta);
  std::size_t to_stride = row_bytes(meta);
  for (std::size_t i = 0; i < chunk.size(); ++i) {
    const std::uint64_t start = chunk[i] * meta.chunks[i];
    const RowSelection kept = i == 0 ? rows : RowSelection{0, meta.shape[i]};
    const std::uint64_t length = std::min(meta.chunks[i], meta.shape[i] - start);
    const std::uint64_t begin = std::max(start, kept.begin);
    const std::uint64_t end = std::max(begin, std::min(start + length, kept.end));
    box.from += static_cast<std::size_t>(begin - start) * strides[i];
    box.to += static_cast<std::size_t>(begin - kept.begin) * to_stride;
    box.axes.push_back({static_cast<std::size_t>(end - begin), strides[i], to_stride});
    if (i + 1 < chunk.size()) to_stride /= static_cast<std::size_t>(meta.shape[i + 1]);
  }
  return box;
}

bool is_empty(const BoxCopy& box) {
  return std::any_of(box.axes.begin(), box.axes.end(),
                     [](const Axis& axis) { return axis.count == 0; });
}

}  // namespace

std::size_t row_bytes(const ArrayMeta& meta) {
  auto bytes = static_cast<std::uint64_t>(meta.dtype.size());
  for (std::size_t i = 1; i < meta.shape.size(); ++i) {
    bytes = mul_or_throw(bytes, meta.shape[i], "row size", Errc::out_of_memory);
  }
  if (bytes > static_cast<std::uint64_t>(std::numeric_limits<std::ptrdiff_t>::max())) {
    fail(Errc::out_of_memory, {"a row of ", bytes, " bytes"});
  }
  return static_cast<std::size_t>(bytes);
}

std::vector<ChunkIndex> chunks_of_rows(const ArrayMeta& meta, RowSelection rows) {
  check_rows(meta, rows);
  const bool none = std::count(meta.shape.begin(), meta.shape.end(), 0) > 0;
  if (none || rows.begin == rows.end) return {};
  const std::size_t axes = meta.shape.size();
  ChunkIndex first(axes, 0);
  ChunkIndex last(axes, 0);
  for (std::size_t i = 0; i < axes; ++i) last[i] = (meta.shape[i] - 1) / meta.chunks[i];
  if (axes > 0) {
    first[0] = rows.begin / meta.chunks[0];
    last[0] = (rows.end - 1) / meta.chunks[0];
  }
  std::uint64_t count = 1;
  for (std::size_t i = 0; i < axes; ++i) {
    count = mul_or_throw(count, last[i] - first[i] + 1, "chunks", Errc::out_of_memory);
  }
  if (count > kMostChunks) {
    fail(Errc::out_of_memory, {"a selection of ", count, " chunks, at most ",
                               kMostChunks, " are read at once"});
  }
  std::vector<ChunkIndex> chunks{first};
  chunks.reserve(static_cast<std::size_t>(count));
  for (ChunkIndex next = first;;) {
    // Counting up, the last axis fastest.
    std::size_t axis = axes;
    while (axis > 0 && next[axis - 1] == last[axis - 1]) {
      next[axis - 1] = first[axis - 1];
      --axis;
    }
    if (axis == 0) return chunks;
    ++next[axis - 1];
    chunks.push_back(next);
  }
}

void copy_region(const ArrayMeta& meta, const ChunkIndex& chunk,
                 std::span<const std::byte> decoded, RowSelection rows,
                 std::span<std::byte> out) {
  check(meta, chunk, rows, out.size());
  if (decoded.size() != meta.chunk_bytes()) {
    misuse({"a chunk of ", decoded.size(), " bytes, expected ", meta.chunk_bytes()});
  }
  const BoxCopy box = plan(meta, chunk, rows);
  if (!is_empty(box)) copy_box(box, 0, decoded.data() + box.from, out.data() + box.to);
}

void fill_region(const ArrayMeta& meta, const ChunkIndex& chunk, RowSelection rows,
                 std::span<std::byte> out) {
  check(meta, chunk, rows, out.size());
  BoxCopy box = plan(meta, chunk, rows);
  for (Axis& axis : box.axes) axis.from_stride = 0;  // the one element, again and again
  if (!is_empty(box)) copy_box(box, 0, meta.fill.data(), out.data() + box.to);
}

}  // namespace bev::zarr
