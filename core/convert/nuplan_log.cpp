#include "core/convert/nuplan_log.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "core/base/error.hpp"
#include "core/convert/row_order.hpp"

namespace bev::convert::nuplan {
namespace {

constexpr auto kFirstId = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMaxTimeUs = 9'000'000'000'000'000;  // of int64 nanoseconds
constexpr std::int64_t kEgoMarginUs = 1'000'000;  // of poses around their sweeps
constexpr std::array kTables{
    "log",         "lidar_pc", "ego_pose", "lidar_box",
    "track",       "scene",    "category", "traffic_light_status",
    "scenario_tag"};
constexpr std::size_t kMaxToken = 64;
constexpr std::size_t kMaxTracks = 5'000'000;

[[noreturn]] void invalid_row(std::string_view table, std::int64_t row,
                              Message problem) {
  fail(Errc::invalid_metadata, {"table ", table, ", row ", row, ": ", joined(problem)});
}

/// Reads values of a row, naming the table in errors.
struct SqlRow {
  std::string_view table;
  sqlite::Rows& rows;

  std::string token(std::size_t i) const {
    const auto value = rows[i];
    if (value.kind == sqlite::Kind::blob && value.bytes.size() <= kMaxToken) {
      return std::string(value.bytes);
    }
    invalid_row(table, rows.rowid(), {"value ", i, " is not a token"});
  }

  std::string text(std::size_t i) const {
    const auto value = rows[i];
    return value.kind == sqlite::Kind::text ? std::string(value.bytes) : std::string();
  }

  double number(std::size_t i) const {
    const auto value = rows[i].number();
    if (!value || !std::isfinite(*value)) {
      invalid_row(table, rows.rowid(), {"value ", i, " is not a finite number"});
    }
    return *value;
  }

