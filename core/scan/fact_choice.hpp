#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "core/engine/result_set.hpp"
#include "core/facts/select.hpp"

namespace bev {

/// Chooses rows of a table of facts that a host has kept.
///
/// Throws         The constructor throws the errors of facts::table_kind and
///                facts::FactFilter.
/// Thread safety  None.
class FactChoice {
 public:
  /// @param table  "scenes" or "tracks"
  /// @param where  "" passes every row
  /// @param tags   see facts::FactFilter
  FactChoice(std::string_view table, std::string_view where,
             const facts::FactFilter::Tags& tags = {});

  /// Returns all columns of the rows that pass, ascending, as add_facts() names them.
  ///
  /// @param columns  the table's columns in the order of facts::columns_of
  /// Lifetime  Valid until the next call.
  /// Throws    invalid_argument for a wrong number of columns or of values
  std::span<const ResultArray> select(
      std::span<const std::span<const std::byte>> columns);

 private:
  facts::TableKind kind_;
  facts::FactFilter filter_;
  std::vector<std::size_t> sizes_;  // of a column's values, in bytes
  facts::FactTable chosen_;
  ResultSet results_;
};

}  // namespace bev
