#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/convert/sweep_table.hpp"
#include "core/sqlite/database.hpp"

// A log of nuPlan as stored: a SQLite file.
// Reference  nuplan-devkit, docs/nuplan_schema.md and database/nuplan_db.

namespace bev::convert::nuplan {

/// Maximum sweeps of a log; an hour has 72,000.
inline constexpr std::size_t kMaxSweeps = 1'000'000;

/// A sweep of the lidar: a frame.
struct Sweep {
  std::int64_t time_us = 0;
  std::string token, ego_token;
  std::size_t scene = 0;
};

struct Scene {
  std::string token, name, roadblocks;
  std::vector<std::uint32_t> sweeps;  ///< by time
};

struct EgoState {
  std::array<double, 3> position{};    ///< middle of the rear axle, UTM
  std::array<double, 4> quaternion{};  ///< w, x, y, z
  std::int64_t epsg = 0;
  bool is_found = false;
};

/// A row of a sweep. `sweep` is its place in the wanted ones.
struct Box {
  std::uint32_t sweep = 0;
  std::string track;
  std::array<double, 2> position{}, velocity{};
  std::array<double, 3> extent{};  ///< length, width, height
  double yaw = 0;
};

struct Light {
  std::uint32_t sweep = 0;
  std::int64_t connector = 0;
  std::string status;
};

struct Tag {
  std::uint32_t sweep = 0;
  std::string type, track;
};

/// A log. Every function may be called again after an exception of the file's reader, and
/// then continues.
///
/// Throws         not_found, naming it, for an absent table or column; invalid_metadata,
///                naming the table, for values of another type, a file with several logs
///                and two sweeps of one time; limit_exceeded above a limit; unsupported
///                for a file that has a write-ahead log; as sqlite::Pages.
/// Lifetime       The pages outlive the log.
/// Thread safety  A log belongs to one thread.
class Log {
 public:
  explicit Log(sqlite::Pages& pages) : pages_(&pages) {}
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  /// Reads everything but the rows of sweeps: what tells the scenes.
  void open();

  const std::string& vehicle() const noexcept { return vehicle_; }
  const std::string& location() const noexcept { return location_; }
  const std::string& map_version() const noexcept { return map_version_; }
  const std::string& name() const noexcept { return name_; }
  const sqlite::Database& database() const noexcept { return *database_; }

  const std::vector<Sweep>& sweeps() const noexcept { return sweeps_; }

  /// Scenes with sweeps, by their first one.
  const std::vector<Scene>& scenes() const noexcept { return scenes_; }

  /// Median of the time between two sweeps.
  std::int64_t interval_us() const noexcept { return interval_us_; }

  /// Returns the code of the zone of the first sweep's pose; 0 if it has none.
  std::int64_t epsg();

  // What sweeps have, which are places in increasing order. The last ones are kept:
  // results are valid until the same function is called with other sweeps.
  const std::vector<EgoState>& egos(std::span<const std::uint32_t> sweeps);
  const std::vector<Box>& boxes(std::span<const std::uint32_t> sweeps);
  const std::vector<Light>& lights(std::span<const std::uint32_t> sweeps);
  const std::vector<Tag>& tags(std::span<const std::uint32_t> sweeps);

  /// Returns the category of each track: "vehicle".
  const std::unordered_map<std::string, std::string>& categories();

  /// Returns how rows are found, by table.
  std::map<std::string, Finding> findings();

 private:
  /// Rows of the sweeps that were asked for last.
  template <class Row>
  struct Kept {
    /// Returns the rows of sweeps, which `fill` returns unless they are kept.
    template <class Read>
    const std::vector<Row>& read(std::span<const std::uint32_t> wanted, Read fill) {
      if (is_read &&
          std::equal(wanted.begin(), wanted.end(), sweeps.begin(), sweeps.end())) {
        return rows;
      }
      is_read = false;
      rows = std::vector<Row>();
      rows = fill();
      sweeps.assign(wanted.begin(), wanted.end());
      is_read = true;
      return rows;
    }

    std::vector<std::uint32_t> sweeps;
    std::vector<Row> rows;
    bool is_read = false;
  };

  void read_log();
  void read_sweeps();
  void read_scenes();
  std::vector<EgoState> read_egos(std::span<const std::uint32_t> sweeps);

  sqlite::Pages* pages_;
  std::optional<sqlite::Database> database_;
  std::string vehicle_, location_, map_version_, name_;
  std::vector<Sweep> sweeps_;
  std::unordered_map<std::string, std::size_t> scene_rows_;  // by token
  std::int64_t next_sweep_ = std::numeric_limits<std::int64_t>::min();
  std::vector<Scene> scenes_;
  SweepTable::Place places_;
  std::int64_t interval_us_ = 0;
  bool is_open_ = false;
  std::optional<SweepTable> boxes_, lights_, tags_;
  std::optional<std::unordered_map<std::string, std::string>> categories_;
  Kept<EgoState> kept_egos_;
  Kept<Box> kept_boxes_;
  Kept<Light> kept_lights_;
  Kept<Tag> kept_tags_;
};

}  // namespace bev::convert::nuplan
