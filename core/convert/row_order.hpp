#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/sqlite/database.hpp"

namespace bev::convert {

/// Rows that are compared to decide whether a table is in the order of a key.
inline constexpr std::size_t kOrderSamples = 33;

/// The order of a table's rows by a key that may increase with their ids, so that rows of
/// a range of keys are found by bisection. Decided by kOrderSamples rows from the first to
/// the last: a reader of a range compares its rows too.
///
/// Lifetime  The reader outlives this object, which moves it.
class RowOrder {
 public:
  /// Returns the key of the reader's row; nullopt if it has none, and so no order.
  using Key = std::function<std::optional<std::int64_t>(sqlite::Rows&)>;

  RowOrder(sqlite::Rows& rows, Key key);

  bool is_ordered() const noexcept { return is_ordered_; }

  /// Moves to the first row with at least this key. Returns whether there is one; false
  /// also for a row without a key, after which is_ordered() is false.
  bool seek(std::int64_t target);

  /// Does the same, and reads the rows ahead whose keys are up to `last`.
  bool seek(std::int64_t target, std::int64_t last);

 private:
  struct Sample {
    std::int64_t rowid = 0, key = 0;
  };

  /// Rows before `low` have smaller keys than the target, those from `high` on do not.
  struct Bounds {
    Sample low, high;
  };

  Bounds bounds_of(std::int64_t target) const;
  bool narrow(Bounds& bounds, std::int64_t target);

  sqlite::Rows* rows_;
  Key key_;
  std::vector<Sample> samples_;
  bool is_ordered_ = true;
};

}  // namespace bev::convert
