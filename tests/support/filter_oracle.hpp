#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/reader/expression.hpp"
#include "core/reader/filter.hpp"

namespace bev::test {

/// A value of a filter's tree: a number, a string or a condition. A long double holds
/// every integer of 64 bits and every double.
using FilterValue = std::variant<long double, std::u32string, bool>;

/// Rows of a table: per column the elements, row-major.
struct TableRows {
  std::size_t count = 0;
  std::vector<std::vector<std::byte>> columns;

  std::vector<std::span<const std::byte>> spans() const {
    return {columns.begin(), columns.end()};
  }
};

/// Evaluates a filter on scalars, a row at a time, independently of reader::Filter.
class FilterOracle {
 public:
  FilterOracle(const reader::Schema& schema, const TableRows& rows)
      : schema_(schema), rows_(rows) {}

  /// Returns whether a row passes a condition or has a true boolean column.
  bool passes(const reader::Expression& filter, std::size_t row) const;

  /// Returns an element of a row.
  FilterValue element(std::size_t column, std::size_t index, std::size_t row) const;

 private:
  FilterValue value(const reader::Expression& node, std::size_t row) const;
  FilterValue field(const reader::Expression& node, std::size_t row) const;
  bool condition(const reader::Expression& node, std::size_t row) const;
  bool comparison(const reader::Expression& node, std::size_t row) const;
  bool is_one_of(const reader::Expression& node, std::size_t row) const;
  bool equal(const reader::Expression& left, const reader::Expression& right,
             std::size_t row) const;
  bool in_part(const reader::Expression& node, std::size_t row) const;
  long double number(const reader::Expression& node, std::size_t row) const;
  double real(const reader::Expression& node, std::size_t row) const;

  const reader::Schema& schema_;
  const TableRows& rows_;
};

}  // namespace bev::test
