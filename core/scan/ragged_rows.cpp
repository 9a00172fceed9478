#include "core/scan/ragged_rows.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "core/base/checked.hpp"
#include "core/base/error.hpp"
#include "core/scan/reader_columns.hpp"
#include "core/zarr/column.hpp"
#include "core/zarr/text.hpp"

namespace bev {
namespace {

// What an object in memory takes beside its bytes, at most.
constexpr std::size_t kObjectBytes = 512;

struct RowInterval {
  std::uint64_t begin, end;
};

RowInterval interval_at(std::span<const std::byte> intervals, std::size_t row) {
  RowInterval out{};
  std::memcpy(&out, intervals.data() + row * sizeof out, sizeof out);
  return out;
}

/// Whether ranges of a chunk can be read, without the whole chunk.
bool reads_ranges(const zarr::ArrayMeta& meta) {
  using Id = zarr::Compressor::Id;
  return meta.compressor.id == Id::none || meta.compressor.id == Id::blosc;
}

std::uint64_t chunk_of(const store::Array& values, std::uint64_t element) {
  return element / values.meta.chunk_rows();
}

}  // namespace

void RaggedRows::clear() noexcept {
  offsets_.clear();
  values_.clear();
  runs_.clear();
  done_ = part_ = 0;
  is_cut_ = false;
}

void RaggedRows::begin(std::span<const std::byte> intervals) {
  clear();
  const auto& values = field_->values;
  const auto rows = intervals.size() / sizeof(RowInterval);
  const auto row_bytes = values.meta.dtype.size();
  // Counts first: nothing is allocated for what is not there.
  std::uint64_t total = 0;
  std::size_t bytes = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const auto [begin, end] = interval_at(intervals, row);
    // A negative number is above any length.
    if (begin > end || end > values.length()) {
      fail_at(Errc::corrupt_chunk, field_->name,
              {"invalid interval of ", values.name(), " (found ",
               static_cast<std::int64_t>(begin), " to ", static_cast<std::int64_t>(end),
               ", expected 0 <= begin <= end <= ", values.length(), ")"});
    }
    total = checked_add(total, end - begin).value_or(~std::uint64_t{0});
    bytes = store::result_bytes(values, total, row_bytes);
  }
  values_.resize(bytes);
  offsets_.reserve(rows + 1);
  offsets_.push_back(0);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto [begin, end] = interval_at(intervals, row);
    add_run(begin, end - begin, offsets_.back());
    offsets_.push_back(offsets_.back() + static_cast<std::uint32_t>(end - begin));
  }
  std::stable_sort(runs_.begin(), runs_.end(),
                   [](const Run& a, const Run& b) { return a.first < b.first; });
}

/// Adds elements, to the previous run if they follow it.
void RaggedRows::add_run(std::uint64_t first, std::uint64_t count, std::size_t at) {
  if (count == 0) return;
  const auto size = static_cast<std::size_t>(count);
  if (!runs_.empty() && runs_.back().first + runs_.back().count == first) {
    runs_.back().count += size;
  } else {
    runs_.push_back({first, size, at});
  }
}

/// Divides runs that are longer than a part, at the ends of chunks where possible.
void RaggedRows::cut_runs(std::size_t most_bytes) {
  if (is_cut_) return;
  is_cut_ = true;
  const auto& meta = field_->values.meta;
  const auto chunk_rows = meta.chunk_rows();
  const auto chunks = most_bytes / (meta.chunk_bytes() + kObjectBytes);
  const auto most = chunks > 0
                        ? chunks * chunk_rows
                        : std::max<std::uint64_t>(most_bytes / meta.dtype.size(), 1);
  std::vector<Run> out;
  for (auto run : runs_) {
    while (run.count > most) {
      auto count = most;
      const auto in_chunk = (run.first + count) % chunk_rows;
      if (in_chunk < count) count -= in_chunk;
      const auto size = static_cast<std::size_t>(count);
      out.push_back({run.first, size, run.at});
      run = {run.first + count, run.count - size, run.at + size};
    }
    out.push_back(run);
  }
  runs_ = std::move(out);
}

/// Returns the end of the next part of the runs.
///
/// @param by_chunk  whether whole chunks are read
std::size_t RaggedRows::end_of_part(std::size_t most_bytes, bool by_chunk) const {
  const auto& values = field_->values;
  const auto row_bytes = values.meta.dtype.size();
  std::uint64_t bytes = 0;
  std::uint64_t next_chunk = 0;  // the first one that is not counted
  auto end = done_;
  for (; end < runs_.size(); ++end) {
    const auto& run = runs_[end];
    const auto first = std::max(chunk_of(values, run.first), next_chunk);
    const auto after = chunk_of(values, run.first + run.count - 1) + 1;
    const auto chunks = after > first ? after - first : 0;
    bytes += chunks * (kObjectBytes + (by_chunk ? values.meta.chunk_bytes() : 0));
    if (!by_chunk) bytes += run.count * row_bytes;
    next_chunk = std::max(next_chunk, after);
    if (bytes > most_bytes && end > done_) break;
  }
  return end;
}

bool RaggedRows::request(store::Reader& reader, std::size_t most_bytes) {
  cut_runs(most_bytes);
  const auto& values = field_->values;
  const bool by_chunk = reader.requests_whole_chunks() || !reads_ranges(values.meta);
  part_ = end_of_part(most_bytes, by_chunk);
  bool here = true;
  for (auto i = done_; i < part_; ++i) {
    const auto first = static_cast<std::int64_t>(runs_[i].first);
    const auto end = first + static_cast<std::int64_t>(runs_[i].count);
    const auto rows =
        store::RowSelection::range(values.name(), values.length(), first, end);
    here = reader.request(values, rows) && here;
  }
  return here;
}

void RaggedRows::load(store::Reader& reader) {
  const auto& values = field_->values;
  const zarr::Column column{.path = {}, .offset = 0, .type = values.meta.dtype};
  const auto row_bytes = values.meta.dtype.size();
  for (; done_ < part_; ++done_) {
    const auto& run = runs_[done_];
    ArrayRead read(reader, values);
    read.add(column,
             std::span(values_).subspan(run.at * row_bytes, run.count * row_bytes));
    if (!read.run(static_cast<std::int64_t>(run.first), run.count)) {
      fail(Errc::internal, {values.name(), ": values were not in memory"});
    }
  }
  if (is_complete()) check_text();
}

/// Checks that each row of a text is UTF-8.
void RaggedRows::check_text() const {
  if (field_->kind != store::FieldKind::text) return;
  const std::string_view all(reinterpret_cast<const char*>(values_.data()),
                             values_.size());
  for (std::size_t row = 0; row + 1 < offsets_.size(); ++row) {
    const auto text = all.substr(offsets_[row], offsets_[row + 1] - offsets_[row]);
    if (zarr::valid_utf8(text) == text.size()) continue;
    fail_at(Errc::corrupt_chunk, field_->values.name(),
            {"a string of field ", field_->name, " is not UTF-8"});
  }
}

}  // namespace bev
