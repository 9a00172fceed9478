#include "core/convert/sweep_table.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/convert/row_order.hpp"

namespace bev::convert::nuplan {
namespace {

/// Rows up to which a table is read on, without a search.
constexpr std::int64_t kNearRows = 50;

/// Rows whose pages are read ahead at once, at most.
constexpr std::size_t kRowsAhead = 65'536;

[[noreturn]] void invalid_sweep_row(std::string_view table, std::int64_t row,
                                    const char* problem) {
  fail(Errc::invalid_metadata, {"table ", table, ", row ", row, ": ", problem});
}

}  // namespace

const char* name_of(Finding finding) noexcept {
  switch (finding) {
    case Finding::index: return "index";
    case Finding::order: return "order";
    case Finding::scan: return "scan";
    case Finding::absent: return "absent";
  }
  return "absent";
}

SweepTable::SweepTable(const sqlite::Database& database, std::string name,
                       const Place& places)
    : database_(&database), name_(std::move(name)), places_(&places) {}

std::optional<std::uint32_t> SweepTable::place_of(sqlite::Rows& rows) const {
  const auto token = rows[0];
  if (token.kind != sqlite::Kind::blob) return std::nullopt;
  const auto found = places_->find(std::string(token.bytes));
  if (found == places_->end()) return std::nullopt;
  return found->second;
}

Finding SweepTable::finding() {
  if (finding_) return *finding_;
  const auto* table = database_->find(name_);
  if (table == nullptr) return *(finding_ = Finding::absent);
  sqlite::Rows rows(*database_, *table, {"lidar_pc_token"});
  if (!rows.seek(std::numeric_limits<std::int64_t>::min()))
    return *(finding_ = Finding::absent);
  if (database_->index_of(*table, "lidar_pc_token") != nullptr) {
    return *(finding_ = Finding::index);
  }
  const RowOrder order(
      rows, [this](auto& row) -> std::optional<std::int64_t> { return place_of(row); });
  finding_ = order.is_ordered() ? Finding::order : Finding::scan;
  return *finding_;
}

void SweepTable::read(std::span<const std::uint32_t> sweeps,
                      std::initializer_list<std::string_view> columns,
                      const std::function<void()>& restart, const Take& take) {
  if (sweeps.empty() || finding() == Finding::absent) return;
  sqlite::Rows rows(*database_, database_->table(name_), columns);
  if (*finding_ == Finding::order) {
    if (read_in_order(rows, sweeps, take)) return;
    finding_ = Finding::scan;
    restart();
  }
  const auto found = rowids(sweeps);
  std::optional<std::int64_t> at;
  std::size_t ahead = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (i == ahead) ahead += prefetch(rows, std::span(found).subspan(i));
    const auto rowid = found[i];
    const bool is_near = at && rowid - *at <= kNearRows;
    bool has = is_near ? rows.next() : rows.seek(rowid);
    while (has && rows.rowid() < rowid) has = rows.next();
    if (!has || rows.rowid() != rowid) {
      invalid_sweep_row(name_, rowid, "an index has this row, the table does not");
    }
    at = rowid;
    const auto place = place_of(rows);
    const auto wanted =
        place ? std::lower_bound(sweeps.begin(), sweeps.end(), *place) : sweeps.end();
    if (wanted == sweeps.end() || *wanted != *place) {
      invalid_sweep_row(name_, rowid, "an index has another value than the row");
    }
    take(rows, static_cast<std::uint32_t>(wanted - sweeps.begin()));
  }
}

/// Reads the pages of rows ahead. Returns of how many.
std::size_t SweepTable::prefetch(sqlite::Rows& rows,
                                 std::span<const std::int64_t> rowids) {
  std::vector<sqlite::RowRange> ranges;
  for (const auto rowid : rowids.first(std::min(rowids.size(), kRowsAhead))) {
    ranges.push_back({rowid, rowid});
  }
  return rows.prefetch(ranges);
}

