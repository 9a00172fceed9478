#include "core/convert/row_order.hpp"

#include <limits>
#include <utility>

namespace bev::convert {
namespace {

constexpr auto kFirstRow = std::numeric_limits<std::int64_t>::min();

/// Returns the id at a part of the way between two.
std::int64_t between(std::int64_t a, std::int64_t b, std::uint64_t part,
                     std::uint64_t parts) {
  const auto width = static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) +
                                   width / parts * part + width % parts * part / parts);
}

}  // namespace

RowOrder::RowOrder(sqlite::Rows& rows, Key key) : rows_(&rows), key_(std::move(key)) {
  if (!rows.seek_last()) return;
  const auto last = rows.rowid();
  rows.seek(kFirstRow);
  const auto first = rows.rowid();
  for (std::size_t i = 0; i < kOrderSamples; ++i) {
    if (!rows.seek(between(first, last, i, kOrderSamples - 1))) break;
    const auto found = key_(rows);
    is_ordered_ = found && (samples_.empty() || *found >= samples_.back().key);
    if (!is_ordered_) return;
    if (samples_.empty() || rows.rowid() > samples_.back().rowid) {
      samples_.push_back({rows.rowid(), *found});
    }
  }
}

bool RowOrder::seek(std::int64_t target) {
  if (samples_.empty() || samples_.back().key < target) return false;
  // Rows before `low` have smaller keys; `high` and later rows do not.
  std::int64_t low = samples_.front().rowid, high = samples_.back().rowid;
  for (const auto& sample : samples_) {
    if (sample.key >= target) {
      high = sample.rowid;
      break;
    }
    low = sample.rowid + 1;
  }
  while (low < high) {
    const auto middle = between(low, high, 1, 2);
    if (!rows_->seek(middle)) break;
    const auto found = key_(*rows_);
    if (!found) {
      is_ordered_ = false;
      return false;
    }
    if (*found < target && rows_->rowid() < high) {
      low = rows_->rowid() + 1;
    } else {
      high = middle;
    }
  }
  return rows_->seek(high);
}

}  // namespace bev::convert
