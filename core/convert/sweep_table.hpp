#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/sqlite/database.hpp"

namespace bev::convert::nuplan {

/// Maximum rows of a table that are scanned; an hour has some 10 million boxes.
inline constexpr std::size_t kMaxRows = 60'000'000;

/// How the rows of a sweep are found.
enum class Finding {
  index,   ///< by an index of the file
  order,   ///< by bisection: rows are in the order of time
  scan,    ///< by one scan of the table, whose row ids are kept
  absent,  ///< no such table, or no rows
};

const char* name_of(Finding finding) noexcept;

/// Finds the rows of sweeps in a table, by its column lidar_pc_token.
class SweepTable {
 public:
  /// Returns a sweep's place by time; nullopt for a token of none.
  using Place = std::unordered_map<std::string, std::uint32_t>;

  SweepTable(const sqlite::Database& database, std::string name, const Place& places);

  Finding finding();

  /// Calls `take(rows, i)` for the rows of sweeps, which are places in increasing order;
  /// `i` is the index in them. `rows` has lidar_pc_token and then `columns`. If rows turn
  /// out not to be in order, calls `restart()`, and `take` for all of them again.
  using Take = std::function<void(sqlite::Rows&, std::uint32_t)>;
  void read(std::span<const std::uint32_t> sweeps,
            std::initializer_list<std::string_view> columns,
            const std::function<void()>& restart, const Take& take);

  /// Rows of no sweep, if all rows were scanned.
  std::uint64_t strays() const noexcept { return strays_; }

 private:
  struct Entry {
    std::uint32_t place = 0, rowid = 0;
  };

  std::optional<std::uint32_t> place_of(sqlite::Rows& rows) const;
  bool read_in_order(sqlite::Rows& rows, std::span<const std::uint32_t> sweeps,
                     const Take& take);
  static std::size_t prefetch(sqlite::Rows& rows, std::span<const std::int64_t> rowids);
  std::vector<std::int64_t> rowids(std::span<const std::uint32_t> sweeps);
  void look_up(std::span<const std::uint32_t> sweeps);
  void scan();

  const sqlite::Database* database_;
  std::string name_;
  const Place* places_;
  std::optional<Finding> finding_;
  std::vector<Entry> entries_;
  std::int64_t next_row_ = std::numeric_limits<std::int64_t>::min();
  bool is_scanned_ = false;
  std::uint64_t strays_ = 0;
  // The last search of an index, which continues after an exception.
  std::vector<std::uint32_t> wanted_;
  std::vector<const std::string*> tokens_;  // of these, in the index's order
  std::size_t looked_up_ = 0;               // tokens whose entries were found
  std::vector<std::int64_t> found_;
};

}  // namespace bev::convert::nuplan
