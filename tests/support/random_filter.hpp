#pragma once

#include <cstddef>
#include <cstdint>

#include "core/reader/expression.hpp"
#include "core/reader/filter.hpp"
#include "tests/support/filter_oracle.hpp"
#include "tests/support/records.hpp"

namespace bev::test {

/// Makes up schemas, rows and filters that fit them.
class RandomFilters {
 public:
  explicit RandomFilters(std::uint64_t seed) : random_(seed) {}

  /// Starts a table with a new schema of all types.
  void new_table(std::size_t row_count);

  const reader::Schema& schema() const noexcept { return schema_; }
  const TableRows& rows() const noexcept { return rows_; }

  /// Returns a filter of a tree of at most `levels` levels of conditions.
  reader::Expression condition(int levels);

  /// Returns a comparison of a field of numbers with a literal.
  reader::Expression single_comparison();

  std::size_t below(std::size_t bound) { return random_.below(bound); }

 private:
  reader::Expression field(bool is_text);
  reader::Expression number(int levels);
  reader::Expression literal();
  reader::Expression text_literal(const reader::Expression& field);
  reader::Expression text_condition();
  reader::Expression membership();
  reader::Expression split();
  reader::Column column(std::size_t position);
  std::vector<std::byte> element(const reader::Column& column);
  zarr::Number value();

  Random random_;
  reader::Schema schema_;
  TableRows rows_;
};

}  // namespace bev::test
