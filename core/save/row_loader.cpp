#include "core/save/row_loader.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/checked.hpp"
#include "core/base/error.hpp"

namespace bev::save {
namespace {

constexpr std::string_view kRows = "rows";
constexpr std::uint64_t kMaxValueBytes = std::uint64_t{1} << 30;  // of a field

/// Returns the row that an index means, as in Python.
std::uint64_t row_of(std::int64_t index, std::uint64_t rows) {
  const auto row = index < 0 ? rows - (~static_cast<std::uint64_t>(index) + 1)
                             : static_cast<std::uint64_t>(index);
  if (row < rows) return row;
  fail_at(Errc::out_of_range, kRows, {"index ", index, " (found ", rows, " rows)"});
}

}  // namespace

RowLoader::RowLoader(std::vector<RowLayout> layouts, std::uint64_t rows,
                     const Limits& limits)
    : layouts_(std::move(layouts)),
      rows_(rows),
      limits_(limits),
      cache_(layouts_.size(), limits.byte_budget),
      result_(layouts_.size()),
      ends_(layouts_.size()) {
  for (std::size_t i = 0; i < layouts_.size(); ++i) {
    const auto& layout = layouts_[i];
    const auto chunk = checked_mul<std::uint64_t>(
        std::min(layout.chunk_rows, length_of(i)), layout.row_bytes);
    if (layout.chunk_rows > 0 && chunk && *chunk <= RawBytes().max_size()) continue;
    fail_at(Errc::limit_exceeded, kRows,
            {"invalid chunk (found ", layout.chunk_rows, " rows of ", layout.row_bytes,
             " bytes)"});
  }
}

void RowLoader::ask(std::uint64_t begin, std::uint64_t end) {
  if (begin > end || end > rows_) {
    fail_at(Errc::out_of_range, kRows,
            {begin, " to ", end, " (found ", rows_, " rows)"});
  }
  begin_question(end - begin);
  is_sequential_ = begin > 0 && begin == end_;
  if (!is_sequential_) ahead_ = 0;
  end_ = end;
  for (std::size_t i = 0; i < layouts_.size(); ++i) {
    if (layouts_[i].intervals) continue;
    need_range(i, begin, end);
    ends_[i] = end;
  }
}

void RowLoader::ask(std::span<const std::int64_t> indices) {
  std::vector<Run> runs;
  runs.reserve(indices.size());
  for (const auto index : indices) {
    runs.push_back({row_of(index, rows_), 1, runs.size()});
  }
  begin_question(runs.size());
  is_sequential_ = false;
  for (std::size_t i = 0; i < layouts_.size(); ++i) {
    if (!layouts_[i].intervals) need_runs(i, runs);
  }
}

/// Allocates the result.
void RowLoader::begin_question(std::uint64_t count) {
  needs_.clear();
  has_values_ = false;
  for (std::size_t i = 0; i < layouts_.size(); ++i) {
    if (layouts_[i].intervals) continue;
    const auto bytes = checked_mul<std::uint64_t>(count, layouts_[i].row_bytes);
    if (!bytes || *bytes > result_[i].max_size()) {
      fail_at(Errc::limit_exceeded, kRows, {"too many (found ", count, ")"});
    }
    result_[i] = RawBytes(static_cast<std::size_t>(*bytes));
  }
}

void RowLoader::need_range(std::size_t attribute, std::uint64_t begin,
                           std::uint64_t end) {
  const auto length = layouts_[attribute].chunk_rows;
  std::size_t at = 0;
  for (auto row = begin; row < end;) {
    const auto first = row % length;
    const auto count = std::min(length - first, end - row);
    needs_.push_back({{attribute, row / length}, {{first, count, at}}});
    at += static_cast<std::size_t>(count);
    row += count;
  }
}

/// Divides runs of rows by chunk.
void RowLoader::need_runs(std::size_t attribute, std::span<const Run> runs) {
  const auto length = layouts_[attribute].chunk_rows;
  std::vector<Run> parts;
  parts.reserve(runs.size());
  for (auto run : runs) {
    while (run.count > 0) {
      const auto count = std::min(length - run.row % length, run.count);
      parts.push_back({run.row, count, run.at});
      run = {run.row + count, run.count - count,
             run.at + static_cast<std::size_t>(count)};
    }
  }
  std::stable_sort(parts.begin(), parts.end(), [&](const Run& a, const Run& b) {
    return a.row / length < b.row / length;
  });
  for (const auto& part : parts) {
    const ChunkId id{attribute, part.row / length};
    if (needs_.empty() || needs_.back().id != id) needs_.push_back({id, {}});
    needs_.back().runs.push_back({part.row % length, part.count, part.at});
  }
}

/// Asks for the values of the rows whose intervals are in the result.
void RowLoader::need_values(std::size_t attribute) {
  const auto& layout = layouts_[attribute];
  const auto& intervals = result_[*layout.intervals];
  std::vector<Run> runs;
  std::uint64_t total = 0;
  for (std::size_t at = 0; at + 16 <= intervals.size(); at += 16) {
    const auto begin = load_le<std::uint64_t>(intervals.data() + at);
    const auto end = load_le<std::uint64_t>(intervals.data() + at + 8);
    if (begin > end || end > layout.values) {  // also negative numbers
      fail_at(Errc::corrupt_chunk, kRows,
              {"invalid interval of values (found ", static_cast<std::int64_t>(begin),
               " to ", static_cast<std::int64_t>(end),
               ", expected 0 <= begin <= end <= ", layout.values, ")"});
    }
    const auto count = end - begin;
    if (count > kMaxValueBytes / layout.row_bytes - total) {
      fail_at(Errc::limit_exceeded, kRows,
              {"too many values (expected at most ", kMaxValueBytes, " bytes)"});
    }
    const auto place = static_cast<std::size_t>(total);
    total += count;
    if (count == 0) continue;
    if (!runs.empty() && runs.back().row + runs.back().count == begin) {
      runs.back().count += count;
    } else {
      runs.push_back({begin, count, place});
    }
    ends_[attribute] = end;
  }
  result_[attribute] = RawBytes(static_cast<std::size_t>(total) * layout.row_bytes);
  need_runs(attribute, runs);
}

/// Asks for the values, once all rows are in the result. Returns whether there are any.
bool RowLoader::asks_for_values() {
  if (!needs_.empty() || std::exchange(has_values_, true)) return false;
  for (std::size_t i = 0; i < layouts_.size(); ++i) {
    if (layouts_[i].intervals) need_values(i);
  }
  return !needs_.empty();
}

std::vector<ChunkRequest> RowLoader::missing() {
  std::vector<ChunkRequest> round;
  add_missing(round);
  if (asks_for_values()) add_missing(round);
  if (!round.empty() && is_sequential_) add_ahead(round);
  return round;
}

/// Copies what is in memory, and adds the other chunks to a round.
void RowLoader::add_missing(std::vector<ChunkRequest>& round) {
  const auto is_done = [&](const Need& need) {
    if (const auto* chunk = cache_.find(need.id)) {
      copy(need, *chunk);
      return true;
    }
    add(round, need.id);
    return false;
  };
  // In a loop of its own: remove_if moves what is_done() has not seen
  std::vector<Need> rest;
  for (auto& need : needs_) {
    if (!is_done(need)) rest.push_back(std::move(need));
  }
  needs_ = std::move(rest);
}

void RowLoader::supply(const ChunkRequest& request, DecodedChunk chunk) {
  if (chunk.bytes.size() != bytes_of(request)) {
    fail_at(Errc::internal, kRows,
            {"wrong size of a chunk (found ", chunk.bytes.size(), " bytes, expected ",
             bytes_of(request), ")"});
  }
  if (cache_.contains(request.id)) return;
  ++supplied_;
  cache_.insert(request.id, std::move(chunk));
  const auto need = std::find_if(needs_.begin(), needs_.end(),
                                 [&](const Need& one) { return one.id == request.id; });
  if (need == needs_.end()) return;
  copy(*need, *cache_.find(request.id));
  needs_.erase(need);
}

std::vector<RawBytes> RowLoader::take() {
  return std::exchange(result_, std::vector<RawBytes>(layouts_.size()));
}

void RowLoader::clear() {
  cache_.clear();
  needs_.clear();
  is_sequential_ = false;
  end_ = ahead_ = 0;
  has_values_ = true;
  std::fill(ends_.begin(), ends_.end(), 0);
}

/// Copies the rows of a chunk that is in memory. A sequential reader will not need a
/// chunk again after its last row.
void RowLoader::copy(const Need& need, const DecodedChunk& chunk) {
  const auto size = layouts_[need.id.attribute].row_bytes;
  auto& out = result_[need.id.attribute];
  for (const auto& run : need.runs) {
    std::memcpy(out.data() + run.at * size,
                chunk.bytes.data() + static_cast<std::size_t>(run.row) * size,
                static_cast<std::size_t>(run.count) * size);
  }
  const auto& last = need.runs.back();
  if (is_sequential_ &&
      last.row + last.count == layouts_[need.id.attribute].chunk_rows) {
    cache_.demote(need.id);
  }
}

/// Adds a chunk to a round unless the round is full. The first always fits.
bool RowLoader::add(std::vector<ChunkRequest>& round, const ChunkId& id) const {
  const auto request = request_of(id);
  auto bytes = bytes_of(request);
  for (const auto& other : round) bytes += bytes_of(other);
  const bool fits = round.size() < limits_.chunks && bytes <= limits_.byte_budget / 2;
  if (fits || round.empty()) round.push_back(request);
  return fits;
}

/// Adds the chunks that follow the question's, of the attributes in the round.
void RowLoader::add_ahead(std::vector<ChunkRequest>& round) {
  ahead_ = std::clamp<std::uint64_t>(2 * ahead_, 1, limits_.chunks);
  const auto held = ahead_bytes();
  std::size_t added = 0;
  const auto needed = round.size();
  for (std::size_t i = 0; i < needed; ++i) {
    const auto attribute = round[i].id.attribute;
    const bool is_last = i + 1 == needed || round[i + 1].id.attribute != attribute;
    if (ends_[attribute] == 0) continue;
    const auto first = (ends_[attribute] - 1) / layouts_[attribute].chunk_rows + 1;
    for (auto number = first; is_last && number < first + ahead_; ++number) {
      const ChunkId id{attribute, number};
      if (number > (length_of(attribute) - 1) / layouts_[attribute].chunk_rows) break;
      if (cache_.contains(id)) continue;
      added += bytes_of(request_of(id));
      if (held + added > limits_.byte_budget / 2 || !add(round, id)) return;
    }
  }
}

/// Returns the bytes in memory of chunks behind the question's.
std::size_t RowLoader::ahead_bytes() const {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < layouts_.size(); ++i) {
    if (ends_[i] == 0) continue;
    bytes += cache_.bytes_from({i, (ends_[i] - 1) / layouts_[i].chunk_rows + 1});
  }
  return bytes;
}

ChunkRequest RowLoader::request_of(const ChunkId& id) const noexcept {
  const auto length = layouts_[id.attribute].chunk_rows;
  const auto begin = id.number * length;
  return {id, begin, begin + std::min(length, length_of(id.attribute) - begin)};
}

std::size_t RowLoader::bytes_of(const ChunkRequest& request) const noexcept {
  return static_cast<std::size_t>(request.end - request.begin) *
         layouts_[request.id.attribute].row_bytes;
}

}  // namespace bev::save
