#include "core/zarr/box.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "core/base/checked.hpp"
#include "core/base/error.hpp"

namespace bev::zarr {
namespace {

// Bounds the memory that metadata alone can request.
constexpr std::uint64_t kMaxChunks = std::uint64_t{1} << 22;

// One axis of a copy: number of elements and their strides in bytes.
struct Axis {
  std::size_t count;
  std::ptrdiff_t from_stride;
  std::ptrdiff_t to_stride;
};

// A copy of a box of elements. Outermost axis first; at least one axis.
struct BoxCopy {
  std::vector<Axis> axes;
  std::size_t from = 0;
  std::size_t to = 0;
  std::size_t item = 0;
};

void copy_line(const Axis& axis, std::size_t item, const std::byte* from,
               std::byte* to) {
  const auto next = static_cast<std::ptrdiff_t>(item);
  if (axis.from_stride == next && axis.to_stride == next) {
    std::memcpy(to, from, axis.count * item);
    return;
  }
  for (std::size_t i = 0; i < axis.count; ++i) {
    const auto n = static_cast<std::ptrdiff_t>(i);
    std::memcpy(to + n * axis.to_stride, from + n * axis.from_stride, item);
  }
}

void copy_axes(const BoxCopy& copy, std::size_t depth, const std::byte* from,
               std::byte* to) {
  const Axis& axis = copy.axes[depth];
  if (depth + 1 == copy.axes.size()) {
    copy_line(axis, copy.item, from, to);
    return;
  }
  for (std::size_t i = 0; i < axis.count; ++i) {
    const auto n = static_cast<std::ptrdiff_t>(i);
    copy_axes(copy, depth + 1, from + n * axis.from_stride, to + n * axis.to_stride);
  }
}

// Returns the stride in bytes along each axis of a decoded chunk.
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

void check_box(const ArrayMeta& meta, const Box& box) {
  if (box.size() != meta.shape.size())
    fail(Errc::invalid_argument, {"box: wrong number of axes"});
  for (std::size_t i = 0; i < box.size(); ++i) {
    const auto& [first, count, step, falling] = box[i];
    const auto length = meta.shape[i];
    if (step > 0 && count == 0) continue;
    if (step > 0 && first < length && count - 1 <= (length - 1 - first) / step)
      continue;
    fail(Errc::invalid_argument, {"box: axis ", i, ": range is outside the array"});
  }
}

bool is_empty(const Box& box) {
  return std::any_of(box.begin(), box.end(),
                     [](const AxisRange& range) { return range.count == 0; });
}

// Returns the bytes of the box's elements, of `item` bytes each.
std::uint64_t box_bytes(const Box& box, std::size_t item) {
  return mul_or_throw<std::uint64_t>(count_of(box), item, "box size",
                                     Errc::limit_exceeded);
}

[[noreturn]] void wrong_size(const char* what, std::uint64_t found,
                             std::uint64_t expected) {
  fail(Errc::invalid_argument, {"box: ", what, " has the wrong length (found ", found,
                                " bytes, expected ", expected, ")"});
}

void check_chunk(const ArrayMeta& meta, const ChunkIndex& chunk) {
  if (chunk.size() != meta.shape.size())
    fail(Errc::invalid_argument, {"box: wrong number of axes"});
  for (std::size_t i = 0; i < chunk.size(); ++i) {
    if (meta.shape[i] == 0 || chunk[i] > (meta.shape[i] - 1) / meta.chunks[i]) {
      fail(Errc::invalid_argument,
           {"box: axis ", i, ": chunk ", chunk[i], " is out of range"});
    }
  }
}

void check(const ArrayMeta& meta, const ChunkIndex& chunk, const Box& box,
           std::size_t out_size) {
  check_box(meta, box);
  check_chunk(meta, chunk);
  const auto expected = box_bytes(box, meta.dtype.size());
  if (out_size != expected) {
    wrong_size("output", out_size, expected);
  }
}

void check_decoded(const ArrayMeta& meta, std::span<const std::byte> decoded) {
  if (decoded.size() == meta.chunk_bytes()) return;
  wrong_size("chunk", decoded.size(), meta.chunk_bytes());
}

void check_values(const ArrayMeta& meta, const Box& box, const BoxValues& values) {
  const auto& [part, bytes, where] = values;
  const auto size = meta.dtype.size();
  if (part.offset > size || part.size > size - part.offset) {
    fail(Errc::invalid_argument, {"box: part is outside the element (found ",
                                  part.offset, " + ", part.size, ", size ", size, ")"});
  }
  const auto expected = box_bytes(box, part.size);
  if (bytes.size() != expected) wrong_size("values", bytes.size(), expected);
  if (where.empty() || where.size() == count_of(box)) return;
  wrong_size("where", where.size(), count_of(box));
}

// Returns how many elements of the range lie before `end`.
std::uint64_t count_before(const AxisRange& range, std::uint64_t end) {
  if (end <= range.first) return 0;
  return std::min(range.count, (end - range.first - 1) / range.step + 1);
}

// Returns the overlap of chunk, array and box, which has `item` bytes per element;
// nullopt if it is empty.
std::optional<BoxCopy> plan(const ArrayMeta& meta, const ChunkIndex& chunk,
                            const Box& box, std::size_t item) {
  if (is_empty(box)) return std::nullopt;
  BoxCopy copy;
  copy.item = item;
  if (chunk.empty()) {
    copy.axes.push_back({1, 0, 0});
    return copy;
  }
  copy.axes.resize(chunk.size());
  const auto strides = chunk_strides(meta);
  std::size_t to_stride = copy.item;
  for (std::size_t i = chunk.size(); i-- > 0;) {
    const auto& range = box[i];
    const std::uint64_t start = chunk[i] * meta.chunks[i];
    const std::uint64_t length = std::min(meta.chunks[i], meta.shape[i] - start);
    const auto low = count_before(range, start);
    const auto high = count_before(range, start + length);
    if (low == high) return std::nullopt;
    const auto place = range.falling ? range.count - 1 - low : low;
    copy.from +=
        static_cast<std::size_t>(range.first + low * range.step - start) * strides[i];
    copy.to += static_cast<std::size_t>(place) * to_stride;
    // The step is irrelevant for a single element, and may be too large.
    const auto step = high - low > 1 ? static_cast<std::size_t>(range.step) : 0;
    const auto apart = static_cast<std::ptrdiff_t>(to_stride);
    copy.axes[i] = {static_cast<std::size_t>(high - low),
                    static_cast<std::ptrdiff_t>(step * strides[i]),
                    range.falling ? -apart : apart};
    to_stride *= static_cast<std::size_t>(range.count);
  }
  return copy;
}

// Exchanges source and destination.
void turn(BoxCopy& copy) {
  std::swap(copy.from, copy.to);
  for (Axis& axis : copy.axes) std::swap(axis.from_stride, axis.to_stride);
}

// Copies the elements at whose source `where` is not 0.
void copy_where(const BoxCopy& copy, std::span<const std::uint8_t> where,
                std::span<const std::byte> from, std::byte* to) {
  std::vector<std::size_t> at(copy.axes.size());
  for (bool done = false; !done;) {
    auto source = static_cast<std::ptrdiff_t>(copy.from);
    auto target = static_cast<std::ptrdiff_t>(copy.to);
    for (std::size_t i = 0; i < at.size(); ++i) {
      source += static_cast<std::ptrdiff_t>(at[i]) * copy.axes[i].from_stride;
      target += static_cast<std::ptrdiff_t>(at[i]) * copy.axes[i].to_stride;
    }
    const auto offset = static_cast<std::size_t>(source);
    if (where[offset / copy.item] != 0) {
      std::memcpy(to + target, from.data() + offset, copy.item);
    }
    auto axis = at.size();
    while (axis > 0 && ++at[axis - 1] == copy.axes[axis - 1].count) at[--axis] = 0;
    done = axis == 0;
  }
}

// Returns the number of chunks along an axis that overlap the non-empty range.
std::uint64_t chunk_count(const AxisRange& range, std::uint64_t chunk) {
  if (range.step >= chunk) return range.count;
  const auto last = range.first + (range.count - 1) * range.step;
  return last / chunk - range.first / chunk + 1;
}

// Returns the index of the n-th of these chunks.
std::uint64_t chunk_at(const AxisRange& range, std::uint64_t chunk, std::uint64_t n) {
  if (range.step >= chunk) return (range.first + n * range.step) / chunk;
  return range.first / chunk + n;
}

}  // namespace

std::size_t row_bytes(const ArrayMeta& meta) {
  auto bytes = static_cast<std::uint64_t>(meta.dtype.size());
  for (std::size_t i = 1; i < meta.shape.size(); ++i) {
    bytes = mul_or_throw(bytes, meta.shape[i], "row size", Errc::limit_exceeded);
  }
  if (bytes > static_cast<std::uint64_t>(std::numeric_limits<std::ptrdiff_t>::max())) {
    fail(Errc::limit_exceeded, {"row too large (found ", bytes, " bytes)"});
  }
  return static_cast<std::size_t>(bytes);
}

Box whole_box(const ArrayMeta& meta) {
  Box box;
  for (const auto length : meta.shape) box.push_back({0, length});
  return box;
}

std::vector<ChunkIndex> chunks_of_box(const ArrayMeta& meta, const Box& box) {
  check_box(meta, box);
  if (is_empty(box)) return {};
  const std::size_t axes = box.size();
  std::vector<std::uint64_t> counts(axes);
  std::uint64_t count = 1;
  for (std::size_t i = 0; i < axes; ++i) {
    counts[i] = chunk_count(box[i], meta.chunks[i]);
    count = mul_or_throw(count, counts[i], "chunks", Errc::limit_exceeded);
  }
  if (count > kMaxChunks) {
    fail(Errc::limit_exceeded, {"selection: too many chunks (found ", count,
                                ", expected at most ", kMaxChunks, ")"});
  }
  std::vector<ChunkIndex> chunks;
  chunks.reserve(static_cast<std::size_t>(count));
  for (std::uint64_t n = 0; n < count; ++n) {
    // The last axis varies fastest.
    ChunkIndex chunk(axes);
    std::uint64_t rest = n;
    for (std::size_t i = axes; i-- > 0;) {
      chunk[i] = chunk_at(box[i], meta.chunks[i], rest % counts[i]);
      rest /= counts[i];
    }
    chunks.push_back(std::move(chunk));
  }
  return chunks;
}

void copy_box(const ArrayMeta& meta, const ChunkIndex& chunk,
              std::span<const std::byte> decoded, const Box& box,
              std::span<std::byte> out) {
  check(meta, chunk, box, out.size());
  check_decoded(meta, decoded);
  const auto copy = plan(meta, chunk, box, meta.dtype.size());
  if (copy) copy_axes(*copy, 0, decoded.data() + copy->from, out.data() + copy->to);
}

void fill_box(const ArrayMeta& meta, const ChunkIndex& chunk, const Box& box,
              std::span<std::byte> out) {
  check(meta, chunk, box, out.size());
  auto copy = plan(meta, chunk, box, meta.dtype.size());
  if (!copy) return;
  for (Axis& axis : copy->axes) axis.from_stride = 0;  // repeat the one element
  const auto size = meta.dtype.size();
  if (meta.fill.size() >= size) {
    copy_axes(*copy, 0, meta.fill.data(), out.data() + copy->to);
    return;
  }
  std::vector<std::byte> element(size);  // at most the box's size
  for (std::size_t i = 0; i < size; ++i) element[i] = meta.fill[i % meta.fill.size()];
  copy_axes(*copy, 0, element.data(), out.data() + copy->to);
}

void assign_box(const ArrayMeta& meta, const ChunkIndex& chunk, const Box& box,
                const BoxValues& values, std::span<std::byte> decoded) {
  check_box(meta, box);
  check_chunk(meta, chunk);
  check_decoded(meta, decoded);
  check_values(meta, box, values);
  const auto& [part, bytes, where] = values;
  auto copy = part.size == 0 ? std::nullopt : plan(meta, chunk, box, part.size);
  if (!copy) return;
  turn(*copy);
  std::byte* const to = decoded.data() + part.offset;
  if (where.empty()) {
    copy_axes(*copy, 0, bytes.data() + copy->from, to + copy->to);
  } else {
    copy_where(*copy, where, bytes, to);
  }
}

std::uint64_t count_of(const Box& box) {
  std::uint64_t count = is_empty(box) ? 0 : 1;
  for (std::size_t i = 0; count > 0 && i < box.size(); ++i) {
    count = mul_or_throw(count, box[i].count, "box size", Errc::limit_exceeded);
  }
  return count;
}

std::vector<std::byte> fill_chunk(const ArrayMeta& meta) {
  std::vector<std::byte> chunk(meta.chunk_bytes());
  const auto size = meta.fill.size();
  if (size == 0) return chunk;  // zeros
  for (std::size_t at = 0; at < chunk.size(); at += size) {
    std::memcpy(chunk.data() + at, meta.fill.data(), std::min(size, chunk.size() - at));
  }
  return chunk;
}

}  // namespace bev::zarr
