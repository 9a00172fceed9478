#include "core/zarr/assignment.hpp"

#include <algorithm>
#include <utility>

#include "core/base/checked.hpp"
#include "core/base/error.hpp"

namespace bev::zarr {
namespace {

// Returns whether the range selects every index of [begin, end).
bool selects_all(const AxisRange& range, std::uint64_t begin, std::uint64_t end) {
  if (end - begin == 1) {
    return begin >= range.first && (begin - range.first) % range.step == 0 &&
           (begin - range.first) / range.step < range.count;
  }
  return range.step == 1 && range.first <= begin && end - range.first <= range.count;
}

// Returns the box with rows [row, row + count).
Box with_rows(const Box& box, std::uint64_t row, std::uint64_t count) {
  Box out = box;
  out.front() = {row, count};
  return out;
}

// Returns how many leading bytes of every element the values have.
std::size_t prefix_of(const std::vector<BoxValues>& values) {
  std::vector<ElementPart> parts;
  for (const auto& [part, bytes, where] : values) {
    if (where.empty()) parts.push_back(part);
  }
  std::sort(parts.begin(), parts.end(), [](const ElementPart& a, const ElementPart& b) {
    return a.offset < b.offset;
  });
  std::size_t prefix = 0;
  for (const auto& part : parts) {
    if (part.offset <= prefix) prefix = std::max(prefix, part.offset + part.size);
  }
  return prefix;
}

/// Calls `take` for each run of the target's rows that follow each other in a chunk, with
/// their box and the position of the first one in the list.
template <class Take>
void for_each_run(const ArrayMeta& meta, const ChunkIndex& chunk, const Target& target,
                  const Take& take) {
  const auto& rows = target.rows;
  const auto begin = chunk.front() * meta.chunks.front();
  const auto end = begin + std::min(meta.chunks.front(), meta.shape.front() - begin);
  for (std::size_t at = 0; at < rows.size();) {
    std::size_t count = 1;
    while (at + count < rows.size() && rows[at + count] == rows[at] + count) ++count;
    const auto first = std::max(rows[at], begin);
    const auto last = std::min(rows[at] + count, end);
    if (first < last) {
      take(with_rows(target.box, first, last - first),
           at + static_cast<std::size_t>(first - rows[at]));
    }
    at += count;
  }
}

}  // namespace

std::uint64_t count_of(const Target& target) {
  if (!target.by_rows) return count_of(target.box);
  return mul_or_throw<std::uint64_t>(count_of(with_rows(target.box, 0, 1)),
                                     target.rows.size(), "selection",
                                     Errc::limit_exceeded);
}

std::vector<ChunkIndex> chunks_of(const ArrayMeta& meta, const Target& target) {
  if (!target.by_rows) return chunks_of_box(meta, target.box);
  const auto length = meta.shape.empty() ? 0 : meta.shape.front();
  std::vector<std::uint64_t> numbers;
  for (const auto row : target.rows) {
    if (row >= length) fail_index({"row "}, row, length);
    numbers.push_back(row / meta.chunks.front());
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  std::vector<ChunkIndex> out;
  for (const auto number : numbers) {
    const auto first = number * meta.chunks.front();
    const auto found = chunks_of_box(meta, with_rows(target.box, first, 1));
    out.insert(out.end(), found.begin(), found.end());
  }
  return out;
}

void copy_target(const ArrayMeta& meta, const ChunkIndex& chunk,
                 std::span<const std::byte> decoded, const Target& target,
                 std::span<std::byte> out) {
  if (!target.by_rows) {
    copy_box(meta, chunk, decoded, target.box, out);
    return;
  }
  const auto row = out.size() / std::max<std::size_t>(target.rows.size(), 1);
  for_each_run(meta, chunk, target, [&](const Box& box, std::size_t at) {
    copy_box(meta, chunk, decoded, box,
             out.subspan(at * row, static_cast<std::size_t>(box.front().count) * row));
  });
}

Assignment::Assignment(Target target, std::vector<BoxValues> values)
    : target_(std::move(target)),
      values_(std::move(values)),
      prefix_(prefix_of(values_)) {
  if (!target_.by_rows) return;
  if (target_.box.empty()) {
    fail(Errc::invalid_argument, {"assignment: rows of an array without axes"});
  }
  const auto inner = count_of(with_rows(target_.box, 0, 1));
  for (const auto& [part, bytes, where] : values_) {
    const auto found = bytes.size();
    const bool right = target_.rows.empty() || inner == 0 || part.size == 0
                           ? found == 0
                           : found % part.size == 0 && found / part.size % inner == 0 &&
                                 found / part.size / inner == target_.rows.size();
    if (!right || !where.empty()) {
      fail(Errc::invalid_argument, {"assignment: wrong length of values (found ", found,
                                    " bytes for ", target_.rows.size(), " rows)"});
    }
  }
}

bool Assignment::replaces(const ArrayMeta& meta, const ChunkIndex& chunk) const {
  if (target_.by_rows || prefix_ < meta.dtype.size()) return false;
  for (std::size_t axis = 0; axis < chunk.size(); ++axis) {
    const auto begin = chunk[axis] * meta.chunks[axis];
    const auto end = begin + std::min(meta.chunks[axis], meta.shape[axis] - begin);
    if (!selects_all(target_.box[axis], begin, end)) return false;
  }
  return true;
}

void Assignment::apply(const ArrayMeta& meta, const ChunkIndex& chunk,
                       std::span<std::byte> decoded) const {
  if (target_.by_rows) {
    for (const auto& values : values_) {
      const auto row =
          values.bytes.size() / std::max<std::size_t>(target_.rows.size(), 1);
      for_each_run(meta, chunk, target_, [&](const Box& box, std::size_t at) {
        const auto length = static_cast<std::size_t>(box.front().count) * row;
        assign_box(meta, chunk, box,
                   {values.part, values.bytes.subspan(at * row, length), {}}, decoded);
      });
    }
    return;
  }
  for (const auto& values : values_) {
    assign_box(meta, chunk, target_.box, values, decoded);
  }
}

}  // namespace bev::zarr
