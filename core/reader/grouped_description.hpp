#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/reader/describe.hpp"
#include "core/zarr/number.hpp"

namespace bev::reader {

/// The group of a row: an integer, or a string.
struct GroupKey {
  zarr::Number number{zarr::Number::Kind::unsigned_int};
  std::string text = {};
};

/// Descriptions of the rows of each value of a column.
class GroupedDescription {
 public:
  /// @param columns  to describe
  /// @param by       the column of the groups
  /// Throws  invalid_argument if `by` has several elements or is no integer, boolean or
  ///         string
  GroupedDescription(std::vector<Column> columns, Column by);

  /// Adds rows.
  ///
  /// @param keys    the rows' groups
  /// @param values  as Description::add()
  /// Throws  as Description; limit_exceeded if all groups together have more than
  ///         Description::kMaxSummaries summaries
  void add(std::span<const GroupKey> keys,
           std::span<const std::span<const std::byte>> values);

  /// Returns {"rows": n, "by": name, "groups": [{"value": integer or string, "name" (if
  /// the value stands for one), "rows", "columns"}]}, by ascending value; the rest as
  /// Description::to_json().
  std::string to_json() const;

 private:
  struct Less {
    bool operator()(const GroupKey& a, const GroupKey& b) const noexcept;
  };
  struct Group {
    Description description;
    std::vector<std::size_t> rows = {};  // of the rows being added
  };

  Group& group_of(const GroupKey& key);

  std::vector<Column> columns_;
  Column by_;
  std::size_t summaries_ = 0;  // per group
  std::map<GroupKey, Group, Less> groups_;
  std::uint64_t rows_ = 0;
};

}  // namespace bev::reader
