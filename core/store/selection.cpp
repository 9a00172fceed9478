#include "core/store/selection.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/error.hpp"

namespace bev::store {

namespace {

constexpr std::size_t kMaxChunks = std::size_t{1} << 20;
// Positions are std::size_t, which has 32 bits in wasm.
constexpr std::uint64_t kMaxRows = std::uint64_t{1} << 31;

std::size_t checked_count(std::string_view array, std::uint64_t count) {
  if (count > kMaxRows) {
    fail_at(Errc::limit_exceeded, array,
            {"too many rows (found ", count, ", expected at most ", kMaxRows, ")"});
  }
  return static_cast<std::size_t>(count);
}

[[noreturn]] void throw_outside(std::string_view array, std::int64_t begin,
                                const std::string& end, std::uint64_t length) {
  fail_at(Errc::out_of_range, array,
          {"rows ", begin, ":", end, " are out of range (count ", length, ")"});
}

void chunks_of_list(std::span<const std::int64_t> indices, std::uint64_t chunk_rows,
                    std::vector<std::uint64_t>& chunks) {
  for (const auto row : indices) {
    const auto chunk = static_cast<std::uint64_t>(row) / chunk_rows;
    if (chunks.empty() || chunks.back() != chunk) chunks.push_back(chunk);
  }
  std::sort(chunks.begin(), chunks.end());
  chunks.erase(std::unique(chunks.begin(), chunks.end()), chunks.end());
}

std::uint64_t divided_up(std::uint64_t a, std::uint64_t b) {
  return a / b + (a % b != 0 ? 1 : 0);
}

RowSelection falling_range(std::string_view array, std::uint64_t length,
                           std::int64_t begin, std::int64_t end, std::int64_t step) {
  const auto from = begin == kToEnd ? static_cast<std::int64_t>(length) - 1 : begin;
  const auto to = end == kToEnd ? -1 : end;
  const bool empty = from == to && from < static_cast<std::int64_t>(length);
  if (to < -1 || from < to || (!empty && static_cast<std::uint64_t>(from) >= length)) {
    throw_outside(array, from, std::to_string(to), length);
  }
  const auto stride = std::uint64_t{0} - static_cast<std::uint64_t>(step);
  RowSelection out;
  const auto rows = divided_up(static_cast<std::uint64_t>(from - to), stride);
  out.count = checked_count(array, rows);
  out.step = stride;
  out.falling = true;
  if (rows > 0) out.first = static_cast<std::uint64_t>(from) - (rows - 1) * stride;
  return out;
}

}  // namespace

RowSelection RowSelection::range(std::string_view array, std::uint64_t length,
                                 std::int64_t begin, std::int64_t end,
                                 std::int64_t step) {
  if (step == 0) fail(Errc::invalid_argument, {array, ": step must not be 0"});
  if (step < 0) return falling_range(array, length, begin, end, step);
  const auto last = end == kToEnd ? length : static_cast<std::uint64_t>(end);
  const auto first = static_cast<std::uint64_t>(begin);
  if (begin < 0 || end < 0 || first > last || last > length) {
    const auto to = end == kToEnd ? std::string() : std::to_string(end);
    throw_outside(array, begin, to, length);
  }
  const auto stride = static_cast<std::uint64_t>(step);
  return {first, checked_count(array, divided_up(last - first, stride)), stride, {}};
}

RowSelection RowSelection::list(std::string_view array, std::uint64_t length,
                                std::span<const std::int64_t> indices) {
  for (const auto row : indices) {
    if (row < 0 || static_cast<std::uint64_t>(row) >= length) {
      fail_at(Errc::out_of_range, array,
              {"row ", row, " is out of range (count ", length, ")"});
    }
  }
  return {0, checked_count(array, indices.size()), 1, indices};
}

std::vector<std::int64_t> rows_where(std::string_view array, std::uint64_t length,
                                     std::span<const std::uint8_t> mask) {
  if (mask.size() != length) {
    fail_at(
        Errc::invalid_argument, array,
        {"mask has the wrong length (found ", mask.size(), ", expected ", length, ")"});
  }
  std::vector<std::int64_t> rows;
  for (std::size_t row = 0; row < mask.size(); ++row) {
    if (mask[row] != 0) rows.push_back(static_cast<std::int64_t>(row));
  }
  return rows;
}

std::vector<std::uint64_t> chunks_of(const RowSelection& rows, std::uint64_t chunk_rows,
                                     std::string_view array,
                                     std::vector<std::uint64_t> reuse) {
  auto chunks = std::move(reuse);
  chunks.clear();
  if (!rows.indices.empty()) {
    chunks_of_list(rows.indices, chunk_rows, chunks);
    return chunks;
  }
  std::uint64_t i = 0;
  while (i < rows.count) {
    const auto row = rows.first + i * rows.step;
    const auto chunk = row / chunk_rows;
    if (chunks.size() == kMaxChunks) {
      fail_at(Errc::limit_exceeded, array,
              {"selection has too many chunks (expected at most ", kMaxChunks, ")"});
    }
    chunks.push_back(chunk);
    // Rows left in this chunk; i moves to the first row after it.
    const auto rest = chunk_rows - row % chunk_rows;
    i += rest / rows.step + (rest % rows.step != 0 ? 1 : 0);
  }
  return chunks;
}

}  // namespace bev::store
