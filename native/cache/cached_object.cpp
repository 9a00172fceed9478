#include "native/cache/cached_object.hpp"

#include <algorithm>
#include <utility>

namespace bev::native {
namespace {

/// Maximum number of segments to look up for a range: 2 GiB.
constexpr std::uint64_t kMaxSegments = 512;

/// Segments [begin, end) of a range; empty if there are too many.
ByteRange segments_of(ByteRange range) {
  if (range.begin >= range.end) return {};
  const auto first = range.begin / kCacheSegment;
  const auto last = (range.end - 1) / kCacheSegment;
  if (last - first >= kMaxSegments) return {};
  return {first, last + 1};
}

bool is_before(const StoredRange& a, const StoredRange& b) {
  return a.range.begin < b.range.begin;
}

}  // namespace

Cover cover_of(ByteRange wanted, std::span<const StoredRange> stored) {
  Cover cover;
  auto at = wanted.begin;
  auto next = stored.begin();
  const StoredRange* best =
      nullptr;  // reaches furthest of those that begin before `at`
  while (at < wanted.end) {
    for (; next != stored.end() && next->range.begin <= at; ++next) {
      if (best == nullptr || next->range.end > best->range.end) best = &*next;
    }
    if (best != nullptr && best->range.end > at) {
      const auto end = std::min(best->range.end, wanted.end);
      cover.parts.push_back({best->name, {at, end}});
      at = end;
      continue;
    }
    const auto end =
        next == stored.end() ? wanted.end : std::min(next->range.begin, wanted.end);
    cover.hole = {cover.hole ? cover.hole->begin : at, end};
    at = end;
  }
  return cover;
}

void CachedObject::saw(const Validator& seen) {
  if (now_ && compare(*now_, seen) == Comparison::changed) {
    ++changes_;
    now_.reset();
  }
  if (!now_) now_.emplace();
  if (!seen.etag.empty()) now_->etag = seen.etag;
  if (!seen.modified.empty()) now_->modified = seen.modified;
  if (seen.length) now_->length = seen.length;
}

void CachedObject::saw_length(std::uint64_t length) {
  if (now_ && !now_->length) now_->length = length;
}

std::optional<ByteRange> CachedObject::cut(
    const std::optional<ByteRange>& range) const {
  if (!now_ || !now_->length) return range;
  if (!range) return ByteRange{0, *now_->length};
  const auto end = std::min(range->end, *now_->length);
  return ByteRange{std::min(range->begin, end), end};
}

std::vector<StoredRange> CachedObject::stored(ByteRange range,
                                              const CacheFolder& folder) {
  std::vector<StoredRange> found;
  const auto [first, last] = segments_of(range);
  for (auto segment = first; segment < last; ++segment) {
    const auto [place, added] = segments_.try_emplace(segment);
    if (added) place->second = folder.ranges_of(url_, segment);
    for (const auto& one : place->second) {
      const bool overlaps = one.range.begin < range.end && one.range.end > range.begin;
      if (overlaps) found.push_back(one);
    }
  }
  return found;
}

void CachedObject::forget_listing(ByteRange range) {
  const auto [first, last] = segments_of(range);
  segments_.erase(segments_.lower_bound(first), segments_.lower_bound(last));
}

void CachedObject::drop(const CachedPart& part) {
  const auto place = segments_.find(part.range.begin / kCacheSegment);
  if (place == segments_.end()) return;
  std::erase_if(place->second, [&](const auto& one) { return one.name == part.name; });
}

void CachedObject::add(const std::string& name, ByteRange range) {
  const auto place = segments_.find(range.begin / kCacheSegment);
  if (place == segments_.end()) return;  // listed when it is needed
  auto& all = place->second;
  const bool known = std::any_of(all.begin(), all.end(),
                                 [&](const auto& one) { return one.name == name; });
  if (known) return;
  const StoredRange added{name, range};
  all.insert(std::upper_bound(all.begin(), all.end(), added, is_before), added);
}

void CachedObject::remove_all(const CacheFolder& folder) {
  if (now_ && now_->length) stored({0, *now_->length}, folder);
  for (const auto& [segment, all] : segments_) {
    for (const auto& one : folder.ranges_of(url_, segment)) folder.remove(one.name);
  }
  segments_.clear();
  ++changes_;
}

}  // namespace bev::native
