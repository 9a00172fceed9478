#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/facts/columns.hpp"
#include "core/reader/filter.hpp"

namespace bev::facts {

/// A condition on facts in the reader's filter language: "turn == 'left' and min_ttc <
/// 2".
///
/// Throws         The constructor throws the errors of reader::parse_filter and
///                reader::Filter, with the column of the text.
/// Thread safety  None.
class FactFilter {
 public:
  /// Returns the tags of the data set; called if the filter has conditions on tags.
  using Tags = std::function<std::shared_ptr<const reader::SceneTags>()>;

  /// @param where  "" passes every row
  FactFilter(TableKind kind, std::string_view where, const Tags& tags = {});

  /// Returns the positions of the columns that select() needs, ascending.
  const std::vector<std::size_t>& columns() const noexcept { return needed_; }

  /// Returns which rows of a set can pass, from the ranges of their columns.
  reader::Filter::Match match(const reader::Filter::Statistics& ranges) const;

  /// Returns whether facts of a scene can pass, by its number.
  bool may_pass(std::uint64_t scene) const;

  /// Returns the rows that pass, ascending.
  ///
  /// @param columns  as FactTable's; those that are not needed may be empty
  /// Throws  invalid_argument for a column whose size is not that of `rows` values
  std::vector<std::uint32_t> select(std::span<const std::span<const std::byte>> columns,
                                    std::size_t rows);
  std::vector<std::uint32_t> select(const FactTable& table);

 private:
  TableKind kind_;
  std::unique_ptr<reader::Filter> filter_;  // null if every row passes
  std::vector<std::size_t> needed_;
};

/// Returns the rows of a table at these positions.
FactTable taken(const FactTable& table, std::span<const std::uint32_t> rows);

}  // namespace bev::facts
