#include "core/scan/reader_tracks.hpp"

#include <algorithm>
#include <map>

#include "core/base/error.hpp"

namespace bev {
namespace {

/// Numbers the different ids of a list, and counts them.
class IdNumbers {
 public:
  /// Returns the number of the list's next id.
  std::size_t of(std::uint64_t id) {
    // Frames have their tracks in the same order.
    auto number = followers_.empty() ? 0 : followers_[last_];
    if (number >= ids_.size() || ids_[number] != id) number = find(id);
    followers_[last_] = number;
    ++counts_[number];
    return last_ = number;
  }

  /// Returns per number the position of its first id once the list is sorted.
  std::vector<std::size_t> begins() const {
    std::vector<std::size_t> out(counts_.size());
    std::size_t begin = 0;
    for (const auto& one : numbers_) {
      const auto number = static_cast<std::size_t>(one.second);
      out[number] = begin;
      begin += counts_[number];
    }
    return out;
  }

 private:
  std::size_t find(std::uint64_t id) {
    const auto found = numbers_.find(id);
    if (found != numbers_.end()) return static_cast<std::size_t>(found->second);
    numbers_[id] = static_cast<std::int64_t>(ids_.size());
    ids_.push_back(id);
    followers_.push_back(0);
    counts_.push_back(0);
    return ids_.size() - 1;
  }

  std::map<std::uint64_t, std::int64_t> numbers_;
  std::vector<std::uint64_t> ids_;      // by number
  std::vector<std::size_t> followers_;  // per number the one after it, last time
  std::vector<std::size_t> counts_;
  std::size_t last_ = 0;
};

}  // namespace

ReaderTracks::ReaderTracks(const ReaderTable& table, const reader::Plan& plan)
    : table_(table) {
  if (table.view.kind != reader::TableKind::agents) {
    fail(
        Errc::unsupported,
        {"plan.order.mode: \"tracks\" needs the table agents (found ", plan.from, ")"});
  }
  table.view.find("track_id");
  if (!plan.window) return;
  window_ = plan.window->length();
  anchor_ = plan.window->past;
}

bool ReaderTracks::read(store::Reader& reader, std::span<const TableRow> rows) {
  ArrayRead ids(reader, *table_.array);
  ids.add("track_id", track_ids_, rows.size());
  if (rows.empty()) return true;
  const auto first = rows.front().row;
  const auto span = static_cast<std::size_t>(rows.back().row - first) + 1;
  if (span == rows.size()) return ids.run(first, span);
  rows_.resize(rows.size());
  std::transform(rows.begin(), rows.end(), rows_.begin(),
                 [](const TableRow& row) { return row.row; });
  return ids.run(rows_);
}

bool ReaderTracks::sort(store::Reader& reader, const ReaderItems& items) {
  if (!read(reader, items.rows)) return false;
  if (items.windows.empty()) {
    order_by_id(track_ids_, order_);
    return true;
  }
  item_ids_.clear();
  for (auto at = anchor_; at < items.windows.size(); at += window_) {
    item_ids_.push_back(track_ids_[items.windows[at]]);
  }
  order_by_id(item_ids_, order_);
  return true;
}

void order_by_id(std::span<const std::uint64_t> ids, std::vector<std::uint32_t>& out) {
  IdNumbers numbers;
  std::vector<std::size_t> number_of(ids.size());
  std::transform(ids.begin(), ids.end(), number_of.begin(),
                 [&](std::uint64_t id) { return numbers.of(id); });
  auto begins = numbers.begins();
  out.resize(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    out[begins[number_of[i]]++] = static_cast<std::uint32_t>(i);
  }
}

}  // namespace bev