/// Returns whether the rows were in order.
bool SweepTable::read_in_order(sqlite::Rows& rows,
                               std::span<const std::uint32_t> sweeps,
                               const Take& take) {
  RowOrder order(
      rows, [this](auto& row) -> std::optional<std::int64_t> { return place_of(row); });
  std::uint32_t before = sweeps.front();
  for (bool has = order.seek(before, sweeps.back()); has; has = rows.next()) {
    const auto place = place_of(rows);
    if (!place || *place < before) return false;
    if (*place > sweeps.back()) break;
    before = *place;
    const auto wanted = std::lower_bound(sweeps.begin(), sweeps.end(), *place);
    if (*wanted == *place) {
      take(rows, static_cast<std::uint32_t>(wanted - sweeps.begin()));
    }
  }
  return order.is_ordered();
}

std::vector<std::int64_t> SweepTable::rowids(std::span<const std::uint32_t> sweeps) {
  std::vector<std::int64_t> out;
  if (*finding_ == Finding::scan) {
    scan();
    for (const auto sweep : sweeps) {
      auto at = std::lower_bound(
          entries_.begin(), entries_.end(), sweep,
          [](const Entry& entry, std::uint32_t place) { return entry.place < place; });
      for (; at != entries_.end() && at->place == sweep; ++at) out.push_back(at->rowid);
    }
  } else {
    look_up(sweeps);
    out = found_;
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// Finds the rows of sweeps in the index. Continues if these are the sweeps of a call that
/// an exception ended.
void SweepTable::look_up(std::span<const std::uint32_t> sweeps) {
  if (!std::equal(sweeps.begin(), sweeps.end(), wanted_.begin(), wanted_.end())) {
    wanted_.assign(sweeps.begin(), sweeps.end());
    looked_up_ = 0;
    found_.clear();
    tokens_.clear();
    for (const auto& [token, place] : *places_) {
      if (std::binary_search(sweeps.begin(), sweeps.end(), place)) {
        tokens_.push_back(&token);
      }
    }
    std::sort(tokens_.begin(), tokens_.end(),
              [](const auto* a, const auto* b) { return *a < *b; });
  }
  const auto* index = database_->index_of(database_->table(name_), "lidar_pc_token");
  sqlite::IndexCursor entries(database_->pages(), index->root);
  std::vector<sqlite::Value> keys(tokens_.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    keys[i].kind = sqlite::Kind::blob;
    keys[i].bytes = *tokens_[i];
  }
  for (auto ahead = looked_up_; looked_up_ < tokens_.size(); ++looked_up_) {
    if (looked_up_ == ahead) ahead += entries.prefetch(std::span(keys).subspan(ahead));
    const auto& key = keys[looked_up_];
    std::vector<std::int64_t> rows;
    for (bool has = entries.seek(key); has; has = entries.next()) {
      if (sqlite::compare(entries.key(), key) != 0) break;
      if (found_.size() + rows.size() == kMaxRows) {
        fail(Errc::limit_exceeded, {"table ", name_, ": too many rows"});
      }
      rows.push_back(entries.rowid());
    }
    found_.insert(found_.end(), rows.begin(), rows.end());
  }
}

/// Reads the table once, and keeps the rows of each sweep.
void SweepTable::scan() {
  if (is_scanned_) return;
  sqlite::Rows rows(*database_, database_->table(name_), {"lidar_pc_token"});
  for (bool has = rows.seek_all(next_row_); has; has = rows.next()) {
    const auto rowid = rows.rowid();
    const auto place = place_of(rows);
    if (entries_.size() == kMaxRows || rowid < 0 ||
        rowid > std::numeric_limits<std::uint32_t>::max()) {
      fail(Errc::limit_exceeded, {"table ", name_, ": too many rows"});
    }
    if (place) entries_.push_back({*place, static_cast<std::uint32_t>(rowid)});
    strays_ += place ? 0 : 1;
    next_row_ = rowid + 1;
  }
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return a.place != b.place ? a.place < b.place : a.rowid < b.rowid;
  });
  is_scanned_ = true;
}

}  // namespace bev::convert::nuplan
