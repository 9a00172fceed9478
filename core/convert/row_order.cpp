#include "core/convert/row_order.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace bev::convert {
namespace {

/// Part of the rows between two, on either side of the place that a key is expected at.
constexpr std::uint64_t kMarginParts = 64;

constexpr auto kFirstRow = std::numeric_limits<std::int64_t>::min();
constexpr auto kLastRow = std::numeric_limits<std::int64_t>::max();

/// The first and the last row.
constexpr sqlite::RowRange kEnds[] = {{kFirstRow, kFirstRow}, {kLastRow, kLastRow}};

/// Returns the id at a part of the way between two.
std::int64_t between(std::int64_t a, std::int64_t b, std::uint64_t part,
                     std::uint64_t parts) {
  const auto width = static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) +
                                   width / parts * part + width % parts * part / parts);
}

std::uint64_t distance(std::int64_t from, std::int64_t to) {
  return static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
}

/// Returns ids between two that are read at the same time: the middle, and those around
/// the place of a key if keys increase evenly.
std::vector<std::int64_t> probes(std::int64_t low, std::int64_t high, double part) {
  const auto width = distance(low, high);
  const auto even = static_cast<std::uint64_t>(std::clamp(part, 0.0, 1.0) *
                                               static_cast<double>(width) * (1 - 1e-9));
  const auto margin = width / kMarginParts + 1;
  std::vector<std::uint64_t> places{width / 2, even, even - std::min(even, margin),
                                    even + std::min(width - 1 - even, margin)};
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  std::vector<std::int64_t> out;
  for (const auto place : places) {
    out.push_back(static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + place));
  }
  return out;
}

}  // namespace

RowOrder::RowOrder(sqlite::Rows& rows, Key key) : rows_(&rows), key_(std::move(key)) {
  rows.prefetch(kEnds);
  if (!rows.seek_last()) return;
  const auto last = rows.rowid();
  rows.seek(kFirstRow);
  const auto first = rows.rowid();
  std::vector<sqlite::RowRange> ids;
  for (std::size_t i = 0; i < kOrderSamples; ++i) {
    const auto id = between(first, last, i, kOrderSamples - 1);
    ids.push_back({id, id});
  }
  rows.prefetch(ids);
  for (const auto& id : ids) {
    if (!rows.seek(id.first)) break;
    const auto found = key_(rows);
    is_ordered_ = found && (samples_.empty() || *found >= samples_.back().key);
    if (!is_ordered_) return;
    if (samples_.empty() || rows.rowid() > samples_.back().rowid) {
      samples_.push_back({rows.rowid(), *found});
    }
  }
}

RowOrder::Bounds RowOrder::bounds_of(std::int64_t target) const {
  Bounds out{samples_.front(), samples_.back()};
  for (const auto& sample : samples_) {
    if (sample.key >= target) {
      out.high = sample;
      break;
    }
    out.low = {sample.rowid + 1, sample.key};
  }
  return out;
}

/// Searches between the bounds once. Returns whether all rows have a key.
bool RowOrder::narrow(Bounds& bounds, std::int64_t target) {
  auto& [low, high] = bounds;
  const auto keys = static_cast<double>(high.key) - static_cast<double>(low.key);
  const auto part = (static_cast<double>(target) - static_cast<double>(low.key)) /
                    std::max(keys, 1.0);
  const auto ids = probes(low.rowid, high.rowid, part);
  std::vector<sqlite::RowRange> ranges;
  for (const auto id : ids) ranges.push_back({id, id});
  rows_->prefetch(ranges);
  for (const auto id : ids) {
    if (id < low.rowid) continue;
    if (!rows_->seek(id)) {
      low = high;
      return true;
    }
    const auto found = key_(*rows_);
    if (!found) return false;
    if (*found < target && rows_->rowid() < high.rowid) {
      low = {rows_->rowid() + 1, *found};
    } else {
      high = {id, *found};
      return true;
    }
  }
  return true;
}

bool RowOrder::seek(std::int64_t target) {
  if (samples_.empty() || samples_.back().key < target) return false;
  auto bounds = bounds_of(target);
  while (bounds.low.rowid < bounds.high.rowid) {
    is_ordered_ = narrow(bounds, target);
    if (!is_ordered_) return false;
  }
  return rows_->seek(bounds.high.rowid);
}

bool RowOrder::seek(std::int64_t target, std::int64_t last) {
  if (!seek(target)) return false;
  const auto first = rows_->rowid();
  sqlite::RowRange range{first, samples_.back().rowid};
  if (last < samples_.back().key && seek(last + 1)) range.last = rows_->rowid();
  if (!is_ordered_) return false;
  rows_->prefetch({&range, 1});
  return rows_->seek(first);
}

}  // namespace bev::convert
