#include "core/reader/learnt_ranges.hpp"

#include <algorithm>
#include <iterator>

#include "core/reader/compare.hpp"

namespace bev::reader {
namespace {

void merge(Limits& into, const Limits& more) {
  into.nan_count += more.nan_count;
  if (!more.has_value) return;
  const bool knows_codes = more.codes != 0 && (!into.has_value || into.codes != 0);
  into.codes = knows_codes ? into.codes | more.codes : 0;
  if (!into.has_value || *compare(more.min, into.min) < 0) into.min = more.min;
  if (!into.has_value || *compare(more.max, into.max) > 0) into.max = more.max;
  into.has_value = true;
}

void merge(std::optional<std::vector<std::string>>& into,
           const std::optional<std::vector<std::string>>& more) {
  if (!into) return;
  if (!more) return into.reset();
  std::vector<std::string> both;
  std::set_union(into->begin(), into->end(), more->begin(), more->end(),
                 std::back_inserter(both));
  if (both.size() > kMaxTexts) return into.reset();
  *into = std::move(both);
}

}  // namespace

const LearntRanges::Learnt* LearntRanges::find(const Chunk& chunk) const {
  const auto found = chunks_.find(Key(chunk.array, chunk.number));
  return found == chunks_.end() ? nullptr : &found->second;
}

const LearntRanges::Column* LearntRanges::complete(const Chunk& chunk,
                                                   std::string_view column,
                                                   std::size_t element) const {
  const auto* learnt = find(chunk);
  if (learnt == nullptr) return nullptr;
  const auto found = learnt->columns.find(column);
  if (found == learnt->columns.end()) return nullptr;
  for (const auto& one : found->second) {
    const auto count = std::max<std::size_t>(1, one.limits.size());
    if (one.is_complete && element >= one.first && element - one.first < count) {
      return &one;
    }
  }
  return nullptr;
}

/// Adds a part to the parts of a column that were read, and joins those that touch.
void LearntRanges::cover(Column& column, const Part& part) {
  auto& parts = column.parts;
  auto begin = part.begin;
  auto end = part.end;
  const auto first = std::find_if(parts.begin(), parts.end(),
                                  [&](const auto& one) { return one.second >= begin; });
  auto last = first;
  for (; last != parts.end() && last->first <= end; ++last) {
    begin = std::min(begin, last->first);
    end = std::max(end, last->second);
  }
  const auto at = parts.erase(first, last);
  parts.insert(at, {begin, end});
  column.is_complete = begin == 0 && end == part.chunk_rows;
}

/// Returns what is learnt of these elements of a column; null if there is no space.
LearntRanges::Column* LearntRanges::entry(Learnt& learnt, std::string_view column,
                                          const Part& part, std::size_t elements) {
  auto found = learnt.columns.find(column);
  if (found != learnt.columns.end()) {
    for (auto& one : found->second) {
      if (one.first == part.first_element && one.limits.size() == elements) return &one;
    }
  }
  if (entry_count_ == kMaxEntries) return nullptr;
  ++entry_count_;
  auto& entries = learnt.columns[std::string(column)];
  entries.emplace_back();
  entries.back().first = part.first_element;
  entries.back().limits.resize(elements);
  return &entries.back();
}

void LearntRanges::add(const Chunk& chunk, std::string_view column, const Part& part,
                       const FieldRows& rows) {
  if (part.begin >= part.end || part.end > part.chunk_rows) return;
  const Key key(chunk.array, chunk.number);
  const auto known = chunks_.find(key);
  if (known != chunks_.end() && known->second.encoded_bytes != part.encoded_bytes) {
    for (const auto& [name, entries] : known->second.columns) {
      entry_count_ -= entries.size();
    }
    chunks_.erase(known);
  }
  if (entry_count_ == kMaxEntries && chunks_.find(key) == chunks_.end()) return;
  auto& learnt = chunks_[key];
  learnt.encoded_bytes = part.encoded_bytes;
  const bool is_text = rows.type.kind == zarr::Kind::unicode;
  auto* into = entry(learnt, column, part, is_text ? 0 : rows.elements);
  if (into == nullptr || into->is_complete || into->parts.size() == kMaxParts) return;
  cover(*into, part);
  if (is_text) {
    merge(into->texts, rows.elements == 1 ? texts_of(rows) : std::nullopt);
    return;
  }
  for (std::size_t i = 0; i < rows.elements; ++i) {
    merge(into->limits[i], limits_of(rows, i));
  }
}

std::optional<Range> LearntRanges::range(const Chunk& chunk, std::string_view column,
                                         std::size_t element) const {
  const auto* found = complete(chunk, column, element);
  if (found == nullptr || found->limits.empty()) return std::nullopt;
  return found->limits[element - found->first].range();
}

const std::vector<std::string>* LearntRanges::texts(const Chunk& chunk,
                                                    std::string_view column) const {
  const auto* found = complete(chunk, column, 0);
  if (found == nullptr || !found->limits.empty() || !found->texts) return nullptr;
  return &*found->texts;
}

std::optional<std::uint64_t> LearntRanges::encoded_bytes(const Chunk& chunk) const {
  const auto* learnt = find(chunk);
  return learnt == nullptr ? std::nullopt : std::optional(learnt->encoded_bytes);
}

}  // namespace bev::reader