  std::int64_t integer(std::size_t i) const {
    const auto value = rows[i];
    if (value.kind != sqlite::Kind::integer) {
      invalid_row(table, rows.rowid(), {"value ", i, " is not an integer"});
    }
    return value.integer;
  }
};

template <class Use>
void for_each(sqlite::Rows& rows, std::string_view table, Use use) {
  for (bool has = rows.seek_all(kFirstId); has; has = rows.next()) {
    use(SqlRow{table, rows});
  }
}

/// Returns the row ids of tokens, by an index of them.
std::vector<std::int64_t> rows_of(
    const std::unordered_map<std::string, std::vector<std::size_t>>& wanted,
    sqlite::IndexCursor& entries) {
  std::vector<sqlite::Value> keys;
  for (const auto& [token, places] : wanted) {
    keys.push_back({.kind = sqlite::Kind::blob, .bytes = token});
  }
  std::sort(keys.begin(), keys.end(),
            [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
  std::vector<std::int64_t> found;
  std::size_t ahead = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i == ahead) ahead += entries.prefetch(std::span(keys).subspan(i));
    const auto& key = keys[i];
    if (entries.seek(key) && sqlite::compare(entries.key(), key) == 0) {
      found.push_back(entries.rowid());
    }
  }
  return found;
}

}  // namespace

void Log::open() {
  if (is_open_) return;
  if (!database_) {
    database_.emplace(*pages_);
    for (const auto* name : {"log", "lidar_pc", "ego_pose", "lidar_box", "track"}) {
      static_cast<void>(database_->table(name));
    }
  }
  std::vector<std::uint32_t> roots;
  for (const auto& table : database_->tables()) {
    if (std::find(kTables.begin(), kTables.end(), table.name) != kTables.end()) {
      roots.push_back(table.root);
    }
  }
  pages_->prefetch(roots);
  read_log();
  read_sweeps();
  read_scenes();
  boxes_.emplace(*database_, "lidar_box", places_);
  lights_.emplace(*database_, "traffic_light_status", places_);
  tags_.emplace(*database_, "scenario_tag", places_);
  is_open_ = true;
}

void Log::read_log() {
  sqlite::Rows rows(*database_, database_->table("log"),
                    {"vehicle_name", "location", "map_version", "logfile"});
  std::size_t count = 0;
  for_each(rows, "log", [&](const SqlRow& row) {
    if (++count > 1) invalid_row("log", rows.rowid(), {"a second log"});
    vehicle_ = row.text(0);
    location_ = row.text(1);
    map_version_ = row.text(2);
    name_ = row.text(3);
  });
  if (count == 0) fail(Errc::invalid_metadata, {"table log: no rows"});
}

void Log::read_sweeps() {
  sqlite::Rows rows(*database_, database_->table("lidar_pc"),
                    {"token", "timestamp", "ego_pose_token", "scene_token"});
  for (bool has = rows.seek_all(next_sweep_); has; has = rows.next()) {
    const SqlRow row{"lidar_pc", rows};
    if (sweeps_.size() == kMaxSweeps) {
      fail(Errc::limit_exceeded, {"table lidar_pc: more than ", kMaxSweeps, " rows"});
    }
    Sweep sweep{row.integer(1), row.token(0), row.token(2), 0};
    if (sweep.time_us < -kMaxTimeUs || sweep.time_us > kMaxTimeUs) {
      invalid_row("lidar_pc", rows.rowid(), {"invalid time"});
    }
    const auto [scene, is_new] =
        scene_rows_.emplace(rows[3].is_null() ? "" : row.token(3), scenes_.size());
    if (is_new) scenes_.push_back({scene->first, {}, {}, {}});
    sweep.scene = scene->second;
    sweeps_.push_back(std::move(sweep));
    next_sweep_ = rows.rowid() + 1;
  }
  if (sweeps_.empty()) fail(Errc::invalid_metadata, {"table lidar_pc: no rows"});
}

void Log::read_scenes() {
  if (const auto* table = database_->find("scene"); table != nullptr) {
    sqlite::Rows rows(*database_, *table, {"token", "name", "roadblock_ids"});
    for_each(rows, "scene", [&](const SqlRow& row) {
      const auto found = scene_rows_.find(row.token(0));
      if (found == scene_rows_.end()) return;
      scenes_[found->second].name = row.text(1);
      scenes_[found->second].roadblocks = row.text(2);
    });
  }
  std::stable_sort(sweeps_.begin(), sweeps_.end(),
                   [](const auto& a, const auto& b) { return a.time_us < b.time_us; });
  std::vector<std::int64_t> intervals;
  std::vector<Scene> ordered;
  std::vector<std::optional<std::size_t>> moved(scenes_.size());
  for (std::size_t i = 0; i < sweeps_.size(); ++i) {
    auto& sweep = sweeps_[i];
    if (i > 0) {
      intervals.push_back(sweep.time_us - sweeps_[i - 1].time_us);
      if (intervals.back() == 0) {
        fail(Errc::invalid_metadata,
             {"table lidar_pc: two sweeps at time ", sweep.time_us});
      }
    }
    if (!places_.emplace(sweep.token, static_cast<std::uint32_t>(i)).second) {
      fail(Errc::invalid_metadata, {"table lidar_pc: a token is not unique"});
    }
    auto& place = moved[sweep.scene];
    if (!place) {
      place = ordered.size();
      ordered.push_back(std::move(scenes_[sweep.scene]));
    }
    sweep.scene = *place;
    ordered[*place].sweeps.push_back(static_cast<std::uint32_t>(i));
  }
  scenes_ = std::move(ordered);
  scene_rows_.clear();
  if (intervals.empty()) return;
  const auto middle = intervals.begin() + std::ssize(intervals) / 2;
  std::nth_element(intervals.begin(), middle, intervals.end());
  interval_us_ = *middle;
}

const std::vector<EgoState>& Log::egos(std::span<const std::uint32_t> sweeps) {
  return kept_egos_.read(sweeps, [&] { return read_egos(sweeps); });
}

std::vector<EgoState> Log::read_egos(std::span<const std::uint32_t> sweeps) {
  std::vector<EgoState> out(sweeps.size());
  if (sweeps.empty()) return out;
  std::unordered_map<std::string, std::vector<std::size_t>> wanted;
  for (std::size_t i = 0; i < sweeps.size(); ++i) {
    wanted[sweeps_[sweeps[i]].ego_token].push_back(i);
  }
  const auto& table = database_->table("ego_pose");
  sqlite::Rows rows(
      *database_, table,
      {"token", "timestamp", "x", "y", "z", "qw", "qx", "qy", "qz", "epsg"});
  const SqlRow row{"ego_pose", rows};
  const auto take = [&] {
    const auto found = wanted.find(row.token(0));
    if (found == wanted.end()) return;
    EgoState state{{row.number(2), row.number(3), row.number(4)},
                   {row.number(5), row.number(6), row.number(7), row.number(8)},
                   row.integer(9),
                   true};
    for (const auto i : found->second) out[i] = state;
    wanted.erase(found);
  };
  RowOrder order(rows, [](auto& one) -> std::optional<std::int64_t> {
    const auto time = one[1];
    if (time.kind != sqlite::Kind::integer) return std::nullopt;
    return time.integer;
  });
  if (order.is_ordered()) {
    const auto last = sweeps_[sweeps.back()].time_us + kEgoMarginUs;
    bool has = order.seek(sweeps_[sweeps.front()].time_us - kEgoMarginUs, last);
    for (; has && !wanted.empty() && row.integer(1) <= last; has = rows.next()) take();
  }
  if (wanted.empty()) return out;
  const auto* index = database_->index_of(table, "token");
  if (index == nullptr) {
    for_each(rows, "ego_pose", [&](const SqlRow&) { take(); });
    return out;
  }
  sqlite::IndexCursor entries(database_->pages(), index->root);
  auto found = rows_of(wanted, entries);
  std::sort(found.begin(), found.end());
  std::vector<sqlite::RowRange> ranges;
  for (const auto rowid : found) ranges.push_back({rowid, rowid});
  rows.prefetch(ranges);
  for (const auto rowid : found) {
    if (rows.seek(rowid) && rows.rowid() == rowid) take();
  }
  return out;
}

std::int64_t Log::epsg() {
  constexpr std::uint32_t kFirstSweep[] = {0};
  return egos(kFirstSweep).front().epsg;
}

const std::vector<Box>& Log::boxes(std::span<const std::uint32_t> sweeps) {
  return kept_boxes_.read(sweeps, [&] {
    std::vector<Box> out;
    boxes_->read(
        sweeps,
        {"lidar_pc_token", "track_token", "x", "y", "vx", "vy", "length", "width",
         "height", "yaw"},
        [&] { out.clear(); },
        [&](sqlite::Rows& rows, std::uint32_t sweep) {
          const SqlRow row{"lidar_box", rows};
          out.push_back({sweep,
                         row.token(1),
                         {row.number(2), row.number(3)},
                         {row.number(4), row.number(5)},
                         {row.number(6), row.number(7), row.number(8)},
                         row.number(9)});
        });
    return out;
  });
}

const std::vector<Light>& Log::lights(std::span<const std::uint32_t> sweeps) {
  return kept_lights_.read(sweeps, [&] {
    std::vector<Light> out;
    lights_->read(
        sweeps, {"lidar_pc_token", "lane_connector_id", "status"}, [&] { out.clear(); },
        [&](sqlite::Rows& rows, std::uint32_t sweep) {
          const SqlRow row{"traffic_light_status", rows};
          out.push_back({sweep, row.integer(1), row.text(2)});
        });
    return out;
  });
}

const std::vector<Tag>& Log::tags(std::span<const std::uint32_t> sweeps) {
  return kept_tags_.read(sweeps, [&] {
    std::vector<Tag> out;
    tags_->read(
        sweeps, {"lidar_pc_token", "type", "agent_track_token"}, [&] { out.clear(); },
        [&](sqlite::Rows& rows, std::uint32_t sweep) {
          const SqlRow row{"scenario_tag", rows};
          out.push_back({sweep, row.text(1), rows[2].is_null() ? "" : row.token(2)});
        });
    return out;
  });
}

const std::unordered_map<std::string, std::string>& Log::categories() {
  if (categories_) return *categories_;
  std::unordered_map<std::string, std::string> names, out;
  sqlite::Rows kinds(*database_, database_->table("category"), {"token", "name"});
  for_each(kinds, "category",
           [&](const SqlRow& row) { names[row.token(0)] = row.text(1); });
  sqlite::Rows tracks(*database_, database_->table("track"),
                      {"token", "category_token"});
  for_each(tracks, "track", [&](const SqlRow& row) {
    if (out.size() == kMaxTracks) {
      fail(Errc::limit_exceeded, {"table track: more than ", kMaxTracks, " rows"});
    }
    const auto name = names.find(row.token(1));
    if (name == names.end()) invalid_row("track", tracks.rowid(), {"no such category"});
    out[row.token(0)] = name->second;
  });
  categories_ = std::move(out);
  return *categories_;
}

std::map<std::string, Finding> Log::findings() {
  return {{"lidar_box", boxes_->finding()},
          {"traffic_light_status", lights_->finding()},
          {"scenario_tag", tags_->finding()}};
}

}  // namespace bev::convert::nuplan
